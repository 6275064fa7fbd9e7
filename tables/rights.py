"""What web and worker may write of the floor's tables."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from jackpot.database.rights import TableRights, WorkersRights, adds, adds_and_takes_away, keeps, only, writes
from tables.play_sums.models import SEAT_NAMES

# Derived from rounds and told anew from them: no act, close or proof believes it.
_SUMS: Final[Mapping[str, TableRights]] = {
    "tables_summedplay": writes("last changes"),
    "tables_summedwager": writes(" ".join(["rounds", "chips", *SEAT_NAMES])),
    "tables_summedhalfhour": writes("rounds chips coin_in"),
    "tables_sumsbegun": adds(),
}
RIGHTS: Final[Mapping[str, TableRights]] = {
    "tables_round": keeps("table_id number wager dealer_id deck_colour opened_at gaming_day"),
    "tables_roundentry": adds(),
    "tables_furthercoinin": adds(),
    "tables_keptback": writes("state decided_by_id second_id decided_at reason"),
    "tables_playhour": adds(),
    "tables_changedplay": adds(),
    **_SUMS,
    "tables_roundcards": adds(),
    "tables_opencase": adds(),
    "tables_surveillancetick": adds(),
    "tables_tablecheck": adds(),
    "tables_restoredtable": writes("told_round told_slip told_by told_at posted clash state request_id"),
    "tables_tablecollection": adds(),
    "tables_notedschedule": adds(),
    "tables_enteredlimits": adds(),
    "tables_bankedhand": adds(),
    "tables_spotwager": adds(),
    "tables_handsettlement": adds(),
    "tables_settledwager": adds(),
    "tables_custodyitem": adds(),
    "tables_custodymove": adds(),
    "tables_slipbook": adds(),
    "tables_slipbookmove": adds(),
    "tables_handslip": adds(),
    "tables_sensorevent": adds(),
    "tables_tableduty": writes("ended_at"),
    "tables_table": keeps(),
    # Taken away with a table's alteration and written anew; its rounds keep what they were played with.
    "tables_furtherwager": adds_and_takes_away(),
    "tables_link": adds_and_takes_away(),
    "tables_device": keeps(),
    "tables_outage": adds(),
    "tables_sign": keeps(takes_away=True),
    "tables_signmeter": adds_and_takes_away(),
    "tables_ownpaytable": keeps(takes_away=True),
}

# By switch of a house it closes a table that lost an approval or lies outside its limits, and writes down hours of
# play.
OF_THE_WORKER: Final = WorkersRights(
    {"tables_table": only("state held_why"), "tables_playhour": adds(), **_SUMS},
)
