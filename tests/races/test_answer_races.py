"""A request that is said several times in the same moment under one key: one act, and one answer for all."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

from jackpot.adjusting.models import Adjustment
from jackpot.answers.models import StoredAnswer
from tests.accounting.desk.test_adjustments_api import ALL, WHY, asker, send
from tests.builders import a_casino
from tests.races.test_win_races import side_by_side

pytestmark = pytest.mark.race
AT_ONCE = 6


def test_all_hear_what_the_first_was_told(fresh_database: str) -> None:
    a_casino()
    cookies = asker().cookies

    def says() -> Any:
        client = Client()
        client.cookies = cookies
        return send(client, ALL, kind="adjust", jackpot="GRAND", amount="15.00", **WHY).json()

    told = side_by_side(*[says] * AT_ONCE)
    assert {each["adjustment"]["id"] for each in told} == {Adjustment.objects.get().pk}
    assert sorted(each["repeat"] for each in told) == [False, *[True] * (AT_ONCE - 1)]
    assert StoredAnswer.objects.count() == 1
