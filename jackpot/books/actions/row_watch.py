"""The watch over the live equation, and the way back for a row that was changed behind the books."""

from __future__ import annotations

from typing import Final

from django.db import transaction

from jackpot.books import events
from jackpot.books.actions.post import lock
from jackpot.books.models.jackpot import Jackpot
from jackpot.books.queries import RowDifference, differing_rows
from jackpot.books.rules.movement import ACCOUNTS
from jackpot.money import Money
from jackpot.refusals import NotAllowedNow, NotFound, NotUnderstood
from jackpot.trail.actions.trail import record
from jackpot.trail.models import Trail
from jackpot.trail.rules import objects

SERVER: Final = "Server"
ALARM: Final = "row differs"
AGREES: Final = "row agrees"

_told: dict[int, str] = {}


def watch_rows() -> list[RowDifference]:
    """Once a second, by who serves and by the worker: every row that differs is told in the trail, once.

    Everybody who listens is woken, so that the walls say that the jackpot stands still.
    """
    found = differing_rows()
    now = {each.jackpot_id: each.why for each in found}
    # As a second ago: nobody is told twice, and no lock is taken for it.
    if now == _told:
        return found
    codes = {each.jackpot_id: each.code for each in found} | _codes(_told.keys() - now.keys())
    for jackpot_id in (now.keys() | _told.keys()) & codes.keys():
        if now.get(jackpot_id) != _told.get(jackpot_id):
            _tell(jackpot_id, codes[jackpot_id], now.get(jackpot_id))
    _told.clear()
    _told.update(now)
    return found


@transaction.atomic
def set_row_right(*, code: str, by: str, why: str) -> str:
    """The row says again what the last entry says; nobody types an amount. Returns what was wrong with it."""
    if not why.strip():
        raise NotUnderstood(f"Say in a few words who changed the row of {code}, and why it may be set back.", "reason")
    jackpot = Jackpot.objects.filter(code=code).first()
    if jackpot is None:
        raise NotFound(f"There is no jackpot {code} here.", "no_jackpot")
    lock([jackpot.pk])
    # Asked behind the lock: somebody else may have set it right meanwhile.
    wrong = [each for each in differing_rows() if each.jackpot_id == jackpot.pk]
    if not wrong:
        raise NotAllowedNow(f"The row of {code} says what its last entry says. Nothing to set right.", "agrees")
    entry = wrong[0].entry
    balances = {name: Money(units).decimal() for name, units in zip(ACCOUNTS, entry.balances, strict=True)}
    head = {"last_seq": entry.seq, "seal": entry.seal, "last_at": entry.at, "version_id": entry.version_id}
    Jackpot.objects.filter(pk=jackpot.pk).update(**balances, **head)
    before = [Money(units).decimal() for units in wrong[0].row.balances]
    told = {name: str(amount) for name, amount in zip(ACCOUNTS, before, strict=True) if amount != balances[name]}
    details = {"entry": entry.seq, "row_said": told, "row_stood_at": wrong[0].row.seq}
    record(actor=by, act="set_row_right", about=objects.jackpot(code), why=why, details=details)
    record(actor=SERVER, act=AGREES, about=objects.jackpot(code))  # also while nobody watches: the next alarm is told
    events.notify(f"books {code}")
    return wrong[0].why


@transaction.atomic
def _tell(jackpot_id: int, code: str, why: str | None) -> None:
    """One line, also where web and worker see it in the same second: under the jackpot's lock the last line counts."""
    lock([jackpot_id])
    said = Trail.objects.filter(object_kind="jackpot", object_key=code, act__in=(ALARM, AGREES)).order_by("id").last()
    standing = said.why if said is not None and said.act == ALARM else None
    if standing == why:
        return
    if why is not None:
        record(actor=SERVER, act=ALARM, about=objects.jackpot(code), outcome="alarm", why=why)
    else:
        record(actor=SERVER, act=AGREES, about=objects.jackpot(code))
    events.notify(f"books {code}")


def _codes(jackpot_ids: set[int]) -> dict[int, str]:
    return dict(Jackpot.objects.filter(pk__in=jackpot_ids).values_list("pk", "code")) if jackpot_ids else {}
