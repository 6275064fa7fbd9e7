"""The meters against the chips: exact, or it is a difference."""

from __future__ import annotations

from decimal import Decimal

from tables.simulator.reckoning import Reckoned, Terms, chips_by_jackpot, reckon


def one(before: str, after: str, chips: int, per_chip: str, limit: str | None = None) -> Reckoned:
    terms = Terms(Decimal(per_chip), None if limit is None else Decimal(limit))
    return reckon({"GRAND": before}, {"GRAND": after}, {"GRAND": chips}, {"GRAND": terms})[0]


def test_three_chips_at_17_33_percent_leave_no_difference():
    assert one("10000.00", "10000.5199", 3, "0.1733").difference == 0


def test_a_ten_thousandth_is_a_difference():
    line = one("10000.00", "10000.52", 3, "0.1733")
    assert (line.agrees, line.difference) == (False, Decimal("0.0001"))


def test_the_limit_holds_the_meter():
    assert one("24999.50", "25000.00", 10, "0.70", "25000.00").agrees


def test_a_meter_above_its_limit_stays():
    assert one("26000.00", "26000.00", 10, "0.70", "25000.00").agrees


def test_a_jackpot_without_a_chip_must_not_move():
    assert not reckon({"A": "1.00"}, {"A": "1.70"}, {}, {"A": Terms(Decimal("0.70"))})[0].agrees


def test_a_chip_feeds_every_level_of_its_table():
    assert chips_by_jackpot([(5, ["GRAND"]), (3, ["ROYAL", "MINI"]), (2, ["GRAND"])]) == {
        "GRAND": 7, "ROYAL": 3, "MINI": 3,
    }  # fmt: skip
