"""What dated rules are called where several begin on one day. Whoever loads one and whoever signs it read it here."""

from __future__ import annotations

from datetime import date


def notice_named(begins: date, about: str, to: str) -> str:
    return f"{begins} {about} to {to}"


def schedule_named(begins: date, rule_set: str, option: int) -> str:
    return f"{begins} of {rule_set}/{option}"


def limits_named(begins: date, sheet: str, wager: str) -> str:
    return f"{begins} of {sheet} for {wager}" if wager else f"{begins} of {sheet}"
