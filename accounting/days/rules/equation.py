"""The equation of a jackpot's day: open + what was played, won, asked for and undone = close, for all that it holds.

Reckoned from rounds, wagers, versions and records of wins and requests, in the order of the books' numbers. What the
entries moved and where they say the balances stood is not looked at: it is what the equation is compared with.
"""

from __future__ import annotations

import enum
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import assert_never

from jackpot.books.rules import movement as money_of
from jackpot.books.rules.movement import NOTHING, Balances, Movement
from jackpot.money import MILLION
from jackpot.terms.rules.terms import Terms


class EquationPart(enum.StrEnum):
    """One line of the equation, in the order in which an accountant reads it."""

    BEGUN = "begun"
    CONTRIBUTIONS = "contributions"
    VOIDED = "voided"
    SEED = "seed posted"
    RELEASED = "reserve released"
    RETURNED = "overflow returned"
    MADE_GOOD = "made good"
    ADVANCES = "advances"
    REPAID = "repaid"
    TRANSFERS_IN = "transfers in"
    AWARDS = "awards"
    DIFFERENCES = "differences"
    TRANSFERS_OUT = "transfers out"
    BACK_OUTS = "back-outs"
    ADJUSTMENTS = "adjustments"
    OVERFLOW_TAKEN = "overflow taken"


@dataclass(frozen=True, slots=True)
class Holdings:
    """What a jackpot holds: units of 0.00000001 in meter, reserve and overflow, and what of house advances it owes."""

    meter: int = 0
    reserve: int = 0
    overflow: int = 0
    owed: int = 0

    def plus(self, other: Holdings) -> Holdings:
        return Holdings(*(mine + theirs for mine, theirs in zip(self.columns(), other.columns(), strict=True)))

    def less(self, other: Holdings) -> Holdings:
        return Holdings(*(mine - theirs for mine, theirs in zip(self.columns(), other.columns(), strict=True)))

    def columns(self) -> tuple[int, int, int, int]:
        return self.meter, self.reserve, self.overflow, self.owed

    def __bool__(self) -> bool:
        return any(self.columns())


@dataclass(frozen=True, slots=True)
class CountedChips:
    """Coin-ins in a row under one version: chips times wager. Such a stretch names no single round."""

    stake: int
    chips: int
    terms: Terms
    seq: int = 0


@dataclass(frozen=True, slots=True)
class ChipsTakenBack:
    """A round voided or counted again. `original` is its coin-in where that lies before the first event."""

    corrects: int
    terms: Terms
    original: Movement = NOTHING
    repaid: int = 0


@dataclass(frozen=True, slots=True)
class AwardOnRecord:
    """A win as its record has it; `from_meter` is nothing where the tray paid."""

    seq: int
    from_meter: int
    terms: Terms
    seed: int = 0
    released: int = 0
    returned: int = 0
    from_reserve: int = 0
    from_house: int = 0


@dataclass(frozen=True, slots=True)
class HouseAdvance:
    """A dry meter began anew after the award of this win."""

    win: int
    terms: Terms


@dataclass(frozen=True, slots=True)
class AwardBackedOut:
    """The award with this number is undone. `original` and `advanced` are told where it lies before the first event."""

    corrects: int
    win: int
    terms: Terms
    original: Movement = NOTHING
    advanced: int = 0


@dataclass(frozen=True, slots=True)
class AmountAdjusted:
    """What two people put into the meter or the reserve, or took out."""

    account: str
    by: int
    terms: Terms


@dataclass(frozen=True, slots=True)
class MoneySent:
    """To another jackpot."""

    meter: int
    reserve: int
    overflow: int


@dataclass(frozen=True, slots=True)
class MoneyTaken:
    """From another jackpot, as it was sent there."""

    sent: MoneySent
    terms: Terms


@dataclass(frozen=True, slots=True)
class DifferenceOwed:
    """The rest of an earlier award, from the meter."""

    seq: int
    owed: int
    terms: Terms


@dataclass(frozen=True, slots=True)
class JackpotBegun:
    """Entry 1: the seed of a new jackpot, or the reading of the old system."""

    meter: int
    reserve: int = 0
    overflow: int = 0


TwoPeoplesAct = AmountAdjusted | MoneySent | MoneyTaken | DifferenceOwed
BooksEvent = (
    CountedChips | ChipsTakenBack | AwardOnRecord | HouseAdvance | AwardBackedOut | JackpotBegun | TwoPeoplesAct
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class DayEquation:
    """One jackpot, one stretch of its books: where it opened, each line, where it must close, where the books are."""

    jackpot: str
    opened: Holdings
    lines: Mapping[EquationPart, Holdings]
    reckoned: Holdings
    books: Holdings
    chips: int = 0
    missing: tuple[str, ...] = ()

    @property
    def variance(self) -> Holdings:
        """Books less reckoning: it must be nothing."""
        return self.books.less(self.reckoned)

    @property
    def agrees(self) -> bool:
        return not self.variance and not self.missing


@dataclass(slots=True)
class Reckoner:
    """Walks the events of one jackpot; in the end every line adds up to where it must stand."""

    opened: Holdings
    stands: Holdings = Holdings()
    chips: int = 0
    lines: dict[EquationPart, Holdings] = field(default_factory=lambda: dict.fromkeys(EquationPart, Holdings()))
    originals: dict[int, Movement] = field(default_factory=dict)
    repayments: dict[int, int] = field(default_factory=dict)
    advanced: dict[int, int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.stands = self.opened

    def walk(self, events: Iterable[BooksEvent]) -> Reckoner:
        for event in events:
            self._take(event)
        return self

    def equation(self, jackpot: str, books: Holdings, missing: Iterable[str] = ()) -> DayEquation:
        added = self.opened
        for moved in self.lines.values():
            added = added.plus(moved)
        assert added == self.stands, "the lines of the equation lead from open to close"
        return DayEquation(jackpot, self.opened, self.lines, self.stands, books, self.chips, tuple(missing))

    def _take(self, event: BooksEvent) -> None:
        match event:
            case CountedChips():
                self._counted(event)
            case ChipsTakenBack():
                self._taken_back(event)
            case AwardOnRecord():
                self._awarded(event)
            case HouseAdvance():
                self._advanced(event)
            case AwardBackedOut():
                self._backed_out(event)
            case JackpotBegun():
                self._book(EquationPart.BEGUN, Holdings(event.meter, event.reserve, event.overflow))
            case AmountAdjusted() | MoneySent() | MoneyTaken() | DifferenceOwed():
                self._decided(event)
            case _:
                assert_never(event)

    def _decided(self, event: TwoPeoplesAct) -> None:
        """What one person asked for and another signed."""
        match event:
            case AmountAdjusted():
                by = Movement(**{event.account: event.by, "house": -event.by})
                self._move(EquationPart.ADJUSTMENTS, by, event.terms, made_good=False)
            case MoneySent():
                self._book(EquationPart.TRANSFERS_OUT, Holdings(-event.meter, -event.reserve, -event.overflow))
            case MoneyTaken():
                came = money_of.transfer_out(event.sent.meter, event.sent.reserve, event.sent.overflow).reversed()
                self._move(EquationPart.TRANSFERS_IN, came, event.terms, made_good=False)
            case DifferenceOwed():
                before, owed = self.stands, Movement(meter=-event.owed, winners=event.owed)
                self._move(EquationPart.DIFFERENCES, owed, event.terms)
                self.originals[event.seq] = _between(before, self.stands)
            case _:
                assert_never(event)

    def _counted(self, event: CountedChips) -> None:
        """A stretch may be counted at once: coin-ins only raise, so the limit cuts their sum where it cuts each."""
        assert event.seq or not self.stands.owed, "what repays an advance is counted round by round"
        raised, kept = (_exactly(event.stake * rate) for rate in (event.terms.rate, event.terms.reserve_rate))
        counted = Movement(contributed=-(raised + kept), meter=raised, reserve=kept)
        moved = self._move(EquationPart.CONTRIBUTIONS, counted, event.terms, made_good=False)
        self.chips += event.chips
        # Of what the limit let through: a repayment never exceeds what the coin-in raised the meter by.
        repaid = money_of.repay(event.chips, self.stands.owed, moved.meter, event.terms).house
        self._book(EquationPart.REPAID, Holdings(meter=-repaid, owed=-repaid))
        # Only a coin-in that stands by itself can be named by a void; a stretch names none.
        if event.seq:
            self.originals[event.seq], self.repayments[event.seq] = moved, repaid

    def _taken_back(self, event: ChipsTakenBack) -> None:
        """What was repaid of an advance comes back first, so that no balance is short in between."""
        # Taken out and not looked up: an entry is corrected once.
        repaid = self.repayments.pop(event.corrects, event.repaid)
        if repaid:
            self._move(EquationPart.REPAID, Movement(meter=repaid, house=-repaid), event.terms)
            self._book(EquationPart.REPAID, Holdings(owed=repaid))
        original = self.originals.pop(event.corrects, event.original)
        self._move(EquationPart.VOIDED, original.reversed(), event.terms)

    def _awarded(self, event: AwardOnRecord) -> None:
        """The shortfall is booked before the reset, so the limit cuts what a whole new meter has too much."""
        before = self.stands
        good = event.from_reserve + event.from_house
        self._book(EquationPart.AWARDS, Holdings(meter=-event.from_meter))
        self._book(EquationPart.MADE_GOOD, Holdings(good, -event.from_reserve))
        # The reset is measured from here, so that the limit cuts what it raised and not what stood above it before.
        left = self.stands.meter
        self._book(EquationPart.SEED, Holdings(event.seed))
        self._book(EquationPart.RELEASED, Holdings(event.released, -event.released))
        self._book(EquationPart.RETURNED, Holdings(event.returned, 0, -event.returned))
        over = money_of.above_limit(self.stands.meter, max(self.stands.meter - left, 0), event.terms)
        self._over(over, event.terms)
        self.originals[event.seq] = _between(before, self.stands)

    def _advanced(self, event: HouseAdvance) -> None:
        moved = money_of.advance(Balances(meter=self.stands.meter), event.terms)
        lent = -moved.house
        self._book(EquationPart.ADVANCES, Holdings(event.terms.seed.units, 0, 0, lent))
        self._over(event.terms.seed.units - moved.meter, event.terms)  # what the limit cut of the seed
        self.advanced[event.win] = lent

    def _backed_out(self, event: AwardBackedOut) -> None:
        """Of an advance only what is still owed is turned round; what was repaid counts as contributed."""
        units = min(self.advanced.pop(event.win, event.advanced), self.stands.owed)
        original = self.originals.pop(event.corrects, event.original)
        undone = original.with_also(Movement(meter=units, house=-units)).reversed()
        self._move(EquationPart.BACK_OUTS, undone, event.terms)
        self._book(EquationPart.BACK_OUTS, Holdings(owed=-units))

    def _move(self, part: EquationPart, moved: Movement, terms: Terms, *, made_good: bool = True) -> Movement:
        """Books a movement on its line; what the limit cuts of it and what makes it good stand on theirs."""
        before = Balances(meter=self.stands.meter, reserve=self.stands.reserve, overflow=self.stands.overflow)
        self._book(part, _held(moved))
        cut = money_of.cut_at_limit(moved, before.meter, terms)
        # On a line of its own: the accountant reads what was played or posted in full, and what the limit cut of it
        # beside.
        self._book(EquationPart.OVERFLOW_TAKEN, _held(cut).less(_held(moved)))
        if made_good:
            self._book(EquationPart.MADE_GOOD, _held(money_of.made_good(cut, before, terms)).less(_held(cut)))
        return cut

    def _over(self, units: int, terms: Terms) -> None:
        # Overflow as revenue is the house's at once, and no jackpot holds it.
        kept = 0 if terms.policy.overflow == "revenue" else units
        self._book(EquationPart.OVERFLOW_TAKEN, Holdings(-units, 0, kept))

    def _book(self, part: EquationPart, moved: Holdings) -> None:
        self.lines[part] = self.lines[part].plus(moved)
        self.stands = self.stands.plus(moved)


def _held(moved: Movement) -> Holdings:
    return Holdings(moved.meter, moved.reserve, moved.overflow)


def _between(before: Holdings, after: Holdings) -> Movement:
    meter, reserve, overflow, _ = after.less(before).columns()
    return Movement(meter=meter, reserve=reserve, overflow=overflow, house=-(meter + reserve + overflow))


def _exactly(millionths: int) -> int:
    """A stake of whole cents at a rate in millionths is exact."""
    assert millionths % MILLION == 0, "a contribution never rounds"
    return millionths // MILLION
