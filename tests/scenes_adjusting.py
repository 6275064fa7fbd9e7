"""Acts of two people for tests: asked for by one, decided by another."""

from __future__ import annotations

from typing import Any

from jackpot.books.models.jackpot import Jackpot
from jackpot.money import Money
from jackpot.people.models import Operator
from jackpot.requests.actions import Wish, Word
from jackpot.requests.models import Adjustment
from jackpot.requests.rules.adjusting import Adjusting
from tables.requests.actions import adjusting
from tests.builders import a_person

REASON = {
    "adjust": "malfunction", "transfer": "end_of_game", "suspend": "maintenance", "resume": "maintenance",
    "retire": "end_of_game", "back_out": "misdeal", "difference": "backed_out",
}  # fmt: skip


def person(username: str) -> Operator:
    known: Operator | None = Operator.objects.filter(username=username).first()
    return known or a_person(username)


def a_wish(kind: str, jackpot: Jackpot, *, amount: str = "", reading: str = "", **more: Any) -> Wish:
    told = {"reason": REASON[kind], "why": "sensor counted twice", "evidence": "camera 7, 02:14", **more}
    return Wish(
        Adjusting(kind), jackpot, amount=Money.of(amount) if amount else None,
        reading=Money.of(reading) if reading else None, **told,
    )  # fmt: skip


def asked(kind: str, jackpot: Jackpot, *, by: str = "asker", **more: Any) -> Adjustment:
    return adjusting.ask(wish=a_wish(kind, jackpot, **more), by=person(by))


def approved(row: Adjustment, *, by: str = "signer", seen: bool = False) -> Adjustment:
    return adjusting.approve(adjustment_id=row.pk, word=Word(person(by)), differences_seen=seen)


def done(kind: str, jackpot: Jackpot, **more: Any) -> Adjustment:
    """Asked for and approved."""
    row = approved(asked(kind, jackpot, **more))
    jackpot.refresh_from_db()
    if row.other is not None:
        row.other.refresh_from_db()
    return row
