"""Tax on a win as dated data."""

from __future__ import annotations

from datetime import date

import pytest

from jackpot.money import Money
from jackpot.property.rules.tax import TaxRule, rule_on, slip_sum, tax_on, tax_on_more

RULE = TaxRule(date(2020, 1, 1), Money.of("600"), 300, Money.of("5000"), 240_000)


@pytest.mark.parametrize(
    ("amount", "wager", "reported", "withheld"),
    [
        ("600.99", "1.00", False, "0.00"),
        ("601.00", "1.00", True, "0.00"),
        ("1200.00", "5.00", False, "0.00"),
        ("1505.00", "5.00", True, "0.00"),
        ("5001.00", "1.00", True, "0.00"),
        ("5001.01", "1.00", True, "1200.00"),
        ("20001.40", "1.00", True, "4800.09"),
        ("0.50", "1.00", False, "0.00"),
    ],
)
def test_a_win_is_reported_from_both_limits_up_and_withheld_on_above_its_own(
    amount: str, wager: str, reported: bool, withheld: str
) -> None:
    due = tax_on(RULE, Money.of(amount), Money.of(wager))
    assert (due.reported, str(due.withheld)) == (reported, withheld)


def test_a_rule_may_leave_the_wager_in_and_withhold_nothing() -> None:
    rule = TaxRule(date(2020, 1, 1), Money.of("600"), wager_deducted=False)
    due = tax_on(rule, Money.of("600"), Money.of("1"))
    assert (due.reported, str(due.taxable), str(due.withheld)) == (True, "600.00", "0.00")


def test_the_newest_rule_that_has_begun_counts_and_none_before_the_first() -> None:
    later = TaxRule(date(2026, 7, 1), Money.of("2000"))
    assert rule_on([later, RULE], date(2026, 6, 30)) == RULE
    assert rule_on([later, RULE], date(2026, 7, 1)) == later
    assert rule_on([later, RULE], date(2019, 12, 31)) is None


def test_a_currency_of_three_digits_withholds_to_its_smallest_coin() -> None:
    assert str(tax_on(RULE, Money.of("6001.003"), Money.of("1"), 3).withheld) == "1440.00"
    assert str(tax_on(RULE, Money.of("6001.129"), Money.of("1"), 3).withheld) == "1440.03"


def test_the_rest_of_an_award_is_taxed_as_a_part_of_the_whole() -> None:
    """4,000.00 were below the limit of withholding; with 2,001.00 more the whole is above it: 24 % of 6,000.00."""
    before, whole = (tax_on(RULE, Money.of(amount), Money.of("1.00")) for amount in ("4000.00", "6001.00"))
    rest = tax_on_more(before, whole)
    assert (str(rest.taxable), rest.reported, str(rest.withheld)) == ("2001.00", True, "1440.00")


def test_the_rest_of_an_award_is_never_withheld_beyond_itself() -> None:
    """The whole award crossed the limit by a cent: 240.24 would be due, but only that cent is paid."""
    rule = TaxRule(date(2020, 1, 1), Money.of("600"), 0, Money.of("1000"), 240_000, wager_deducted=False)
    was, whole = Money.of("1000.00"), Money.of("1001.00")
    pays = slip_sum([rule], date(2026, 1, 1), whole - was, Money.of("1"), difference=(was, whole))
    assert (str(pays.withheld), str(pays.net), pays.reported) == ("1.00", "0.00", True)
    assert slip_sum([rule], date(2019, 1, 1), was, Money.of("1")).due is None
