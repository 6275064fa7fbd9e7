"""What the meters must be, worked out a second time: plain integers of 1e-8, nothing of the product's own rules."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from tests.races.life_rules import CENT, NOTHING, Line, Moved, Rules, limited, spare, whole_cents

Seat = int
Amounts = list[tuple[Seat, int]]
Place = tuple[str, int]


@dataclass(frozen=True)
class Counted:
    """What a coin-in did, and what of it repaid the house at once."""

    moved: Moved
    repaid: Moved


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
    lent: int = 0  # by the house to a dry meter, still owed
    story: list[Moved] = field(default_factory=list)
    marks: dict[tuple[Place, Seat, str], Frozen] = field(default_factory=dict)
    played: dict[Place, Rules] = field(default_factory=dict)  # what was in force at each round's coin-in
    seats: dict[Place, str] = field(default_factory=dict)  # with a chip on the wager that feeds it

    waits: Rules | None = None  # what two people signed for the next reset
    began: list[tuple[int | None, Rules, Rules]] = field(default_factory=list)  # win, in place of what, which

    def came_into_force(self, win: int | None) -> None:
        """The reset of this win was the first act of what waited; without a win it began at once."""
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

    def coin_in(self, chips: int) -> Counted:
        raised = int(chips * self.rules.wager * self.rules.rate)
        kept = int(chips * self.rules.wager * self.rules.reserve_rate)
        moved = self.tell(self._limited(Moved(raised, kept)))
        stated = int(chips * self.rules.wager * self.rules.rate * self.rules.repay_rate)
        return Counted(moved, self.lend(-min(stated, self.lent, max(moved.meter, 0))))

    def lend(self, by: int) -> Moved:
        """The house lends to the meter (or, below zero, is repaid out of it) so much, above the limit too."""
        self.lent += by
        return self.tell(Moved(by, house=-by)) if by else Moved()

    def take_back(self, counted: Counted) -> None:
        """What it repaid first, then the coin-in itself."""
        self.lent += counted.repaid.house
        if counted.repaid.house:
            self.undo(counted.repaid)
        self.undo(counted.moved)

    def paid(self, each: Paid) -> None:
        """One award, and what the house lent to the meter that it left dry."""
        self.tell(each.moved)
        if each.lent != Moved():
            self.lent -= each.lent.house
            self.tell(each.lent)

    def back_out(self, each: Paid, again: int) -> None:
        """Everything of an award; of an advance what is still owed of it. What was paid already falls to the house."""
        owed = min(-each.lent.house, self.lent)
        self.lent -= owed
        moved = each.moved
        self.undo(Moved(moved.meter + owed, moved.reserve, moved.overflow, moved.house + again - owed))

    def would_raise(self, by: int, account: str) -> Moved:
        """What the house puts into the meter or the reserve, or takes out of it."""
        return self._limited(Moved(house=-by, meter=by) if account == "meter" else Moved(house=-by, reserve=by))

    def everything(self) -> Moved:
        """What leaves a jackpot that gives all it has."""
        return Moved(-self.meter, -self.reserve, -self.overflow)

    def take(self, sent: Moved) -> None:
        """Account by account what another jackpot sent."""
        self.tell(self._limited(Moved(-sent.meter, -sent.reserve, -sent.overflow)))

    def lacks(self, moved: Moved) -> bool:
        """Whether a balance would be below zero."""
        return min(self.meter + moved.meter, self.reserve + moved.reserve, self.overflow + moved.overflow) < 0

    def undo(self, moved: Moved) -> None:
        """Everything back; what a balance then lacks is a shortfall, in whole cents."""
        back = self._limited(Moved(-moved.meter, -moved.reserve, -moved.overflow, -moved.house))
        reserve, overflow = self.reserve + back.reserve, self.overflow + back.overflow
        to_reserve, to_overflow = whole_cents(-reserve), whole_cents(-overflow)
        to_meter = whole_cents(-(self.meter + back.meter))
        from_reserve = min(spare(self.rules, reserve), to_meter)
        house = to_meter - from_reserve + to_reserve + to_overflow
        self.tell(
            Moved(
                back.meter + to_meter, back.reserve + to_reserve - from_reserve,
                back.overflow + to_overflow, back.house - house,
            )
        )  # fmt: skip

    def pays(self, place: Place, line: str) -> bool:
        """Whether a hand of this round is a line of the jackpot that it was counted on."""
        return place in self.played and line in self.played[place].lines

    def may_win(self, place: Place, seat: Seat, line: str) -> bool:
        """It pays the hand, and the seat had a chip on the wager that feeds it."""
        return self.pays(place, line) and str(seat) in self.seats[place]

    def counts_on(self, place: Place, seats: str) -> Counted:
        """The chips of a round, of one wager, by the rules of now."""
        self.played[place], self.seats[place] = self.rules, seats
        return self.coin_in(len(seats))

    def has_nothing_of(self, place: Place) -> None:
        """It was counted again, on other wagers."""
        self.played.pop(place, None)
        self.seats.pop(place, None)

    def mark(self, place: Place, seat: Seat, line: str) -> None:
        self.marks[place, seat, line] = self.now()

    def forget(self, place: Place, seat: Seat | None = None, line: str | None = None) -> None:
        for key in list(self.marks):
            if key[0] == place and seat in (None, key[1]) and line in (None, key[2]):
                del self.marks[key]

    def frozen(self, place: Place, hits: Sequence[tuple[Seat, str]]) -> Frozen:
        if self.played[place].freeze == "approval":
            return self.now()
        parts = [hit for hit in hits if self.played[place].lines[hit[1]].part]
        return min((self.marks[place, seat, line] for seat, line in parts or hits), key=lambda point: point.index)

    def awards(
        self, place: Place, hits: Sequence[tuple[Seat, str]], frozen: Frozen, coin_in: Sequence[Seat],
        fixed: Mapping[tuple[Seat, str], int],
    ) -> list[Paid]:  # fmt: skip
        """The round's awards in order, computed on a copy: what is told stays as it is. `fixed` since J-POT."""
        rules = self.played[place]
        ranked = [moved for moved in self.story[frozen.index :] if moved.ranked]
        kept = lay = self.overflow - sum(moved.overflow for moved in self.story[frozen.index :])
        for moved in self.story[frozen.index :]:
            kept, lay = kept - taken_of(kept, lay, moved.returned if moved.ranked else 0), lay + moved.overflow
        pot = _Pot(
            rules, self.meter, self.reserve, self.overflow,
            frozen.meter + sum(moved.meter for moved in ranked),
            max(frozen.reserve + sum(moved.reserve for moved in ranked), 0),
            kept, any(rules.lines[line].part for _, line in hits), fixed, self.waits or self.rules, self.rules,
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
    lent: Moved = NOTHING  # the restart of a meter that it left dry
    basis: int | None = None  # the meter it counted from, and how many shared it
    sharers: int = 1


def taken_of(kept: int, lay: int, returned: int) -> int:
    """What a reset took of the overflow that had lain there before a mark: the newest goes first."""
    return max(returned - max(lay - kept, 0), 0)


@dataclass
class _Pot:
    rules: Rules
    meter: int
    reserve: int
    overflow: int
    basis: int
    released: int
    kept: int
    ranked: bool
    fixed: Mapping[tuple[Seat, str], int]
    reset_by: Rules
    running: Rules  # in force until a reset

    def settle(self, hits: Sequence[tuple[Seat, str]], coin_in: Sequence[Seat]) -> list[Paid]:
        top = self.in_order(hit for hit in hits if self.rules.lines[hit[1]].part == 1)
        if self.rules.order == "equal_shares" and len(top) > 1:
            return self._shares(top, self.in_order(hit for hit in hits if hit not in top), coin_in)
        paid: list[Paid] = []
        for hit in self.in_order(hits):
            line = self.rules.lines[hit[1]]
            paid.append(self._restarted(self._hit(hit, self._own(line), self.basis, resets=line.part == 1)))
            paid.extend(self._envy(hit, coin_in))
        return paid

    def in_order(self, hits: Iterable[tuple[Seat, str]]) -> list[tuple[Seat, str]]:
        return sorted(hits, reverse=self.rules.order != "clockwise")

    def _shares(
        self, top: list[tuple[Seat, str]], lower: list[tuple[Seat, str]], coin_in: Sequence[Seat]
    ) -> list[Paid]:
        """The cents that can be shared; what is odd stays, lower rows take from it, then the meter begins anew."""
        basis, share = self.basis, max(self.basis, 0) // CENT // len(top) * CENT
        rows = [*top, *lower]
        paid = []
        for number, hit in enumerate(rows, start=1):
            if hit in top:
                held = share * max(len(top) - number, 0)
                each = self._hit(hit, share, basis, resets=number == len(rows), held=held)
                paid.append(replace(each, sharers=len(top)))
            else:
                own = self._own(self.rules.lines[hit[1]])
                paid.append(self._hit(hit, own, self.basis, resets=number == len(rows)))
        return [*paid, *(envied for hit in rows for envied in self._envy(hit, coin_in))]

    def _envy(self, hit: tuple[Seat, str], coin_in: Sequence[Seat]) -> list[Paid]:
        envy = self.rules.lines[hit[1]].envy
        others = self.in_order((seat, hit[1]) for seat in coin_in if seat != hit[0])
        return [self._restarted(self._fixed(other, envy, "meter", envied=True)) for other in others if envy]

    def _own(self, line: Line, basis: int | None = None) -> int:
        return self.rules.pays(line, self.basis if basis is None else basis)

    def _hit(self, hit: tuple[Seat, str], own: int, basis: int, *, resets: bool, held: int = 0) -> Paid:
        """Its own row's award, or what a row below would pay; what that adds to a part draws on the running meter."""
        line = self.rules.lines[hit[1]]
        below = [self._own(each, basis) for each in self.rules.below(line)]
        due = self.fixed.get(hit, max([own, *below]))
        counts = max(basis, 0) // CENT * CENT
        if line.part is None:
            return replace(self._fixed(hit, due, line.source, resets=resets), basis=counts if below else None)
        moved = Moved(-min(own, due) if below else -due)
        added = due + moved.meter
        if added:
            beside = max(self.meter + moved.meter - held, 0) // CENT * CENT
            moved = self._covered(Moved(-due), added - min(added, beside))
        moved = self._covered(moved, -(self.meter + moved.meter))
        paid = self._pay(*hit, due, self._reset(moved) if resets else moved)
        return replace(paid, resets=resets, basis=counts)

    def _restarted(self, paid: Paid) -> Paid:
        """A meter that an award from it left without a cent begins anew at the seed, which the house lends."""
        line, by = self.rules.lines[paid.line], self.running
        from_tray = line.part is None and line.source == "tray" and not paid.envy
        if by.dry_meter == "stay" or from_tray or not paid.amount or self.meter // CENT > 0:
            return paid
        lent = limited(by, self.meter, Moved(by.seed, house=-by.seed))
        self.meter += lent.meter
        self.overflow += lent.overflow
        self.basis += lent.meter
        return replace(paid, lent=replace(lent, ranked=self.ranked))

    def _reset(self, moved: Moved) -> Moved:
        released = max(min(self.released + moved.reserve, self.reserve + moved.reserve), 0)
        returned = self.overflow if self.reset_by.overflow_at_reset == "all" else max(self.overflow - self.kept, 0)
        self.kept -= taken_of(self.kept, self.overflow, returned)
        raised = Moved(self.reset_by.seed + released + returned, -released, -returned, -self.reset_by.seed)
        raised = limited(self.reset_by, self.meter + moved.meter, raised)
        self.running = self.reset_by
        return Moved(
            moved.meter + raised.meter, moved.reserve + raised.reserve,
            moved.overflow + raised.overflow, moved.house + raised.house, returned=returned,
        )  # fmt: skip

    def _fixed(
        self, hit: tuple[Seat, str], due: int, source: str, *, envied: bool = False, resets: bool = False
    ) -> Paid:
        moved = Moved(house=-due)
        if source == "meter":
            moved = self._covered(Moved(-due), due - min(due, self.meter // CENT * CENT))
        paid = self._pay(*hit, due, self._reset(moved) if resets else moved, envied)
        return replace(paid, resets=resets)

    def _covered(self, moved: Moved, lack: int) -> Moved:
        """Whole cents of what is lacking, from the reserve (unless the house alone pays), then from the house."""
        due = whole_cents(lack)
        kept = min(due, spare(self.rules, self.reserve + moved.reserve))
        return Moved(moved.meter + due, moved.reserve - kept, moved.overflow, moved.house - (due - kept))

    def _pay(self, seat: Seat, code: str, amount: int, moved: Moved, envied: bool = False) -> Paid:
        self.meter += moved.meter
        self.reserve += moved.reserve
        self.overflow += moved.overflow
        self.basis += moved.meter
        self.released += moved.reserve
        told = replace(moved, ranked=self.ranked)
        return Paid(seat, code, amount, told, envied)
