"""Adjustments over the API: asked for by one person, decided by another, each once per key."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

from jackpot.adjusting.models import Adjustment
from jackpot.books.models.entry import Entry
from jackpot.books.models.jackpot import Jackpot
from jackpot.trail.models import Trail
from jackpot.wins.models import Win
from tests.builders import CARD_PIN, a_card, a_casino, a_jackpot, a_person, a_property
from tests.hands import with_cards
from tests.jackpot.books.api_scene import play, signed_in
from tests.tables.hits.test_wins_api import asked as asked_hit
from tests.tables.hits.test_wins_api import house, post

pytestmark = pytest.mark.django_db

EXECUTIVE, SUPERVISOR, PIN = "900000000301", "600000000201", "274916"
WHY = {"reason": "malfunction", "why": "sensor counted twice", "evidence": "camera 7, 02:14"}
ALL = "/api/v1/adjustments/"


def asker(**more: Any) -> Client:
    return signed_in("see", "read_books", "adjust", username=more.pop("username", "asker"), **more)


def signer(**more: Any) -> Client:
    return signed_in("see", "read_books", "sign_adjustments", username="signer", password="right", **more)


def send(client: Client, where: str, key: str = "key-00000001", **words: Any) -> Any:
    return client.post(where, words, content_type="application/json", headers={"Idempotency-Key": key})


def request_15(client: Client, key: str = "key-00000001") -> dict[str, Any]:
    told: dict[str, Any] = send(client, ALL, key, kind="adjust", jackpot="GRAND", amount="15.00", **WHY).json()
    return told


def chips(casino: Any, many: int, first: int) -> int:
    """Whole rounds of 5, 1,000 at most, at the first table; the number of the next round."""
    number = first
    for left in range(many, 0, -7):
        play(casino.controller, number, "1234567"[: min(left, 7)])
        number += 1
    return number


@pytest.mark.parametrize("amount", [15, 15.0, 0.1, True, ["15.00"]])
def test_an_amount_that_is_no_text_is_refused_and_nothing_is_asked_for(amount: Any) -> None:
    house()
    answer = send(asker(), ALL, kind="adjust", jackpot="GRAND", amount=amount, **WHY)
    assert (answer.status_code, answer.json()["why"]) == (400, '“amount”: Write an amount as text, such as "15.00".')
    assert not Adjustment.objects.exists()


def test_v15_the_day_with_its_adjustment_closes_at_20_201_15() -> None:
    casino = house(meter="18250.00", reserve="0.00", reserve_rate="0")
    number = chips(casino, 2849, 1)
    play(casino.controller, number, "1", ends=False)
    from tables.hits.actions import hit

    place = {"table_code": "UTH-01", "round_number": number}
    hit.mark(**place, seat=1, hand="royal_first_7", by="Test Dealer")
    hit.confirm(**place, by="Test Dealer")
    with_cards(**place)
    pit = signed_in("see", "verify", "approve", username="pit")
    won = post(pit, Win.objects.get().id, "approve", card=SUPERVISOR, pin=CARD_PIN).json()
    assert [each["amount"] for each in won["wins"]] == ["1012.25"]
    play_end(casino, number)
    chips(casino, 1362, number + 1)
    asked = request_15(asker())["adjustment"]
    assert asked["state"] == "requested"
    done = send(signer(), f"{ALL}{asked['id']}/approve/", password="right").json()["adjustment"]
    assert (done["state"], done["posted"]["jackpots"]["GRAND"]["after"]["meter"]) == ("approved", "20201.15")
    meter = signed_in("see", username="eye").get("/api/v1/jackpots/GRAND/").json()["shown"]
    assert meter == "20201.15"


def play_end(casino: Any, number: int) -> None:
    from tables.rounds.actions.round import post_messages
    from tables.rounds.rules.round import DeviceRequest, EndRequest

    post_messages([DeviceRequest("UTH-01", casino.controller.id, 0, EndRequest(number))])


def test_a_request_is_told_with_before_and_after_and_waits() -> None:
    a_jackpot()
    told = request_15(asker())
    assert (told["ok"], told["repeat"]) == (True, False)
    row = told["adjustment"]
    assert (row["kind"], row["amount"], row["state"], row["entries"]) == ("adjust", "15.00", "requested", [])
    assert row["shown"]["jackpots"]["GRAND"]["after"]["meter"] == "10015.00"
    assert Jackpot.objects.get().last_seq == 1
    listed = asker(username="other").get(f"{ALL}?state=requested&kind=adjust&jackpot=GRAND").json()["results"]
    assert [each["id"] for each in listed] == [row["id"]]


def test_the_same_key_asks_once_and_another_request_under_it_is_a_clash() -> None:
    a_jackpot()
    client = asker()
    first, again = request_15(client), request_15(client)
    assert (again["repeat"], again["adjustment"]["id"]) == (True, first["adjustment"]["id"])
    assert send(client, ALL, kind="suspend", jackpot="GRAND", **WHY).json()["code"] == "clash"
    assert Adjustment.objects.count() == 1
    assert client.post(ALL, {}, content_type="application/json").status_code == 400


def test_an_executives_card_signs_at_the_askers_screen_but_not_the_askers_own() -> None:
    casino = house()
    client = asker()
    row = request_15(client)["adjustment"]
    where = f"{ALL}{row['id']}/approve/"
    assert send(client, where, "first-0001", card=SUPERVISOR, pin=CARD_PIN).json()["code"] == "level"
    assert send(client, where, "second-001", card=EXECUTIVE, pin="000000").json()["code"] == "pin_wrong"
    a_card(a_person("asks-too", premises=casino.premises), number="900000000399", level="executive", pin=PIN)
    done = send(client, where, "third-0001", card=EXECUTIVE, pin=PIN).json()
    assert (done["adjustment"]["decided_by"], done["adjustment"]["entries"]) == ("Test Executive", ["GRAND/2"])
    assert send(client, where, "third-0001", card=EXECUTIVE, pin=PIN).json()["repeat"] is True
    assert send(client, where, "fourth-001", card=EXECUTIVE, pin=PIN).json()["code"] == "decided"
    assert not any(secret in str(list(Trail.objects.values())) for secret in (EXECUTIVE, PIN))


def test_one_person_is_not_two() -> None:
    a_jackpot()
    both = signed_in("see", "adjust", "sign_adjustments", username="both", password="right")
    row = request_15(both)["adjustment"]
    refused = send(both, f"{ALL}{row['id']}/approve/", "key-00000002", password="right")
    assert (refused.status_code, refused.json()["code"]) == (403, "same_person")
    assert Entry.objects.count() == 1


@pytest.mark.parametrize(("words", "code"), [
    ({"password": "wrong"}, "wrong_sign_in"), ({}, "signature"), ({"card": "123456789012"}, "pin_needed"),
    ({"card": "123456789012", "pin": "1234"}, "pin_wrong"),
])  # fmt: skip
def test_a_word_that_is_nobodys_decides_nothing(words: dict[str, str], code: str) -> None:
    a_jackpot()
    row = request_15(asker())["adjustment"]
    assert send(signer(), f"{ALL}{row['id']}/approve/", **words).json()["code"] == code
    assert Adjustment.objects.get().state == "previewed"


def test_a_refusal_needs_its_reason() -> None:
    a_jackpot()
    row = request_15(asker())["adjustment"]
    client = signer()
    assert send(client, f"{ALL}{row['id']}/refuse/").status_code == 400
    told = send(client, f"{ALL}{row['id']}/refuse/", "key-00000002", why="not on camera").json()["adjustment"]
    assert (told["state"], told["answer"], told["decided_by"]) == ("refused", "not on camera", "Test Signer")


@pytest.mark.parametrize(("words", "code"), [
    ({"kind": "adjust", "jackpot": "NONE", "amount": "1"}, "no_jackpot"),
    ({"kind": "adjust", "jackpot": "GRAND", "amount": "ten"}, "amount"),
    ({"kind": "adjust", "jackpot": "GRAND", "amount": "0.000000001"}, "amount"),
    ({"kind": "transfer", "jackpot": "GRAND"}, "other"), ({"kind": "retire", "jackpot": "GRAND"}, "reading"),
    ({"kind": "back_out", "jackpot": "GRAND"}, "win"), ({"kind": "steal", "jackpot": "GRAND"}, "not_understood"),
])  # fmt: skip
def test_what_cannot_be_meant_gets_a_sentence(words: dict[str, str], code: str) -> None:
    a_jackpot()
    told = {**WHY, "reason": "order", **words}
    told["reason"] = "misdeal" if words["kind"] == "back_out" else "order"
    assert send(asker(), ALL, **told).json()["code"] == code
    assert not Adjustment.objects.exists()


def test_another_house_neither_sees_nor_decides() -> None:
    a_jackpot()
    row = request_15(asker())["adjustment"]
    away = a_property("OTHER", name="Other House")
    stranger = signed_in("see", "adjust", "read_books", "sign_adjustments", username="stranger", premises=away)
    assert stranger.get(f"{ALL}{row['id']}/").status_code == 404
    assert stranger.get(ALL).json()["results"] == []
    assert send(stranger, f"{ALL}{row['id']}/refuse/", why="x").status_code == 404
    assert send(stranger, ALL, kind="adjust", jackpot="GRAND", amount="1.00", **WHY).status_code == 404


def test_looking_is_not_asking() -> None:
    a_jackpot()
    reader = signed_in("see", "read_books")
    assert reader.get(ALL).status_code == 200
    assert send(reader, ALL, kind="adjust", jackpot="GRAND", amount="1.00", **WHY).status_code == 403


def test_a_back_out_of_a_win_leaves_its_request_behind_on_either_way() -> None:
    win = asked_hit(house(), "full_house")
    pit = signed_in("see", "verify", "approve", username="pit")
    post(pit, win, "approve", card=SUPERVISOR, pin=CARD_PIN)
    told = {"reason": "misdeal", "evidence": "camera 7, 02:14"}
    assert post(pit, win, "back-out", "back-0001", card=EXECUTIVE, pin=PIN, **told).json()["ok"] is True
    row = Adjustment.objects.get()
    assert (row.kind, row.state, row.win_id, row.reason, row.card and row.card.last_four) == (
        "back_out", "in_force", win, "misdeal", "0301",
    )  # fmt: skip


def test_a_suspended_floor_is_told_so_over_the_api() -> None:
    casino = a_casino()
    row = send(asker(), ALL, kind="suspend", jackpot="GRAND", **WHY).json()["adjustment"]
    send(signer(), f"{ALL}{row['id']}/approve/", password="right")
    assert signed_in("see", username="eye").get("/api/v1/jackpots/GRAND/").json()["state"] == "suspended"
    assert casino.jackpot.code == "GRAND"
