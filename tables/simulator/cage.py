"""The cage: winners bring their slips, a cashier pays each once."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from random import Random
from typing import Final

from tables.simulator.desk import ApiSession
from tables.simulator.hits import TableAward
from tables.simulator.pace import Pace
from tables.simulator.wires import AnswerLost, ServerRefusal

ANOTHER_DAY: Final = 0.1  # of the winners keep their slip and come back another day


@dataclass
class Cage:
    """Pays in the order in which winners come, until the last has come or everything is called off."""

    desk: ApiSession
    pace: Pace
    stop: asyncio.Event
    dice: Random
    paid: list[TableAward] = field(default_factory=list)
    troubles: list[str] = field(default_factory=list)
    _queue: asyncio.Queue[TableAward | None] = field(default_factory=asyncio.Queue)

    def bring(self, won: TableAward) -> None:
        if self.dice.random() >= ANOTHER_DAY:
            self._queue.put_nowait(won)

    def nobody_comes_any_more(self) -> None:
        self._queue.put_nowait(None)

    async def serve(self) -> None:
        while not self.stop.is_set() and (won := await self._queue.get()) is not None:
            await self.pace.rest(self.pace.walking, self.stop)
            try:
                await self._pay(won)
            except ServerRefusal as refusal:
                if refusal.code == "sign_in":
                    self.troubles.append(f"Nobody pays slips at the cage: {refusal.why}")
                    return
                if refusal.code != "paid":  # somebody at the real cage page was faster
                    self.troubles.append(f"Slip {won.slip} was not paid: {refusal.why}")
            except AnswerLost as lost:
                self.troubles.append(f"Slip {won.slip} was not paid: {lost}")

    async def _pay(self, won: TableAward) -> None:
        found = await self.desk.reads(f"/api/v1/wins/?slip={won.slip}")
        (win,) = found["results"]
        key = f"simulated-slip-{won.slip}"
        answer = await self.desk.acts(f"/api/v1/wins/{win['id']}/pay/", {"method": "cash", "form_seen": True}, key)
        paid = answer["wins"][0]["amount"]
        if paid != won.amount:
            self.troubles.append(f"Slip {won.slip} paid {paid}, but the table was told {won.amount}.")
        self.paid.append(won)
