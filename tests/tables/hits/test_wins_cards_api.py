"""The cards of a hand over the API: entered whole or by seat, refused in a sentence, followed, overridden."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

from jackpot.people.models import Operator
from jackpot.wins.models import Win
from tables.hits.actions import hit
from tables.hits.actions.hand_entry import say_seen
from tables.hits.models.cards import RoundCards
from tests.builders import CARD_PIN
from tests.jackpot.books.api_scene import play, signed_in
from tests.tables.hits.test_wins_api import EXECUTIVE, PIN, PIT, SUPERVISOR, house, post

pytestmark = pytest.mark.django_db
WHOLE = {"board": "Ah Kh Qh As Kd", "seats": [{"seat": 3, "cards": "Jh Th"}, {"seat": 6, "cards": ["Ac", "7c"]}]}


def asked(*hits: tuple[int, str]) -> int:
    """A round of these hits, waiting, no card entered; the number of the first."""
    casino = house()
    play(casino.controller, 1, "".join(str(seat) for seat, _ in hits), ends=False)
    place = {"table_code": "UTH-01", "round_number": 1}
    for seat, hand in hits:
        hit.mark(**place, seat=seat, hand=hand, by="Test Dealer")
    answer = hit.confirm(**place, by="Test Dealer")
    assert {each["id"] for each in answer["hits"]} == set(Win.objects.values_list("id", flat=True))
    return Win.objects.earliest("id").id


def verify(client: Client, win: int, **words: Any) -> Any:
    return post(client, win, "verify", None, **words)


def test_a_whole_round_is_entered_at_once_and_judged() -> None:
    win = asked((3, "royal_first_5"), (6, "full_house"))
    answer = verify(signed_in(*PIT), win, **WHOLE).json()
    assert (answer["ok"], answer["repeat"], answer["revision"], answer["missing"]) == (True, False, 1, [])
    assert [seat["hits"][0]["proves"] for seat in answer["seats"]] == ["royal_first_5", "full_house"]
    assert answer["by"] == "Test Reader"
    assert verify(signed_in(*PIT, username="colleague"), win, **WHOLE).json()["repeat"] is True


def test_seven_cards_are_those_of_the_hits_own_seat() -> None:
    win = asked((3, "royal_first_7"))
    answer = verify(signed_in(*PIT), win, cards="Jh Th Ah Kh As Qh Kd").json()
    assert answer["seats"][0]["hits"][0]["proof"] == "proven"
    assert RoundCards.objects.get().board == "Ah Kh As Qh Kd"


def test_cards_seen_opens_the_way_for_a_small_award_and_the_win_tells_it() -> None:
    win = asked((3, "full_house"))
    client = signed_in(*PIT)
    assert post(client, win, "approve", card=SUPERVISOR, pin=CARD_PIN).json()["code"] == "cards"
    assert verify(client, win, seen=True).json()["missing"] == []
    assert post(client, win, "approve", "key-00000002", card=SUPERVISOR, pin=CARD_PIN).json()["ok"]
    told = client.get(f"/api/v1/wins/{win}/").json()
    assert (told["cards_checked"], told["cards"]["proof"], told["cards"]["by"]) == (False, "seen", "Test Reader")


@pytest.mark.parametrize(
    ("words", "code"),
    [
        ({"cards": "Jh Jh Ah Kh Qh As Kd"}, "card_twice"),
        ({"cards": "Jh Th Ah Kh Qh As Kd 2c"}, "wrong_number"),
        ({"cards": "1h Th Ah Kh Qh As Kd"}, "not_a_card"),
        ({"cards": 7}, "not_understood"),
        ({"cards": "Jh", "board": "Ah"}, "not_understood"),
        ({"board": ["Ah", 7]}, "not_understood"),
        ({"seats": [{"seat": 3, "cards": "Jh Th"}, {"seat": 3, "cards": "Jc Tc"}]}, "not_understood"),
        ({"seats": [{"seat": 8, "cards": "Jh Th"}]}, "seats"),
        ({"bord": "Ah"}, "not_understood"),
        ({}, "not_understood"),
        ({"board": "x" * 300}, "not_understood"),
    ],
)
def test_wrong_input_gets_a_sentence_and_nothing_is_kept(words: dict[str, Any], code: str) -> None:
    answer = verify(signed_in(*PIT), asked((3, "royal_first_5")), **words)
    assert (answer.status_code, answer.json()["code"]) == (400, code)
    assert answer.json()["why"].endswith((".", "?"))
    assert not RoundCards.objects.exists()


def test_who_may_not_verify_enters_no_cards() -> None:
    win = asked((3, "royal_first_5"))
    assert verify(signed_in("see"), win, **WHOLE).status_code == 403


def test_marks_follow_their_cards() -> None:
    win = asked((3, "four_of_a_kind"), (6, "royal_first_5"))
    client = signed_in(*PIT)
    verify(client, win, board=WHOLE["board"], seats=[{"seat": 3, "cards": "Ac 7c"}, {"seat": 6, "cards": "2c 7d"}])
    assert post(client, win, "approve", card=EXECUTIVE, pin=PIN).json()["code"] == "cards_differ"
    followed = post(client, win, "follow", None).json()
    assert (followed["changed"], [mark["hand"] for mark in followed["marks"]]) == (2, ["full_house"])


def test_held_cards_are_overridden_by_two_people() -> None:
    win = asked((6, "royal_first_5"))
    client = signed_in(*PIT)
    verify(client, win, cards="2c 7d Ah Kh Qh As Kd")
    cards = [{"card": EXECUTIVE, "pin": PIN}, {"card": SUPERVISOR, "pin": CARD_PIN}]
    assert post(client, win, "override", None, cards=cards, reason="mucked").json() == {"ok": True, "overridden": 1}
    assert post(client, win, "follow", None).json()["code"] == "nothing_differs"
    assert post(client, win, "approve", card=EXECUTIVE, pin=PIN).json()["ok"]


def test_who_entered_cards_and_who_saw_them_is_known_by_key_whatever_they_are_called() -> None:
    """Two people of one name, one of whom is renamed afterwards: the row still says who it was."""
    win = asked((3, "full_house"), (6, "full_house"))
    one, other = signed_in(*PIT), signed_in(*PIT, username="colleague")
    Operator.objects.filter(username__in=("reader", "colleague")).update(name="Ann Lee")
    ann, namesake = (Operator.objects.get(username=name) for name in ("reader", "colleague"))
    verify(one, win, board="Ah Kh Qh As Kd", seats=[{"seat": 6, "cards": "Ac 7c"}])
    verify(other, win, seen=True)
    first, second = RoundCards.objects.order_by("revision")
    assert (first.by, second.by, second.seen) == ("Ann Lee", "Ann Lee", {"3": "Ann Lee"})
    assert (first.person_id, second.person_id, second.seen_persons) == (ann.pk, namesake.pk, {"3": namesake.pk})
    Operator.objects.filter(pk=ann.pk).update(name="Ann Lee-Brown")
    verify(one, win, seats=[{"seat": 3, "cards": "Kc 2c"}])
    third = RoundCards.objects.latest("revision")
    assert (third.by, third.person_id, third.seen_persons) == ("Ann Lee-Brown", ann.pk, {"3": namesake.pk})


def test_a_card_at_the_table_says_cards_seen_with_the_key_of_its_person() -> None:
    asked((3, "full_house"))
    hit.swipe(table_code="UTH-01", round_number=1, card=SUPERVISOR, pin=CARD_PIN, at_table=True)
    row = RoundCards.objects.get()
    assert row.person is not None
    assert (row.by, row.seen_persons) == (str(row.person), {"3": row.person_id})


def test_cards_of_before_keys_were_kept_are_read_on() -> None:
    win = asked((3, "full_house"), (6, "full_house"))
    place = {"table_code": "UTH-01", "round_number": 1}
    say_seen(**place, by="Test Second")
    row = RoundCards.objects.get()
    assert (row.person, row.seen, row.seen_persons) == (
        None, {"3": "Test Second", "6": "Test Second"}, {"3": None, "6": None},
    )  # fmt: skip
    answer = verify(signed_in(*PIT), win, seats=[{"seat": 3, "cards": "Kc 2c"}]).json()
    assert {seat["seen"] for seat in answer["seats"]} == {"Test Second"}
