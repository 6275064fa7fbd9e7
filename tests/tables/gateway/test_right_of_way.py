"""Acts go before coin-ins: the batcher alone, with a recorder in the place of the books."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Sequence

from tables.gateway.batcher import BATCH_BESIDE_ACTS, Batcher
from tables.gateway.right_of_way import LONGEST
from tables.rounds.rules.round import CoinInRequest, DeviceRequest, Outcome, PostedAnswer


class Recorder:
    """When batches were posted, and how large they were."""

    def __init__(self) -> None:
        self.at: list[float] = []
        self.sizes: list[int] = []

    def post(self, batch: Sequence[DeviceRequest]) -> list[Outcome]:
        self.at.append(time.perf_counter())
        self.sizes.append(len(batch))
        return [PostedAnswer(f"{said.table_code}", repeat=False) for said in batch]


def coin_ins(batcher: Batcher, many: int) -> list[asyncio.Future[Outcome | Exception]]:
    told = [asyncio.get_running_loop().create_future() for _ in range(many)]
    for number, future in enumerate(told):
        batcher.submit(DeviceRequest(f"T-{number}", number, 1, CoinInRequest(1, "3")), future.set_result)
    return told


async def _beside_an_act(recorder: Recorder, act: float) -> float:
    """Three coin-ins arrive while an act is under way; returns when the act was over."""
    batcher = Batcher(recorder.post)
    with batcher.way.taken():
        asked = coin_ins(batcher, 3)
        await asyncio.sleep(act)
        over = time.perf_counter()
    await asyncio.gather(*asked)
    await batcher.close()
    return over


def test_no_batch_begins_while_an_act_is_under_way() -> None:
    recorder = Recorder()
    over = asyncio.run(_beside_an_act(recorder, LONGEST / 4))
    assert len(recorder.at) == 1
    assert recorder.at[0] >= over


def test_an_act_that_takes_long_does_not_hold_up_the_floor() -> None:
    recorder = Recorder()
    over = asyncio.run(_beside_an_act(recorder, LONGEST * 20))
    assert recorder.at
    assert recorder.at[0] < over


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
