"""A table is linked to another jackpot; what was played before is undone, approved and claimed where it was counted."""

from __future__ import annotations

from typing import Any

import pytest

from accounting.house_file.standing import table_facts
from jackpot.books.models.jackpot import Jackpot
from jackpot.refusals import Refused
from tables.hits.actions import hit
from tables.hits.actions.late_claim import claim
from tables.hits.actions.park import park
from tables.hits.actions.undo import void_round
from tables.rounds.queries.counted import jackpots_of_round
from tables.rounds.rules.round import EndRequest, PostedAnswer
from tables.setup.actions import floor as the_floor
from tests.builders import CARD_PIN, a_jackpot, a_pay_table
from tests.hands import with_cards
from tests.scenes_adjusting import done
from tests.scenes_configure import AT_ONCE, approved, two_people
from tests.tables.hits.test_hit import EXECUTIVE, REF_B, SUPERVISOR, Floor, amounts, ref_b

pytestmark = pytest.mark.django_db

TWO = [(EXECUTIVE, "274916"), (SUPERVISOR, CARD_PIN)]


def other_jackpot(floor: Floor) -> Jackpot:
    """From the next round on the table feeds this one."""
    other = a_jackpot("OTHER", meter="500.00", pay_table=a_pay_table(lines=REF_B, code="other"))
    the_floor.alter_table(table=floor.casino.table, facts=table_facts(floor.casino.table), jackpots=[other], by="tests")
    return other


def claimed(floor: Floor, hand: str) -> dict[str, Any]:
    return claim(
        **floor.place(0), seat=2, hand=hand, reason="the key was forgotten", evidence="camera 7", cards=TWO, by="Pit"
    )


def test_a_round_is_voided_on_the_jackpot_it_was_counted_on() -> None:
    floor = ref_b()
    floor.coin_in("123")
    assert isinstance(floor.say(EndRequest(1)), PostedAnswer)
    other = other_jackpot(floor)
    void_round(**floor.place(0), reason="shuffler malfunction", by="Test Supervisor")
    other.refresh_from_db()
    assert (floor.stands(), str(other.meter_money)) == (("20000.00", "617.25"), "500.00")


def test_a_parked_hit_is_paid_from_the_jackpot_it_was_marked_on() -> None:
    floor = ref_b(meter="19999.30", reserve="617.20")
    floor.coin_in("2")
    floor.mark(2, "straight_flush")
    park(**floor.place(0), card=EXECUTIVE, pin="274916", reason="looked at later")
    other_jackpot(floor)
    with_cards(**floor.place(0))
    assert amounts(floor.card(SUPERVISOR, CARD_PIN)) == [(2, "2000.00")]
    assert floor.stands()[0] == "18000.00"


def test_a_parked_hit_is_rejected_where_it_was_marked() -> None:
    floor = ref_b()
    floor.coin_in("2")
    floor.mark(2, "royal")
    park(**floor.place(0), card=EXECUTIVE, pin="274916", reason="looked at later")
    other_jackpot(floor)
    assert hit.reject(**floor.place(0), by="Test Supervisor", why="a pair")["rejected"] == 1


def test_a_late_claim_is_of_the_jackpot_of_its_round() -> None:
    floor = ref_b(meter="19999.30", reserve="617.20")
    floor.coin_in("2")
    assert isinstance(floor.say(EndRequest(1)), PostedAnswer)
    other_jackpot(floor)
    assert [(due["jackpot"], due["amount"]) for due in claimed(floor, "straight_flush")["hits"]] == [
        ("GRAND", "2000.00")
    ]


def test_a_late_claim_is_judged_by_the_version_of_its_round() -> None:
    floor = ref_b(meter="19999.30", reserve="617.20")
    floor.coin_in("2")
    assert isinstance(floor.say(EndRequest(1)), PostedAnswer)
    two_people(floor.casino.premises)
    done("suspend", floor.casino.jackpot)
    only_royals = a_pay_table(lines=REF_B[:1], code="royals")
    approved(floor.casino.jackpot, AT_ONCE, pay_table=only_royals.plain())
    assert [due["amount"] for due in claimed(floor, "straight_flush")["hits"]] == ["2000.00"]


def test_a_table_that_nobody_knows_is_refused() -> None:
    with pytest.raises(Refused, match="There is no table UTH-99 here"):
        jackpots_of_round("UTH-99", 1)
