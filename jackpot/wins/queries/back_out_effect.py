"""What every award since a win would have paid without it: the books are gone through once more, award by award."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from functools import reduce
from operator import attrgetter
from typing import Final, NamedTuple

from django.db.models import Q, Sum

from jackpot.books.models.entry import Entry
from jackpot.books.rules.entry_kind import EntryKind
from jackpot.books.rules.kinds import due
from jackpot.books.rules.movement import NOTHING, Balances, Movement
from jackpot.money import Money, units_of
from jackpot.terms.rules.paytable import PartOfMeter
from jackpot.terms.rules.terms import Terms
from jackpot.wins.models import Win
from jackpot.wins.rules.back_out_effect import TOGETHER, BalanceGap, NeedlessAdvances, PaidRound, coined, paid_again
from jackpot.wins.rules.frozen_overflow import OverflowReturn
from jackpot.wins.rules.rank import PaidAct, is_counted
from jackpot.wins.rules.settlement import Award, Hit

# The first are counted together, the others touch neither meter nor reserve.
QUIET: Final = (EntryKind.COIN_IN, EntryKind.PAY, EntryKind.RECEIPT)
OF_WINS: Final = (EntryKind.AWARD, EntryKind.DIFFERENCE, EntryKind.BACK_OUT)
ACCOUNTS: Final = ("contributed", "meter", "reserve", "overflow")
NO_RETURN: Final = OverflowReturn(0, 0)


@dataclass(frozen=True, slots=True)
class AwardWithout:
    """What an award would be, what it would count from, and how many would share that."""

    amount: Money
    basis: Money | None
    sharers: int = 1


class RankedMove(NamedTuple):
    """What an award or advance of an act with a part would have moved, and of the overflow taken back."""

    seq: int
    moved: Movement
    reset: OverflowReturn
    paid: PaidAct


@dataclass(slots=True)
class Retelling:
    """One going-through: where it is, how far the balances are apart there, and what it has found."""

    left_out: Collection[int]
    apart: BalanceGap = TOGETHER
    seq: int = 0
    balances: Balances = field(default_factory=Balances)
    terms: Terms | None = None
    frozen: dict[int, BalanceGap] = field(default_factory=dict)
    ranked: list[RankedMove] = field(default_factory=list)
    found: dict[int, AwardWithout] = field(default_factory=dict)
    lent: NeedlessAdvances = field(default_factory=NeedlessAdvances)


class BooksWithout:
    """The books of a jackpot from one award on, read once, gone through for whichever awards are left out."""

    def __init__(self, jackpot_id: int, since: int) -> None:
        self.jackpot_id = jackpot_id
        wins = Win.objects.filter(jackpot_id=jackpot_id, award_seq__gte=since)
        self.wins = {win.award_seq: win for win in wins.select_related("version", "envy_of", "adjustment__cause__win")}
        frozen = {win.frozen_seq for win in self.wins.values()}
        self.first = min({since, *frozen})
        entries = Entry.objects.filter(jackpot_id=jackpot_id).select_related("version")
        still = {"meter": 0, "reserve": 0, "overflow": 0, "house": 0}
        since_first = entries.filter(seq__gt=self.first).exclude(kind__in=QUIET)
        moving = since_first.filter(Q(kind=EntryKind.AWARD) | ~Q(**still))  # an award of an empty meter moves nothing
        self.at = {entry.seq: entry for entry in (*moving, *entries.filter(seq__in={self.first, since, *frozen}))}
        self.advances = {entry.win_id: entry.movement for entry in self.at.values() if entry.kind == EntryKind.ADVANCE}
        of_wins = [
            entry.win_id for entry in self.at.values() if entry.kind == EntryKind.AWARD and entry.win_id is not None
        ]
        self.ranked = _paid_acts(jackpot_id, of_wins)

    def amounts(self, left_out: Collection[int]) -> Mapping[int, AwardWithout]:
        """By the number of its entry: every award of this time but those left out."""
        walk = Retelling(left_out)
        for entry in sorted(self.at.values(), key=attrgetter("seq")):
            self._count(walk, entry)
            self._post(walk, entry)
            walk.seq, walk.balances, walk.terms = entry.seq, entry.after, entry.version.value
            walk.frozen[entry.seq] = walk.apart
        return walk.found

    def _count(self, walk: Retelling, entry: Entry) -> None:
        """The coin-ins between two entries; only a limit makes them count otherwise than they did."""
        if walk.terms is None or walk.terms.limit is None or walk.apart == TOGETHER:
            return
        rows = Entry.objects.filter(
            jackpot_id=self.jackpot_id, kind=EntryKind.COIN_IN, seq__gt=walk.seq, seq__lt=entry.seq
        ).aggregate(**{account: Sum(account) for account in ACCOUNTS})  # fmt: skip
        given, meter, reserve, overflow = (units_of(rows[account] or Decimal()) for account in ACCOUNTS)
        counted = Movement(meter=meter, overflow=overflow, house=-meter - overflow)
        walk.apart = coined(walk.apart, walk.balances.meter, counted, -given - reserve, walk.terms)

    def _post(self, walk: Retelling, entry: Entry) -> None:
        if self._is_left_out(entry, walk.left_out):
            walk.apart = walk.apart.moved(NOTHING, entry.movement)
            self._lend(walk, entry)
        elif entry.kind == EntryKind.AWARD:
            self._award(walk, entry)
        elif entry.kind == EntryKind.ADVANCE:
            self._advance(walk, entry)
        elif entry.kind == EntryKind.REPAY:
            walk.apart = walk.apart.moved(walk.lent.repaid(entry.seq, entry.movement), entry.movement)
        elif entry.kind not in OF_WINS and walk.apart != TOGETHER:
            demanded = self._demanded(walk, entry)
            walk.apart = walk.apart.moved(demanded, entry.movement)

    def _is_left_out(self, entry: Entry, left_out: Collection[int]) -> bool:
        """An award, the advance for it, what undid it, and what was paid to others because of that."""
        if entry.kind == EntryKind.BACK_OUT:
            return entry.corrects in left_out
        if entry.kind == EntryKind.ADVANCE:
            return any(seq in left_out for seq, win in self.wins.items() if win.pk == entry.win_id)
        page = self.wins.get(entry.seq)
        cause = page.adjustment.cause if page is not None and page.adjustment is not None else None
        back_out = cause.win.award_seq if cause is not None and cause.win is not None else None
        return entry.seq in left_out or (back_out is not None and back_out in left_out)

    def _lend(self, walk: Retelling, entry: Entry) -> None:
        """Of what is left out: an advance was lent without need, until its award was backed out."""
        if entry.kind == EntryKind.ADVANCE and entry.win_id is not None:
            walk.lent.lend(entry.win_id, -entry.movement.house)
        elif entry.kind == EntryKind.BACK_OUT and entry.win_id is not None:
            walk.lent.taken_back(entry.win_id)

    def _advance(self, walk: Retelling, entry: Entry) -> None:
        """It was counted with its award; of an award of before the time it is only what later ones count."""
        if not any(win.pk == entry.win_id for win in self.wins.values()):
            self._rank(walk, entry.seq, entry.win_id, entry.movement)

    def _rank(
        self, walk: Retelling, seq: int, win_id: int | None, moved: Movement, reset: OverflowReturn = NO_RETURN
    ) -> None:
        """What an act with a part moved; whether a later award counts it is the rule's."""
        paid = self.ranked.get(win_id or 0)
        walk.ranked += [] if paid is None else [RankedMove(seq, moved, reset, paid)]

    def _demanded(self, walk: Retelling, entry: Entry) -> Movement:
        """Voids, adjustments and transfers by their own rule, from the other balances."""
        original = None
        if entry.corrects is not None:
            original = Entry.objects.get(jackpot_id=self.jackpot_id, seq=entry.corrects).movement
            unpaid = walk.lent.repaid_anew(entry.corrects)
            original = original.with_also(Movement(meter=unpaid, house=-unpaid))
        before = walk.apart.stand(_before(entry))
        return due(EntryKind(entry.kind), entry.movement, before, entry.version.value, original) or entry.movement

    def _award(self, walk: Retelling, entry: Entry) -> None:
        """A whole act is paid again at its first entry."""
        if entry.seq in walk.found:
            return
        mine = self._act(entry, walk.left_out)
        if not mine:  # of before the time that is gone through
            drawn = Win.objects.get(jackpot_id=self.jackpot_id, award_seq=entry.seq).record.drawn
            reset = OverflowReturn(_before(entry).overflow, drawn.overflow_returned.units)
            self._rank(walk, entry.seq, entry.win_id, entry.movement, reset)
            return
        frozen = min(win.frozen_seq for win in mine)
        counted = _counted(walk, mine, frozen)
        since = reduce(Movement.with_also, (each.moved for each in counted), NOTHING)
        act, then = self._paid_round(mine, frozen, walk.terms), walk.frozen.get(frozen, TOGETHER)
        awards = paid_again(act, then, walk.apart, since, [each.reset for each in counted])
        for win, award in zip(mine, _of(mine, awards), strict=True):
            self._note(walk, win, award, _sharers(mine, win))

    def _note(self, walk: Retelling, win: Win, award: Award | None, sharers: int) -> None:
        assert win.award_seq is not None, "only what moved the meter is gone through"
        assert win.amount_money is not None, "and has its amount"
        advanced = self.advances.get(win.pk, NOTHING)
        moved = self.at[win.award_seq].movement.with_also(advanced)
        would = moved if award is None else award.moves
        if award is not None:
            walk.lent.lend(win.pk, award.advance.house - advanced.house)
        without = AwardWithout(win.amount_money, None)
        walk.found[win.award_seq] = without if award is None else AwardWithout(award.amount, award.basis, sharers)
        before = walk.apart.stand(_before(self.at[win.award_seq]))
        reset = NO_RETURN if award is None else award.took_back(before)
        walk.apart = walk.apart.moved(would, moved)
        self._rank(walk, win.award_seq, win.pk, would, reset)

    def _act(self, entry: Entry, left_out: Collection[int]) -> list[Win]:
        """What was approved together with this award, in the order of its entries."""
        first = self.wins.get(entry.seq)
        if first is None:
            return []
        rows = [self.wins[seq] for seq in sorted(seq for seq in self.wins if seq is not None and seq not in left_out)]
        return [win for win in rows if win.difference_of_id is None and _together(win) == _together(first)]

    def _paid_round(self, mine: Sequence[Win], frozen: int, in_force: Terms | None) -> PaidRound:
        terms = mine[0].version.value
        hits = [Hit(win.seat, terms.pay_table.line(win.line)) for win in mine if win.envy_of_id is None]
        first, last = self.at[mine[0].award_seq or 0], self.at[mine[-1].award_seq or 0]
        seats = sorted({win.seat for win in mine})
        reset_by = last.version.value
        return PaidRound(hits, seats, terms, reset_by, in_force or terms, self.at[frozen].after, _before(first))


def _paid_acts(jackpot_id: int, win_ids: Iterable[int]) -> dict[int, PaidAct]:
    """How the acts of these wins ranked; an act without a part is not there."""
    wins = list(Win.objects.filter(id__in=win_ids, ranked=True))
    parts = Win.objects.filter(
        jackpot_id=jackpot_id,
        part=True,
        envy_of=None,
        difference_of=None,
        logged_at__in={win.logged_at for win in wins},
    )
    acts: dict[tuple[object, ...], list[Win]] = {}
    for part in parts:
        acts.setdefault(_together(part), []).append(part)
    return {
        win.pk: PaidAct(min(part.mark_seq for part in own), any(part.front_seq is not None for part in own))
        for win in wins
        if (own := acts.get(_together(win)))
    }


def _counted(walk: Retelling, mine: Sequence[Win], frozen: int) -> list[RankedMove]:
    """What the basis of these wins counts of what moved since their frozen entry."""
    hits = [win for win in mine if win.envy_of_id is None]
    parts = [win for win in hits if win.part]
    mark = min(win.mark_seq for win in parts or hits or mine)
    return [
        each for each in walk.ranked if each.seq > frozen and is_counted(each.paid, mark, part=bool(parts))
    ]  # fmt: skip


def _together(win: Win) -> tuple[object, ...]:
    return win.table_code, win.round_number, win.logged_at


def _of(mine: Sequence[Win], awards: Iterable[Award]) -> list[Award | None]:
    """Each win's award; none for an envied seat whose hit is left out: that sum is fixed and was paid."""
    known = {(award.seat, award.caused_by): award for award in awards}
    return [known.get((win.seat, win.envy_of.seat if win.envy_of else None)) for win in mine]


def _sharers(mine: Sequence[Win], win: Win) -> int:
    """Equal shares count from one basis; every other award from what the one before it left."""
    terms = win.version.value
    award = terms.pay_table.line(win.line).award
    if terms.policy.order != "equal_shares" or not isinstance(award, PartOfMeter) or not award.is_all:
        return 1
    return sum(each.line == win.line and each.envy_of_id is None for each in mine)


def _before(entry: Entry) -> Balances:
    balances: Balances = entry.after.after(entry.movement.reversed())
    return balances
