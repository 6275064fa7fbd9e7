"""Two rounds that hit two jackpots in opposite order wait for each other; the pit is told so, and how it ends."""

from __future__ import annotations

import pytest
from django.test import Client

from jackpot.refusals import NotAllowedNow
from jackpot.wins.queries.waiting_circle import CURE, circle_of
from jackpot.wins.rules.round_ref import RoundRef
from tables.hits.actions import hit
from tests.builders import CARD_PIN, a_jackpot, a_pay_table, a_person
from tests.tables.hits.test_hit import EXECUTIVE, SUPERVISOR, Floor, amounts

pytestmark = pytest.mark.django_db

ROYAL = [{"code": "royal", "name": "Royal flush", "part": "1"}]
HALF = [{"code": "half", "name": "Half a meter", "part": "1/2"}]
FIVE = [{"code": "five", "name": "Five percent", "part": "1/20"}]
PASSES = [(EXECUTIVE, "274916"), (SUPERVISOR, CARD_PIN)]
CIRCLE = "Royal flush at UTH-01 is first on GRAND, Half a meter at UTH-02 on MINI: they wait for each other."


class Levels(Floor):
    """Tables with GRAND (10,000.00, royal) and MINI (1,000.00, half a meter), and more levels if asked."""

    def __init__(self, tables: int, *more: str) -> None:
        told = {"rate": "20", "reserve_rate": "0"}
        meters = {"MINI": ("1000.00", HALF), "MICRO": ("100.00", FIVE)}
        levels = [a_jackpot("GRAND", meter="10000.00", pay_table=a_pay_table(lines=ROYAL), **told)]
        for code in ("MINI", *more):
            meter, lines = meters[code]
            levels.append(a_jackpot(code, meter=meter, seed="100.00", pay_table=a_pay_table(lines=lines), **told))
        super().__init__(tables, jackpots=levels)

    def marks(self, *told: tuple[int, str]) -> None:
        for table, hand in told:
            self.mark(1 if hand == "royal" else 2, hand, table)

    def refused(self, table: int) -> str:
        with pytest.raises(NotAllowedNow) as refusal:
            self.card(table=table)
        assert refusal.value.code == "queue"
        return refusal.value.why


def crossed() -> Levels:
    """UTH-01 is first on GRAND, UTH-02 first on MINI; both are asked for."""
    floor = Levels(2)
    for table in range(2):
        floor.coin_in("12", table)
    floor.marks((0, "royal"), (1, "half"), (0, "half"), (1, "royal"))
    floor.confirm(0)
    floor.confirm(1)
    return floor


def test_each_of_the_two_is_told_the_circle_and_its_cure() -> None:
    floor = crossed()
    turned = "Half a meter at UTH-02 is first on MINI, Royal flush at UTH-01 on GRAND: they wait for each other."
    assert floor.refused(0) == f"{turned} {CURE}"
    assert floor.refused(1) == f"{CIRCLE} {CURE}"


def test_the_pages_of_both_say_it_and_link_to_the_other() -> None:
    crossed()
    client = Client()
    client.force_login(a_person("pit", may=("see", "verify", "approve")))
    for table, other in (("UTH-01", "UTH-02"), ("UTH-02", "UTH-01")):
        page = client.get(f"/pit/wins/{table}/1/").content.decode()
        assert "they wait for each other." in page
        assert CURE in page
        assert f'href="/pit/wins/{other}/1/"' in page


def test_two_people_let_one_pass_and_both_are_paid_exactly() -> None:
    """10,000.80 and 1,000.80 at the marks; UTH-02 passes: GRAND to it, then its seed 10,000.00 to UTH-01."""
    floor = crossed()
    hit.pass_queue(**floor.place(1), cards=PASSES, reason="UTH-01 waits gladly")
    assert circle_of(RoundRef("UTH-01", 1)) is None
    assert amounts(floor.card(table=1)) == [(1, "10000.80"), (2, "500.40")]
    assert amounts(floor.card(table=0)) == [(1, "10000.00"), (2, "250.20")]
    meters = [str(level.meter_money) for level in floor.casino.jackpots if not level.refresh_from_db()]
    assert meters == ["10000.00", "250.20"]


def test_without_a_circle_the_earlier_hit_is_named_alone() -> None:
    floor = Levels(2)
    for table in range(2):
        floor.coin_in("12", table)
    floor.marks((0, "royal"), (0, "half"), (1, "half"), (1, "royal"))
    floor.confirm(0)
    floor.confirm(1)
    assert floor.refused(1) == "Royal flush at UTH-01 came first. Settle it before this one."
    assert circle_of(RoundRef("UTH-01", 1)) is None


def test_a_circle_of_three_is_found_from_each_of_them() -> None:
    floor = Levels(3, "MICRO")
    for table in range(3):
        floor.coin_in("12", table)
    floor.marks((0, "royal"), (1, "half"), (2, "five"), (1, "royal"), (2, "half"), (0, "five"))
    for table in range(3):
        floor.confirm(table)
    for table in range(3):
        assert "they wait for each other" in floor.refused(table)
    hit.pass_queue(**floor.place(1), cards=PASSES, reason="the others wait gladly")
    assert [floor.card(table=table)["missing"] for table in (1, 2, 0)] == [None, None, None]


def test_whoever_waits_outside_a_circle_is_told_of_its_own_wait_only() -> None:
    floor = Levels(3)
    for table in range(3):
        floor.coin_in("12", table)
    floor.marks((0, "royal"), (1, "half"), (0, "half"), (1, "royal"), (2, "royal"))
    for table in range(3):
        floor.confirm(table)
    assert floor.refused(2) == "Royal flush at UTH-01 came first. Settle it before this one."
