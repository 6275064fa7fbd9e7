"""An ended secret and a used number open nothing: in no other process, on no open line, after no restart."""

from __future__ import annotations

import contextlib
import json
import time
import urllib.error
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from pathlib import Path
from typing import Any

import psycopg
import pytest
from django.db import connection
from django.utils import timezone
from websockets.exceptions import ConnectionClosed

from config.asgi import Application
from jackpot.wins.models import Win
from tables.floor.models.device import Device
from tables.floor.models.table import TableState
from tables.gateway.actions.device import seen
from tables.gateway.messages import LARGEST_NUMBER
from tables.gateway.sockets import SECRET_REPLACED
from tables.rounds.models.round import Round
from tables.setup.actions.enrol import block, end_earlier_secret, end_secrets, rotate
from tests.builders import a_casino
from tests.controller import HttpController, SocketController, secret_for
from tests.indoors import Indoors, indoors_open
from tests.living import living
from tests.mortal import MortalServer
from tests.patience import PATIENCE, until

Captured = tuple[bytes, dict[str, str]]
MARK = {"do": "mark", "round": 1, "seat": 1, "hand": "full_house"}


def captured(box: HttpController, **message: Any) -> Captured:
    """A message as it goes over the wire, signed once."""
    body = json.dumps(message).encode()
    return body, box.headers(body)


def sent(door: Any, box: HttpController, message: Captured) -> tuple[int, dict[str, Any]]:
    answer: tuple[int, dict[str, Any]] = door.post(box.path, *message, PATIENCE)
    return answer


def code(door: Any, box: HttpController, message: Captured) -> tuple[int, str]:
    status, answer = sent(door, box, message)
    return status, answer.get("code", "ok")


@pytest.fixture
def other(indoors: Indoors) -> Iterator[Indoors]:
    """Another process, or the same after a restart: it remembers nothing of the first."""
    with indoors_open() as opened:
        yield opened


@pytest.fixture
def box(indoors: Indoors) -> HttpController:
    device = a_casino().controller
    return HttpController(indoors, device, secret_for(device))


class TestNumbers:
    def test_an_act_is_heard_once_whoever_hears_it_again(
        self, box: HttpController, indoors: Indoors, other: Indoors
    ) -> None:
        box.say(do="coin_in", round=1, seats=[1, 2])
        mark = captured(box, **MARK)
        assert code(indoors, box, mark) == (200, "ok")
        assert box.say(do="unmark", round=1, seat=1, hand="full_house")[0] == 200
        assert code(other, box, mark) == (401, "replay")
        assert not Win.objects.filter(state="marked").exists()

    def test_an_act_that_was_refused_does_not_come_true_later(
        self, box: HttpController, indoors: Indoors, other: Indoors
    ) -> None:
        early = captured(box, **MARK)
        assert code(indoors, box, early)[0] == 404
        box.say(do="coin_in", round=1, seats=[1, 2])
        assert code(other, box, early) == (401, "replay")

    def test_nor_does_a_coin_in_or_an_end_that_was_refused(
        self, box: HttpController, indoors: Indoors, other: Indoors
    ) -> None:
        table = box.device.table
        assert table is not None
        type(table).objects.update(state=TableState.HELD, held_why="a look")
        refused = captured(box, do="coin_in", round=1, seats=[1])
        assert code(indoors, box, refused) == (409, "held")
        type(table).objects.update(state=TableState.OPEN)
        assert code(other, box, refused) == (401, "replay")
        box.say(do="coin_in", round=1, seats=[1])
        box.say(**MARK)
        box.say(do="confirm", round=1)
        end = captured(box, do="end", round=1)
        assert code(indoors, box, end) == (409, "hits_open")
        box.say(do="reject", round=1, reason="no hand")
        assert code(other, box, end) == (401, "replay")
        assert Round.objects.get().state == "open"

    def test_a_coin_in_and_an_end_keep_their_number_on_the_round(
        self, box: HttpController, indoors: Indoors, other: Indoors
    ) -> None:
        acts = [captured(box, do=verb, round=1, **words) for verb, words in (("coin_in", {"seats": [1]}), ("end", {}))]
        assert [code(indoors, box, act) for act in acts] == [(200, "ok")] * 2
        assert [code(other, box, act) for act in acts] == [(401, "replay")] * 2

    def test_a_thief_who_spends_the_largest_number_silences_the_device_only_until_it_is_enrolled_again(
        self, box: HttpController, indoors: Indoors, other: Indoors
    ) -> None:
        box.sequence = LARGEST_NUMBER - 1
        assert box.say(do="coin_in", round=1, seats=[1])[0] == 200
        for door in (indoors, other):
            body = json.dumps({"do": "end", "round": 1}).encode()
            assert code(door, box, (body, box.headers(body, sequence="7"))) == (401, "replay")
        anew = HttpController(indoors, box.device, secret_for(box.device))
        assert anew.say(do="end", round=1)[0] == 200
        assert code(other, anew, captured(anew, do="coin_in", round=2, seats=[1])) == (200, "ok")

    def test_a_greeting_said_twice_cuts_nobody_off(self, box: HttpController, indoors: Indoors, other: Indoors) -> None:
        hello = captured(box, do="hello", device="UTH-01-C", version="2.0.0", profile="card")
        assert code(indoors, box, hello) == (200, "ok")
        Device.objects.update(connection="a newer line")
        assert code(other, box, hello) == (401, "replay")
        assert Device.objects.get().connection == "a newer line"


def note_what_was_heard(door: Indoors) -> None:
    """What a process writes once a second."""
    seen(devices=door.services.seen)


def rotated(device: Device) -> None:
    rotate(device=device, by="tests")


def rotated_twice(device: Device) -> None:
    for _ in range(2):
        rotate(device=device, by="tests", grace=timedelta(days=1))


def enrolled_anew(device: Device) -> None:
    secret_for(device)


def ended(device: Device) -> None:
    end_secrets(device=device, by="tests", why="stolen")


def earlier_ended(device: Device) -> None:
    rotate(device=device, by="tests", grace=timedelta(days=1))
    end_earlier_secret(device=device, by="tests", why="stolen")


def grace_over(device: Device) -> None:
    rotate(device=device, by="tests", grace=timedelta(days=1))
    Device.objects.update(earlier_until=timezone.now() - timedelta(seconds=1))


ENDS = [rotated, rotated_twice, enrolled_anew, ended, earlier_ended, grace_over]
End = Callable[[Device], None]


@pytest.mark.parametrize("end", ENDS)
class TestAnOlderSecret:
    def test_acts_no_more_though_this_process_still_remembers_it(self, box: HttpController, end: End) -> None:
        box.say(do="coin_in", round=1, seats=[1])
        end(Device.objects.get())
        for words in (MARK, {"do": "end", "round": 1}, {"do": "confirm", "round": 1}, {"do": "dealer", "badge": "1"}):
            status, answer = box.say(**words)
            assert (status, answer["code"]) == (401, "secret_ended"), words
            assert "one-time code" in answer["why"] or "newer secret" in answer["why"]
        assert (Round.objects.get().state, Win.objects.count()) == ("open", 0)

    def test_counts_no_more(self, box: HttpController, end: End) -> None:
        box.say(do="beat")
        end(Device.objects.get())
        status, answer = box.say(do="coin_in", round=1, seats=[1])
        assert (status, answer["code"], Round.objects.count()) == (401, "secret_ended", 0)

    def test_is_a_strangers_signature_to_a_process_that_never_met_it(
        self, box: HttpController, other: Indoors, end: End
    ) -> None:
        end(Device.objects.get())
        status, answer = sent(other, box, captured(box, do="beat"))
        assert (status, answer["code"]) == (401, "not_enrolled" if end is ended else "signature")


def test_within_its_grace_the_older_secret_goes_on_and_the_newer_is_heard_too(box: HttpController) -> None:
    newer = bytes.fromhex(rotate(device=box.device, by="tests", grace=timedelta(days=1)))
    assert box.say(do="coin_in", round=1, seats=[1])[0] == 200
    assert box.say(**MARK)[0] == 200
    box.secret = newer
    assert box.say(do="unmark", round=1, seat=1, hand="full_house")[0] == 200
    assert box.say(do="end", round=1)[0] == 200


ACTS = [{"do": "coin_in", "round": 1, "seats": [1]}, MARK, {"do": "beat"}, {"do": "coin_in", "round": 9, "seats": [1]}]


@pytest.mark.parametrize("stolen", ACTS, ids=["coin-in", "mark", "beat", "refused"])
def test_a_thief_in_the_grace_spends_no_number_of_the_newer_secret(
    box: HttpController, indoors: Indoors, other: Indoors, stolen: dict[str, Any]
) -> None:
    """The largest number there is, by the earlier secret: the true box goes on, here and in every other process."""
    if stolen is MARK:
        box.say(do="coin_in", round=1, seats=[1])
    thief = HttpController(indoors, box.device, box.secret)
    box.secret = bytes.fromhex(rotate(device=box.device, by="tests", grace=timedelta(days=1)))
    thief.sequence = LARGEST_NUMBER - 1
    taken = captured(thief, **stolen)
    assert code(indoors, thief, taken)[1] in {"ok", "gap"}
    note_what_was_heard(indoors)
    assert code(other, thief, taken) == (401, "replay")
    round_number = Round.objects.count() or 1
    for door in (indoors, other):
        assert code(door, box, captured(box, do="coin_in", round=round_number, seats=[1])) == (200, "ok")
        assert code(door, box, captured(box, **{**MARK, "round": round_number})) == (200, "ok")
        assert code(door, box, captured(box, do="beat")) == (200, "ok")
    assert code(other, box, captured(box, **{**MARK, "do": "unmark", "round": round_number})) == (200, "ok")
    assert code(other, box, captured(box, do="end", round=round_number)) == (200, "ok")


def test_what_the_box_said_under_the_earlier_secret_is_not_said_again_by_it(
    box: HttpController, indoors: Indoors, other: Indoors
) -> None:
    said = [captured(box, do="coin_in", round=1, seats=[1]), captured(box, **MARK), captured(box, do="beat")]
    assert [code(indoors, box, each) for each in said] == [(200, "ok")] * 3
    rotate(device=Device.objects.get(), by="tests", grace=timedelta(days=1))
    note_what_was_heard(indoors)  # after the rotation, though it was heard before
    assert [code(other, box, each) for each in said] == [(401, "replay")] * 3
    assert Device.objects.get().earlier_sequence == box.sequence


def test_a_blocked_device_marks_nothing_either(box: HttpController) -> None:
    box.say(do="coin_in", round=1, seats=[1])
    block(device=Device.objects.get(), by="tests")
    status, answer = box.say(**MARK)
    assert (status, answer["code"], Win.objects.count()) == (403, "blocked", 0)


def heard_to_the_end(line: SocketController) -> None:
    while True:
        line.socket.recv(timeout=PATIENCE)


def closed_with(line: SocketController) -> int | None:
    """How the line was cut off; what was pushed before is read over."""
    with pytest.raises(ConnectionClosed):
        heard_to_the_end(line)
    return line.socket.close_code


@pytest.mark.parametrize("end", [rotated, enrolled_anew, ended, earlier_ended])
def test_a_line_opened_with_an_older_secret_acts_no_more_and_is_cut(live: Any, end: End) -> None:
    casino = a_casino()
    line = SocketController(live, casino.controller, secret_for(casino.controller))
    end(Device.objects.get())
    with contextlib.suppress(ConnectionClosed):  # cut before it could say anything
        assert line.say(do="coin_in", round=1, seats=[1])["code"] == "secret_ended"
    assert closed_with(line) == SECRET_REPLACED
    assert not Round.objects.exists()
    line.close()


def test_beats_of_an_older_secret_are_refused_within_a_second(live: Any) -> None:
    device = a_casino().controller
    box = HttpController(live, device, secret_for(device))
    assert box.say(do="beat")[0] == 200
    rotated(Device.objects.get())
    given_up = time.monotonic() + PATIENCE
    while box.say(do="beat")[0] == 200:
        assert time.monotonic() < given_up
        time.sleep(0.05)
    assert box.say(do="beat")[1]["code"] == "signature"


@pytest.mark.race
def test_a_captured_mark_is_refused_by_a_second_process_and_after_kill_9(fresh_database: str, tmp_path: Path) -> None:
    """The attack as it was done, with real processes: the same bytes again, within the half minute they are timely."""
    folders = [tmp_path / "first", tmp_path / "second"]
    for folder in folders:
        folder.mkdir()
    first, second = (MortalServer(fresh_database, folder) for folder in folders)
    device = a_casino().controller
    box = HttpController(first.live, device, secret_for(device))
    try:
        first.start()
        answered(lambda: box.say(do="coin_in", round=1, seats=[1]))
        mark = captured(box, **MARK)
        assert code(first.live, box, mark) == (200, "ok")
        assert box.say(do="unmark", round=1, seat=1, hand="full_house")[0] == 200
        first.kill()
        first.start()
        second.start()
        for server in (first, second):
            status, answer = answered(lambda door=server.live: sent(door, box, mark))  # type: ignore[misc]
            assert (status, answer["code"]) == (401, "replay")
        assert not Win.objects.filter(state="marked").exists()
    finally:
        for server in (first, second):
            server.close()


def answered(ask: Callable[[], tuple[int, dict[str, Any]]]) -> tuple[int, dict[str, Any]]:
    """Until the process is there; the listening socket outlives it."""
    given_up = time.monotonic() + PATIENCE
    while time.monotonic() < given_up:
        with contextlib.suppress(OSError, urllib.error.URLError, ValueError):
            status, answer = ask()
            if status != 503:
                return status, answer
        time.sleep(0.05)
    raise AssertionError("nobody answered")


def test_an_act_that_was_heard_before_its_secret_ended_is_not_written_after(live: Any, fresh_database: str) -> None:
    """It waits for its jackpot, and so does the rotation, which comes first."""
    casino = a_casino()
    box = HttpController(live, casino.controller, secret_for(casino.controller))
    assert box.say(do="coin_in", round=1, seats=[1])[0] == 200

    def waiting() -> int:
        asked = "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'"
        somebody.execute("SELECT pg_stat_clear_snapshot()")  # else who connects later is never seen here
        row = somebody.execute(asked).fetchone()
        return int(row[0]) if row else 0

    def ends() -> None:
        rotated(Device.objects.get())
        connection.close()

    with psycopg.connect(fresh_database) as somebody, ThreadPoolExecutor(2) as pool:
        somebody.execute("SELECT 1 FROM jackpot_jackpot FOR UPDATE")
        rotation = pool.submit(ends)
        until(lambda: waiting() >= 1)  # who was heard last may be written down meanwhile, and waits too
        act = pool.submit(box.say, **MARK)
        until(lambda: waiting() >= 2)
        somebody.rollback()
        rotation.result()
        status, told = act.result()
    assert (status, told["code"]) == (401, "secret_ended")
    assert not Win.objects.exists()


def test_a_recorded_beat_is_known_to_every_process_within_seconds_and_after_a_restart(live: Any) -> None:
    device = a_casino().controller
    box = HttpController(live, device, secret_for(device))
    beat = captured(box, do="beat")
    assert sent(live, box, beat)[0] == 200
    until(lambda: Device.objects.get().heard_sequence == box.sequence)
    with living(Application()) as other:
        assert code(other, box, beat) == (401, "replay")
    assert box.say(do="beat")[0] == 200
    secret_for(Device.objects.get())
    assert Device.objects.get().heard_sequence == 0, "a new enrolment begins anew"
