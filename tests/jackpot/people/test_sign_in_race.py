from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest
from django.db import connection

from jackpot.people.actions.sign_in import sign_in
from jackpot.refusals import Refused
from jackpot.trail.models import Trail

pytestmark = [pytest.mark.race]


def test_thirty_tries_at_once_are_not_more_than_five(fresh_database: str) -> None:
    def guess(_: int) -> str:
        try:
            sign_in(username="ann", password="guess", address="10.0.0.1")
        except Refused as refused:
            return refused.code
        finally:
            connection.close()
        return "in"

    with ThreadPoolExecutor(8) as pool:
        heard = list(pool.map(guess, range(30)))
    assert "in" not in heard
    assert Trail.objects.filter(act="sign_in", outcome="wrong").count() <= 5
