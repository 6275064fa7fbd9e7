"""What the hits of one round are worth: in the order of the rules, each from what is left, reseeds between.

A hit paid as a part of the meter counts from the frozen meter; a number for one draws on the meter as it runs now.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import NamedTuple, assert_never

from jackpot.books.rules import movement
from jackpot.books.rules.movement import NOTHING, Balances, Movement
from jackpot.money import ZERO, Money, Rounding
from jackpot.terms.rules.aggregate import share_aggregate
from jackpot.terms.rules.next_row import NextRow, at_least, next_row, pays
from jackpot.terms.rules.paytable import ForOne, PartOfMeter, PayLine
from jackpot.terms.rules.terms import Terms


class OverflowReturn(NamedTuple):
    """What lay in the overflow before a reset, and how much of it the reset took back into the meter."""

    before: int
    returned: int


@dataclass(frozen=True, slots=True)
class Hit:
    """One seat's highest row in the round."""

    seat: int
    line: PayLine
    cut_to: Money | None = None  # what the table's aggregate leaves of a fixed award
    fixed: Money | None = None  # at J-POT: whatever the meter and the reserve do since, this is what RUN posts


@dataclass(frozen=True, slots=True)
class Pot:
    """A jackpot at the moment of approval, what was frozen for this round, and the terms that a reset would obey.

    A hit is judged by the terms of its coin-in; the reset is the first act of the terms that are in force after it.
    """

    live: Balances
    frozen_meter: int
    frozen_reserve: int
    frozen_overflow: int  # what lay above it since, a reset returns
    reset_by: Terms | None = None  # None: the hit's own terms
    in_force: Terms | None = None  # whose seed a dry meter restarts at; None: the hit's own terms


@dataclass(frozen=True, slots=True)
class Award:
    """What one seat gets, from where, and what the meter does. Its movement is one entry."""

    seat: int
    line: PayLine
    amount: Money
    basis: Money | None
    movement: Movement
    envy: bool = False
    seed: Money = ZERO
    reserve_released: Money = ZERO
    overflow_returned: Money = ZERO
    from_reserve: Money = ZERO
    from_house: Money = ZERO
    caused_by: int | None = None  # the seat whose hit an envied seat is paid for
    compared: NextRow | None = None  # under the switch “never less than the next row”
    advance: Movement = NOTHING  # the restart of a meter that this award left dry: an entry of its own

    @property
    def resets(self) -> bool:
        return bool(self.seed)

    def took_back(self, before: Balances) -> OverflowReturn:
        """Of the overflow, as it lay there before this award."""
        return OverflowReturn(before.overflow, self.overflow_returned.units)

    @property
    def moves(self) -> Movement:
        """Award and restart together."""
        return self.movement if self.advance is NOTHING else self.movement.with_also(self.advance)


def in_order(hits: Iterable[Hit], order: str) -> list[Hit]:
    """Seats are counted from the dealer's left, so counter-clockwise from the right is from the highest seat down."""
    return sorted(hits, key=lambda hit: hit.seat if order == "clockwise" else -hit.seat)


def settle(pot: Pot, hits: Sequence[Hit], terms: Terms, coin_in_seats: Sequence[int] = ()) -> list[Award]:
    """Every award of the round in the order in which it is paid, envy after the hit that causes it."""
    hits = within_aggregate(hits, terms)
    top = [hit for hit in hits if _is_top(hit)]
    if terms.policy.order == "equal_shares" and len(top) > 1:
        return _shared(pot, top, [hit for hit in hits if not _is_top(hit)], terms, coin_in_seats)
    awards: list[Award] = []
    for hit in in_order(hits, terms.policy.order):
        award = _award(pot, hit, terms)
        pot = _after(pot, award)
        awards.append(award)
        for envied in _envy(pot, hit, terms, coin_in_seats):
            pot = _after(pot, envied)
            awards.append(envied)
    return awards


def within_aggregate(hits: Sequence[Hit], terms: Terms) -> list[Hit]:
    """The hits of a round, their fixed awards cut to the table's aggregate where there is one."""
    if terms.aggregate is None:
        return list(hits)
    fixed = {
        hit.seat: at_least(hit.line, pays(hit.line, ZERO, terms), ZERO, terms)
        for hit in hits
        if isinstance(hit.line.award, ForOne)
    }
    shares = share_aggregate(fixed, terms.aggregate, terms.digits)
    return [replace(hit, cut_to=shares.get(hit.seat)) for hit in hits]


def _is_top(hit: Hit) -> bool:
    return isinstance(hit.line.award, PartOfMeter) and hit.line.award.is_all


def _award(pot: Pot, hit: Hit, terms: Terms) -> Award:
    """One hit's award from what is left: a shortfall is made good first, then the meter begins anew."""
    award = _made_good(pot, _counted(pot, hit, terms), terms)
    return _restarted(pot, _with_reset(pot, award, terms) if _is_top(hit) else award, terms)


def _counted(pot: Pot, hit: Hit, terms: Terms) -> Award:
    basis = _basis(pot, terms)
    own = hit.line.pays(basis, terms.wager, terms.rounding, terms.digits)
    match hit.line.award:
        case PartOfMeter():
            return _part(pot, hit, own, basis, terms)
        case ForOne():
            compared = _next_row(hit.line, own, basis, terms)
            due = own if compared is None else max(own, compared.worth)
            due = due if hit.cut_to is None else hit.cut_to
            award = _fixed(pot, hit.seat, hit.line, due if hit.fixed is None else hit.fixed, terms)
            return replace(award, compared=compared)
        case _:
            assert_never(hit.line.award)


def _part(pot: Pot, hit: Hit, own: Money, basis: Money, terms: Terms, held: int = 0) -> Award:
    """The part from the frozen meter; what the next row adds to it draws on the running meter as a number for one.

    `held` is what the other equal shares still take: no addition draws on it.
    """
    compared = _next_row(hit.line, own, basis, terms)
    due = own if compared is None else max(own, compared.worth)
    due = due if hit.fixed is None else hit.fixed
    part = due if compared is None else min(own, due)
    taken = Movement(meter=-part.units, winners=part.units)
    award = Award(hit.seat, hit.line, due, basis, taken, compared=compared)
    if due == part:
        return award
    left = pot.live.after(taken)
    beside = replace(pot, live=left._replace(meter=left.meter - held))
    added = _fixed(beside, hit.seat, hit.line, due - part, terms)
    return replace(
        award, movement=taken.with_also(added.movement), from_reserve=added.from_reserve, from_house=added.from_house
    )


def _next_row(line: PayLine, own: Money, basis: Money, terms: Terms) -> NextRow | None:
    """Only under the switch: most houses have it off."""
    return next_row(line, own, basis, terms) if terms.policy.row == "never_less" else None


def _basis(pot: Pot, terms: Terms) -> Money:
    """What a page can recompute: cut to the cent, and nothing where earlier hits have taken more than was frozen."""
    return Money(max(pot.frozen_meter, 0)).shown(terms.digits)


def _with_reset(pot: Pot, award: Award, terms: Terms) -> Award:
    """The award and the reseed are one entry. What a shortfall took of the reserve as frozen is released no more."""
    by = pot.reset_by or terms
    left = pot.live.after(award.movement)
    assert left.meter >= 0, "a new meter never begins below its seed because the old one lacked something"
    # What lay there when the hit was frozen stays for a later reset (docs/decisions/0018).
    kept = 0 if by.policy.overflow_at_reset == "all" else pot.frozen_overflow
    due = max(left.overflow - kept, 0)
    reset = movement.reset(left, pot.frozen_reserve + award.movement.reserve, due, by)
    return replace(
        award, movement=award.movement.with_also(reset), seed=by.seed, reserve_released=Money(-reset.reserve),
        overflow_returned=Money(due),
    )  # fmt: skip


def _made_good(pot: Pot, award: Award, terms: Terms) -> Award:
    """Where the running meter lacks what was frozen (a void meanwhile), the player is still paid in full."""
    after = pot.live.after(award.movement)
    if after.meter >= 0:
        return award
    lack = movement.shortfall(-after.meter, after, terms)
    return replace(
        award, movement=award.movement.with_also(lack),
        from_reserve=award.from_reserve + Money(-lack.reserve), from_house=award.from_house + Money(-lack.house),
    )  # fmt: skip


def _restarted(pot: Pot, award: Award, terms: Terms) -> Award:
    """A meter that an award leaves without a cent begins anew, where the terms in force say so."""
    by = pot.in_force or terms
    if by.policy.dry_meter == "stay" or award.line.source != "meter" or not award.amount:
        return award
    after = pot.live.after(award.movement)
    dry = not Money(after.meter).shown(by.digits)
    return replace(award, advance=movement.advance(after, by)) if dry else award


def _fixed(pot: Pot, seat: int, line: PayLine, due: Money, terms: Terms, *, envy: bool = False) -> Award:
    """A number for one: from the tray, or from the meter as far as its whole cents reach; the lack is a shortfall."""
    if line.source == "tray":
        return Award(seat, line, due, None, Movement(house=-due.units, winners=due.units), envy)
    there = min(due, Money(max(pot.live.meter, 0)).shown(terms.digits))
    lack = movement.shortfall((due - there).units, pot.live, terms)
    moved = Movement(meter=-due.units, winners=due.units).with_also(lack)
    return Award(seat, line, due, None, moved, envy, from_reserve=Money(-lack.reserve), from_house=Money(-lack.house))


def _envy(pot: Pot, hit: Hit, terms: Terms, coin_in_seats: Sequence[int]) -> list[Award]:
    """A fixed sum to each other coin-in seat, drawn after the hit and its reset."""
    if hit.line.envy is None:
        return []
    others = [Hit(seat, hit.line) for seat in coin_in_seats if seat != hit.seat]
    awards = []
    for other in in_order(others, terms.policy.order):
        envied = _fixed(pot, other.seat, hit.line, hit.line.envy, terms, envy=True)
        awards.append(_restarted(pot, replace(envied, caused_by=hit.seat), terms))
        pot = _after(pot, awards[-1])
    return awards


def _shared(
    pot: Pot, top: Sequence[Hit], lower: Sequence[Hit], terms: Terms, coin_in_seats: Sequence[int]
) -> list[Award]:
    """A top award hit several times: equal shares, odd cents stay, lower rows next, one reset with the last of them.

    Between them the meter is not dry but shared out: it begins anew with the reset.
    """
    basis = _basis(pot, terms)
    # Down whatever the terms round by: half a cent more for each would be more than the meter holds.
    share = basis.share(Fraction(1, len(top)), Rounding.DOWN, terms.digits)
    rows = [*in_order(top, terms.policy.order), *in_order(lower, terms.policy.order)]
    awards: list[Award] = []
    for place, hit in enumerate(rows, start=1):
        held = share.units * max(len(top) - place, 0)
        award = _part(pot, hit, share, basis, terms, held) if _is_top(hit) else _counted(pot, hit, terms)
        award = _made_good(pot, award, terms)
        awards.append(_with_reset(pot, award, terms) if hit is rows[-1] else award)
        pot = _after(pot, awards[-1])
    for hit in rows:
        for envied in _envy(pot, hit, terms, coin_in_seats):
            awards.append(envied)
            pot = _after(pot, envied)
    return awards


def _after(pot: Pot, award: Award) -> Pot:
    """What the next award of the round counts from."""
    return replace(
        pot,
        live=pot.live.after(award.moves),
        frozen_meter=pot.frozen_meter + award.moves.meter,
        frozen_reserve=pot.frozen_reserve + award.moves.reserve,
        frozen_overflow=still_frozen(pot.frozen_overflow, [award.took_back(pot.live)]),
        in_force=pot.reset_by if award.resets else pot.in_force,
    )


def still_frozen(frozen: int, resets: Iterable[OverflowReturn]) -> int:
    """What is left of the overflow at a frozen entry once these resets, in their order, have taken their part.

    A reset of a hit that ranks before returns what came in last first. So what it returned is neither due again nor
    missed among what had lain there at the frozen entry; what its own limit cut off has been taken since, and is due.
    """
    for reset in resets:
        since = max(reset.before - frozen, 0)
        frozen -= max(reset.returned - since, 0)
    return frozen
