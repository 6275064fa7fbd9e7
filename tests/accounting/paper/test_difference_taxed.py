"""The tax box of a page that pays a difference."""

from __future__ import annotations

from datetime import date

import pytest

from accounting.paper.printing.facts import facts_of
from jackpot.configuring.actions.house_rules import declare_tax
from jackpot.money import Money
from jackpot.property.rules.tax import TaxRule
from tests.accounting.paper.test_difference_page import of_a_difference
from tests.accounting.paper.test_pages import ORIGINAL
from tests.scenes_owed import OwedFloor

pytestmark = pytest.mark.django_db


def test_the_tax_rule_is_compared_with_the_whole_award() -> None:
    """469.14 alone would not be reported; 1,003.50 is, of which 24 % of 1,002.50 less nothing before is withheld."""
    floor = OwedFloor()
    rule = TaxRule(date(2020, 1, 1), Money.of("600"), 0, Money.of("600"), 240_000)
    declare_tax(premises=floor.casino.premises, rule=rule, by="tests")
    floor.v9b()
    tax = facts_of(of_a_difference(floor), ORIGINAL).plain()["tax"]
    assert tax["rows"] == [
        ("Taxable", "$469.14"), ("Report", "required"), ("Withheld", "$240.60"), ("To the player", "$228.54"),
    ]  # fmt: skip
    assert tax["rule"].endswith("Compared with the whole award, $1,003.50.")
