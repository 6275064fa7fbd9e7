from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import Any

import pytest

from jackpot.money import Money
from tables.signs import feed
from tables.signs.queries import MeterLayout, ShownMeter, SignLayout
from tests.builders import terms

NOON = datetime(2026, 11, 18, 12, tzinfo=UTC)


def a_layout(*meters: MeterLayout) -> SignLayout:
    return SignLayout("WALL-1", "", "picture", 12, "Posted", "Room", True, "USD", "en_US", meters)


def grand(jackpot_id: int = 1, code: str = "GRAND", **changes: Any) -> MeterLayout:
    return MeterLayout(jackpot_id, code, code.title(), terms(**changes))


def told(layout: SignLayout, fault: str | None = None, **standings: ShownMeter) -> dict[str, Any]:
    by_id = dict(enumerate(standings.values(), start=1))
    words: dict[str, Any] = json.loads(feed.words(layout, by_id, NOON, fault))
    return words


def test_a_sign_hears_its_meter_cut_to_the_cent_with_the_last_entry_as_version() -> None:
    words = told(a_layout(grand()), first=ShownMeter(88213, Money.of("10000.5199")))
    (meter,) = words["meters"]
    assert (meter["code"], meter["name"], meter["version"], meter["amount"]) == ("GRAND", "Grand", 88213, "10000.51")


def test_the_words_have_exactly_the_agreed_keys() -> None:
    words = told(a_layout(grand()), first=ShownMeter(1, Money.of("1.00")))
    assert {"scene", "at", "meters", "verifying", "won", "fault"} <= set(words)
    assert set(words["meters"][0]) == {"code", "name", "version", "mark", "amount", "reason", "limit", "lines"}
    assert (words["verifying"], words["won"], words["fault"]) == ([], None, None)


def test_the_lines_are_those_of_the_version_in_force() -> None:
    words = told(a_layout(grand()), first=ShownMeter(1, Money.of("1.00")))
    lines = {line["name"]: line["pays"] for line in words["meters"][0]["lines"]}
    assert lines["Royal flush, first 5 cards"] == "100 %"
    assert lines["Community royal"] == "3,000 for 1"


def test_a_posted_limit_is_told_and_none_is_null() -> None:
    words = told(
        a_layout(grand(1, limit="25000.00"), grand(2, "MINI")),
        first=ShownMeter(1, Money.of("1.00")),
        second=ShownMeter(1, Money.of("1.00")),
    )
    assert [meter["limit"] for meter in words["meters"]] == ["25000.00", None]


def test_the_scene_changes_with_every_fall_of_any_shown_meter() -> None:
    layout = a_layout(grand(1), grand(2, "MINI"))
    still = ShownMeter(9, Money.of("1.00"))
    assert told(layout, first=still, second=still)["scene"] == 1
    fallen = ShownMeter(9, Money.of("1.00"), falls=2, reason="round voided")
    assert told(layout, first=fallen, second=still)["scene"] == 3


def test_with_a_fault_no_amount_is_repeated() -> None:
    words = told(a_layout(grand()), "The books cannot be reached", first=ShownMeter(1, Money.of("1.00")))
    assert (words["meters"], words["fault"]) == ([], "The books cannot be reached")


@pytest.mark.parametrize(("digits", "amount"), [(0, "10000.00"), (2, "10000.51"), (3, "10000.519")])
def test_the_currency_decides_where_the_meter_is_cut(digits: int, amount: str) -> None:
    words = told(a_layout(grand(digits=digits)), first=ShownMeter(1, Money.of("10000.5199")))
    assert words["meters"][0]["amount"] == amount
