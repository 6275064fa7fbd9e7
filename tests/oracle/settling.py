"""What the hits of one round are worth on one jackpot, told from the rule book with plain whole numbers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction

from tests.oracle.sheet import CENT, Row, Sheet, cents_up, cut

Hits = Sequence[tuple[int, str]]  # seat and hand


@dataclass
class Moved:
    """What came into (+) and went out of (−) the accounts that an award touches."""

    meter: int = 0
    reserve: int = 0
    overflow: int = 0
    house: int = 0
    winners: int = 0

    def add(self, other: Moved) -> None:
        for name in ("meter", "reserve", "overflow", "house", "winners"):
            setattr(self, name, getattr(self, name) + getattr(other, name))


@dataclass
class Payment:
    """One page: who gets how much, and what it did to the accounts."""

    seat: int
    code: str
    amount: int
    moved: Moved
    envy_of: int | None = None
    resets: bool = False
    lent: Moved = field(default_factory=Moved)  # the house advance to a meter that this left dry
    short: tuple[int, int] = (0, 0)  # what the meter lacked, from the reserve and from the house
    begun: tuple[int, int, int] = (0, 0, 0)  # the seed, the reserve released, the overflow returned
    basis: int | None = None  # the meter it counted from, and how many shared it
    sharers: int = 1
    at: int = 0  # its place in the story, once it has moved


@dataclass
class Pot:
    """The accounts as they run, and what was frozen for this act."""

    sheet: Sheet  # by which the hits are judged
    running: Sheet  # in force now: a dry meter restarts at its seed
    at_reset: Sheet  # in force from the reset on
    meter: int
    reserve: int
    overflow: int
    basis: int
    released: int
    kept: int  # what of the overflow came in before: a reset leaves it there

    def settle(self, hits: Hits, coin_in: Sequence[int], fixed: Mapping[tuple[int, str], int]) -> list[Payment]:
        sheet, fixed = self.sheet, {**self._aggregated(hits), **fixed}
        ordered = sheet.in_order(hits)
        top = [hit for hit in ordered if sheet.line(hit[1]).part == 1]  # type: ignore[union-attr]
        if sheet.order == "equal_shares" and len(top) > 1:
            return self._shared(top, [hit for hit in ordered if hit not in top], coin_in, fixed)
        paid: list[Payment] = []
        for hit in ordered:
            payment = self._counted(hit, fixed)
            if payment.code in [code for _, code in top]:
                self._begin_anew(payment)
            self._restart(payment)
            paid += [payment, *self._envy(hit, coin_in)]
        return paid

    def _shared(
        self, top: Hits, lower: Hits, coin_in: Sequence[int], fixed: Mapping[tuple[int, str], int]
    ) -> list[Payment]:
        """A top award hit several times: equal shares, lower rows after them, then the meter begins anew."""
        basis = cut(self.basis)
        share = cut(Fraction(basis, len(top)).__floor__())
        paid = []
        for number, hit in enumerate([*top, *lower], start=1):
            if hit in top:
                row, waiting = self._row(hit), max(len(top) - number, 0) * share
                payment = self._part(hit, row, share, basis, fixed, kept=waiting)
                payment.sharers = len(top)
            else:
                payment = self._counted(hit, fixed)
            if number == len(top) + len(lower):
                self._begin_anew(payment)
            paid.append(payment)
        return [*paid, *(page for hit in [*top, *lower] for page in self._envy(hit, coin_in))]

    def _row(self, hit: tuple[int, str]) -> Row:
        row = self.sheet.line(hit[1])
        assert row is not None
        return row

    def _counted(self, hit: tuple[int, str], fixed: Mapping[tuple[int, str], int]) -> Payment:
        row, basis = self._row(hit), cut(self.basis)
        own = self.sheet.pays(row, basis)
        if row.part is not None:
            return self._part(hit, row, own, basis, fixed)
        due = fixed.get(hit, max(own, self.sheet.least(row, basis)))
        counts = basis if self.sheet.counts_from(row) else None
        return self._paid(Payment(hit[0], row.code, due, self._drawn(due, row.source), basis=counts))

    def _part(
        self, hit: tuple[int, str], row: Row, own: int, basis: int, fixed: Mapping[tuple[int, str], int], kept: int = 0
    ) -> Payment:
        """Its part of the frozen meter; what the next row adds draws on the running meter as a fixed award."""
        due = fixed.get(hit, max(own, self.sheet.least(row, basis)))
        part = min(own, due) if self.sheet.row == "never_less" else due
        moved = Moved(meter=-part, winners=part)
        if due > part:
            self.meter -= part + kept
            moved.add(self._drawn(due - part, "meter"))
            self.meter += part + kept
        lack = cents_up(-(self.meter + moved.meter))
        moved.add(self._covered(lack, self.reserve + moved.reserve))
        return self._paid(Payment(hit[0], row.code, due, moved, basis=basis))

    def _drawn(self, due: int, source: str) -> Moved:
        if source == "tray":
            return Moved(house=-due, winners=due)
        there = min(due, cut(self.meter))
        moved = Moved(meter=-due, winners=due)
        moved.add(self._covered(due - there, self.reserve))
        return moved

    def _covered(self, lack: int, reserve: int) -> Moved:
        """The player is paid in full: from the reserve in whole cents, unless the house alone pays, then the house."""
        kept = 0 if self.sheet.shortfall == "house" else min(cut(reserve), lack)
        return Moved(meter=lack, reserve=-kept, house=kept - lack)

    def _aggregated(self, hits: Hits) -> dict[tuple[int, str], int]:
        """Fixed awards of one round above the aggregate: pro rata in cents, the odd ones by largest remainder."""
        most = self.sheet.aggregate
        if most is None:
            return {}
        due = {
            hit: max(self.sheet.pays(self._row(hit), 0), self.sheet.least(self._row(hit), 0))
            for hit in hits if self._row(hit).part is None
        }  # fmt: skip
        total = sum(due.values())
        if total <= most:
            return due
        exact = {hit: Fraction(amount * most, total * CENT) for hit, amount in due.items()}
        cents = {hit: each.__floor__() for hit, each in exact.items()}
        odd = most // CENT - sum(cents.values())
        for hit in sorted(due, key=lambda each: (cents[each] - exact[each], each[0]))[:odd]:
            cents[hit] += 1
        return {hit: each * CENT for hit, each in cents.items()}

    def _begin_anew(self, payment: Payment) -> None:
        """The seed from the house, the reserve as frozen, the overflow since; never above the limit."""
        sheet = self.at_reset
        released = max(min(self.released, self.reserve), 0)  # less what its own shortfall drew, as every draw lowers it
        returned = self.overflow if sheet.overflow_at_reset == "all" else max(self.overflow - self.kept, 0)
        self.kept = left_of(self.kept, self.overflow, returned)
        raised = Moved(sheet.seed + released + returned, -released, -returned, -sheet.seed)
        limit_raise(raised, self.meter, sheet)
        payment.moved.add(raised)
        payment.resets, payment.begun = True, (sheet.seed, released, returned)
        self._take(raised)
        self.running = sheet

    def _restart(self, payment: Payment) -> None:
        """A meter that an award from it left without a cent restarts at the seed, lent by the house."""
        if self.running.dry_meter == "stay" or self._row((0, payment.code)).source == "tray" or not payment.amount:
            return
        if cut(self.meter) == 0:
            payment.lent = Moved(meter=self.running.seed, house=-self.running.seed)
            limit_raise(payment.lent, self.meter, self.running)
            self._take(payment.lent)

    def _envy(self, hit: tuple[int, str], coin_in: Sequence[int]) -> list[Payment]:
        row, paid = self._row(hit), []
        for seat in self.sheet.in_order(coin_in) if row.envy else ():
            if seat != hit[0]:
                page = self._paid(Payment(seat, row.code, row.envy, self._drawn(row.envy, row.source), envy_of=hit[0]))
                self._restart(page)
                paid.append(page)
        return paid

    def _paid(self, payment: Payment) -> Payment:
        if self._row((0, payment.code)).source == "meter":
            payment.short = (-payment.moved.reserve, -payment.moved.house)
        self._take(payment.moved)
        return payment

    def _take(self, moved: Moved) -> None:
        self.meter += moved.meter
        self.reserve += moved.reserve
        self.overflow += moved.overflow
        self.basis += moved.meter
        self.released += moved.reserve


def left_of(kept: int, overflow: int, returned: int) -> int:
    """Of what lay in the overflow from before: a reset takes the newest first, and this only for want of newer."""
    newer = overflow - kept
    return kept if returned <= newer or returned == 0 else kept - returned + max(newer, 0)


def limit_raise(moved: Moved, before: int, sheet: Sheet) -> None:
    """What would raise a meter above its limit goes to overflow, or is the house's revenue."""
    if sheet.limit is None or moved.meter <= 0:
        return
    over = max(min(moved.meter, before + moved.meter - sheet.limit), 0)
    moved.meter -= over
    if sheet.overflow == "revenue":
        moved.house += over
    else:
        moved.overflow += over
