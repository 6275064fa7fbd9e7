"""What every award since a win would have paid without it: the books are gone through once more, award by award."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from functools import reduce
from operator import attrgetter
from typing import Final, NamedTuple

from django.db.models import Q, QuerySet, Sum

from jackpot.books.models.entry import Entry
from jackpot.books.models.jackpot import Version
from jackpot.books.rules.entry_kind import EntryKind
from jackpot.books.rules.kinds import due
from jackpot.books.rules.movement import NOTHING, Balances, Movement, taken_back
from jackpot.money import Money, units_of
from jackpot.terms.rules.paytable import PartOfMeter
from jackpot.terms.rules.terms import Terms
from jackpot.wins.models import Win
from jackpot.wins.queries.advance import owed_before, repayment_after
from jackpot.wins.rules.back_out_effect import (
    TOGETHER,
    BalanceGap,
    OtherCoinIn,
    PaidRound,
    coined,
    other_coin_in,
    paid_again,
)
from jackpot.wins.rules.rank import PaidAct, is_counted
from jackpot.wins.rules.settlement import Award, Hit, OverflowReturn

# The first are counted together, the others touch neither meter nor reserve.
QUIET: Final = (EntryKind.COIN_IN, EntryKind.PAY, EntryKind.RECEIPT)
TAKES_BACK: Final = (EntryKind.VOID, EntryKind.RECOUNT)
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
    owed: int = 0  # of house advances, as it was
    would_owe: int = 0
    counted: dict[int, OtherCoinIn] = field(default_factory=dict)


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
        alone = entries.filter(self._counted_alone(since_first), kind=EntryKind.COIN_IN, seq__gt=self.first)
        points = entries.filter(seq__in={self.first, since, *frozen})
        self.at = {entry.seq: entry for entry in (*moving, *alone, *points)}
        advances = entries.filter(kind=EntryKind.ADVANCE)
        self.advances = {entry.win_id: entry.movement for entry in advances}
        # Few jackpots were ever lent anything: then there is nothing to add up.
        self.owed = owed_before(jackpot_id, self.first) if self.advances else 0
        of_wins = [
            entry.win_id for entry in self.at.values() if entry.kind == EntryKind.AWARD and entry.win_id is not None
        ]
        self.ranked = _paid_acts(jackpot_id, of_wins)
        logs = Entry.objects.filter(
            jackpot_id=jackpot_id, kind=EntryKind.LOG, win_id__in=[win.pk for win in self.wins.values()]
        )
        self.logged = dict(logs.values_list("win_id", "seq"))

    def _counted_alone(self, since_first: QuerySet[Entry]) -> Q:
        """Coin-ins that are taken back later; all of them where a dry meter may restart, for each may repay."""
        self.lends = any(
            row.value.policy.dry_meter == "restart" for row in Version.objects.filter(jackpot=self.jackpot_id)
        )
        corrected = since_first.filter(kind__in=TAKES_BACK, corrects__isnull=False)
        return Q() if self.lends else Q(seq__in=corrected.values("corrects"))

    def amounts(self, left_out: Collection[int]) -> Mapping[int, AwardWithout]:
        """By the number of its entry: every award of this time but those left out."""
        walk = Retelling(left_out, owed=self.owed, would_owe=self.owed)
        for entry in sorted(self.at.values(), key=attrgetter("seq")):
            self._count(walk, entry)
            self._post(walk, entry)
            walk.seq, walk.balances, walk.terms = entry.seq, entry.after, entry.version.value
            walk.frozen[entry.seq] = walk.apart
        return walk.found

    def _count(self, walk: Retelling, entry: Entry) -> None:
        """The coin-ins between two entries; only a limit makes them count otherwise than they did."""
        if walk.terms is None or walk.terms.limit is None or walk.apart == TOGETHER or self.lends:
            return
        rows = Entry.objects.filter(
            jackpot_id=self.jackpot_id, kind=EntryKind.COIN_IN, seq__gt=walk.seq, seq__lt=entry.seq
        ).aggregate(**{account: Sum(account) for account in ACCOUNTS})  # fmt: skip
        given, meter, reserve, overflow = (units_of(rows[account] or Decimal()) for account in ACCOUNTS)
        counted = Movement(meter=meter, overflow=overflow, house=-meter - overflow)
        walk.apart = coined(walk.apart, walk.balances.meter, counted, -given - reserve, walk.terms)

    def _post(self, walk: Retelling, entry: Entry) -> None:
        moved, was_owed = NOTHING, walk.owed
        self._lend(walk, entry)
        if entry.kind == EntryKind.COIN_IN:
            moved = self._coin_in(walk, entry)
        elif entry.kind == EntryKind.REPAY:
            pass  # what would have been repaid was counted with its coin-in
        elif entry.kind in TAKES_BACK and entry.corrects is not None:
            moved = self._taken_back(walk, entry)
        elif self._is_left_out(entry, walk.left_out):
            pass
        elif entry.kind == EntryKind.AWARD:
            return self._award(walk, entry)
        elif entry.kind == EntryKind.ADVANCE:
            return self._advance(walk, entry, walk.owed - was_owed)
        elif entry.kind in OF_WINS or walk.apart == TOGETHER:
            return None
        else:
            before = walk.apart.stand(_before(entry))
            moved = due(EntryKind(entry.kind), entry.movement, before, entry.version.value, None) or entry.movement
        walk.apart = walk.apart.moved(moved, entry.movement)
        return None

    def _coin_in(self, walk: Retelling, entry: Entry) -> Movement:
        """By itself, since it may repay or be taken back later."""
        before = walk.apart.stand(_before(entry))
        other = other_coin_in(entry.movement, before, walk.would_owe, entry.version.value)
        walk.counted[entry.seq] = other
        walk.would_owe -= other.repaid.house
        return other.moved.with_also(other.repaid)

    def _taken_back(self, walk: Retelling, entry: Entry) -> Movement:
        """With its coin-in goes what that would have repaid, whatever it did repay."""
        assert entry.corrects is not None, "a contra names its entry"
        original = Entry.objects.get(jackpot_id=self.jackpot_id, seq=entry.corrects)
        if original.kind == EntryKind.REPAY:
            walk.owed += original.movement.house
            return NOTHING
        other = walk.counted.get(original.seq)
        if other is None:  # of before the time that is gone through
            repaid = repayment_after(self.jackpot_id, original.seq)
            other = OtherCoinIn(original.movement, NOTHING if repaid is None else repaid.movement)
        walk.would_owe += other.repaid.house
        return other.taken_back(walk.apart.stand(_before(entry)), entry.version.value)

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
        """What was owed of house advances, entry by entry."""
        if entry.kind in (EntryKind.ADVANCE, EntryKind.REPAY):
            walk.owed -= entry.movement.house
        elif entry.kind == EntryKind.BACK_OUT:
            walk.owed += taken_back(self.advances.get(entry.win_id, NOTHING), walk.owed).house

    def _advance(self, walk: Retelling, entry: Entry, lent: int) -> None:
        """It was counted with its award; of an award of before the time it is only what later ones count."""
        if not any(win.pk == entry.win_id for win in self.wins.values()):
            walk.would_owe += lent
            self._rank(walk, entry.seq, entry.win_id, entry.movement)

    def _rank(
        self, walk: Retelling, seq: int, win_id: int | None, moved: Movement, reset: OverflowReturn = NO_RETURN
    ) -> None:
        """What an act with a part moved; whether a later award counts it is the rule's."""
        paid = self.ranked.get(win_id or 0)
        walk.ranked += [] if paid is None else [RankedMove(seq, moved, reset, paid)]

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
        counted = _counted(walk, mine, frozen, self.logged)
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
        walk.would_owe -= advanced.house if award is None else award.advance.house
        without = AwardWithout(win.amount_money, None)
        walk.found[win.award_seq] = without if award is None else AwardWithout(award.amount, _basis(award), sharers)
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


def _basis(award: Award) -> Money | None:
    """Of a part its own; of a number for one that of the part which might lift it."""
    return award.compared.basis if award.basis is None and award.compared is not None else award.basis


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


def _counted(walk: Retelling, mine: Sequence[Win], frozen: int, logged: Mapping[int | None, int]) -> list[RankedMove]:
    """What the basis of these wins counts of what moved since their frozen entry, until J-POT fixed them."""
    hits = [win for win in mine if win.envy_of_id is None]
    parts = [win for win in hits if win.part]
    mark = min(win.mark_seq for win in parts or hits or mine)
    until = min((logged[win.pk] for win in mine if win.pk in logged), default=walk.seq + 1)
    return [
        each for each in walk.ranked
        if frozen < each.seq < until and is_counted(each.paid, mark, part=bool(parts))
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
