"""Wins over the API: seen, approved, rejected, let pass, paid and backed out; each asking answered once."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from jackpot.trail.models import Trail
from jackpot.wins.models import Win
from tables.hits.actions import hit
from tables.rounds.models.round import Round
from tests.builders import CARD_PIN, Casino, a_card, a_casino, a_person, a_property
from tests.hands import with_cards
from tests.jackpot.books.api_scene import play, signed_in

SUPERVISOR, EXECUTIVE, SECOND = "600000000201", "900000000301", "900000000302"
PIN = "274916"
PIT = ("see", "verify", "approve")


def house(**more: Any) -> Casino:
    casino = a_casino(**{"tables": 2, "meter": "19999.30", "reserve": "617.20", **more})
    a_card(a_person("supervisor-1"), number=SUPERVISOR, level="supervisor")
    a_card(a_person("executive"), number=EXECUTIVE, level="executive", pin=PIN)
    a_card(a_person("second"), number=SECOND, level="executive", pin=PIN)
    return casino


def asked(casino: Casino, hand: str, *, table: int = 0, seat: int = 1) -> int:
    """A hit that waits for its approval; its own number."""
    number = Round.objects.filter(table=casino.tables[table]).count() + 1
    play(casino.controllers[table], number, str(seat), ends=False)
    place = {"table_code": casino.tables[table].code, "round_number": number}
    hit.mark(**place, seat=seat, hand=hand, by="Test Dealer")
    hit.confirm(**place, by="Test Dealer")
    with_cards(**place)
    return Win.objects.latest("id").id


def post(client: Client, win: int, act: str, key: str | None = "key-00000001", **words: Any) -> Any:
    headers = {"Idempotency-Key": key} if key else {}
    return client.post(f"/api/v1/wins/{win}/{act}/", words, content_type="application/json", headers=headers)


@pytest.mark.django_db
class TestReading:
    def test_a_hit_is_told_with_its_place_in_the_books(self) -> None:
        win = asked(house(), "full_house")
        told = signed_in("see").get(f"/api/v1/wins/{win}/").json()
        assert (told["table"], told["round"], told["seat"], told["hand"]) == ("UTH-01", 1, 1, "full_house")
        assert (told["state"], told["amount"], told["slip"]) == ("asked", "10.00", None)
        assert told["marked_by"] == "Test Dealer"

    def test_a_list_asks_its_open_pots_once_however_many_hits_are_asked_for(self) -> None:
        casino, client = house(tables=3), signed_in("see")
        figures = []
        for seat in (1, 2, 3):
            with CaptureQueriesContext(connection) as seen:
                rows = client.get("/api/v1/wins/?state=asked").json()["results"]
            figures.append(len(seen))
            assert len(rows) == seat - 1
            asked(casino, "full_house", table=seat - 1, seat=seat)
        rows = client.get("/api/v1/wins/?state=asked").json()["results"]
        assert [row["amount"] for row in rows] == [
            client.get(f"/api/v1/wins/{row['id']}/").json()["amount"] for row in rows
        ]
        assert None not in [row["amount"] for row in rows]
        assert figures[2] == figures[1]

    def test_wins_are_filtered_and_newest_first(self) -> None:
        casino = house()
        first, second = asked(casino, "full_house"), asked(casino, "royal_first_5", table=1)
        client = signed_in("see")
        assert [row["id"] for row in client.get("/api/v1/wins/").json()["results"]] == [second, first]
        assert [row["id"] for row in client.get("/api/v1/wins/?table=UTH-01").json()["results"]] == [first]
        assert client.get("/api/v1/wins/?state=paid").json()["results"] == []
        assert client.get("/api/v1/wins/?colour=red").status_code == 400

    def test_a_win_of_another_house_is_not_there(self) -> None:
        win = asked(house(), "full_house")
        stranger = signed_in(*PIT, premises=a_property("OTHER"))
        assert stranger.get(f"/api/v1/wins/{win}/").status_code == 404
        assert post(stranger, win, "approve", card=SUPERVISOR, pin=CARD_PIN).status_code == 404


@pytest.mark.django_db
class TestApproving:
    def test_a_card_of_the_right_level_logs_and_moves(self) -> None:
        win = asked(house(), "full_house")
        answer = post(signed_in(*PIT), win, "approve", card=SUPERVISOR, pin=CARD_PIN).json()
        assert (answer["ok"], answer["missing"], answer["total"]) == (True, None, "10.00")
        assert [(each["slip"], each["state"]) for each in answer["wins"]] == [(1, "owed")]

    def test_a_wrong_level_answers_at_once_and_says_what_it_needs(self) -> None:
        win = asked(house(), "royal_first_5")
        answer = post(signed_in(*PIT), win, "approve", card=SUPERVISOR, pin=CARD_PIN)
        assert (answer.status_code, answer.json()["code"]) == (403, "level")
        assert "needs an executive card" in answer.json()["why"]

    def test_a_pin_is_asked_for_and_three_wrong_ones_lock(self) -> None:
        win = asked(house(), "royal_first_5")
        client = signed_in(*PIT)
        assert post(client, win, "approve", card=EXECUTIVE).json()["code"] == "pin_needed"
        for _ in range(3):
            assert post(client, win, "approve", card=EXECUTIVE, pin="000000").json()["code"] == "pin_wrong"
        assert post(client, win, "approve", card=EXECUTIVE, pin=PIN).json()["code"] == "pin_wrong", (
            "locked, and not told"
        )

    def test_the_same_key_hears_the_same_answer_and_nothing_happens_twice(self) -> None:
        win = asked(house(), "full_house")
        client = signed_in(*PIT)
        first = post(client, win, "approve", card=SUPERVISOR, pin=CARD_PIN).json()
        again = post(client, win, "approve", card=SUPERVISOR, pin=CARD_PIN).json()
        assert (first.pop("repeat"), again.pop("repeat")) == (False, True)
        assert first == again
        assert post(client, win, "approve", "key-00000002", card=SUPERVISOR, pin=CARD_PIN).json()["code"] == "approved"

    def test_the_same_key_for_something_else_is_a_clash(self) -> None:
        casino = house()
        win, other = asked(casino, "full_house"), asked(casino, "four_of_a_kind", table=1)
        client = signed_in(*PIT)
        post(client, win, "approve", card=SUPERVISOR, pin=CARD_PIN)
        assert post(client, other, "approve", card=SUPERVISOR, pin=CARD_PIN).json()["code"] == "clash"

    @pytest.mark.parametrize("key", [None, "short", "has space in it", "x" * 61])
    def test_money_needs_a_key_of_its_own(self, key: str | None) -> None:
        win = asked(house(), "full_house")
        answer = post(signed_in(*PIT), win, "approve", key, card=SUPERVISOR, pin=CARD_PIN)
        assert (answer.status_code, answer.json()["code"]) == (400, "idempotency_key")
        assert Win.objects.get(id=win).state == "asked"

    def test_neither_card_nor_pin_is_kept(self) -> None:
        win = asked(house(), "royal_first_5")
        post(signed_in(*PIT), win, "approve", card=EXECUTIVE, pin=PIN)
        kept = str(list(Trail.objects.values()))
        assert EXECUTIVE not in kept
        assert PIN not in kept

    def test_two_people_are_asked_where_two_are_needed(self) -> None:
        casino = house()
        casino.premises.dual_threshold = 10_000
        casino.premises.save()
        win = asked(casino, "royal_first_5")
        client = signed_in(*PIT)
        one = post(client, win, "approve", "first-00001", card=EXECUTIVE, pin=PIN).json()
        assert (one["who"], one["missing"]) == ("Test Executive", "a second person's card")
        assert post(client, win, "approve", "second-0001", card=EXECUTIVE, pin=PIN).json()["code"] == "same_person"
        assert post(client, win, "approve", "third-00001", card=SECOND, pin=PIN).json()["missing"] is None

    def test_looking_is_not_approving(self) -> None:
        win = asked(house(), "full_house")
        assert post(signed_in("see", "read_books"), win, "approve", card=SUPERVISOR, pin=CARD_PIN).status_code == 403


@pytest.mark.django_db
class TestTheRestOfALife:
    def test_a_rejection_needs_its_reason_and_frees_the_round(self) -> None:
        win = asked(house(), "full_house")
        client = signed_in(*PIT)
        assert post(client, win, "reject").status_code == 400
        assert post(client, win, "reject", reason="two pair").json()["rejected"] == 1
        assert (Win.objects.get(id=win).state, Round.objects.get().open_hits) == ("rejected", 0)

    def test_an_earlier_hit_comes_first_until_two_people_let_another_pass(self) -> None:
        casino = house()
        asked(casino, "royal_first_5")
        later = asked(casino, "royal_first_7", table=1)
        client = signed_in(*PIT)
        assert post(client, later, "approve", card=SUPERVISOR, pin=CARD_PIN).json()["code"] == "queue"
        cards = [{"card": EXECUTIVE, "pin": PIN}, {"card": SUPERVISOR, "pin": CARD_PIN}]
        assert post(client, later, "pass", None, cards=cards[:1], reason="x").status_code == 400
        assert post(client, later, "pass", None, cards=cards, reason="Winner has a plane to catch").json()["ok"] is True
        assert post(client, later, "approve", "key-00000002", card=SUPERVISOR, pin=CARD_PIN).json()["ok"] is True

    def test_the_same_two_withdraw_and_until_then_the_passed_hit_is_refused(self) -> None:
        casino = house()
        earlier, later = asked(casino, "royal_first_5"), asked(casino, "royal_first_7", table=1)
        client = signed_in(*PIT)
        cards = [{"card": EXECUTIVE, "pin": PIN}, {"card": SUPERVISOR, "pin": CARD_PIN}]
        assert post(client, later, "rejoin", None, cards=cards, reason="x").json()["code"] == "not_passed"
        assert post(client, later, "pass", None, cards=cards, reason="Winner has a plane to catch").json()["ok"] is True
        told = post(client, earlier, "approve", card=EXECUTIVE, pin=PIN).json()
        why = "Round 1 at UTH-02 was let pass by Test Executive and Test Supervisor-1."
        assert (told["code"], told["why"].startswith(why)) == ("queue", True)
        others = [{"card": SECOND, "pin": PIN}, {"card": SUPERVISOR, "pin": CARD_PIN}]
        assert post(client, later, "rejoin", None, cards=others, reason="x").json()["code"] == "two_people"
        assert post(client, later, "rejoin", None, cards=cards).status_code == 400
        assert post(client, later, "rejoin", None, cards=cards, reason="The plane is late").json()["ok"] is True
        assert post(client, later, "approve", "key-00000002", card=EXECUTIVE, pin=PIN).json()["code"] == "queue"
        assert post(client, earlier, "approve", "key-00000003", card=EXECUTIVE, pin=PIN).json()["ok"] is True

    def test_a_slip_is_paid_once(self) -> None:
        win = asked(house(), "full_house")
        assert post(signed_in("pay", username="cage"), win, "pay").json()["code"] == "not_payable"
        post(signed_in(*PIT), win, "approve", card=SUPERVISOR, pin=CARD_PIN)
        cage = signed_in("pay", username="cage-2")
        assert post(cage, win, "pay").json()["wins"][0]["state"] == "paid"
        assert post(cage, win, "pay").json()["repeat"] is True
        second = post(cage, win, "pay", "key-00000002").json()
        assert (second["code"], "Do not pay it again" in second["why"]) == ("paid", True)

    def test_a_back_out_needs_an_executive_who_is_not_the_asker(self) -> None:
        win = asked(house(), "full_house")
        client = signed_in(*PIT)
        post(client, win, "approve", card=SUPERVISOR, pin=CARD_PIN)
        told = {"reason": "misdeal", "evidence": "camera 7, 02:14"}
        assert (
            post(client, win, "back-out", "back-0001", card=SUPERVISOR, pin=CARD_PIN, **told).json()["code"] == "level"
        )
        answer = post(client, win, "back-out", "back-0002", card=EXECUTIVE, pin=PIN, **told).json()
        assert answer["wins"][0]["state"] == "backed_out"


@pytest.fixture
def at_once(fresh_database: str) -> Iterator[ThreadPoolExecutor]:
    with ThreadPoolExecutor(4) as pool:
        yield pool
        list(pool.map(lambda _: connection.close(), range(16)))


def test_two_at_the_same_moment_with_one_key_are_one_approval(at_once: ThreadPoolExecutor) -> None:
    win = asked(house(), "full_house")
    client = signed_in(*PIT)
    cookies = client.cookies

    def press(_: int) -> Any:
        browser = Client()
        browser.cookies = cookies
        answer = post(browser, win, "approve", card=SUPERVISOR, pin=CARD_PIN).json()
        connection.close()
        return answer

    answers = list(at_once.map(press, range(4)))
    assert list(Win.objects.values_list("slip", flat=True)) == [1]
    assert sum(1 for answer in answers if answer.get("ok") and not answer["repeat"]) == 1
    assert {"approved"} >= {answer["code"] for answer in answers if not answer.get("ok")}
