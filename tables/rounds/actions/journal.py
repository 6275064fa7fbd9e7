"""After a restore: a box says what it knows, and the rounds that the books lost are posted from its journal.

What a box says here it has signed like everything else, and each round is posted as it would have been: under the same
locks, by the terms in force, judged by the times of play. All rounds of one message, or none.
"""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Mapping, Sequence
from typing import Any, Final

import orjson
from django.db import transaction
from django.utils import timezone

from jackpot.refusals import NotAllowedNow
from jackpot.trail.actions.trail import record
from jackpot.trail.rules import objects
from tables.floor.actions.comparing import how_it_stands, judge, uncompared
from tables.floor.actions.state import lock_jackpots_of
from tables.floor.models.device import Device
from tables.floor.models.restored import RestoredTable
from tables.floor.models.table import Table, TableState
from tables.rounds.actions.round import post_messages
from tables.rounds.models.round import Round, RoundState
from tables.rounds.rules.journal import KeptRound, first_wanted, spoken_play
from tables.rounds.rules.round import CoinInRequest, DeviceRequest, EndRequest, Refusal, RoundRequest

ACT: Final = "catch_up"
NONE_ASKED: Final = "none"


def journals_asked(tables: Collection[Table]) -> dict[int, Mapping[str, Any]]:
    """What `hello` tells boxes of restored tables, by table: from which round on their journals are wanted."""
    return {
        waits.table_id: {"from": first_wanted(waits.books_round + waits.posted), "why": how_it_stands(waits)}
        for waits in uncompared().filter(table__in=tables).order_by("-pk")
    }


@transaction.atomic
def hear_journal(
    *, table_code: str, device_id: int, last_round: int, last_slip: int, rounds: Sequence[KeptRound]
) -> dict[str, Any]:
    """What the box knows is kept and compared; what the books lack is counted, in the order it was played."""
    table = Table.objects.get(code=table_code)
    # The batch's own locks: no coin-in of another table of these jackpots comes between the rounds of one message.
    lock_jackpots_of(table)
    table.refresh_from_db(fields=["state"])  # set to maintenance while we waited, it stays so
    waits = uncompared().filter(table=table).select_for_update(of=("self",)).first()
    if waits is None:
        return {"restored": NONE_ASKED, "posted": 0}
    before = waits.posted
    # Of several messages the highest counts: a box may say its journal in parts, and say a part twice.
    waits.told_round = max(waits.told_round or 0, last_round)
    waits.told_slip = max(waits.told_slip or 0, last_slip)  # seen once, a slip is not unsaid by a message without it
    waits.told_at = timezone.now()
    waits.told_by = Device.objects.values_list("code", flat=True).get(pk=device_id)
    waits.clash = waits.clash or _first_clash(table, rounds)
    # Once both tell a round differently people look first: what comes after it may stand on a wrong round.
    if not waits.clash and table.state == TableState.HELD:
        _post_missing(waits, device_id, rounds)
    judge(waits)
    _tell(waits, rounds, waits.posted - before)
    return {
        "restored": waits.state, "why": how_it_stands(waits), "posted": waits.posted - before,
        "from": waits.books_round + waits.posted + 1,
    }  # fmt: skip


def _first_clash(table: Table, rounds: Sequence[KeptRound]) -> str:
    """The books are right about what they hold, unless a box that signed tells it differently: people look."""
    # A void of the books is left out: the box may have heard of it or not, and it moved nothing either way.
    numbers = [each.number for each in rounds]
    held = Round.objects.filter(table=table, number__in=numbers).exclude(state=RoundState.VOID)
    ours = {each.number: spoken_play(each.seats, [(more.wager, more.seats) for more in each.further]) for each in held}
    for kept in rounds:
        if ours.get(kept.number, kept.spoken) != kept.spoken:
            theirs = kept.spoken
            return f"Round {kept.number}: the box counted seats {theirs}, the books hold {ours[kept.number]}."[:120]
    return ""


def _post_missing(waits: RestoredTable, device_id: int, rounds: Sequence[KeptRound]) -> None:
    """The table is open for these rounds alone, and only inside this transaction: nobody else ever sees it so."""
    here = Table.objects.filter(pk=waits.table_id)
    here.update(state=TableState.OPEN, unsettled=0)  # what the bank said of a lost hand is not in the journal
    for each in rounds:
        known = waits.books_round + waits.posted
        if each.number > known:
            _say(waits.table, device_id, CoinInRequest(each.number, each.seats, "", each.played_at, each.further))
            waits.posted += 1
        elif each.number < known or not _stands_open(waits.table, each.number):
            continue
        if not each.is_open:
            _say(waits.table, device_id, EndRequest(each.number))
    here.update(state=TableState.HELD)


def _stands_open(table: Table, number: int) -> bool:
    """The last round of the books may have ended in the lost time."""
    return Round.objects.filter(table=table, number=number, state=RoundState.OPEN, open_hits=0).exists()


def _say(table: Table, device_id: int, said: RoundRequest) -> None:
    (outcome,) = post_messages([DeviceRequest(table.code, device_id, 0, said)])
    if isinstance(outcome, Refusal):
        raise NotAllowedNow(f"Round {said.round} of the journal: {outcome.why}", outcome.code)


def _tell(waits: RestoredTable, rounds: Sequence[KeptRound], posted: int) -> None:
    kept = orjson.dumps([each.plain for each in rounds])
    details = {
        "restored": waits.pk, "device": waits.told_by, "last_round": waits.told_round, "last_slip": waits.told_slip,
        "posted": posted, "to": waits.books_round + waits.posted, "state": str(waits.state),
        "journal_sha256": hashlib.sha256(kept).hexdigest(),
    }  # fmt: skip
    about = objects.table(waits.table.code)
    record(actor=waits.told_by, act=ACT, about=about, why=how_it_stands(waits)[:200], details=details)
