"""How much of what was kept back one person accepts, at a table and at all of them; and who stands by beyond it."""

from __future__ import annotations

from typing import Any

import pytest

from jackpot.people.actions.dismissing import dismiss
from jackpot.people.actions.people import alter_card, block_card
from jackpot.people.actions.presence import TYPED, card_with_pin
from jackpot.people.models import Card, Operator
from jackpot.refusals import Refused
from jackpot.trail.models import Trail
from tables.floor.models.device import Device, DeviceState
from tables.floor.models.table import Table
from tables.rounds.actions.kept_back import decide_kept_back, second_at
from tables.rounds.actions.round import post_messages
from tables.rounds.models.kept_back import KeptBack
from tables.rounds.rules.round import CoinInRequest, DeviceRequest, EndRequest
from tests.builders import CARD_PIN, Casino, a_card, a_casino, a_person, a_property
from tests.jackpot.books.api_scene import signed_in
from tests.stranger import nothing_disagrees
from tests.tables.rounds.test_kept_back import floor, meter, play

pytestmark = pytest.mark.django_db


def shown(person: Operator, number: str = "600000000001") -> Card:
    """A supervisor's card with the PIN that was given."""
    a_card(person, number=number)
    return card_with_pin(swipe=number, pin=CARD_PIN, pin_from_level=Card.Level.SUPERVISOR, always=True)


def beyond_ten_minutes(casino: Casino, rounds: int = 24) -> int:
    """So many coin-ins at once: four are a table's minute, all others are kept back."""
    for number in range(1, rounds + 1):
        play(casino, number, "12")
    return KeptBack.objects.filter(state="waiting").count()


def test_one_person_accepts_what_a_table_deals_in_ten_minutes_and_no_more_a_day() -> None:
    casino = floor()
    Table.objects.update(most_in_ten=6)
    one = a_person("one", may=("run_tables",), premises=casino.premises)
    waiting = beyond_ten_minutes(casino, 12)
    assert waiting == 8
    before = meter(casino)
    with pytest.raises(
        Refused, match=r"accepts 6 rounds of UTH-01 a gaming day, .* 0 were accepted today and 8 are asked"
    ):
        decide_kept_back(table_code="UTH-01", accept=True, by=one, why="Clock of the box.")
    assert (meter(casino), KeptBack.objects.filter(state="waiting").count()) == (before, 8)
    decide_kept_back(table_code="UTH-01", accept=True, by=one, why="Clock of the box.", upto=10)
    with pytest.raises(Refused, match="6 were accepted today and 2 are asked for now"):
        decide_kept_back(table_code="UTH-01", accept=True, by=a_person("two"), why="Another login alone.")
    with pytest.raises(Refused, match="A second, different person"):
        decide_kept_back(table_code="UTH-01", accept=True, by=one, second=shown(one), why="Twice the same.")
    three = shown(a_person("three"), "600000000003")
    decide_kept_back(table_code="UTH-01", accept=True, by=one, second=three, why="Looked at by two.")
    assert KeptBack.objects.filter(state="accepted", second__isnull=False).count() == 2
    assert Trail.objects.filter(act="kept_back_accepted", details__second="Test Three").exists()
    assert nothing_disagrees()


def two_tables(most: int | None, rounds: int = 7) -> Casino:
    """Three of seven rounds wait at each of two tables of one house; one person accepts so many of a day alone."""
    casino = a_casino(premises=a_property(plausible_play=True), tables=2)
    casino.premises.kept_alone = most
    casino.premises.save()
    for table, box in zip(casino.tables, casino.controllers, strict=True):
        Device.objects.filter(pk=box.pk).update(state=DeviceState.ACTIVE)
        for number in range(1, rounds + 1):
            for ask in (CoinInRequest(number, "12"), EndRequest(number)):
                post_messages([DeviceRequest(table.code, box.pk, 0, ask)])
    assert KeptBack.objects.filter(state="waiting").count() == 2 * (rounds - 4)
    return casino


def test_what_one_person_accepts_is_counted_over_all_tables() -> None:
    casino = two_tables(4)
    one = a_person("one", may=("run_tables",), premises=casino.premises)
    other = a_person("other", may=("run_tables",), premises=casino.premises)
    first, second = (table.code for table in casino.tables)
    decide_kept_back(table_code=first, accept=True, by=one, why="Clock of the box.")
    with pytest.raises(Refused, match="accepts 4 kept-back rounds a gaming day, over all tables; Test One accepted 3"):
        decide_kept_back(table_code=second, accept=True, by=one, why="Clock of the box.")
    decide_kept_back(table_code=second, accept=True, by=one, why="Clock of the box.", upto=5)
    assert decide_kept_back(table_code=second, accept=True, by=other, why="Looked at it too.").rounds == 2
    assert nothing_disagrees()


def test_a_house_may_count_by_table_alone() -> None:
    casino = two_tables(None)
    one = a_person("one", may=("run_tables",), premises=casino.premises)
    done = [decide_kept_back(table_code=each.code, accept=True, by=one, why="Its clock.") for each in casino.tables]
    assert [each.rounds for each in done] == [3, 3]


@pytest.mark.parametrize("lost", ["blocked", "lowered", "locked", "dismissed"])
def test_a_second_person_who_lost_authority_since_the_card_was_read_counts_no_more(lost: str) -> None:
    casino = floor()
    Table.objects.update(most_in_ten=6)
    beyond_ten_minutes(casino, 12)
    lead, before = a_person("lead", premises=casino.premises), meter(casino)
    a_card(lead, number="9000000000000042", level="supervisor", pin="4711")
    card = second_at(table_code="UTH-01", swipe="9000000000000042", pin="4711", source=TYPED)
    assert card is not None
    chief = a_person("chief", may=("people",))
    match lost:
        case "blocked":
            block_card(card=card, why="Lost.", by="tests")
        case "lowered":
            alter_card(card=Card.objects.get(pk=card.pk), level="dealer", expires_on=None, by="tests")
        case "locked":
            for _ in range(3):
                with pytest.raises(Refused):
                    second_at(table_code="UTH-01", swipe="9000000000000042", pin="1111", source=TYPED)
        case "dismissed":
            dismiss(person=lead, why="Left.", by=chief)
    one = a_person("one", may=("run_tables",), premises=casino.premises)
    with pytest.raises(Refused, match=r"lost authority a moment ago|is dismissed"):
        decide_kept_back(table_code="UTH-01", accept=True, by=one, second=card, why="Two looked at it.")
    assert (meter(casino), KeptBack.objects.filter(state="waiting").count()) == (before, 8)


def test_who_was_dismissed_since_the_page_was_opened_decides_nothing() -> None:
    casino = floor()
    beyond_ten_minutes(casino, 6)
    one, chief = a_person("one", may=("run_tables",), premises=casino.premises), a_person("chief", may=("people",))
    dismiss(person=one, why="Left.", by=chief)
    for accept in (True, False):
        with pytest.raises(Refused, match="is dismissed"):
            decide_kept_back(table_code="UTH-01", accept=accept, by=one, why="From an open page.")


def test_refusing_takes_one_person_however_many_wait() -> None:
    casino = floor()
    Table.objects.update(most_in_ten=6)
    beyond_ten_minutes(casino, 12)
    one = a_person("one", may=("run_tables",), premises=casino.premises)
    assert decide_kept_back(table_code="UTH-01", accept=False, by=one, why="Nobody played.").rounds == 8


def test_the_second_person_is_shown_by_card_and_pin_on_the_page_and_over_the_api() -> None:
    casino = floor()
    Table.objects.update(most_in_ten=6)
    beyond_ten_minutes(casino, 12)
    client = signed_in("run_tables", "see", username="supervisor", premises=casino.premises)
    a_card(a_person("lead", premises=casino.premises), number="9000000000000042", level="supervisor", pin="4711")
    a_card(a_person("dealer", premises=casino.premises), number="9000000000000043", level="dealer", pin="4712")
    address, word = "/api/v1/tables/UTH-01/kept-back/", {"accept": True, "why": "Clock of the box."}
    keys = iter(f"kept-back-{place:06}" for place in range(9))

    def say(**more: str) -> Any:
        headers = {"Idempotency-Key": next(keys)}
        return client.post(address, {**word, **more}, content_type="application/json", headers=headers)

    alone = say()
    assert (alone.status_code, alone.json()["code"]) == (403, "two_people")
    wrong = say(second_card="9000000000000042", second_pin="1")
    low = say(second_card="9000000000000043", second_pin="4712")
    assert (wrong.json()["code"], low.json()["code"]) == ("pin_wrong", "level")
    page = client.get("/pit/tables/UTH-01/").content.decode()
    assert "A second person’s card" in page
    signed = {"decide": "accept", "kept-why": "Clock of the box.", "kept-card": "9000000000000042", "kept-pin": "4711"}
    client.post("/pit/tables/UTH-01/kept-back/", signed)
    assert KeptBack.objects.filter(state="accepted", second__username="lead").count() == 8
