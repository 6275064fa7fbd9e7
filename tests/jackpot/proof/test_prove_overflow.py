"""Two hits of the whole meter wait while the limit holds: what each reset returned is counted again by all proofs."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from jackpot.wins.models import Win
from tests import databases
from tests.builders import a_person
from tests.reseal import damage
from tests.scenes import played
from tests.stranger import found_by_all, nothing_disagrees
from tests.tables.hits.test_hit import ref_b


def an_evening() -> None:
    """7.00 are cut off between the two marks, 1.40 after them; the first reset returns 8.40 and its limit cuts 6.40."""
    floor = ref_b(3, meter="10010.00", reserve="7.95", limit="10010.00", overflow="5.00")
    floor.coin_in("1", 0)
    floor.mark(1, "royal", 0)
    floor.coin_ins(7, 2)
    floor.coin_in("123", 1)
    floor.mark(1, "royal", 1)
    floor.coin_ins(2, 2)
    for table in (0, 1):
        floor.confirm(table)
    for table in (0, 1):
        floor.card(table=table)
    assert floor.stands() == ("10006.90", "0.10")
    assert [win.record.drawn.overflow_returned.units for win in Win.objects.order_by("number")] == [
        840 * 10**6,
        640 * 10**6,
    ]
    a_person("cage")


@pytest.fixture(scope="module")
def scene(test_server: databases.TestServer, django_db_setup: None, django_db_blocker: Any) -> Iterator[str]:
    with played(test_server, django_db_blocker, an_evening) as name:
        yield name


PAGE = "UPDATE jackpot_win SET paper = jsonb_set(paper, '{{drawn,overflow_returned}}', '\"{}\"') WHERE number = {};"
LESS = """
UPDATE jackpot_entry SET meter = meter - 6.40, overflow = overflow + 6.40
 WHERE kind = 'award' AND win_id = (SELECT id FROM jackpot_win WHERE number = 2);
"""


def test_the_second_reset_returns_what_the_first_ones_limit_cut_off(books: None) -> None:
    assert nothing_disagrees()


@pytest.mark.parametrize(("statements", "named"), [
    (PAGE.format("1.40", 1), "overflow returned on the page of slip 1: expected 8.40, found 1.40"),
    (LESS + PAGE.format("0.00", 2), "overflow returned on the page of slip 2: expected 6.40, found 0.00"),
    (
        LESS,
        "what slip 2 moved: expected meter -3.10, reserve -0.50, overflow -6.40, house -10000.00, winners +10010.00",
    ),
])  # fmt: skip
def test_a_reset_that_returned_something_else_is_named_by_all(books: None, statements: str, named: str) -> None:
    damage(statements)
    ours, of_the_file, strangers = found_by_all()
    assert any(named in finding for finding in strangers), strangers
    assert ours == of_the_file == strangers
