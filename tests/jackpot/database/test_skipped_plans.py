"""A trip that fails before the statement that is being prepared: the line goes on, and so does that statement."""

from __future__ import annotations

import psycopg
import pytest
from django.db import OperationalError, connection

from jackpot.database.raw import ask_together
from tests.builders import a_jackpot

pytestmark = pytest.mark.race
HOLD = "SELECT j.id FROM jackpot_jackpot j WHERE j.id = ANY(%s) FOR NO KEY UPDATE"


@pytest.mark.parametrize("before", range(8))
def test_a_lock_that_is_given_up_leaves_no_belief_in_a_plan(fresh_database: str, before: int) -> None:
    jackpot = a_jackpot()
    with connection.cursor() as cursor:
        cursor.execute("SET lock_timeout = 100")
    pair = [(HOLD, [[jackpot.pk]]), ("SELECT %s::int + 1", [1])]
    for _ in range(before):
        assert ask_together(pair) == [[(jackpot.pk,)], [(2,)]]
    with psycopg.connect(fresh_database) as somebody:
        somebody.execute("SELECT 1 FROM jackpot_jackpot FOR UPDATE")
        with pytest.raises(OperationalError, match="lock timeout"):
            ask_together(pair)
    for _ in range(8):
        assert ask_together(pair) == [[(jackpot.pk,)], [(2,)]]
