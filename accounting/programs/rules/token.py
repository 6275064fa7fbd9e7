"""What a token of a program is: what it may read, how long, and how it is written."""

from __future__ import annotations

import re
import secrets
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Final

MOST_DAYS: Final = 365
LONGEST_NAME: Final = 60
START: Final = "fm_"
_WRITTEN: Final = re.compile(r"fm_[0-9a-f]{8}_[A-Za-z0-9_-]{43}")

# Only rights to read. What needs a person's presence (a card, a PIN, a second word) no program can have.
SCOPES: Final[Mapping[str, str]] = {
    "see": "sees the floor: tables, rounds, meters and signs",
    "read_books": "reads every entry, version, report and proof",
    "read_trail": "reads the trail, people and cards (last four)",
    "read_events": "follows the feed of what happened",
}


@dataclass(frozen=True, slots=True)
class TokenText:
    """A token as it is shown once. The prefix names it afterwards; the rest nobody can tell again."""

    prefix: str
    written: str


def new_token() -> TokenText:
    """256 bits that nobody guesses behind a prefix that people and the trail may see."""
    prefix = START + secrets.token_hex(4)
    text = TokenText(prefix, f"{prefix}_{secrets.token_urlsafe(32)}")
    assert looks_like_token(text.written), "what we give is what we take"
    return text


def looks_like_token(written: str) -> bool:
    return _WRITTEN.fullmatch(written) is not None


def name_refusal(name: str) -> str:
    if not 0 < len(name) <= LONGEST_NAME or not name.isprintable():
        return f"Name the program that gets the token, in 1 to {LONGEST_NAME} characters."
    return ""


def scopes_refusal(scopes: Collection[str]) -> str:
    """A right that a program cannot have is named with those that it can."""
    if not scopes:
        return "Choose at least one thing that the program may read."
    foreign = next((each for each in scopes if each not in SCOPES), None)
    if foreign is not None:
        return (
            f"A program cannot have “{foreign[:40]}”. It can have: {', '.join(SCOPES)}. Everything else is a person’s."
        )
    return ""


def end_refusal(last_day: date, today: date) -> str:
    """Every token ends: a forgotten one does no harm for longer than a year."""
    if last_day < today:
        return f"The last day, {last_day}, is over. Choose today or a later day."
    latest = today + timedelta(days=MOST_DAYS)
    if last_day > latest:
        return f"A token lasts at most one year. Choose {latest} or an earlier day."
    return ""
