"""What the meters must be, worked out a second time: plain integers of 1e-8, nothing of the product's own rules."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction

CENT = 10**6
Seat = int
Amounts = list[tuple[Seat, int]]
Place = tuple[str, int]


@dataclass(frozen=True)
class Line:
    """A pay line: a part of the meter, or so many times the wager from a source."""

    rank: int
    part: Fraction | None = None
    times: int = 0
    source: str = "tray"
    envy: int = 0


@dataclass(frozen=True)
class Rules:
    wager: int
    rate: Fraction
    reserve_rate: Fraction
    seed: int
    lines: Mapping[str, Line]
    limit: int | None = None
    overflow: str = "next_meter"
    freeze: str = "mark"
    order: str = "counter_clockwise"
    shortfall: str = "reserve_then_house"
    overflow_at_reset: str = "since_frozen"


@dataclass(frozen=True)
class Moved:
    """What one act did to a jackpot. `ranked`: it moves the basis of the hits that rank behind it."""

    meter: int = 0
    reserve: int = 0
    overflow: int = 0
    house: int = 0
    ranked: bool = False


@dataclass
class Frozen:
    """A point in the story, and what stood in the meter and the reserve at it."""

    index: int
    meter: int
    reserve: int


@dataclass
class Oracle:
    """One jackpot's story, told again."""

    rules: Rules
    meter: int
    reserve: int = 0
    overflow: int = 0
    house: int = 0
    story: list[Moved] = field(default_factory=list)
    marks: dict[tuple[Place, Seat, str], Frozen] = field(default_factory=dict)
    waits: Rules | None = None  # what two people signed for the next reset
    began: list[tuple[int, Rules, Rules]] = field(default_factory=list)  # win, in place of what, which

    def came_into_force(self, win: int) -> None:
        """The reset of this win was the first act of what waited."""
        if self.waits is not None:
            self.began.append((win, self.rules, self.waits))
            self.rules, self.waits = self.waits, None

    def step_back(self, win: int) -> None:
        """The older rules again; what a later reset began stands on its own."""
        place = next((place for place, each in enumerate(self.began) if each[0] == win), None)
        if place is None:
            return
        _, before, began = self.began.pop(place)
        if place == len(self.began):
            self.rules, self.waits = before, self.waits or began
        else:
            later, _, rules = self.began[place]
            self.began[place] = (later, before, rules)

    def now(self) -> Frozen:
        return Frozen(len(self.story), self.meter, self.reserve)

    def tell(self, moved: Moved) -> Moved:
        self.story.append(moved)
        self.meter += moved.meter
        self.reserve += moved.reserve
        self.overflow += moved.overflow
        self.house += moved.house
        return moved

    def coin_in(self, chips: int) -> Moved:
        raised = int(chips * self.rules.wager * self.rules.rate)
        kept = int(chips * self.rules.wager * self.rules.reserve_rate)
        return self.tell(self._limited(Moved(raised, kept)))

    def undo(self, moved: Moved) -> None:
        """Everything back; what a balance lacks comes from the reserve, then from the house."""
        back = self._limited(Moved(-moved.meter, -moved.reserve, -moved.overflow, -moved.house))
        meter, reserve, overflow = (
            self.meter + back.meter, self.reserve + back.reserve, self.overflow + back.overflow,
        )  # fmt: skip
        lack_reserve, lack_overflow, lack_meter = max(-reserve, 0), max(-overflow, 0), max(-meter, 0)
        from_reserve = min(max(reserve, 0), lack_meter)
        self.tell(
            Moved(
                back.meter + lack_meter, back.reserve + lack_reserve - from_reserve, back.overflow + lack_overflow,
                back.house - (lack_meter - from_reserve) - lack_reserve - lack_overflow,
            )
        )  # fmt: skip

    def mark(self, place: Place, seat: Seat, line: str) -> None:
        self.marks[place, seat, line] = self.now()

    def forget(self, place: Place, seat: Seat | None = None, line: str | None = None) -> None:
        for key in list(self.marks):
            if key[0] == place and seat in (None, key[1]) and line in (None, key[2]):
                del self.marks[key]

    def frozen(self, place: Place, hits: Iterable[tuple[Seat, str]]) -> Frozen:
        if self.rules.freeze == "approval":
            return self.now()
        return min((self.marks[place, seat, line] for seat, line in hits), key=lambda point: point.index)

    def awards(self, hits: Sequence[tuple[Seat, str]], frozen: Frozen, coin_in: Sequence[Seat]) -> list[Paid]:
        """The round's awards in order, computed on a copy: what is told stays as it is."""
        ranked = [moved for moved in self.story[frozen.index :] if moved.ranked]
        overflow = sum(moved.overflow for moved in self.story[frozen.index :])
        pot = _Pot(
            self.rules, self.meter, self.reserve, self.overflow,
            frozen.meter + sum(moved.meter for moved in ranked),
            max(frozen.reserve + sum(moved.reserve for moved in ranked), 0),
            max(overflow, 0), any(self.rules.lines[line].part for _, line in hits), self.waits or self.rules,
        )  # fmt: skip
        return pot.settle(hits, coin_in)

    def _limited(self, moved: Moved) -> Moved:
        return limited(self.rules, self.meter, moved)


@dataclass(frozen=True)
class Paid:
    seat: Seat
    line: str
    amount: int
    moved: Moved
    envy: bool = False
    resets: bool = False


def limited(rules: Rules, before: int, moved: Moved) -> Moved:
    if rules.limit is None or moved.meter <= 0 or before + moved.meter <= rules.limit:
        return moved
    over = min(moved.meter, before + moved.meter - rules.limit)
    if rules.overflow == "revenue":
        return Moved(moved.meter - over, moved.reserve, moved.overflow, moved.house + over, moved.ranked)
    return Moved(moved.meter - over, moved.reserve, moved.overflow + over, moved.house, moved.ranked)


@dataclass
class _Pot:
    rules: Rules
    meter: int
    reserve: int
    overflow: int
    basis: int
    released: int
    returned: int
    ranked: bool
    reset_by: Rules

    def settle(self, hits: Sequence[tuple[Seat, str]], coin_in: Sequence[Seat]) -> list[Paid]:
        paid: list[Paid] = []
        for seat, line in sorted(hits, reverse=self.rules.order != "clockwise"):
            paid.append(self._hit(seat, line))
            envy = self.rules.lines[line].envy
            others = [other for other in coin_in if other != seat] if envy else []
            in_order = sorted(others, reverse=self.rules.order != "clockwise")
            paid.extend(self._fixed(other, line, envy, "meter", envied=True) for other in in_order)
        return paid

    def _hit(self, seat: Seat, code: str) -> Paid:
        line = self.rules.lines[code]
        if line.part is None:
            return self._fixed(seat, code, line.times * self.rules.wager, line.source)
        shown = self.basis // CENT * CENT
        amount = int(shown * line.part / CENT + Fraction(1, 2)) * CENT
        moved = Moved(-amount)
        if line.part == 1:
            moved = self._reset(moved)
        lack = -(self.meter + moved.meter)
        return replace(self._pay(seat, code, amount, self._covered(moved, max(lack, 0))), resets=line.part == 1)

    def _reset(self, moved: Moved) -> Moved:
        released = max(min(self.released, self.reserve), 0)
        due = self.overflow if self.rules.overflow_at_reset == "all" else self.returned
        returned = min(due, self.overflow)
        self.returned = 0
        raised = Moved(self.reset_by.seed + released + returned, -released, -returned, -self.reset_by.seed)
        raised = limited(self.reset_by, self.meter + moved.meter, raised)
        return Moved(moved.meter + raised.meter, raised.reserve, raised.overflow, raised.house)

    def _fixed(self, seat: Seat, code: str, due: int, source: str, *, envied: bool = False) -> Paid:
        if source == "tray":
            return self._pay(seat, code, due, Moved(house=-due), envied)
        lack = due - min(due, self.meter // CENT * CENT)
        return self._pay(seat, code, due, self._covered(Moved(-due), lack), envied)

    def _covered(self, moved: Moved, lack: int) -> Moved:
        """Whole cents of what is lacking, from the reserve (unless the house alone pays), then from the house."""
        due = -(-lack // CENT) * CENT
        there = 0 if self.rules.shortfall == "house" else max(self.reserve + moved.reserve, 0) // CENT * CENT
        kept = min(due, there)
        return Moved(moved.meter + due, moved.reserve - kept, moved.overflow, moved.house - (due - kept))

    def _pay(self, seat: Seat, code: str, amount: int, moved: Moved, envied: bool = False) -> Paid:
        self.meter += moved.meter
        self.reserve += moved.reserve
        self.overflow += moved.overflow
        self.basis += moved.meter
        self.released += moved.reserve
        told = Moved(moved.meter, moved.reserve, moved.overflow, moved.house, self.ranked)
        return Paid(seat, code, amount, told, envied)
