"""A list that is longer than its file may be: whoever opens the file reads that it is cut."""

from __future__ import annotations

import csv
import io
from typing import Any

import pytest

from jackpot.trail.models import Trail
from tests.jackpot.books.api_scene import signed_in
from tests.scenes_adjusting import done
from tests.scenes_wins import WinFloor

pytestmark = pytest.mark.django_db


def three_wins() -> None:
    WinFloor().won({1: "four", 2: "five", 3: "royal"}, seats="123")


def three_requests() -> None:
    jackpot = WinFloor().casino.jackpot
    for amount in ("1.00", "2.00", "3.00"):
        done("adjust", jackpot, amount=amount)


LISTS = [
    ("/office/wins.csv", "accounting.cage.pages.wins", three_wins),
    ("/office/adjustments.csv", "accounting.desk.pages.adjustments_csv", three_requests),
]


@pytest.mark.parametrize(("most", "cut"), [(2, True), (3, False)])
@pytest.mark.parametrize(("address", "module", "scene"), LISTS)
def test_a_list_that_is_cut_says_so_in_its_last_row(
    monkeypatch: pytest.MonkeyPatch, address: str, module: str, scene: Any, most: int, cut: bool
) -> None:
    scene()
    monkeypatch.setattr(f"{module}.LARGEST_EXPORT", most)
    _, *rows = csv.reader(io.StringIO(signed_in("read_books").get(address).content.decode()))
    told = [row[0] for row in rows if len(row) == 1]
    assert len(rows) == most + len(told)
    assert [each[:33] for each in told] == (["Cut here: the list has more than "] if cut else [])
    assert Trail.objects.filter(act="export_list").latest("id").details["rows"] == most
