"""What the house keeps, for how long, and what takes it away: one table, from which the page is made.

Nothing of the books, of slips, requests, people or the trail is ever taken away by the product: the years are the least
that a house promises its regulator, and the guards in the database refuse a deletion to everybody.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class KeptThing:
    """One line: what it is, where it lies, how long it stays, and who or what ends it."""

    what: str
    where: str
    life: str
    ended_by: str
    setting: str = ""


NOTHING: Final = "nothing; the database refuses"
NOBODY: Final = "nothing; there is no act for it"


def kept_things(*, years: int, answer_days: int, parcel_days: int, session_hours: int) -> tuple[KeptThing, ...]:
    """The table of retention as these settings make it."""
    assert min(years, answer_days, parcel_days, session_hours) > 0, "a life is longer than nothing"
    for_good, least = "for good", f"at least {years} years"
    return (
        KeptThing("Entries of the books, versions of terms", "database", for_good, NOTHING),
        KeptThing("The trail", "database", for_good, NOTHING),
        KeptThing("Events of the feed, tokens, webhooks", "database", for_good, NOTHING),
        KeptThing("Wins, slips, payments, printed copies with their bytes", "database", least, NOBODY, "years"),
        KeptThing("Requests, signatures, notices, disputes", "database", least, NOBODY, "years"),
        KeptThing("People, cards, roles", "database", least, "nothing; who is dismissed stays by name", "years"),
        KeptThing("Gaming days: readings, counts, explanations, signatures", "database", least, NOBODY, "years"),
        KeptThing("Rounds and their entries", "database", least, NOBODY, "years"),
        KeptThing("Published heads", "heads.jsonl, outside the database", for_good, NOBODY),
        KeptThing("Reports written by the worker", "reports/ in the data folder", least, NOBODY, "years"),
        KeptThing("Proofs: what they found", "database", least, NOBODY, "years"),
        KeptThing(
            "Parcels for auditors", "audit/ in the data folder", f"{parcel_days} days",
            "the worker, every hour; the line with the digest stays", "parcels",
        ),
        KeptThing(
            "Stored answers of requests with an Idempotency-Key", "database", f"{answer_days} days",
            "the worker, every hour; they are no record", "answers",
        ),
        KeptThing("Sign-ins", "database", f"{session_hours} hours", "their end, sign-out, dismissal; the trail stays"),
    )  # fmt: skip


SETTINGS: Final = {
    "years": "FAIRMETER_RECORDS_YEARS", "parcels": "FAIRMETER_PARCELS_DAYS", "answers": "FAIRMETER_ANSWERS_DAYS",
}  # fmt: skip
