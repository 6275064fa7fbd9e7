"""All money of a jackpot on one page, written the way an accountant says it.

Eight accounts; every movement sums to zero over them, and one that does not cannot be constructed.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from functools import cached_property, lru_cache
from operator import add
from typing import Final, NamedTuple

from jackpot.money import DECIMALS, Money, stored_texts
from jackpot.terms.rules.terms import Terms

ACCOUNTS: Final = ("contributed", "meter", "reserve", "overflow", "house", "winners", "paid", "outside")
NEVER_NEGATIVE: Final = ("meter", "reserve", "overflow", "winners")
RAISED: Final = ACCOUNTS[:3]  # what a coin-in moves, and nothing else while it meets no limit


# Without slots: what its columns spell is kept with it (`texts`).
@dataclass(frozen=True)
class Movement:
    """Units of 0.00000001 into (+) and out of (−) each account."""

    contributed: int = 0
    meter: int = 0
    reserve: int = 0
    overflow: int = 0
    house: int = 0
    winners: int = 0
    paid: int = 0
    outside: int = 0

    def __post_init__(self) -> None:
        assert sum(self.columns()) == 0, f"a movement must balance: {self}"

    def columns(self) -> tuple[int, ...]:
        return (
            self.contributed, self.meter, self.reserve, self.overflow,
            self.house, self.winners, self.paid, self.outside,
        )  # fmt: skip

    @cached_property
    def texts(self) -> tuple[str, ...]:
        """As seals and the database spell its columns."""
        return stored_texts(self.columns())

    def reversed(self) -> Movement:
        return Movement(*(-units for units in self.columns()))

    def with_also(self, other: Movement) -> Movement:
        """Both movements as one."""
        return Movement(*(mine + theirs for mine, theirs in zip(self.columns(), other.columns(), strict=True)))


class Balances(NamedTuple):
    """What stands in each account of one jackpot; over all eight the sum is always zero."""

    contributed: int = 0
    meter: int = 0
    reserve: int = 0
    overflow: int = 0
    house: int = 0
    winners: int = 0
    paid: int = 0
    outside: int = 0

    def columns(self) -> tuple[int, ...]:
        return self

    def after(self, movement: Movement) -> Balances:
        return Balances._make(map(add, self, movement.columns()))


assert ACCOUNTS == tuple(field.name for field in fields(Movement)) == Balances._fields

NOTHING: Final = Movement()


def opening(seed: Money) -> Movement:
    """A new jackpot posts its seed from the house."""
    return Movement(house=-seed.units, meter=seed.units)


def take_over(meter: Money, reserve: Money, overflow: Money, house_seed: Money) -> Movement:
    """A running jackpot comes from another system: its reading, and what its house had advanced."""
    inside = meter.units + reserve.units + overflow.units - house_seed.units
    return Movement(
        meter=meter.units, reserve=reserve.units, overflow=overflow.units, house=-house_seed.units, outside=-inside
    )


def coin_in(spots: int, terms: Terms, meter_before: int) -> Movement:
    """k chips of the wager: the meter's part up to its limit, the rest to overflow, the reserve's part always."""
    return cut_at_limit(_chips(spots, terms.meter_part.units, terms.reserve_part.units), meter_before, terms)


@lru_cache(maxsize=1024)
def _chips(spots: int, meter_part: int, reserve_part: int) -> Movement:
    """Movements never change, and a floor plays the same few numbers of chips all day."""
    raise_by, kept_back = spots * meter_part, spots * reserve_part
    return Movement(contributed=-(raise_by + kept_back), meter=raise_by, reserve=kept_back)


def advance(before: Balances, terms: Terms) -> Movement:
    """A dry meter begins anew at the seed; the house lends it."""
    return cut_at_limit(Movement(meter=terms.seed.units, house=-terms.seed.units), before.meter, terms)


def repay(spots: int, owed: int, raised: int, terms: Terms) -> Movement:
    """Of what k chips brought the stated part goes to the house, the last time only what is still owed.

    Never more than the coin-in raised the meter by: no sign falls because of it.
    """
    units = min(spots * terms.repay_part.units, owed, raised)
    return Movement(meter=-units, house=units)


def taken_back(advanced: Movement, owed: int) -> Movement:
    """What of an advance its back-out turns round: what is still owed. What was repaid counts as contributed."""
    units = min(-advanced.house, owed)
    return Movement(meter=units, house=-units)


def cut_at_limit(movement: Movement, meter_before: int, terms: Terms) -> Movement:
    """What would raise the meter above its limit goes to overflow (or, by switch, is the house's revenue)."""
    # A fall raises nothing, so a limit takes nothing of it.
    over = above_limit(meter_before + movement.meter, max(movement.meter, 0), terms)
    if not over:
        return movement
    account = "house" if terms.policy.overflow == "revenue" else "overflow"
    return _moved(movement, {"meter": -over, account: over})


def above_limit(meter_after: int, raised_by: int, terms: Terms) -> int:
    """How much of a raise the limit sends to overflow; a meter already above its limit keeps what it has."""
    if terms.limit is None or meter_after <= terms.limit.units:
        return 0
    return min(raised_by, meter_after - terms.limit.units)


def adjust(by: int, account: str, before: Balances, terms: Terms) -> Movement:
    """The house puts money into the meter or the reserve, or takes it out. The limit holds here too."""
    return cut_at_limit(Movement(**{account: by, "house": -by}), before.meter, terms)


def transfer_out(meter: int, reserve: int, overflow: int) -> Movement:
    """To another jackpot: what leaves here stands outside until the other entry takes it in."""
    return Movement(meter=-meter, reserve=-reserve, overflow=-overflow, outside=meter + reserve + overflow)


def transfer_in(sent: Movement, before: Balances, terms: Terms) -> Movement:
    """What another jackpot sent, account by account; what would lift the meter above its limit overflows."""
    return cut_at_limit(sent.reversed(), before.meter, terms)


def lacking(after: Balances) -> str | None:
    """The account that would be below zero, if there is one."""
    return next((account for account in NEVER_NEGATIVE if getattr(after, account) < 0), None)


def contra(original: Movement, before: Balances, terms: Terms) -> Movement:
    """The exact contra of an entry. What a balance lacks for it is a shortfall, from the declared source."""
    return made_good(cut_at_limit(original.reversed(), before.meter, terms), before, terms)


def made_good(movement: Movement, before: Balances, terms: Terms) -> Movement:
    """No balance goes below zero but the house's: what one lacks comes in whole cents."""
    after = before.after(movement)
    to_meter = shortfall(-after.meter, after, terms)
    to_reserve, to_overflow = (_whole_cents(-units, terms) for units in (after.reserve, after.overflow))
    rest = Movement(reserve=to_reserve, overflow=to_overflow, house=-(to_reserve + to_overflow))
    return movement.with_also(to_meter).with_also(rest)


def difference(owed: Money, source: str, before: Balances, terms: Terms) -> Movement:
    """What a winner had too little, from the meter that something filled again, or from the house."""
    if source == "house":
        return Movement(house=-owed.units, winners=owed.units)
    return made_good(Movement(meter=-owed.units, winners=owed.units), before, terms)


def pay(amount: Money) -> Movement:
    """What was owed to a winner is paid."""
    return Movement(winners=-amount.units, paid=amount.units)


def receipt(amount: Money) -> Movement:
    """What was paid in error and came back: it makes the house good, which had borne it since the back-out."""
    return Movement(house=amount.units, paid=-amount.units)


def reset(left: Balances, frozen_reserve: int, overflow_due: int, terms: Terms) -> Movement:
    """After a 100 % award: the seed from the house, the reserve as frozen, the overflow due; never above the limit."""
    # At most what is there: since it was frozen a shortfall may have drawn on it.
    released = max(min(frozen_reserve, left.reserve), 0)
    returned = max(min(overflow_due, left.overflow), 0)
    seed = terms.seed.units
    raised = Movement(meter=seed + released + returned, reserve=-released, overflow=-returned, house=-seed)
    return cut_at_limit(raised, left.meter, terms)


def shortfall(lack: int, pot: Balances, terms: Terms) -> Movement:
    """What an award lacks, in whole cents from the declared source: the reserve as far as it goes, then the house."""
    due, cent = _whole_cents(lack, terms), _cent(terms)
    # A part of a cent stays in the reserve: what is made good is whole cents, from wherever it comes.
    kept = 0 if terms.policy.shortfall == "house" else max(pot.reserve, 0) // cent * cent
    from_reserve = min(due, kept)
    return Movement(meter=due, reserve=-from_reserve, house=from_reserve - due)


def _whole_cents(lack: int, terms: Terms) -> int:
    """Never too little: what lacks a part of a cent gets the whole one."""
    # −(−a // b) rounds up.
    return -(-max(lack, 0) // _cent(terms)) * _cent(terms)


def _cent(terms: Terms) -> int:
    cent: int = 10 ** (DECIMALS - terms.digits)
    return cent


def _moved(movement: Movement, changes: dict[str, int]) -> Movement:
    columns = dict(zip(ACCOUNTS, movement.columns(), strict=True))
    return Movement(**{account: units + changes.get(account, 0) for account, units in columns.items()})
