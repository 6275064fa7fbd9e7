"""Acts of two people for tests: asked for by one, decided by another."""

from __future__ import annotations

from typing import Any

from jackpot.adjusting.actions.asking import AdjustmentWish, ask
from jackpot.adjusting.models import Adjustment
from jackpot.adjusting.rules.adjusting import Adjusting
from jackpot.books.models.jackpot import Jackpot
from jackpot.money import Money
from jackpot.people.models import Operator
from jackpot.signing.actions import SecondPerson, sign
from tests.builders import a_person

GROUND = {
    "adjust": "malfunction", "transfer": "end_of_game", "suspend": "maintenance", "resume": "maintenance",
    "retire": "end_of_game", "back_out": "misdeal", "difference": "backed_out", "underpayment": "sign",
}  # fmt: skip


def person(username: str) -> Operator:
    known: Operator | None = Operator.objects.filter(username=username).first()
    return known or a_person(username)


def a_wish(kind: str, jackpot: Jackpot, *, amount: str = "", reading: str = "", **more: Any) -> AdjustmentWish:
    told = {"ground": GROUND[kind], "reason": "sensor counted twice", "evidence": "camera 7, 02:14", **more}
    return AdjustmentWish(
        Adjusting(kind), jackpot, amount=Money.of(amount) if amount else None,
        reading=Money.of(reading) if reading else None, **told,
    )  # fmt: skip


def asked(kind: str, jackpot: Jackpot, *, by: str = "asker", **more: Any) -> Adjustment:
    return ask(wish=a_wish(kind, jackpot, **more), by=person(by))


def approved(row: Adjustment, *, by: str = "signer", seen: bool = False) -> Adjustment:
    signed: Adjustment = sign(request_id=row.pk, approver=SecondPerson(person(by)), seen=seen)
    return signed


def done(kind: str, jackpot: Jackpot, **more: Any) -> Adjustment:
    """Asked for and approved."""
    row = approved(asked(kind, jackpot, **more))
    jackpot.refresh_from_db()
    if row.other is not None:
        row.other.refresh_from_db()
    return row


def by_others(kind: str, jackpot: Jackpot, **more: Any) -> Adjustment:
    """The same by two people of their own, beside those who change terms."""
    row = approved(asked(kind, jackpot, by="keeper", **more), by="witness")
    jackpot.refresh_from_db()
    return row
