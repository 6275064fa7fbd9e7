"""A table that plays while something of it is not approved any more: by switch of the house it is closed."""

from __future__ import annotations

from datetime import timedelta
from typing import Final

from django.utils import timezone

from jackpot.errands.rules import Rhythm
from jackpot.property.models.property import Property
from tables.floor.actions.approvals import lacking_at_tables
from tables.floor.actions.state import set_table_state
from tables.floor.models.table import TableState

RHYTHM: Final = Rhythm("watch approvals", every=timedelta(minutes=1), alarm_after=timedelta(minutes=30))
SERVER: Final = "Server"


def close_unapproved() -> int:
    """Other terms brought another pay table, or an approval ended: a round that runs ends, and no other begins.

    Returns how many tables were closed. Where the switch is off the alarm alone says it.
    """
    closed = 0
    for house in Property.objects.filter(unapproved_closes=True).order_by("id"):
        day = house.gaming_day(timezone.now())
        for table, missing in lacking_at_tables(house, day):
            names = " and ".join(str(each) for each in missing)
            why = f"{names} {'has' if len(missing) == 1 else 'have'} no approval that counts on {day}."
            # Closed and not held: what runs is played out, and it opens again only with its approvals.
            set_table_state(table=table, state=TableState.CLOSED, by=SERVER, why=why[:200])
            closed += 1
    return closed
