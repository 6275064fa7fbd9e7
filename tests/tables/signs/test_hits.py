"""What a wall hears of a hit: nothing until the supervisor asks, then what a further top hit would be worth."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import orjson
import pytest

from tables.hits.actions import hit
from tables.signs import feed, queries
from tests.builders import a_sign
from tests.tables.hits.test_hit import Floor, ref_b

pytestmark = pytest.mark.django_db


def heard(floor: Floor) -> dict[str, Any]:
    layout = queries.sign_layouts()["WALL"]
    return dict(orjson.loads(feed.words(layout, queries.standings([floor.casino.jackpot.id]), datetime.now(UTC))))


def scene() -> Floor:
    """V5: UTH-01 marks the whole meter at 20,000.00 / 617.25; three chips follow elsewhere."""
    floor = ref_b(2, meter="19999.30", reserve="617.20")
    a_sign("WALL", floor.casino.jackpot)
    floor.coin_in("1")
    floor.mark(1, "royal")
    floor.coin_ins(3)
    return floor


def test_until_somebody_asks_nothing_shows() -> None:
    words = heard(scene())
    assert (words["meters"][0]["amount"], words["verifying"]) == ("20002.10", [])


def test_while_verifying_the_figure_is_what_a_further_top_hit_would_be_worth() -> None:
    floor = scene()
    before = heard(floor)["meters"][0]["version"]
    floor.confirm()
    words = heard(floor)
    meter = words["meters"][0]
    assert words["verifying"] == [{"table": "UTH-01", "amount": "20000.00", "line": "Royal flush"}]
    assert (meter["amount"], meter["reason"]) == ("10619.35", "verifying")
    assert meter["version"] > before


def test_not_confirmed_brings_the_figure_back() -> None:
    floor = scene()
    floor.confirm()
    hit.reject(**floor.place(0), by="Test Supervisor", why="not the hand")
    words = heard(floor)
    assert (words["meters"][0]["amount"], words["verifying"], words["won"]) == ("20002.10", [], None)
    assert words["meters"][0]["reason"] == "not confirmed"


def test_approved_is_won_and_the_meter_stands_where_it_was_promised() -> None:
    floor = scene()
    floor.confirm()
    floor.card()
    words = heard(floor)
    assert (words["meters"][0]["amount"], words["verifying"]) == ("10619.35", [])
    assert words["meters"][0]["reason"] == "won"
    assert words["last"] == words["won"]
    assert (words["won"]["table"], words["won"]["amount"], words["won"]["line"]) == (
        "UTH-01",
        "20000.00",
        "Royal flush",
    )
