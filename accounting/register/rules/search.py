"""What an accountant types into the search of the wins: a slip, an amount, a table, a day, the last four of a card."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from typing import Any, Final
from urllib.parse import urlencode

from accounting.register.rules.slips import NotASlip, read_slip
from jackpot.money import Money, NotAnAmount
from jackpot.property.rules.typed_days import DaySpan, NotADay, read_span
from jackpot.reading import read_day
from jackpot.wins.rules.win_life import WinState

LONGEST: Final = 120
SORTS: Final = ("slip", "amount", "state", "hand", "where", "approved", "jackpot")
WITH_SLIP: Final = (WinState.LOGGED, WinState.OWED, WinState.PAID, WinState.BACKED_OUT)
_DAY: Final = re.compile(r"\d{4}-\d{2}-\d{2}", re.ASCII)
_WORDS: Final = re.compile(r"[A-Za-z][A-Za-z ,-]{1,60}", re.ASCII)
_NAME_OF_A_HAND: Final = re.compile(r"[A-Z]?[a-z][^\W_]*(?:[ ,.'’()/&:+-]+[^\W_]+)+\)?")  # “Royal flush, first 5 cards”
_TABLE: Final = re.compile(r"[A-Z][A-Z0-9-]{0,19}")
_AMOUNT: Final = re.compile(r"[^\w\s,.]{0,2}\s?\d{1,3}(?:,?\d{3})*(?:\.\d{1,3})?", re.ASCII)
_LAST_FOUR: Final = re.compile(r"[•*.x]{1,12}\s?(\d{4})", re.IGNORECASE | re.ASCII)
_NUMBER: Final = re.compile(r"[0-9]{1,18}")


@dataclass(frozen=True, slots=True)
class WinSearch:
    """What was typed, and what of a win it may be: any of `either` fits. Or why it was not understood."""

    q: str = ""
    state: str = ""
    either: Mapping[str, Any] | None = None
    problem: str = ""
    jackpot: str = ""
    days: str = ""
    span: DaySpan | None = None
    sort: str = ""

    @property
    def query(self) -> str:
        """The same question as an address, for the next page and the export."""
        told = {"q": self.q, "state": self.state, "jackpot": self.jackpot, "days": self.days, "sort": self.sort}
        return urlencode({word: value for word, value in told.items() if value})


@dataclass(frozen=True, slots=True)
class Calendar:
    """How a house speaks of days: which one is today, and whether the month stands before the day."""

    today: date
    month_first: bool


def win_search(words: Mapping[str, str], calendar: Calendar | None = None) -> WinSearch:
    """Reads the question; a plain number may be a slip, a whole amount, or the last four of a card."""
    q, state = words.get("q", "").strip()[:LONGEST], words.get("state", "").strip()
    days, jackpot = words.get("days", "").strip()[:LONGEST], words.get("jackpot", "").strip().upper()[:20]
    if state and state not in WITH_SLIP:
        return WinSearch(q, "", problem="There is no such state of a win.")
    try:
        span = read_span(days, calendar.today, month_first=calendar.month_first) if days and calendar else None
    except NotADay as problem:
        return WinSearch(q, state, problem=str(problem), jackpot=jackpot, days=days)
    either = meant(q, calendar)
    if q and not either:
        why = "Search for a slip (12), an amount (20000.00), a table, a jackpot, a hand, a day or •••• 1234."
        return WinSearch(q, state, problem=why, jackpot=jackpot, days=days)
    sort = words.get("sort", "") if words.get("sort", "").removeprefix("-") in SORTS else ""
    return WinSearch(q, state, either or None, jackpot=jackpot, days=days, span=span, sort=sort)


def meant(q: str, calendar: Calendar | None = None) -> dict[str, Any]:
    """Everything that the words can mean, by name; days are read where it is known how the house writes them."""
    found = _meant(q)
    if calendar is None or not q or found.keys() & {"day"}:
        return found
    try:
        return {"span": read_span(q, calendar.today, month_first=calendar.month_first)}
    except NotADay:
        is_a_hand = _WORDS.fullmatch(q) or (not found and _NAME_OF_A_HAND.fullmatch(q))
        return {**found, **({"hand": q} if is_a_hand else {})}


def _meant(q: str) -> dict[str, Any]:
    if _DAY.fullmatch(q):
        return _day(q)
    if four := _LAST_FOUR.fullmatch(q):
        return {"last_four": four.group(1)}
    # “slip12” has the form of a code, and nobody calls a table so.
    if _TABLE.fullmatch(q.upper()) and not q.lower().startswith("slip"):
        return {"table": q.upper()}
    found = _slip(q)
    if _NUMBER.fullmatch(q) and len(q) == 4:
        found["last_four"] = q
    return found | _amount(q)


def _slip(q: str) -> dict[str, Any]:
    try:
        return {"slip": read_slip(q).slip}
    except NotASlip:
        return {}


def _amount(q: str) -> dict[str, Any]:
    if not _AMOUNT.fullmatch(q):
        return {}
    try:
        return {"amount": Money.of(re.sub(r"[^\d.]", "", q)).decimal()}
    except NotAnAmount:
        return {}


def _day(q: str) -> dict[str, Any]:
    try:
        return {"day": read_day(q)}
    except ValueError:
        return {}
