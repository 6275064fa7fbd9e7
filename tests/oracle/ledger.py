"""One jackpot's story: eight accounts, what moved them in which order, and which terms were in force."""

from __future__ import annotations

from dataclasses import dataclass, field

from tests.oracle.settling import Moved, Payment, Pot, left_of, limit_raise
from tests.oracle.sheet import COLUMNS, Sheet, cents_up, cut

Round = tuple[str, int]


@dataclass(frozen=True)
class Point:
    """A place in the story, and what stood there."""

    number: int
    meter: int
    reserve: int
    overflow: int


@dataclass(frozen=True)
class Ranked:
    """How an act that held a part ranked, and whether two people let it pass."""

    rank: int
    front: bool


@dataclass(frozen=True)
class Gift:
    """When an adjustment raised the meter, and by how much."""

    at: int
    gave: int


@dataclass(frozen=True)
class Counted:
    """What a round's coin-in did, and the terms by which its hits are judged."""

    coin_in: Moved
    repaid: int
    sheet: Sheet


@dataclass
class Ledger:
    code: str
    sheet: Sheet
    meter: int = 0
    reserve: int = 0
    overflow: int = 0
    house: int = 0
    contributed: int = 0
    winners: int = 0
    paid: int = 0
    outside: int = 0
    lent: int = 0  # of house advances, still owed
    state: str = "open"
    waits: Sheet | None = None  # signed by two, for the next reset
    began: list[tuple[int, Sheet, Sheet]] = field(default_factory=list)  # by the reset of which win, before, from then
    ranked: list[tuple[int, Ranked, Moved]] = field(default_factory=list)  # what acts with a part moved, and when
    steps: int = 0
    counted: dict[Round, Counted] = field(default_factory=dict)
    returns: dict[int, tuple[int, int]] = field(default_factory=dict)  # by step: overflow there, what a reset took
    gifts: list[Gift] = field(default_factory=list)  # what adjustments gave the meter

    def balances(self) -> dict[str, int]:
        return {name: getattr(self, name) for name in COLUMNS}

    def now(self) -> Point:
        """Marks are events too: whatever happens next has a higher number."""
        self.steps += 1
        return Point(self.steps, self.meter, self.reserve, self.overflow)

    def take(self, moved: Moved, *, ranked: Ranked | None = None) -> None:
        self.steps += 1
        for name in ("meter", "reserve", "overflow", "house", "winners"):
            setattr(self, name, getattr(self, name) + getattr(moved, name))
        if ranked is not None:
            self.ranked.append((self.steps, ranked, moved))

    # Coin-ins and what undoes them

    def coin_in(self, place: Round, chips: int) -> None:
        sheet = self.sheet
        raised, kept = chips * sheet.wager * sheet.rate, chips * sheet.wager * sheet.reserve_rate
        assert raised.denominator == kept.denominator == 1, "a coin-in never rounds"
        moved = Moved(meter=raised.numerator, reserve=kept.numerator)
        self.contributed -= moved.meter + moved.reserve
        limit_raise(moved, self.meter, sheet)
        self.take(moved)
        part = chips * sheet.wager * sheet.rate * sheet.repay_rate
        repaid = min(part.numerator, self.lent, moved.meter)
        if repaid > 0:
            self.lent -= repaid
            self.take(Moved(meter=-repaid, house=repaid))
        self.counted[place] = Counted(moved, max(repaid, 0), sheet)

    def take_back(self, place: Round) -> None:
        """Void or recount: first the repayment, then the coin-in; later ones stay."""
        counted = self.counted[place]
        if counted.repaid:
            self.lent += counted.repaid
            self.undo(Moved(meter=-counted.repaid, house=counted.repaid), self.sheet)
        moved = counted.coin_in
        given = moved.meter + moved.reserve + moved.overflow + moved.house
        self.contributed += given
        self.undo(moved, self.sheet)
        self.counted[place] = Counted(Moved(), 0, counted.sheet)

    def undo(self, moved: Moved, sheet: Sheet) -> None:
        """Everything back; what an account then lacks comes in whole cents, from reserve or house."""
        back = Moved(-moved.meter, -moved.reserve, -moved.overflow, -moved.house, -moved.winners)
        limit_raise(back, self.meter, sheet)
        self.take(back)
        lack = cents_up(-self.meter)
        kept = 0 if sheet.shortfall == "house" else min(cut(self.reserve), lack)
        self.take(Moved(meter=lack, reserve=-kept, house=kept - lack))
        for name in ("reserve", "overflow"):
            due = cents_up(-getattr(self, name))
            self.take(Moved(house=-due, **{name: due}))

    # Wins

    def pot(self, point: Point, judged: Sheet, rank: int, *, part: bool) -> Pot:
        """What stood at the frozen place, and what acts that rank before have moved since."""
        since, kept = [], point.overflow
        for number, act, moved in self.ranked:
            if number > point.number and (act.rank < rank or (part and act.front)):
                since.append(moved)
                lay, returned = self.returns.get(number, (0, 0))
                kept = left_of(kept, lay, returned)
        return Pot(
            judged, self.sheet, self.waits or self.sheet, self.meter, self.reserve, self.overflow,
            point.meter + sum(each.meter for each in since),
            max(point.reserve + sum(each.reserve for each in since), 0),
            kept,
        )  # fmt: skip

    def award(self, payment: Payment, *, ranked: Ranked | None, win: int) -> None:
        if payment.resets and self.waits is not None:
            self.began.append((win, self.sheet, self.waits))
            self.sheet, self.waits = self.waits, None
        overflow = self.overflow
        self.take(payment.moved, ranked=ranked)
        payment.at = self.steps
        self.returns[self.steps] = overflow, payment.begun[2]
        if payment.lent.meter or payment.lent.overflow:
            self.lent -= payment.lent.house
            self.take(payment.lent, ranked=ranked)

    def pay(self, amount: int) -> None:
        self.steps += 1
        self.winners -= amount
        self.paid += amount

    def back_out(self, payment: Payment, win: int, *, paid: bool) -> None:
        """The exact contra; a sum already paid falls to the house, an advance is taken back as far as it is owed."""
        owed = min(-payment.lent.house, self.lent)
        moved = Moved(meter=owed, house=-owed)
        moved.add(payment.moved)
        if paid:
            moved.winners, moved.house = 0, moved.house + payment.moved.winners
        self._step_back(win)
        self.lent -= owed
        self.undo(moved, self.sheet)

    def _step_back(self, win: int) -> None:
        """The older terms again; what a later reset began stands on its own."""
        at = next((at for at, each in enumerate(self.began) if each[0] == win), None)
        if at is None:
            return
        _, before, since = self.began.pop(at)
        if at == len(self.began):
            self.sheet, self.waits = before, self.waits or since
        else:
            later, _, sheet = self.began[at]
            self.began[at] = (later, before, sheet)

    # Acts of two people

    def adjust(self, account: str, by: int) -> bool:
        moved = Moved(house=-by, **{account: by})
        limit_raise(moved, self.meter, self.sheet)
        if getattr(self, account) + getattr(moved, account) < 0:
            return False
        self.take(moved)
        if account == "meter" and by > 0:
            self.gifts.append(Gift(self.steps, moved.meter))
        return True

    def make_up(self, payment: Payment) -> None:
        """The rest of an award, which ranks with nobody: an earlier hit counts on as if it had not been."""
        self.take(payment.moved)
        payment.at = self.steps

    def transfer(self, other: Ledger, amount: int | None) -> bool:
        """A part of the meter, or meter, reserve and overflow as they stand."""
        if amount is not None and not 0 < amount <= self.meter:
            return False
        sent = Moved(self.meter, self.reserve, self.overflow) if amount is None else Moved(amount)
        if not (sent.meter or sent.reserve or sent.overflow):
            return False
        total = sent.meter + sent.reserve + sent.overflow
        self.take(Moved(-sent.meter, -sent.reserve, -sent.overflow))
        self.outside += total
        limit_raise(sent, other.meter, other.sheet)
        other.take(sent)
        other.outside -= total
        return True
