"""Batches that are posted in a process beside the gateway: the same function there and here, asked in plain values."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import Any, Final

from jackpot.books.actions import holding
from jackpot.database.under_way import commits
from tables.gateway.batcher import post_planned
from tables.gateway.beside import SideGone, SideLine
from tables.rounds.actions.round import OutcomeUnknown
from tables.rounds.rules.further import FurtherSeats
from tables.rounds.rules.round import CoinInRequest, DeviceRequest, EndRequest, Outcome, PostedAnswer, Refusal

_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND: Final = timedelta(microseconds=1)
log = logging.getLogger(__name__)


class PostingLine:
    """Where the batches of one lane go."""

    def __init__(self, line: SideLine) -> None:
        self._line = line

    @property
    def is_open(self) -> bool:
        return self._line.is_open

    async def post(self, batch: Sequence[DeviceRequest]) -> list[Outcome]:
        try:
            with commits.one(confirms=True):
                held, unknown, outcomes = await self._line.ask([plain_request(request) for request in batch])
        except SideGone as gone:
            raise OutcomeUnknown(str(gone)) from gone
        know_held(held)
        if unknown:
            raise OutcomeUnknown(unknown)
        return [PostedAnswer(first, second) if posted else Refusal(first, second) for posted, first, second in outcomes]


def know_held(held: dict[int, tuple[str, float]]) -> None:
    """Which jackpots are held by other work, for the pages of this process; both count from the same start."""
    if held != holding.HELD:
        holding.HELD.clear()
        holding.HELD.update(held)


def serve_batch(batch: Sequence[tuple[Any, ...]]) -> tuple[Any, ...]:
    """In the process beside."""
    unknown, outcomes = "", list[tuple[Any, ...]]()
    try:
        outcomes = [_plain_outcome(each) for each in post_planned([request_of(plain) for plain in batch])]
    except OutcomeUnknown as problem:
        unknown = str(problem) or "The database did not confirm."
    except Exception as problem:
        log.exception("a batch failed")
        unknown = str(problem) or "The batch failed."
    return dict(holding.HELD), unknown, outcomes


def plain_request(request: DeviceRequest) -> tuple[Any, ...]:
    act = request.act
    spoken = request.table_code, request.device_id, request.sequence, request.generation, act.round
    if isinstance(act, EndRequest):
        return spoken
    at = None if act.played_at is None else (act.played_at - _EPOCH) // _MICROSECOND
    return *spoken, act.seats, act.spots, at, [tuple(each) for each in act.further]


def request_of(plain: tuple[Any, ...]) -> DeviceRequest:
    table_code, device_id, sequence, generation, number, *more = plain
    act: CoinInRequest | EndRequest = EndRequest(number)
    if more:
        seats, spots, at, further = more
        played_at = None if at is None else _EPOCH + timedelta(microseconds=at)
        act = CoinInRequest(number, seats, spots, played_at, tuple([FurtherSeats(*each) for each in further]))
    return DeviceRequest(table_code, device_id, sequence, act, generation)


def _plain_outcome(outcome: Outcome) -> tuple[Any, ...]:
    if isinstance(outcome, PostedAnswer):
        return True, outcome.answer, outcome.repeat
    return False, outcome.code, outcome.why
