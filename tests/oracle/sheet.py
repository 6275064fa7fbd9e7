"""The rule sheet of one jackpot as the oracle reads it, and sums in whole units of 0.00000001."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

UNIT = 10**8
CENT = 10**6
COLUMNS = ("contributed", "meter", "reserve", "overflow", "house", "winners", "paid", "outside")


@dataclass(frozen=True)
class Row:
    """A line of the pay table: a part of the meter, or so many times the wager from a source."""

    code: str
    part: Fraction | None
    times: int
    source: str
    envy: int


@dataclass(frozen=True)
class Sheet:
    """What was agreed: one set of terms, with every switch on which rule books differ."""

    wager: int
    seed: int
    rate: Fraction
    reserve_rate: Fraction
    rows: tuple[Row, ...]
    limit: int | None = None
    rounding: str = "half_up"
    aggregate: int | None = None
    repay_rate: Fraction = Fraction(0)
    overflow: str = "next_meter"
    overflow_at_reset: str = "since_frozen"
    freeze: str = "mark"
    order: str = "counter_clockwise"
    shortfall: str = "reserve_then_house"
    row: str = "highest"
    dry_meter: str = "stay"

    def line(self, code: str) -> Row | None:
        return next((row for row in self.rows if row.code == code), None)

    def place(self, code: str) -> int:
        return [row.code for row in self.rows].index(code)

    def pays(self, row: Row, basis: int) -> int:
        """What a row pays by itself; a part is rounded once, to the cent."""
        if row.part is None:
            return row.times * self.wager
        cents = Fraction(basis, CENT) * row.part
        half = Fraction(1, 2) if self.rounding == "half_up" else 0
        return (cents + half).__floor__() * CENT

    def lifted_by(self, row: Row) -> tuple[Row, ...]:
        """The rows below, where a higher hand never gets less; beside an aggregate no part lifts what is fixed."""
        below = self.rows[self.place(row.code) + 1 :] if self.row == "never_less" else ()
        fixed_only = self.aggregate is not None and row.part is None
        return tuple(each for each in below if each.part is None) if fixed_only else below

    def least(self, row: Row, basis: int) -> int:
        """The most that a row below would pay."""
        return max((self.pays(each, basis) for each in self.lifted_by(row)), default=0)

    def counts_from(self, row: Row) -> bool:
        """Whether what it pays is any of the meter's business."""
        return row.part is not None or (self.aggregate is None and bool(self.lifted_by(row)))

    def in_order(self, seats: Any) -> list[Any]:
        """Seats are counted from the dealer's left; from the right is from the highest down."""
        return sorted(seats, reverse=self.order != "clockwise")


def sheet_of(terms: Mapping[str, Any]) -> Sheet:
    """Terms as people write them: amounts and percentages are texts."""
    rows = tuple(
        Row(
            line["code"], Fraction(line["part"]) if "part" in line else None, int(line.get("for_one", 0)),
            "meter" if "part" in line else line.get("source", "meter"), units(line.get("envy") or "0"),
        )
        for line in terms["lines"]
    )  # fmt: skip
    return Sheet(
        units(terms["wager"]), units(terms["seed"]), percent(terms["rate"]), percent(terms.get("reserve_rate", "0")),
        rows, limit=units(terms["limit"]) if terms.get("limit") else None,
        rounding=terms.get("rounding", "half_up"),
        aggregate=units(terms["aggregate"]) if terms.get("aggregate") else None,
        repay_rate=percent(terms.get("repay_rate", "0")), **terms.get("policy", {}),
    )  # fmt: skip


def units(amount: str) -> int:
    exact = Fraction(amount) * UNIT
    assert exact.denominator == 1, f"{amount} has more than eight decimals"
    return exact.numerator


def percent(rate: str) -> Fraction:
    return Fraction(rate) / 100


def cut(amount: int) -> int:
    """To the cent, downwards; nothing where there is less than nothing."""
    return max(amount, 0) // CENT * CENT


def cents_up(lack: int) -> int:
    """What is lacking, in whole cents, never too little."""
    return -(-max(lack, 0) // CENT) * CENT


def spoken(amount: int) -> str:
    """As people read it: two decimals at least, eight at most."""
    whole, rest = divmod(abs(amount), UNIT)
    return f"{'-' if amount < 0 else ''}{whole}.{f'{rest:08d}'.rstrip('0').ljust(2, '0')}"
