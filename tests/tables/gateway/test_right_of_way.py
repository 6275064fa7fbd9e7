"""Acts go before coin-ins: the batcher alone, with a recorder in the place of the books."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

import pytest

from tables.gateway import right_of_way
from tables.gateway.batcher import BATCH_BESIDE_ACTS, Batcher
from tables.rounds.rules.round import CoinInRequest, DeviceRequest, Outcome, PostedAnswer
from tests.patience import PATIENCE


class Recorder:
    """How large the batches were that were posted."""

    def __init__(self) -> None:
        self.sizes: list[int] = []

    def post(self, batch: Sequence[DeviceRequest]) -> list[Outcome]:
        self.sizes.append(len(batch))
        return [PostedAnswer(f"{said.table_code}", repeat=False) for said in batch]


def coin_ins(batcher: Batcher, many: int) -> list[asyncio.Future[Outcome | Exception]]:
    told = [asyncio.get_running_loop().create_future() for _ in range(many)]
    for number, future in enumerate(told):
        batcher.submit(DeviceRequest(f"T-{number}", number, 1, CoinInRequest(1, "3")), future.set_result)
    return told


def test_no_batch_begins_while_an_act_is_under_way(monkeypatch: pytest.MonkeyPatch) -> None:
    """However slow the machine is: the longest that a batch gives way does not pass here."""
    monkeypatch.setattr(right_of_way, "LONGEST", PATIENCE)

    async def play() -> tuple[list[int], list[int]]:
        recorder = Recorder()
        batcher = Batcher(recorder.post)
        with batcher.way.taken():
            asked = coin_ins(batcher, 3)
            await asyncio.sleep(0.05)  # many turns of the loop, in which a batch that does not wait is posted
            beside = [*recorder.sizes]
        await asyncio.gather(*asked)
        await batcher.close()
        return beside, recorder.sizes

    assert asyncio.run(play()) == ([], [3])


def test_an_act_that_takes_long_does_not_hold_up_the_floor() -> None:
    async def play() -> list[int]:
        recorder = Recorder()
        batcher = Batcher(recorder.post)
        with batcher.way.taken():  # and is not over before they are answered
            await asyncio.wait_for(asyncio.gather(*coin_ins(batcher, 3)), PATIENCE)
        await batcher.close()
        return recorder.sizes

    assert asyncio.run(play()) == [3]


def test_batches_are_small_beside_acts_and_whole_without() -> None:
    async def play(*, beside: bool) -> list[int]:
        recorder = Recorder()
        batcher = Batcher(recorder.post)
        if beside:
            with batcher.way.taken():
                pass
        await asyncio.gather(*coin_ins(batcher, 3 * BATCH_BESIDE_ACTS))
        await batcher.close()
        return recorder.sizes

    assert asyncio.run(play(beside=True)) == [BATCH_BESIDE_ACTS] * 3
    assert asyncio.run(play(beside=False)) == [3 * BATCH_BESIDE_ACTS]
