"""A hand whose name or code is long: it is won all the same, or refused before anybody plays for it."""

from __future__ import annotations

import pytest

from jackpot.refusals import NotAllowedNow
from jackpot.terms.rules.terms import LONGEST_CODE, TermsRefused, refuse_long_codes
from jackpot.wins.models import Win
from tables.rounds.queries.prove import prove
from tests.builders import a_jackpot, a_pay_table, terms
from tests.tables.hits.test_hit import Floor

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("letters", [74, 75, 80, 200])
def test_a_hand_with_a_long_name_is_marked_and_won_with_its_envy(letters: int) -> None:
    line = {"code": "royal", "name": "R" * letters, "part": "1", "envy": "10.00"}
    floor = Floor(1, pay_table=a_pay_table(lines=[line], source="meter"))
    floor.coin_in("12")
    floor.mark(1, "royal")
    floor.confirm()
    floor.card()
    names = list(Win.objects.order_by("id").values_list("line_name", flat=True))
    assert names == ["R" * min(letters, 80), ("Envy: " + "R" * letters)[:80]]
    assert prove().findings.listed == []


def test_a_code_without_space_in_the_row_of_a_win_is_refused_where_terms_are_made() -> None:
    line = {"code": "r" * (LONGEST_CODE + 1), "name": "Royal", "part": "1"}
    with pytest.raises(NotAllowedNow, match="The code of line Royal is longer than 40 letters"):
        a_jackpot(pay_table=a_pay_table(lines=[line]))
    with pytest.raises(TermsRefused, match="Shorten it"):
        refuse_long_codes(terms(pay_table=a_pay_table(lines=[line])))
