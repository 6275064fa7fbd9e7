from __future__ import annotations

from typing import Any

import pytest

from tables.floor.models.table import Table
from tables.hits.actions import hit
from tables.hits.queries.table_state import table_states
from tests.builders import AT_BOX, a_card, a_casino, a_person
from tests.jackpot.books.api_scene import play

pytestmark = pytest.mark.django_db


def test_a_table_that_never_played_stands_before_its_first_round() -> None:
    a_casino()
    assert table_states(["UTH-01"])["UTH-01"] == {
        "next_round": 1, "open_round": None, "parked": [], "key_at_jph": "", "dealer": None,
    }  # fmt: skip


def test_an_ended_round_is_over_and_its_wins_are_not_told_again() -> None:
    casino = a_casino()
    a_card(a_person("supervisor"), number="600000000201")
    play(casino.controller, 1, "2", ends=False)
    place = {"table_code": "UTH-01", "round_number": 1}
    hit.mark(**place, seat=2, hand="full_house", by="dealer")
    hit.confirm(**place, by="dealer")
    hit.swipe(**place, card="600000000201", at_table=True, source=AT_BOX)
    told = table_states(["UTH-01"])["UTH-01"]["open_round"]
    assert [(each["state"], each["amount"], each["slip"]) for each in told["hits"]] == [("owed", "10.00", 1)]
    assert told["marks"] == []
    play(casino.controller, 1, "2")
    after = table_states(["UTH-01"])["UTH-01"]
    assert (after["open_round"], after["parked"]) == (None, []), "what was approved is not parked"


def test_who_signed_already_is_told_while_another_is_missing() -> None:
    casino = a_casino()
    casino.premises.dual_threshold = 5
    casino.premises.save()
    a_card(a_person("supervisor"), number="600000000201")
    play(casino.controller, 1, "2", ends=False)
    place = {"table_code": "UTH-01", "round_number": 1}
    hit.mark(**place, seat=2, hand="full_house", by="dealer")
    hit.confirm(**place, by="dealer")
    hit.swipe(**place, card="600000000201", at_table=True, source=AT_BOX)
    assert table_states(["UTH-01"])["UTH-01"]["open_round"]["signed"] == ["Test Supervisor"]


def test_ten_tables_cost_as_many_statements_as_one(django_assert_max_num_queries: Any) -> None:
    casino = a_casino(tables=10)
    for controller in casino.controllers:
        play(controller, 1, "25", ends=False)
    codes = list(Table.objects.values_list("code", flat=True))
    with django_assert_max_num_queries(4):
        assert len(table_states(codes)) == 10
