"""A part of the meter is cut to what the currency pays."""

from __future__ import annotations

from fractions import Fraction

import pytest

from jackpot.money import Money
from tables.games.uth.decide import Meter
from tests.tables.games.uth.scene import TABLES


@pytest.mark.parametrize(("digits", "part"), [(0, "617"), (2, "617.28"), (3, "617.284")])
def test_a_part_of_the_meter_is_rounded_to_the_currency(digits: int, part: str) -> None:
    line = next(line for line in TABLES["progressive"].lines if str(line.pays) == "5 %")
    meter = Meter(Money.of("12345.6789"), "meter", digits)
    assert meter.award(line, Fraction(1)) == Fraction(part)
