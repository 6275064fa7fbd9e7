from __future__ import annotations

from decimal import Decimal

import pytest

from tables.signs import queries
from tests.tables.signs.scene import Floor

pytestmark = pytest.mark.django_db


def test_a_meter_that_never_fell_has_no_reason() -> None:
    floor = Floor()
    floor.coin_in()
    standing = queries.standings([floor.jackpot.id])[floor.jackpot.id]
    assert (standing.seq, str(standing.meter), standing.falls, standing.reason) == (2, "20003.50", 0, None)


def test_a_voided_round_is_the_reason_of_the_fall_and_stays_it_while_the_meter_rises() -> None:
    floor = Floor()
    floor.void(floor.coin_in())
    floor.coin_in("1")
    standing = queries.standings([floor.jackpot.id])[floor.jackpot.id]
    assert (standing.seq, str(standing.meter)) == (4, "20000.70")
    assert (standing.falls, standing.reason) == (1, "round voided")


def test_what_is_known_is_carried_on_and_only_newer_entries_are_looked_through() -> None:
    floor = Floor()
    floor.void(floor.coin_in())
    before = queries.standings([floor.jackpot.id])
    floor.void(floor.coin_in())
    assert queries.seen_of(before, [floor.jackpot.id]) == [[floor.jackpot.id], [3]]
    news = queries._rows(queries.METER_NEWS, queries.seen_of(before, [floor.jackpot.id]))
    assert [row[:6] for row in news] == [(floor.jackpot.id, 5, Decimal("20000.00000000"), 1, "void", 1)]
    assert queries.standings_of(before, news)[floor.jackpot.id].falls == 2


def test_a_sign_without_meters_is_a_sign() -> None:
    floor = Floor()
    floor.sign.meters.all().delete()
    assert queries.sign_layouts()["WALL-1"].meters == ()


def test_the_meter_at_an_entry_and_whether_it_was_left_behind() -> None:
    floor = Floor()
    floor.coin_in()
    assert queries.meter_at(floor.jackpot.id, 2, 15) == (floor.jackpot.meter_money + _five_chips(), False)
    assert queries.meter_at(floor.jackpot.id, 1, -1) == (floor.jackpot.meter_money, True)
    assert queries.meter_at(floor.jackpot.id, 3, 15) == (None, False)


def _five_chips() -> queries.Money:
    return queries.Money.of("3.50")
