"""The meters of a jackpot's rows, by hand."""

from __future__ import annotations

from typing import Any

import pytest
from django.utils import timezone

from accounting.reports.queries.row_meters import LAST, row_meters
from accounting.reports.rules.declaring import ReportQuestion
from jackpot.money import Money, units_of
from jackpot.property.rules.typed_days import DaySpan
from tests.scenes_wins import WinFloor, backed_out

pytestmark = pytest.mark.django_db


def meters(floor: WinFloor) -> dict[str, dict[str, Any]]:
    now = timezone.now()
    day = floor.casino.premises.gaming_day(now)
    question = ReportQuestion(floor.casino.premises.pk, DaySpan(day, day), now, now)
    return {row["hand"]: row for row in row_meters(question).rows}


def money(amount: Any) -> str:
    return str(Money(units_of(amount)))


def test_every_row_counts_its_hits_and_a_back_out_brings_them_back() -> None:
    floor = WinFloor()
    first = floor.royal()
    floor.won({3: "four", 5: "four"}, seats="1357")
    rows = meters(floor)
    assert {hand: row["hits"] for hand, row in rows.items()} == {
        "Royal flush": 1, "Five percent": 0, "Four of a kind": 2,
    }  # fmt: skip
    assert [money(rows["Four of a kind"][name]) for name in ("sum", "largest", "coin_in")] == [
        "200.00",
        "100.00",
        "5.00",
    ]
    assert (rows["Royal flush"]["last"], rows["Royal flush"]["coin_ins"]) == ("20000.00", 5)
    backed_out(first)
    after = meters(floor)["Royal flush"]
    assert (after["hits"], after["sum"], after["largest"], after["last"]) == (0, 0, None, "")
    assert after["coin_ins"] == 5, "coin-ins stay"


def test_the_last_of_a_row_are_the_newest(monkeypatch: pytest.MonkeyPatch) -> None:
    floor = WinFloor()
    for _ in range(3):
        floor.won({2: "five"})
    last = meters(floor)["Five percent"]["last"].split(" · ")
    assert len(last) == 3 <= LAST
    assert [Money.of(amount) for amount in last] == sorted(map(Money.of, last)), (
        "each took from what the one before left"
    )
