"""A table that a limit sheet overtook plays outside it: by switch of the house it is closed."""

from __future__ import annotations

from jackpot.property.models.property import Property
from tables.floor.actions.state import set_table_state
from tables.floor.models.table import Table, TableState
from tables.floor.queries.limit_sheets import open_outside_limits

SERVER = "Server"


def close_outside_limits() -> int:
    """A round that runs ends, and no other begins. Returns how many tables were closed.

    Where the switch is off the alarm alone says it; what is posted or counted there is changed by people.
    """
    closed = 0
    for house in Property.objects.filter(limits_close=True).order_by("id"):
        # By table: one that is outside for several reasons is closed once.
        for code, why in dict(open_outside_limits(house)).items():
            table = Table.objects.get(premises=house, code=code)
            set_table_state(table=table, state=TableState.CLOSED, by=SERVER, why=f"Outside its limits. {why}"[:200])
            closed += 1
    return closed
