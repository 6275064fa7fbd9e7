"""The settlement beside its twin: the same pots and hits by chance, told a second time by the oracle."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from jackpot.books.rules.movement import Balances, Movement
from jackpot.money import Money
from jackpot.terms.rules.terms import Terms
from jackpot.wins.rules import settlement
from jackpot.wins.rules.settlement import Award, Hit
from tests.oracle import chances
from tests.oracle.settling import Moved, Payment, Pot


def the_terms(told: dict[str, Any]) -> Terms:
    plain = {name: value for name, value in told.items() if name != "lines"}
    return Terms.of({**plain, "pay_table": {"code": "twin", "lines": told["lines"]}})


def the_pot(pot: Pot, by: Terms, in_force: Terms) -> settlement.Pot:
    outside = -(pot.meter + pot.reserve + pot.overflow)
    live = Balances(meter=pot.meter, reserve=pot.reserve, overflow=pot.overflow, outside=outside)
    return settlement.Pot(live, pot.basis, pot.released, pot.kept, by, in_force)


def columns(moved: Moved) -> tuple[int, ...]:
    return moved.meter, moved.reserve, moved.overflow, moved.house, moved.winners


def of(movement: Movement) -> tuple[int, ...]:
    return movement.meter, movement.reserve, movement.overflow, movement.house, movement.winners


def as_told(award: Award) -> tuple[Any, ...]:
    return (
        award.seat, award.line.code, award.amount.units, award.caused_by, award.envy, award.resets, of(award.movement),
        of(award.advance), (award.from_reserve.units, award.from_house.units),
        (award.seed.units, award.reserve_released.units, award.overflow_returned.units),
    )  # fmt: skip


def as_due(page: Payment) -> tuple[Any, ...]:
    return (
        page.seat, page.code, page.amount, page.envy_of, page.envy_of is not None, page.resets, columns(page.moved),
        columns(page.lent), page.short, page.begun,
    )  # fmt: skip


@pytest.mark.parametrize("batch", range(8))
def test_whatever_hits_the_settlement_and_its_twin_agree(batch: int) -> None:
    for number in range(150):
        chance = Random(f"twin/{batch}/{number}")
        told, later, sheet, at_reset = chances.sheets_by(chance)
        pot, (seats, hits) = chances.pot_by(chance, sheet, at_reset), chances.hits_by(chance, sheet)
        fixed = {hit: chance.choice([500, 2345]) * 10**6 for hit in hits if chance.random() < 0.1}
        terms, reset_by = the_terms(told), the_terms(later)
        asked = [
            Hit(seat, terms.pay_table.line(code), fixed=Money(fixed[seat, code]) if (seat, code) in fixed else None)
            for seat, code in hits
        ]
        product = settlement.settle(the_pot(pot, reset_by, terms), asked, terms, seats)
        oracle = pot.settle(hits, seats, fixed)
        assert [as_told(award) for award in product] == [as_due(page) for page in oracle], (batch, number)
