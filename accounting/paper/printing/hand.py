"""What a page says of the hand: its cards, the five that make it, why, and who entered or saw them."""

from __future__ import annotations

from collections.abc import Mapping
from textwrap import shorten
from typing import Any, Final

from jackpot.wins.models import Win

SIGNS: Final = {"c": "♣", "d": "♦", "h": "♥", "s": "♠"}
LONGEST_REASON: Final = 80  # the whole reason stands at the signatures; the page stays one page
NOT_KEPT: Final = "seen at the table, not entered"


def hand_rows(win: Win) -> list[tuple[str, str]]:
    """As it was known at the approval; an envied seat is paid for the hand of another."""
    cards: Mapping[str, Any] = (win.envy_of or win).paper.get("cards") or {}
    override: Mapping[str, Any] = win.paper.get("override") or {}
    if not cards.get("board"):
        return [("Cards", _seen(cards)), *_overridden(override)]
    own = faces(cards["hole"]) or "on the board"
    rows = [("Cards", f"{own} · board {faces(cards['board'])}")]
    if cards["dealer"]:
        rows.append(("Dealer", faces(cards["dealer"])))
    rows.append(("Verdict", _verdict(cards)))
    return [*rows, *_overridden(override)]


def faces(cards: str) -> str:
    """“Jh Th” as J♥ 10♥."""
    return " ".join(card[:-1].replace("T", "10") + SIGNS[card[-1]] for card in cards.split())


def _seen(cards: Mapping[str, Any]) -> str:
    match cards.get("proof"):
        case "seen":
            return f"seen by {cards['by']}, not entered"
        case "missing":
            return "not asked for by the house"
        case "impossible":
            return "not entered; the marks exclude each other"
        case _:
            return NOT_KEPT


def _verdict(cards: Mapping[str, Any]) -> str:
    return f"{cards['why']} Entered by {cards['by']}."


def _overridden(override: Mapping[str, Any]) -> list[tuple[str, str]]:
    return [("Override", f"paid all the same: {shorten(override['why'], LONGEST_REASON)}")] if override else []
