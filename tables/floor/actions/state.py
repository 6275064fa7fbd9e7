"""A table is opened, closed, held; and how whatever of the floor is altered is locked, written and told.

Whoever changes a table's jackpots, wager, seats or state, or a device, first locks the jackpots of that table: the
batch that posts coin-ins holds these locks and reads tables and devices without locking them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from django.db import transaction
from django.utils import timezone

from jackpot.books.actions.post import lock
from jackpot.books.models.jackpot import Jackpot
from jackpot.property.models.property import Property
from jackpot.refusals import NotAllowedNow
from jackpot.trail.actions.trail import record
from jackpot.trail.rules.objects import ObjectKind, ObjectRef
from tables.floor.actions.approvals import refuse_unapproved
from tables.floor.actions.checklist import refuse_unready
from tables.floor.actions.comparing import refuse_uncompared
from tables.floor.models.device import Device
from tables.floor.models.sign import Sign
from tables.floor.models.table import Table, TableState
from tables.floor.queries.limit_sheets import outside_limits

ABOUT: Final[Mapping[type, ObjectKind]] = {
    Table: ObjectKind.TABLE, Sign: ObjectKind.SIGN, Device: ObjectKind.DEVICE, Property: ObjectKind.PROPERTY,
    Jackpot: ObjectKind.JACKPOT,
}  # fmt: skip


@transaction.atomic
def set_table_state(*, table: Table, state: TableState, by: str, why: str = "") -> None:
    """Opens, closes, holds a table or gives it to maintenance; the very next message meets the new state.

    Where the house says so, a table opens only with its checklist done, and with what has to be approved.
    """
    lock_jackpots_of(table)
    if state == TableState.OPEN:
        refuse_uncompared(table)
        refuse_unready(table)
        refuse_unapproved(table)
        _refuse_outside_limits(table)
    # A hold's reason must not outlive the hold: controllers say it to the dealer.
    held_why = why if state == TableState.HELD else ""
    _change(table, {"state": state.value, "held_why": held_why}, by, "set_table_state", why=why)


def _refuse_outside_limits(table: Table) -> None:
    """A sheet may have begun since the table was set up."""
    for why in outside_limits(table, table.premises.gaming_day(timezone.now())):
        raise NotAllowedNow(f"{table.code} stays closed. {why}", "limits")


def lock_jackpots_of(table: Table, others: Sequence[Jackpot] = ()) -> list[str]:
    """Locks the jackpots a table feeds, and these others; returns the codes it feeds, by level."""
    ids = set(table.links.values_list("jackpot_id", flat=True))
    lock(ids | {jackpot.id for jackpot in others})
    # What was locked was a guess: links may have changed while we waited, so they are read once more.
    links = list(table.links.order_by("level").values_list("jackpot_id", "jackpot__code"))
    if not {id_ for id_, _ in links} <= ids | {jackpot.id for jackpot in others}:
        raise NotAllowedNow(f"{table.code} was linked to other jackpots at this moment. Look again, then repeat.")
    return [code for _, code in links]


def hold_row_of(table_code: str) -> None:
    """The table's own row, behind its jackpots: the only lock that a table has which feeds none."""
    Table.objects.select_for_update(no_key=True, of=("self",)).filter(code=table_code).first()


def _change(subject: Any, columns: dict[str, Any], by: str, act: str, why: str = "") -> None:
    """Writes what differs, and one line of the trail with before and after; nothing at all when nothing differs.

    Compared with the row as it stands under the lock: the caller may have looked at it long ago.
    """
    subject.refresh_from_db(fields=list(columns))
    differing = {name: value for name, value in columns.items() if getattr(subject, name) != value}
    if not differing:
        return
    before = {name: str(getattr(subject, name)) for name in differing}
    for name, value in differing.items():
        setattr(subject, name, value)
    subject.save(update_fields=list(differing))
    after = {name: str(value) for name, value in differing.items()}
    about = ObjectRef(ABOUT[type(subject)], subject.code)
    record(actor=by, act=act, about=about, why=why, details={"before": before, "after": after})
