"""Which generation of a device's secret is heard, asked where the act is: in the database, by the database's clock."""

from __future__ import annotations

from datetime import datetime
from typing import Final, NamedTuple

from jackpot.database.raw import ask_together
from tables.floor.models.device import DeviceKind, DeviceState

# `d` is the device, `sent` what was sent. Without a generation no secret spoke: it is an act of the house itself.
SECRET_HOLDS: Final = """(sent.generation IS NULL OR d.generation = sent.generation
       OR (d.generation = sent.generation + 1 AND d.earlier_until > clock_timestamp()))"""
# Numbers are counted for each secret: whoever holds the one before spends none of the newest one's.
SPENT_BY_ITS_SECRET: Final = "CASE WHEN sent.generation < d.generation THEN d.earlier_sequence ELSE d.last_sequence END"

_STANDINGS: Final = """
SELECT d.code, t.code, d.state, d.connection, d.generation, coalesce(d.earlier_until > clock_timestamp(), false),
       (SELECT max(v.at) FROM tables_versionrule v WHERE v.premises_id = t.premises_id),
       d.heard_sequence, d.earlier_sequence, t.seats
  FROM tables_device d JOIN tables_table t ON t.id = d.table_id WHERE d.kind = %s
"""


class DeviceStanding(NamedTuple):
    """A controller as a process must know it: where it is heard, on which line, and with which secrets."""

    code: str
    table_code: str
    state: str
    connection: str
    generation: int
    earlier_holds: bool
    rules_at: datetime | None  # of the house's newest rule of software
    heard_sequence: int
    earlier_sequence: int
    seats: int  # of its table

    def hears(self, generation: int) -> bool:
        """Whether a secret of this generation still opens anything."""
        if self.state != DeviceState.ACTIVE:
            return False
        return generation == self.generation or (self.earlier_holds and generation == self.generation - 1)


def controllers_now() -> dict[str, DeviceStanding]:
    """Every table controller, by its code."""
    (rows,) = ask_together([(_STANDINGS, [DeviceKind.CONTROLLER.value])])
    return {standing.code: standing for standing in map(DeviceStanding._make, rows)}
