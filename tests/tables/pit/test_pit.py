"""The supervisor's pages: what the board, the hit and the register say, and what a form changes."""

from __future__ import annotations

from typing import Any

import pytest
from django.utils import timezone

from jackpot.people.models import Card, KeyRegister
from jackpot.trail.models import Trail
from tables.floor.actions.state import set_table_state
from tables.floor.models.table import Table, TableState
from tables.hits.actions import hit
from tables.rounds.models.sensor import SensorEvent
from tests.builders import CARD_PIN, Casino, a_card, a_casino, a_person, a_property
from tests.hands import with_cards
from tests.jackpot.books.api_scene import play, signed_in

pytestmark = pytest.mark.django_db
SUPERVISOR, EXECUTIVE = "600000000201", "900000000301"
PIT = ("see", "run_tables", "verify", "approve")


def marked(casino: Casino, hand: str, *, table: int = 0, seats: str = "25", seat: int = 2) -> dict[str, Any]:
    play(casino.controllers[table], 1, seats, ends=False)
    place = {"table_code": casino.tables[table].code, "round_number": 1}
    hit.mark(**place, seat=seat, hand=hand, by="Test Dealer")
    return place


def text(path: str, *verbs: str) -> str:
    page = signed_in(*(verbs or PIT)).get(path)
    assert page.status_code == 200, page.content
    return " ".join(page.content.decode().split())


def test_the_board_orders_the_open_hits_and_leads_to_them() -> None:
    casino = a_casino(tables=3)
    marked(casino, "full_house", table=1)
    hit.confirm(**marked(casino, "royal_first_5", table=0), by="Test Dealer")
    page = text("/pit/")
    first, second = page.index("/pit/wins/UTH-02/1/"), page.index("/pit/wins/UTH-01/1/")
    assert first < second
    assert "waits for a card" in page
    assert "/pit/tables/UTH-03/" in page


def test_a_held_table_says_why_and_a_key_at_jph_is_named() -> None:
    casino = a_casino(tables=2)
    set_table_state(table=casino.tables[0], state=TableState.HELD, by="tests", why="dead spot")
    Table.objects.filter(code="UTH-02").update(key_at_jph="17")
    page = text("/pit/")
    assert "dead spot" in page
    assert "key 17 at JPH" in page


def test_the_live_part_is_fetched_alone() -> None:
    a_casino()
    assert "<html" not in signed_in(*PIT).get("/pit/", HTTP_X_BOARD="1").content.decode()


def test_ten_tables_cost_as_many_statements_as_one(django_assert_max_num_queries: Any) -> None:
    casino = a_casino(tables=10)
    for table in range(10):
        marked(casino, "full_house", table=table)
    client = signed_in(*PIT)
    with django_assert_max_num_queries(15):
        client.get("/pit/", HTTP_X_BOARD="1")


def test_another_house_is_not_on_the_board() -> None:
    marked(a_casino(), "full_house")
    page = signed_in(*PIT, premises=a_property("OTHER")).get("/pit/").content.decode()
    assert "UTH-01" not in page
    assert "No open hit" in page


def test_alarms_stand_on_the_board_and_at_their_table() -> None:
    casino = a_casino()
    SensorEvent.objects.create(table=casino.table, seat=3, alarm="stuck", round_number=7, at=timezone.now())
    assert "seat 3: sensor stuck, round 7" in text("/pit/", "watch")
    page = signed_in("watch", username="technician").get("/pit/tables/UTH-01/").content.decode()
    assert "sensor stuck" in page
    assert "a supervisor opens, holds and closes them" in page


@pytest.mark.parametrize("state", ["open", "held", "closed"])
def test_a_table_is_opened_held_and_closed_with_a_reason(state: str) -> None:
    casino = a_casino()
    before = TableState.CLOSED if state == "open" else TableState.OPEN
    set_table_state(table=casino.table, state=before, by="tests")
    signed_in(*PIT).post("/pit/tables/UTH-01/state/", {"state": state, "why": "Shuffler"})
    assert Table.objects.get().state == state
    assert Trail.objects.filter(act="set_table_state", why="Shuffler", actor="Test Reader").exists()


@pytest.mark.parametrize(
    ("form", "words"),
    [
        ({"state": "held"}, "Say why"),
        ({"state": "maintenance", "why": "x"}, "Choose: open, hold or close."),
        ({"why": "x"}, "Choose"),
    ],
)
def test_a_change_that_cannot_be_meant_is_refused(form: dict[str, str], words: str) -> None:
    a_casino()
    page = signed_in(*PIT).post("/pit/tables/UTH-01/state/", form, follow=True).content.decode()
    assert words in page
    assert Table.objects.get().state == "open"


def test_a_table_in_maintenance_stays_there() -> None:
    casino = a_casino()
    set_table_state(table=casino.table, state=TableState.MAINTENANCE, by="tests")
    page = signed_in(*PIT).post("/pit/tables/UTH-01/state/", {"state": "open", "why": "x"}, follow=True)
    assert "A technician gives it back first" in page.content.decode()


def test_a_key_is_signed_out_by_the_card_of_whoever_takes_it() -> None:
    a_casino()
    a_card(a_person("executive"), number=EXECUTIVE, level="executive", pin="274916")
    client, form = signed_in(*PIT), {"number": "17", "card": EXECUTIVE}
    assert "Give its PIN" in client.post("/pit/keys/out/", form, follow=True).content.decode()
    page = client.post("/pit/keys/out/", {**form, "pin": "274916"}, follow=True).content.decode()
    assert "Key 17 is out with Test Executive." in page
    assert KeyRegister.objects.get().level == Card.Level.EXECUTIVE
    page = client.post("/pit/keys/back/", {"number": "17"}, follow=True).content.decode()
    assert "Key 17 is back." in page
    assert "Every key hangs on its hook" in page


@pytest.mark.parametrize("level", ["dealer", "nobody"])
def test_a_key_needs_a_supervisors_card(level: str) -> None:
    a_casino()
    if level == "dealer":
        a_card(a_person("dealer"), number=SUPERVISOR, level="dealer", pin=CARD_PIN)
    form = {"number": "17", "card": SUPERVISOR, "pin": CARD_PIN}
    page = signed_in(*PIT).post("/pit/keys/out/", form, follow=True).content.decode()
    assert ("A key needs a supervisor card" if level == "dealer" else "do not fit together") in page
    assert not KeyRegister.objects.exists()


def test_a_key_that_stands_at_jph_does_not_come_back() -> None:
    a_casino()
    a_card(a_person("supervisor-1"), number=SUPERVISOR)
    client = signed_in(*PIT)
    client.post("/pit/keys/out/", {"number": "17", "card": SUPERVISOR, "pin": CARD_PIN})
    Table.objects.update(key_at_jph="17")
    page = client.post("/pit/keys/back/", {"number": "17"}, follow=True).content.decode()
    assert "Key 17 stands at JPH at UTH-01. Turn it to RUN first." in page


def test_a_marked_hit_shows_no_amount_yet() -> None:
    marked(a_casino(), "royal_first_5")
    page = text("/pit/wins/UTH-01/1/")
    assert "wait for CONFIRM at the table" in page
    assert 'data-state="marked"' in page
    assert "amount at CONFIRM" in page


def test_an_asked_hit_shows_amount_meter_signatures_and_who_may() -> None:
    casino = a_casino(meter="19998.60", reserve="617.15")
    a_card(a_person("executive"), number=EXECUTIVE, level="executive", pin="274916")
    a_card(a_person("supervisor-1"), number=SUPERVISOR)
    hit.confirm(**marked(casino, "royal_first_5"), by="Test Dealer")
    page = text("/pit/wins/UTH-01/1/")
    for words in (
        "$20,000.00", "1 executive card with PIN", "20,000.00</span>", "10,617.25",
        "May sign: Test Executive", "Enter the cards first", "Cards to enter", "this one", "2 × 1.00 =",
    ):  # fmt: skip
        assert words in page, words
    assert "Test Supervisor-1" not in page


def test_who_marked_may_not_sign_and_is_not_named() -> None:
    casino = a_casino()
    marker = a_person("supervisor-1")
    a_card(marker, number=SUPERVISOR)
    place = marked(casino, "full_house")
    hit.mark(**place, seat=5, hand="full_house", by=marker)
    hit.confirm(**place, by="Test Dealer")
    assert "nobody of this house" in text("/pit/wins/UTH-01/1/")


def test_a_later_hit_names_the_one_before_it() -> None:
    casino = a_casino(tables=2)
    hit.confirm(**marked(casino, "royal_first_5", table=0), by="Test Dealer")
    hit.confirm(**marked(casino, "royal_first_7", table=1), by="Test Dealer")
    page = text("/pit/wins/UTH-02/1/")
    assert "Waits: Royal flush, first 5 cards at UTH-01 came first" in page
    assert 'data-first="yes"' in page


def test_looking_at_a_hit_writes_nothing() -> None:
    casino = a_casino()
    hit.confirm(**marked(casino, "royal_first_5"), by="Test Dealer")
    casino.jackpot.refresh_from_db()
    before = casino.jackpot.last_seq
    text("/pit/wins/UTH-01/1/")
    casino.jackpot.refresh_from_db()
    assert casino.jackpot.last_seq == before


def test_a_settled_hit_shows_what_the_meter_did_and_its_slip() -> None:
    casino = a_casino(meter="19998.60", reserve="617.15")
    a_card(a_person("executive"), number=EXECUTIVE, level="executive", pin="274916")
    place = marked(casino, "royal_first_5")
    hit.confirm(**place, by="Test Dealer")
    with_cards(**place)
    hit.swipe(**place, card=EXECUTIVE, pin="274916")
    page = text("/pit/wins/UTH-01/1/")
    assert "slip 1" in page
    assert "10,617.25" in page
    assert "•••• 0301" in page


def test_a_round_without_a_hit_says_so() -> None:
    casino = a_casino()
    play(casino.controller, 1, "12")
    assert "No hit stands in this round." in text("/pit/wins/UTH-01/1/")


def test_who_cannot_decide_gets_no_keys() -> None:
    hit.confirm(**marked(a_casino(), "full_house"), by="Test Dealer")
    page = text("/pit/wins/UTH-01/1/", "read_books")
    assert 'id="approve"' not in page
    assert "they do not decide them" in page
