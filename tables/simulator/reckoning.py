"""Does a meter stand where rounds, wagers, versions and wins put it? Exact decimals, no tolerance.

Reckoned anew from what was played, in the order of the books' numbers; movements and balances are not looked at.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Final

NOTHING: Final = Decimal(0)
LINES: Final = (
    "contributions", "voided", "seed posted", "reserve released", "overflow returned", "overflow taken",
    "made good", "awards", "advances", "repaid",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Rates:
    """What the version in force makes of a staked amount, and how high its meter may stand."""

    meter: Decimal
    reserve: Decimal
    limit: Decimal | None = None
    keeps_overflow: bool = True
    repays: Decimal = NOTHING  # of a staked amount, while the house is owed an advance


@dataclass(frozen=True, slots=True)
class JackpotBalances:
    """Where a jackpot stood at one moment, and the number of its last entry."""

    seq: int
    meter: Decimal
    reserve: Decimal = NOTHING
    overflow: Decimal = NOTHING
    advance: Decimal = NOTHING


@dataclass(frozen=True, slots=True)
class CountedRound:
    """A counted round: chips times wager."""

    seq: int
    stake: Decimal
    rates: Rates


@dataclass(frozen=True, slots=True)
class VoidedRound:
    """A round taken back, of which `corrects` was the coin-in."""

    corrects: int
    stake: Decimal
    rates: Rates


@dataclass(frozen=True, slots=True)
class PaidAward:
    """A win as its record has it; `from_meter` is nothing where the tray paid."""

    from_meter: Decimal
    rates: Rates
    seed: Decimal = NOTHING
    reserve_released: Decimal = NOTHING
    overflow_returned: Decimal = NOTHING
    from_reserve: Decimal = NOTHING
    from_house: Decimal = NOTHING
    advance: Decimal = NOTHING


Event = CountedRound | VoidedRound | PaidAward


@dataclass(slots=True)
class Sheet:
    """One jackpot's reconciliation, meter and reserve side by side."""

    jackpot: str
    opened: JackpotBalances
    meter: Decimal = NOTHING
    reserve: Decimal = NOTHING
    overflow: Decimal = NOTHING
    owed: Decimal = NOTHING
    lines: dict[str, tuple[Decimal, Decimal]] = field(default_factory=lambda: dict.fromkeys(LINES, (NOTHING, NOTHING)))
    cut: dict[int, Decimal] = field(default_factory=dict)
    repaid: dict[int, Decimal] = field(default_factory=dict)
    closed: JackpotBalances | None = None

    @classmethod
    def reckoned(cls, jackpot: str, opened: JackpotBalances, events: Iterable[Event], closed: JackpotBalances) -> Sheet:
        sheet = cls(jackpot, opened, opened.meter, opened.reserve, opened.overflow, opened.advance, closed=closed)
        for event in events:
            match event:
                case CountedRound():
                    sheet._counted(event)
                case VoidedRound():
                    sheet._taken_back(event)
                case PaidAward():
                    sheet._awarded(event)
        return sheet

    @property
    def differences(self) -> tuple[Decimal, Decimal, Decimal, Decimal]:
        """Books less reckoning: meter, reserve, overflow, what is owed of advances."""
        assert self.closed is not None, "a sheet is made with its closing"
        closed = self.closed
        meter, reserve = closed.meter - self.meter, closed.reserve - self.reserve
        return meter, reserve, closed.overflow - self.overflow, closed.advance - self.owed

    @property
    def agrees(self) -> bool:
        return not any(self.differences)

    def _counted(self, round_: CountedRound) -> None:
        raised, kept = round_.stake * round_.rates.meter, round_.stake * round_.rates.reserve
        self._book("contributions", raised, kept)
        self.cut[round_.seq] = self._cut_at_limit(raised, round_.rates)
        self.repaid[round_.seq] = min(round_.stake * round_.rates.repays, self.owed, raised - self.cut[round_.seq])
        self._owe("repaid", -self.repaid[round_.seq])

    def _taken_back(self, round_: VoidedRound) -> None:
        """What the limit had sent to overflow comes back from there; what a balance lacks is made good."""
        over = self.cut.pop(round_.corrects, NOTHING)
        self._owe("repaid", self.repaid.pop(round_.corrects, NOTHING))
        self._book("voided", -round_.stake * round_.rates.meter, -round_.stake * round_.rates.reserve)
        self._book("overflow taken", over)
        if round_.rates.keeps_overflow:
            self.overflow -= over
        from_reserve = min(max(self.reserve, NOTHING), max(-self.meter, NOTHING))
        self._book("made good", max(-self.meter, NOTHING), -from_reserve)
        self._book("made good", NOTHING, max(-self.reserve, NOTHING))
        self.overflow = max(self.overflow, NOTHING)

    def _awarded(self, win: PaidAward) -> None:
        """A shortfall is booked before the reset, so the limit cuts what a whole new meter has too much."""
        self._book("awards", -win.from_meter)
        self._book("made good", win.from_reserve + win.from_house, -win.from_reserve)
        self._book("seed posted", win.seed)
        self._book("reserve released", win.reserve_released, -win.reserve_released)
        self._book("overflow returned", win.overflow_returned)
        self.overflow -= win.overflow_returned
        self._cut_at_limit(win.seed + win.reserve_released + win.overflow_returned, win.rates)
        self._owe("advances", win.advance)

    def _owe(self, line: str, meter: Decimal) -> None:
        """What the house lends to the meter, and what comes back of it."""
        self._book(line, meter)
        self.owed += meter

    def _cut_at_limit(self, raised: Decimal, rates: Rates) -> Decimal:
        """What raised the meter above its limit leaves it again."""
        over = NOTHING if rates.limit is None else max(min(raised, self.meter - rates.limit), NOTHING)
        self._book("overflow taken", -over)
        if rates.keeps_overflow:
            self.overflow += over
        return over

    def _book(self, line: str, meter: Decimal, reserve: Decimal = NOTHING) -> None:
        before = self.lines[line]
        self.lines[line] = before[0] + meter, before[1] + reserve
        self.meter += meter
        self.reserve += reserve
