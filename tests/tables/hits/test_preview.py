"""What the pit shows before a card is swiped is what the card then fixes."""

from __future__ import annotations

from typing import Any

import pytest

from jackpot.wins.rules.round_ref import RoundRef
from tables.floor.models.table import Table
from tables.hits.actions import hit
from tables.hits.queries.preview import preview, queue_of
from tests.builders import Casino, a_card, a_casino, a_pay_table, a_person
from tests.hands import with_cards
from tests.jackpot.books.api_scene import play

pytestmark = pytest.mark.django_db
EXECUTIVE, PIN = "900000000301", "274916"
REF_B = [
    {"code": "royal", "name": "Royal flush", "part": "1"},
    {"code": "straight_flush", "name": "Straight flush", "part": "1/10"},
]


def asked(casino: Casino, table: int, *hands: tuple[int, str]) -> RoundRef:
    play(casino.controllers[table], 1, "".join(str(seat) for seat, _ in hands), ends=False)
    place = RoundRef(casino.tables[table].code, 1)
    for seat, hand in hands:
        hit.mark(**words(place), seat=seat, hand=hand, by="dealer")
    hit.confirm(**words(place), by="dealer")
    return place


def words(place: RoundRef) -> dict[str, Any]:
    return {"table_code": place.table_code, "round_number": place.round_number}


def ref_b(**more: Any) -> Casino:
    a_card(a_person("executive"), number=EXECUTIVE, level="executive", pin=PIN)
    return a_casino(rate="70", pay_table=a_pay_table(lines=REF_B), **more)


def test_v4_the_preview_is_exactly_what_the_card_pays_and_the_meter_does() -> None:
    casino = ref_b(meter="19998.60", reserve="617.15")
    place = asked(casino, 0, (2, "royal"), (6, "straight_flush"))
    seen = preview(place, casino.premises)
    assert seen is not None
    assert [(each.award.seat, str(each.award.amount)) for each in seen.settlement.lines] == [
        (6, "2000.00"),
        (2, "18000.00"),
    ]
    assert [(str(move.before), str(move.after)) for move in seen.meters] == [("20000.00", "10617.25")]
    with_cards(*words(place).values())
    paid = hit.swipe(**words(place), card=EXECUTIVE, pin=PIN)["wins"]
    assert [each["amount"] for each in paid] == ["2000.00", "18000.00"]
    casino.jackpot.refresh_from_db()
    assert str(casino.jackpot.meter_money) == "10617.25"


def test_the_queue_is_in_the_order_of_the_marks() -> None:
    casino = ref_b(meter="20000.00", tables=3)
    asked(casino, 1, (1, "royal"))
    asked(casino, 0, (2, "royal"))
    ours = asked(casino, 2, (3, "straight_flush"))
    assert [(each.first.table_code, each.ours) for each in queue_of(ours)] == [
        ("UTH-02", False), ("UTH-01", False), ("UTH-03", True),
    ]  # fmt: skip


def test_without_anything_asked_there_is_nothing_to_see() -> None:
    casino = ref_b()
    play(casino.controller, 1, "2", ends=False)
    assert preview(RoundRef("UTH-01", 1), Table.objects.get().premises) is None
