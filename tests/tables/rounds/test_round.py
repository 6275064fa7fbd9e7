from __future__ import annotations

import json

import pytest
from django.db import IntegrityError, ProgrammingError, connection, transaction

from jackpot.books.models.entry import Entry
from tables.floor.models.device import Device
from tables.rounds.actions.round import post_messages
from tables.rounds.models.round import Round
from tables.rounds.queries.counted import coin_in_entries
from tables.rounds.rules.round import CoinInRequest, DeviceRequest, EndRequest, PostedAnswer, Refusal
from tables.setup.actions.enrol import enrol, invite
from tests.builders import Casino, a_casino

pytestmark = pytest.mark.django_db


def opened(**of_the_jackpot: str) -> Casino:
    casino = a_casino(**of_the_jackpot)
    for controller in casino.controllers:
        enrol(code=invite(device=controller, by="tests"))
    return casino


def says(casino: Casino, *asks: CoinInRequest | EndRequest, place: int = 0) -> list[PostedAnswer | Refusal]:
    table, device = casino.tables[place], casino.controllers[place]
    return [post_messages([DeviceRequest(table.code, device.id, 1, ask)])[0] for ask in asks]


def meter(casino: Casino) -> str:
    casino.jackpot.refresh_from_db()
    return str(casino.jackpot.meter_money)


def test_five_chips_of_one_raise_the_meter_by_seventy_percent_and_the_reserve_by_five() -> None:
    casino = opened()
    (answer,) = says(casino, CoinInRequest(1, "12357"))
    assert isinstance(answer, PostedAnswer)
    assert json.loads(answer.answer)["meters"] == {"GRAND": "10003.50"}
    entry = Entry.objects.latest("seq")
    assert (str(entry.movement.contributed), entry.movement.reserve) == ("-375000000", 25_000_000)
    assert coin_in_entries(Round.objects.get()) == [(casino.jackpot.id, entry.seq)]


def test_v3_the_same_round_three_times_counts_once_and_hears_the_same_answer() -> None:
    casino = opened()
    first, second, third = says(casino, *[CoinInRequest(1, "125")] * 3)
    assert isinstance(first, PostedAnswer)
    assert first == PostedAnswer(first.answer, repeat=False)
    assert second == third == PostedAnswer(first.answer, repeat=True)
    assert meter(casino) == "10002.10"


def test_v3_the_same_round_with_other_seats_is_a_clash_and_moves_nothing() -> None:
    casino = opened()
    _, clash = says(casino, CoinInRequest(1, "125"), CoinInRequest(1, "126"))
    assert isinstance(clash, Refusal)
    assert clash.code == "clash"
    assert meter(casino) == "10002.10"


@pytest.mark.parametrize(
    ("ask", "code"),
    [
        (CoinInRequest(2, "1"), "gap"),
        (CoinInRequest(1, "8"), "seats"),
        (EndRequest(1), "no_round"),
    ],
)
def test_what_cannot_be_is_refused_with_its_code(ask: CoinInRequest | EndRequest, code: str) -> None:
    casino = opened()
    (refusal,) = says(casino, ask)
    assert isinstance(refusal, Refusal)
    assert refusal.code == code
    assert meter(casino) == "10000.00"


def test_a_second_coin_in_before_end_names_the_open_round_and_the_cure() -> None:
    casino = opened()
    _, refusal = says(casino, CoinInRequest(1, "1"), CoinInRequest(2, "1"))
    assert refusal == Refusal("round_open", "Round 1 at UTH-01 is still open. Press END GAME first.")


def test_end_closes_the_round_and_its_repeat_hears_the_same() -> None:
    casino = opened()
    _, ended, again = says(casino, CoinInRequest(1, "1"), EndRequest(1), EndRequest(1))
    assert isinstance(ended, PostedAnswer)
    assert json.loads(ended.answer) == {"ok": True, "round": 1, "state": "ended", "next_round": 2}
    assert again == PostedAnswer(ended.answer, repeat=True)


def test_a_round_without_a_chip_is_a_round_without_an_entry() -> None:
    casino = opened()
    (answer,) = says(casino, CoinInRequest(1, ""))
    assert isinstance(answer, PostedAnswer)
    assert coin_in_entries(Round.objects.get()) == []
    assert Entry.objects.count() == 1


def test_a_device_that_is_not_enrolled_is_not_heard() -> None:
    casino = a_casino()
    (refusal,) = says(casino, CoinInRequest(1, "1"))
    assert isinstance(refusal, Refusal)
    assert refusal.code == "secret_ended"


def test_a_batch_of_many_tables_posts_each_and_one_bad_message_harms_nobody() -> None:
    casino = a_casino(tables=4)
    for controller in casino.controllers:
        enrol(code=invite(device=controller, by="tests"))
    batch = [
        DeviceRequest(table.code, device.id, 1, CoinInRequest(1, "123" if place != 2 else "9"))
        for place, (table, device) in enumerate(zip(casino.tables, casino.controllers, strict=True))
    ]
    outcomes = post_messages([*batch, DeviceRequest("NO-SUCH", 1, 1, CoinInRequest(1, "1"))])
    assert [isinstance(outcome, PostedAnswer) for outcome in outcomes] == [True, True, False, True, False]
    assert meter(casino) == "10006.30"
    assert Device.objects.count() == 4


@pytest.mark.parametrize(
    "change",
    ["UPDATE tables_roundentry SET seq = seq + 1", "DELETE FROM tables_roundentry"],
)
def test_the_database_keeps_what_a_round_was_counted_on(change: str) -> None:
    casino = opened()
    says(casino, CoinInRequest(1, "125"))
    refused = pytest.raises((IntegrityError, ProgrammingError), match=r"refused|permission denied")
    with refused, transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(change)
    assert len(coin_in_entries(Round.objects.get())) == 1
