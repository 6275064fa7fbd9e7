"""The meters of a jackpot's rows, by hand."""

from __future__ import annotations

from typing import Any

import pytest
from django.utils import timezone

from accounting.reports.queries.row_meters import row_meters
from accounting.reports.rules.declaring import ReportQuestion
from jackpot.money import Money, units_of
from jackpot.property.rules.typed_days import DaySpan
from jackpot.wins.queries.row_meters import LAST
from tests.jackpot.books.api_scene import signed_in
from tests.scenes_adjusting import done
from tests.scenes_wins import WinFloor, backed_out

pytestmark = pytest.mark.django_db


def meters(floor: WinFloor) -> dict[str, dict[str, Any]]:
    now = timezone.now()
    day = floor.casino.premises.gaming_day(now)
    question = ReportQuestion(floor.casino.premises.pk, DaySpan(day, day), now, now, day)
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


def test_the_page_of_the_jackpot_shows_them_and_its_closing_reading_keeps_them() -> None:
    floor = WinFloor()
    floor.royal()
    win = floor.won({3: "four", 5: "four"}, seats="1357")[0]
    reader = signed_in(username="reader")
    told = " ".join(reader.get("/jackpots/GRAND/").content.decode().split())
    for words in ("Meters of every row", "Four of a kind", "$200.00", "$100.00 · $100.00", "not won yet"):
        assert words in told
    backed_out(win)
    grand = floor.casino.jackpot
    done("suspend", grand)
    grand.refresh_from_db()
    row = done("retire", grand, reading=str(grand.meter_money.shown(2)))
    assert [(each["row"], each["hits"], each["sum"], each["last"]) for each in row.posted["rows"]] == [
        ("royal", 1, "20000.00", ["20000.00"]), ("five", 0, "0.00", []), ("four", 1, "100.00", ["100.00"]),
    ]  # fmt: skip
    page = reader.get(f"/office/requests/{row.pk}/").content.decode()
    assert "Meters of its rows at the closing reading" in page
