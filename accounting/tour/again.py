"""The tour starts again: what a guest left open at the table is closed, by ordinary acts that stay in the books."""

from __future__ import annotations

from typing import Final

from accounting.tour.cast import KEY
from accounting.tour.stand import BEGINS
from jackpot.people.actions.keys import sign_key_back
from jackpot.people.models import KeyRegister
from jackpot.refusals import NotAllowedNow
from jackpot.trail.actions.trail import record
from jackpot.trail.rules import objects
from jackpot.wins.queries.of_round import wins_of
from jackpot.wins.rules.round_ref import RoundRef
from jackpot.wins.rules.win_life import WinState
from tables.floor.models.duty import TableDuty
from tables.floor.models.table import Table
from tables.gateway.actions.console import leave_duty
from tables.hits.actions import hit, key
from tables.rounds.actions.round import post_messages
from tables.rounds.models.round import Round, RoundState
from tables.rounds.rules.round import DeviceRequest, EndRequest, Refusal

GUEST: Final = "a guest of the tour"
WHY: Final = "the tour starts again"


def start_again(table: Table) -> None:
    """Key to RUN, marks off, round over, dealer and key gone. An award that was approved stays: it is owed."""
    # The guest's other tab has gone on since this page was drawn.
    table.refresh_from_db()
    # First of all: while a key stands at JPH marks and GAME OVER are refused.
    if table.key_at_jph:
        key.turn(table_code=table.code, key_number=table.key_at_jph, position="RUN")
    open_round = Round.objects.filter(table=table, state=RoundState.OPEN).order_by("-number").first()
    if open_round is not None:
        _close(table, open_round)
    for duty in TableDuty.objects.filter(table=table, ended_at=None).select_related("operator"):
        leave_duty(table_code=table.code, operator=duty.operator)
    if KeyRegister.objects.filter(premises=table.premises, number=KEY, back_at=None).exists():
        sign_key_back(premises=table.premises, number=KEY, by=GUEST)
    record(actor=GUEST, act=BEGINS, about=objects.table(table.code))


def _close(table: Table, round_: Round) -> None:
    code, number = table.code, round_.number
    place = RoundRef(code, number)
    if wins_of(place).filter(state=WinState.ASKED).exists():
        # Asked hits before marks: a closed round takes no mark back.
        hit.reject(table_code=code, round_number=number, by=GUEST, why=WHY)
    for win in wins_of(place).filter(state=WinState.MARKED, envy_of=None):
        hit.unmark(table_code=code, round_number=number, seat=win.seat, hand=win.line, by=GUEST)
    assert round_.device_id is not None, "a round was opened by a device"
    ended = post_messages([DeviceRequest(code, round_.device_id, round_.sequence + 1, EndRequest(number))])[0]
    if isinstance(ended, Refusal):
        raise NotAllowedNow(ended.why, ended.code)
