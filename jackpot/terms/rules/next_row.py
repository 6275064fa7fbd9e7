"""The switch “never less than the next row”: a higher hand never gets less than a lower one would.

Every row below in the pay table's rank order counts as next: the row right below is itself never less than its next.
"""

from __future__ import annotations

from dataclasses import dataclass

from jackpot.money import Money
from jackpot.terms.rules.paytable import ForOne, PayLine
from jackpot.terms.rules.terms import Terms


@dataclass(frozen=True, slots=True)
class NextRow:
    """The row below that would pay most, what it would pay, and what the seat's own row pays by itself."""

    line: PayLine
    worth: Money
    own: Money
    basis: Money


def pays(line: PayLine, basis: Money, terms: Terms) -> Money:
    """What a row pays by itself from this basis."""
    return line.pays(basis, terms.wager, terms.rounding, terms.digits)


def next_row(line: PayLine, own: Money, basis: Money, terms: Terms) -> NextRow | None:
    """What the switch compares; None where it is off, or nothing stands below.

    Under an aggregate a fixed row is compared with fixed rows only: a part below must not lift it above the aggregate.
    """
    if terms.policy.row != "never_less":
        return None
    fixed_only = terms.aggregate is not None and isinstance(line.award, ForOne)
    below = [row for row in below_of(line, terms) if isinstance(row.award, ForOne) or not fixed_only]
    best = max(below, key=lambda row: pays(row, basis, terms), default=None)
    return None if best is None else NextRow(best, pays(best, basis, terms), own, basis)


def below_of(line: PayLine, terms: Terms) -> tuple[PayLine, ...]:
    """The rows that a hand of this row outranks."""
    return terms.pay_table.lines[terms.pay_table.rank(line.code) :]


def due_from(line: PayLine, basis: Money, sharers: int, terms: Terms) -> Money:
    """What one of so many equal sharers gets of a row from this basis."""
    whole = pays(line, basis, terms)
    own = whole if sharers == 1 else Money(whole.units // sharers).shown(terms.digits)
    return at_least(line, own, basis, terms)


def at_least(line: PayLine, own: Money, basis: Money, terms: Terms) -> Money:
    """What a row pays under the switch: its own award, or what the next row would pay."""
    best = next_row(line, own, basis, terms)
    return own if best is None else max(own, best.worth)
