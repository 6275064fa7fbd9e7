"""Later winners whose awards counted from one that is backed out."""

from __future__ import annotations

from typing import Any

from jackpot.adjusting.models import Adjustment
from jackpot.books.models.jackpot import Jackpot
from jackpot.wins.models import Win
from tables.hits.actions import hit
from tables.rounds.actions.round import post_messages
from tables.rounds.rules.round import CoinInRequest, DeviceRequest, EndRequest
from tests.scenes_adjusting import approved, asked
from tests.scenes_wins import WinFloor


class OwedFloor(WinFloor):
    """A house in which awards are backed out."""

    def __init__(self, tables: int = 1, **of_the_jackpot: Any) -> None:
        super().__init__(tables, **of_the_jackpot)
        self.jackpot: Jackpot = Jackpot.objects.get(code="GRAND")

    def v9b(self) -> tuple[Win, Win]:
        """20,000.00 approved, 100 coin-ins, then five percent of 10,687.25."""
        first = self.won({2: "royal"})[0]
        self.coin_ins(95)
        return first, self.won({2: "five"}, seats="12345")[0]

    def coin_ins(self, spots: int, table: int = 0, *, ends: bool = True) -> None:
        """So many chips of 1.00, at most seven in a round."""
        while spots:
            seats = "1234567"[:spots]
            spots -= len(seats)
            self._say(CoinInRequest(self._next(table), seats), table)
            if ends:
                self._say(EndRequest(self.rounds[table]), table)

    def mark(self, hands: dict[int, str]) -> None:
        """A hit that stays open."""
        self._say(CoinInRequest(self._next(), "".join(map(str, sorted(hands)))))
        for seat, hand in hands.items():
            code = self.casino.tables[0].code
            hit.mark(table_code=code, round_number=self.rounds[0], seat=seat, hand=hand, by="Test Dealer")

    def back_out(self, win: Win) -> Adjustment:
        win.refresh_from_db()
        self.jackpot.refresh_from_db()
        return approved(asked("back_out", self.jackpot, win=win), seen=True)

    def stands(self) -> dict[str, str]:
        self.jackpot.refresh_from_db()
        names = ("meter", "reserve", "house", "winners")
        return {name: f"{getattr(self.jackpot, name):.2f}" for name in names}

    def _next(self, table: int = 0) -> int:
        self.rounds[table] += 1
        return self.rounds[table]

    def _say(self, said: CoinInRequest | EndRequest, table: int = 0) -> None:
        post_messages([DeviceRequest(self.casino.tables[table].code, self.casino.controllers[table].id, 1, said)])
