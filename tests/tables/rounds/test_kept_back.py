"""Coin-ins faster than a table can deal: on their rounds at once, on the meters when a supervisor says so."""

from __future__ import annotations

import json
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.utils import timezone

from jackpot.books.models.entry import Entry
from jackpot.books.rules.entry_kind import EntryKind
from jackpot.database.raw import ask_together
from jackpot.people.actions.keys import sign_key_out
from jackpot.proof.rules.findings import Findings
from jackpot.refusals import NotAllowedNow, NotUnderstood, Refused
from jackpot.trail.models import Trail
from tables.floor.actions.state import set_table_state
from tables.floor.models.device import Device, DeviceState
from tables.floor.models.table import Table, TableState
from tables.hits.actions import hit, key
from tables.hits.actions.undo import void_round
from tables.rounds.actions import round as round_acts
from tables.rounds.actions.kept_back import decide_kept_back
from tables.rounds.actions.round import post_messages
from tables.rounds.models.kept_back import KeptBack
from tables.rounds.models.round import Round
from tables.rounds.queries.kept_back import busiest, waiting_at
from tables.rounds.queries.prove import prove
from tables.rounds.rules.proof import EntryFound, RoundFound, check_round
from tables.rounds.rules.round import CoinInRequest, DeviceRequest, EndRequest, PostedAnswer, request_digest
from tests.builders import Casino, a_casino, a_jackpot, a_pay_table, a_person, a_property
from tests.jackpot.books.api_scene import signed_in
from tests.stranger import found_by_all, nothing_disagrees

pytestmark = pytest.mark.django_db


def floor(**of_the_jackpot: Any) -> Casino:
    """A house that looks at the pace; four rounds a minute are dealt there, twenty in ten."""
    return a_casino(premises=a_property(plausible_play=True), **of_the_jackpot)


def play(casino: Casino, number: int, seats: str = "12", at: Any = None, *, ends: bool = True) -> dict[str, Any]:
    device = casino.controller
    Device.objects.filter(pk=device.pk).update(state=DeviceState.ACTIVE)
    said: list[Any] = [CoinInRequest(number, seats, played_at=at), *([EndRequest(number)] if ends else [])]
    answers = [post_messages([DeviceRequest("UTH-01", device.pk, 0, ask)])[0] for ask in said]
    assert isinstance(answers[0], PostedAnswer), answers
    told: dict[str, Any] = json.loads(answers[0].answer)
    return told


def meter(casino: Casino) -> str:
    casino.jackpot.refresh_from_db()
    return str(casino.jackpot.meter_money)


def test_the_fifth_round_of_a_minute_is_on_its_round_and_on_no_meter() -> None:
    casino = floor()
    told = [play(casino, number) for number in range(1, 8)]
    assert [each.get("kept_back") for each in told] == [None] * 4 + ["more than 4 rounds a minute"] * 3
    assert told[6]["coin_in"] == {"seats": [1, 2], "total": "2.00"}
    assert meter(casino) == "10005.60"
    (waiting,) = waiting_at(a_person())
    assert (waiting.table, waiting.rounds, str(waiting.total), waiting.first, waiting.last) == (
        "UTH-01",
        3,
        "6.00",
        5,
        7,
    )
    told_to_all = signed_in("read_books", username="clerk").get("/api/v1/reports/waiting/").json()["results"]
    assert [(row["what"], row["subject"]) for row in told_to_all] == [("Table kept back", "UTH-01, coin-ins: 3")]
    assert nothing_disagrees()
    again = post_messages([DeviceRequest("UTH-01", casino.controller.pk, 0, CoinInRequest(7, "12"))])[0]
    assert isinstance(again, PostedAnswer)
    assert (again.repeat, json.loads(again.answer)) == (True, told[6])


def test_a_time_of_play_is_written_with_its_round_and_costs_no_statement(monkeypatch: pytest.MonkeyPatch) -> None:
    casino, asked = floor(), list[int]()

    def noted(questions: Any) -> Any:
        asked.append(len(questions))
        return ask_together(questions)

    play(casino, 1, at=timezone.now() - timedelta(hours=2))  # the table's links are read once
    monkeypatch.setattr(round_acts, "ask_together", noted)
    at = timezone.now() - timedelta(hours=1)
    play(casino, 2, at=at)
    with_time, asked[:] = list(asked), []
    play(casino, 3)
    assert with_time == asked
    rounds = Round.objects.filter(number__gt=1).order_by("number")
    assert list(rounds.values_list("played_at", "kept_back")) == [(at, ""), (None, "")]


def test_a_stored_journal_catches_up_at_full_speed() -> None:
    casino, begun = floor(), timezone.now() - timedelta(hours=1)
    for number in range(1, 41):
        assert "kept_back" not in play(casino, number, at=begun + timedelta(seconds=45 * number))
    assert meter(casino) == "10056.00"
    assert not KeptBack.objects.exists()
    assert busiest(casino.table.pk) == (2, 14)


def test_a_journal_whose_times_no_table_plays_is_kept_back() -> None:
    casino, begun = floor(), timezone.now() - timedelta(hours=1)
    whys = [play(casino, number, at=begun + timedelta(seconds=number)).get("kept_back") for number in range(1, 7)]
    assert whys == [None] * 4 + ["more than 4 rounds a minute"] * 2
    assert play(casino, 7, at=begun)["kept_back"] == "played before the round before it"


def test_a_journal_of_the_hours_in_which_its_table_was_closed_is_kept_back() -> None:
    """Forged times are plausible times; the database knows when the table was opened, and a hold is no closing."""
    casino, begun = floor(), timezone.now() - timedelta(hours=8)
    for state in (TableState.CLOSED, TableState.OPEN):
        set_table_state(table=casino.table, state=state, by="pit", why="The night is over.")
    Table.objects.update(opened_at=begun)  # the database stamps it, whatever is written
    whys = [play(casino, number, at=begun + timedelta(minutes=number)).get("kept_back") for number in range(1, 4)]
    assert whys == ["played before its table was opened"] * 3
    opened = Table.objects.get().opened_at
    for state in (TableState.HELD, TableState.OPEN):
        set_table_state(table=casino.table, state=state, by="pit", why="A look at the shoe.")
    assert Table.objects.get().opened_at == opened
    assert "kept_back" not in play(casino, 4, at=timezone.now())
    assert nothing_disagrees()


def test_accepted_they_raise_the_meters_of_every_jackpot_in_the_order_of_play() -> None:
    house = a_property(plausible_play=True)
    mini = a_pay_table(code="mini", lines=[{"code": "flush", "name": "Straight flush", "part": "1/10"}])
    levels = [a_jackpot("GRAND", rate="60"), a_jackpot("MINI", rate="10", pay_table=mini)]
    casino = a_casino(premises=house, jackpots=levels)
    for number in range(1, 7):
        play(casino, number)
    boss = a_person("boss")
    done = decide_kept_back(table_code="UTH-01", accept=True, by=boss, why="Its box caught up")
    assert (done.rounds, str(done.total), done.left) == (2, "4.00", 0)
    assert meter(casino) == "10007.20"
    assert [(entry.key, entry.kind) for entry in Entry.objects.filter(jackpot=levels[1]).order_by("seq")[5:]] == [
        ("UTH-01/5/1", EntryKind.COIN_IN), ("UTH-01/6/1", EntryKind.COIN_IN)
    ]  # fmt: skip
    assert nothing_disagrees()
    line = Trail.objects.get(act="kept_back_accepted")
    assert (line.person_id, line.why, line.details["rounds"]) == (boss.pk, "Its box caught up", 2)
    with pytest.raises(NotAllowedNow, match="Nothing is kept back"):
        decide_kept_back(table_code="UTH-01", accept=False, by=boss, why="Twice")


@pytest.mark.parametrize("accept", [True, False, None])
def test_a_key_comes_back_to_run_whatever_becomes_of_a_round_that_is_kept_back(accept: bool | None) -> None:
    """No hit stands on such a round, so there is nothing to post, and its table must play on."""
    casino = floor()
    Table.objects.update(profile="key")
    for number in range(1, 6):
        play(casino, number, ends=number < 5)
    sign_key_out(premises=casino.premises, number="17", operator=a_person("holder"), by="tests")
    assert key.turn(table_code="UTH-01", key_number="17", position="JPH")["hits"] == []
    if accept is not None:
        decide_kept_back(table_code="UTH-01", accept=accept, by=a_person("boss"), why="Looked at the shoe")
    assert key.turn(table_code="UTH-01", key_number="17", position="RUN")["wins"] == []
    ended = post_messages([DeviceRequest("UTH-01", casino.controller.pk, 0, EndRequest(5))])[0]
    assert isinstance(ended, PostedAnswer), ended


def test_refused_they_never_do_and_nothing_is_won_on_them() -> None:
    casino = floor()
    for number in range(1, 6):
        play(casino, number, ends=number < 5)
    for act, why in ((hit.mark, "is kept back"), (void_round, "is kept back")):
        words = {"seat": 1, "hand": "full_house"} if act is hit.mark else {"reason": "jam"}
        with pytest.raises(Refused, match=why):
            act(table_code="UTH-01", round_number=5, by="Test Dealer", **words)
    with pytest.raises(NotUnderstood, match="Say why"):
        decide_kept_back(table_code="UTH-01", accept=False, by=a_person("boss"), why=" ")
    decide_kept_back(table_code="UTH-01", accept=False, by=a_person("chief"), why="Nobody played so")
    with pytest.raises(NotAllowedNow, match="was refused"):
        hit.mark(table_code="UTH-01", round_number=5, seat=1, hand="full_house", by="Test Dealer")
    assert meter(casino) == "10005.60"
    assert nothing_disagrees()


def test_an_accepted_round_plays_on_like_any_other() -> None:
    casino = floor()
    for number in range(1, 6):
        play(casino, number, ends=number < 5)
    decide_kept_back(table_code="UTH-01", accept=True, by=a_person("boss"), why="Watched")
    hit.mark(table_code="UTH-01", round_number=5, seat=1, hand="full_house", by="Test Dealer")
    hit.unmark(table_code="UTH-01", round_number=5, seat=1, hand="full_house", by="Test Dealer")
    void_round(table_code="UTH-01", round_number=5, reason="jam", by="supervisor")
    assert meter(casino) == "10005.60"
    assert nothing_disagrees()


@pytest.mark.parametrize(
    ("kept_back", "day", "agrees"),
    [
        ("accepted", "2026-11-19", True),
        ("accepted", "2026-11-18", True),
        ("accepted", "2026-11-17", False),
        ("", "2026-11-18", True),
        ("", "2026-11-19", False),
    ],
)
def test_only_what_was_accepted_may_stand_on_a_later_gaming_day(kept_back: str, day: str, agrees: bool) -> None:
    asked, findings = request_digest("UTH-01", 5, "12"), Findings()
    round_ = RoundFound("UTH-01", 5, 1, "12", 0, "ended", ("GRAND/9",), asked, "2026-11-18", kept_back)
    entry = EntryFound("GRAND", 9, EntryKind.COIN_IN, "UTH-01/5/1", 0, None, asked, None, day)
    check_round("UTH-01/5", round_, [entry], {"GRAND"}, findings)
    assert (findings.listed == []) is agrees


@pytest.mark.parametrize(
    ("tampered", "says"),
    [
        ("UPDATE tables_round SET kept_back = '' WHERE number = 5", "entries for seats 12"),
        ("UPDATE tables_round SET kept_back = 'refused' WHERE number = 2", "its coin-in is refused"),
    ],
)
def test_a_round_that_says_otherwise_than_the_books_is_found_by_all_three(tampered: str, says: str) -> None:
    casino = floor()
    for number in range(1, 6):
        play(casino, number)
    with connection.cursor() as cursor:
        cursor.execute(tampered)
    ours, of_the_file, strangers = found_by_all()
    assert ours == of_the_file == strangers
    assert len(ours) == 1
    assert says in ours.pop()


def test_a_house_that_measures_or_simulates_switches_it_off() -> None:
    casino = a_casino(premises=a_property(plausible_play=False))
    assert all("kept_back" not in play(casino, number) for number in range(1, 30))


def test_the_pit_says_it_and_two_presses_settle_it() -> None:
    casino = floor()
    for number in range(1, 7):
        play(casino, number)
    pit = signed_in("see", "run_tables", username="pit", premises=casino.premises)
    board = pit.get("/pit/").content.decode()
    assert "UTH-01: 2 coin-ins kept back," in board
    assert "more than 4 rounds a minute" in board
    page = pit.get("/pit/tables/UTH-01/").content.decode()
    assert "2 coin-ins kept back" in page
    sent = {"decide": "accept", "kept-why": "Fast dealer, watched", "upto": "6"}
    for nonsense in ("six", "0", "-6", "6.5", "9" * 30):
        pit.post("/pit/tables/UTH-01/kept-back/", {**sent, "upto": nonsense}, follow=True)
        assert meter(casino) == "10005.60", nonsense
    answer = pit.post("/pit/tables/UTH-01/kept-back/", sent, follow=True).content.decode()
    assert "2 rounds with chips of 4.00 raised the meters." in answer
    assert "kept back" not in pit.get("/pit/").content.decode()
    assert meter(casino) == "10008.40"


def test_a_program_reads_and_decides_once() -> None:
    casino = floor()
    for number in range(1, 8):
        play(casino, number)
    client = signed_in("see", "run_tables", username="program", premises=casino.premises)
    (told,) = client.get("/api/v1/kept-back/").json()["tables"]
    assert (told["table"], told["rounds"], told["total"]) == ("UTH-01", 3, "6.00")
    path, words = "/api/v1/tables/UTH-01/kept-back/", {"accept": True, "why": "Its box caught up", "upto": 6}
    headers = {"Idempotency-Key": "kept-0001"}
    first = client.post(path, words, content_type="application/json", headers=headers).json()
    assert (first["rounds"], first["total"], first["left"]) == (2, "4.00", 1)
    assert client.post(path, words, content_type="application/json", headers=headers).json()["repeat"] is True
    assert meter(casino) == "10008.40"
    refused = {"accept": False, "why": "Nobody played so"}
    headers = {"Idempotency-Key": "kept-0002"}
    assert client.post(path, refused, content_type="application/json", headers=headers).json()["left"] == 0
    assert prove().findings.listed == []
