"""The tour starts again whatever a guest left behind, and there is none outside a demo."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from django.test import Client

from accounting.tour import cast
from accounting.tour.again import start_again
from accounting.tour.stand import stand_of
from jackpot.books.models.jackpot import Jackpot
from jackpot.people.actions.keys import sign_key_out
from jackpot.people.models import KeyRegister, Operator
from jackpot.wins.models import Win
from tables.floor.models.duty import TableDuty
from tables.floor.models.table import Table
from tables.gateway.actions.console import open_console, take_duty
from tables.hits.actions import hit, key
from tables.rounds.actions.round import post_messages
from tables.rounds.models.round import Round
from tables.rounds.rules.round import CoinInRequest, DeviceRequest
from tests import builders

pytestmark = pytest.mark.django_db


@pytest.fixture
def demo() -> Iterator[None]:
    cast._logins.cache_clear()
    builders.emerald()
    yield
    cast._logins.cache_clear()


def played(code: str, *, marks: bool = True) -> Table:
    """The dealer on duty, a round of two seats running, four of a kind marked at seat 2."""
    dealer = Operator.objects.get(username="dealer")
    take_duty(table_code=code, operator=dealer, badge="6000000000000101")
    console = open_console(table_code=code, operator=dealer)
    post_messages([DeviceRequest(code, console.id, 0, CoinInRequest(1, "25"))])
    if marks:
        hit.mark(table_code=code, round_number=1, seat=2, hand="four_of_a_kind", by="Demo Dealer")
    return Table.objects.get(code=code)


def is_free(table: Table) -> bool:
    table.refresh_from_db()
    stand = stand_of(table)
    left = (table.key_at_jph, stand.round, stand.win, stand.on_duty, stand.key_out)
    return left == ("", None, None, False, False) and not Round.objects.filter(state="open").exists()


@pytest.mark.parametrize("marks", [False, True])
def test_a_running_round_is_ended_and_the_dealer_goes_home(demo: None, marks: bool) -> None:
    table = played("TOUR-CARD", marks=marks)
    start_again(table)
    assert is_free(table)
    assert TableDuty.objects.get(table=table).ended_at is not None
    assert not Win.objects.filter(amount__isnull=False).exists()


def test_what_was_asked_for_is_rejected(demo: None) -> None:
    table = played("TOUR-CARD")
    hit.confirm(table_code="TOUR-CARD", round_number=1, by="Demo Dealer")
    start_again(table)
    assert is_free(table)
    assert str(Jackpot.objects.get(code="TOUR").meter_money) == "10001.40"


def key_out() -> None:
    house, who = Table.objects.get(code="TOUR-KEY").premises, Operator.objects.get(username="supervisor")
    sign_key_out(premises=house, number=cast.KEY, operator=who, by="tests")


def test_a_key_at_jph_is_turned_back_and_signed_in(demo: None) -> None:
    key_out()
    table = played("TOUR-KEY")
    key.turn(table_code="TOUR-KEY", key_number=cast.KEY, position="JPH")
    start_again(table)
    assert is_free(table)
    assert KeyRegister.objects.get(number=cast.KEY).back_at is not None


def test_a_win_that_was_logged_is_moved_and_stays_owed(demo: None) -> None:
    key_out()
    table = played("TOUR-KEY")
    key.turn(table_code="TOUR-KEY", key_number=cast.KEY, position="JPH")
    key.j_pot(table_code="TOUR-KEY")
    start_again(table)
    assert is_free(table)
    assert (Win.objects.get().state, str(Jackpot.objects.get(code="TOUR").meter_money)) == ("owed", "9901.40")


def test_it_starts_again_twice(demo: None) -> None:
    table = played("TOUR-CARD")
    start_again(table)
    start_again(table)
    assert is_free(table)


def test_the_part_is_sent_once_and_again_when_something_is_ticked(demo: None) -> None:
    client = Client()
    first = client.get("/tour/card/")
    seen = first.content.decode().partition("?seen=")[2].partition('"')[0]
    client.cookies.clear()
    assert client.get("/tour/card/", {"seen": seen}).status_code == 204
    played("TOUR-CARD")
    assert "Call the supervisor" in client.get("/tour/card/", {"seen": seen}).content.decode()


def test_a_real_casino_has_no_tour() -> None:
    builders.a_casino()
    client = Client()
    assert client.get("/tour/card/").status_code == 404
    assert client.post("/tour/card/again/").status_code == 404
    assert "Play a jackpot" not in client.get("/").content.decode()


def test_a_sign_in_is_ticked_in_the_browser_where_it_happened_and_in_no_other(demo: None) -> None:
    """A demo that plays by itself signs its own people in; a guest still has to."""
    guest, simulated = Client(), Client()
    simulated.force_login(Operator.objects.get(username="dealer"))
    steps = "Sign in as dealer", "Take duty at TOUR-CARD"
    assert current(simulated) == steps[1]
    assert current(guest) == steps[0]
    guest.force_login(Operator.objects.get(username="dealer"))
    assert current(guest) == steps[1]
    played("TOUR-CARD")
    guest.logout()
    assert current(guest) == "Call the supervisor", "what needed the dealer is done: nobody signs in twice for a tick"


def current(client: Client) -> str:
    """The step that is next."""
    page = client.get("/tour/card/").content.decode()
    return page.partition('aria-current="step"')[2].partition("<h3>")[2].partition("</h3>")[0]
