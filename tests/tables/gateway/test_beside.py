"""What processes beside the gateway do: the same outcomes, the same news here, and nobody who needs them to live."""

from __future__ import annotations

import asyncio
import marshal
import os
import re
import signal
import socket
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC
from pathlib import Path
from typing import Any

import pytest
import uvloop
from hypothesis import given
from hypothesis import strategies as st

from jackpot.books import events
from jackpot.books.actions import holding
from jackpot.trail.actions.standing import silence
from jackpot.wins.models import Win
from tables.floor.models.device import Device
from tables.gateway import acting, posting
from tables.gateway.acting import ActingLines
from tables.gateway.batcher import Batcher
from tables.gateway.beside import SideGone, SideLine, SideNews, note_moved, serve_line, take_in
from tables.gateway.gateway import hang_up_all
from tables.gateway.logbook import Logbook
from tables.gateway.messages import Message, read_message
from tables.gateway.posting import PostingLine
from tables.gateway.speakers import Speaker
from tables.gateway.verbs import Answer, GatewayServices, Session
from tables.gateway.verbs import answer as answer_of
from tables.rounds.actions.round import OutcomeUnknown, post_messages
from tables.rounds.models.round import Round
from tables.rounds.queries.prove import prove
from tables.rounds.rules.further import FurtherSeats
from tables.rounds.rules.round import CoinInRequest, Credential, DeviceRequest, EndRequest, PostedAnswer, Refusal
from tests.builders import Casino, a_card, a_casino, a_person
from tests.controller import HttpController, secret_for
from tests.mortal import MortalServer
from tests.patience import PATIENCE, until
from tests.races.test_round_races import opened
from tests.tables.gateway.test_secrets import answered

NUMBERS = st.integers(1, 2**53 - 1)
SEATS = st.text("123456789", max_size=9)
SPOTS = st.text("01x", max_size=9)
FURTHER = st.lists(st.builds(FurtherSeats, st.text("ABC", min_size=1, max_size=8), SEATS, SPOTS), max_size=3).map(tuple)
MOMENTS = st.none() | st.datetimes(timezones=st.just(UTC))
ACTS = st.builds(EndRequest, NUMBERS) | st.builds(CoinInRequest, NUMBERS, SEATS, SPOTS, MOMENTS, FURTHER)


@given(st.text(max_size=12), NUMBERS, st.integers(0, 2**53 - 1), ACTS, st.none() | st.integers(0, 9))
def test_a_message_is_the_same_on_the_other_side(
    table: str, device: int, sequence: int, act: Any, generation: int | None
) -> None:
    said = DeviceRequest(table, device, sequence, act, generation)
    assert posting.request_of(posting.plain_request(said)) == said


WORDS = st.dictionaries(st.text(max_size=5), st.none() | st.booleans() | NUMBERS | st.text(max_size=9), max_size=4)
MESSAGES = st.builds(Message, st.none() | NUMBERS | st.text(max_size=5), st.sampled_from(["mark", "card"]), WORDS)


@given(MESSAGES, st.builds(Credential, st.none() | NUMBERS, NUMBERS), st.none() | NUMBERS, st.none() | st.text())
def test_an_act_is_the_same_on_the_other_side(
    message: Message, spoken: Credential, person: int | None, below: str | None
) -> None:
    here = Speaker(7, "UTH-01-C", "UTH-01", (), {}, below, person=person, seats=6)
    over = marshal.loads(marshal.dumps(acting.plain_act(here, message, spoken)))
    assert acting.act_from(over) == (here, message, spoken)


class FarEnd:
    """A line, and the thread at its other end; real processes share no memory, these two share what a test looks at."""

    def __init__(self, serve: Callable[[Any], Any]) -> None:
        ours, self.theirs = socket.socketpair()
        self.line = SideLine(ours)
        self.thread = threading.Thread(target=serve_line, args=(serve, self.theirs))
        self.thread.start()

    def close(self) -> None:
        self.line.close()
        self.thread.join(PATIENCE)
        assert not self.thread.is_alive()


class Apart:
    """Batches over such a line."""

    def __init__(self, casino: Casino) -> None:
        self.end = FarEnd(posting.serve_batch)
        self.devices = {device.table.code: device.id for device in casino.controllers if device.table is not None}

    def say(self, *acts: Any, table: str = "UTH-01") -> list[Any]:
        batch = [DeviceRequest(table, self.devices.get(table, 0), 0, act) for act in acts]
        return asyncio.run(PostingLine(self.end.line).post(batch))


@pytest.fixture
def apart(fresh_database: str) -> Iterator[Apart]:
    apart = Apart(opened(tables=2))
    yield apart
    apart.end.close()
    silence.clear()
    holding.HELD.clear()


def test_whatever_is_asked_is_answered_as_it_is_here(apart: Apart) -> None:
    (counted,) = apart.say(CoinInRequest(1, "12"))
    assert isinstance(counted, PostedAnswer)
    assert apart.say(CoinInRequest(1, "12")) == [PostedAnswer(counted.answer, repeat=True)]
    (clash,) = apart.say(CoinInRequest(1, "13"))
    assert isinstance(clash, Refusal)
    assert [clash] == post_messages([DeviceRequest("UTH-01", apart.devices["UTH-01"], 0, CoinInRequest(1, "13"))])
    assert apart.say(CoinInRequest(1, "1"), table="NOWHERE")[0].code == "no_table"
    assert isinstance(apart.say(EndRequest(1))[0], PostedAnswer)
    assert prove().holds


def test_who_listens_here_hears_what_moved_there(apart: Apart, monkeypatch: pytest.MonkeyPatch) -> None:
    heard: list[frozenset[int]] = []
    monkeypatch.setattr(events, "_listeners", [note_moved, heard.append])
    apart.say(CoinInRequest(1, "12"))
    here = [ids for ids in heard if ids]
    assert len(here) == 2, "once where it was posted, once where it is told on: in two processes each has one of them"
    assert here[0] == here[1]
    apart.say(EndRequest(1))
    assert len([ids for ids in heard if ids]) == 2, "an end moves nothing"


def test_while_the_trail_is_silent_here_nothing_is_posted_there(apart: Apart) -> None:
    silence[:] = ["The trail cannot be written (a test)."]
    assert apart.say(CoinInRequest(1, "12")) == [Refusal("unknown", "The trail cannot be written (a test).")]
    silence.clear()
    assert isinstance(apart.say(CoinInRequest(1, "12"))[0], PostedAnswer)


def test_what_is_held_there_is_known_to_the_pages_here() -> None:
    told = {7: ("GRAND", 1.5)}
    take_in(SideNews([], ["The trail cannot be written."]))
    posting.know_held(told)
    try:
        assert (told, ["The trail cannot be written."]) == (holding.HELD, silence)
        take_in(SideNews([], []))
        posting.know_held({})
        assert not holding.HELD
        assert silence, "only a look at the trail says that it can be written again"
    finally:
        silence.clear()


def test_without_the_other_end_the_batch_is_unknown_and_the_next_one_is_posted_here(apart: Apart) -> None:
    """The message under way hears that nobody knows; said again it is counted, once."""

    async def play() -> list[Any]:
        batcher, heard = Batcher(None, PostingLine(apart.end.line)), []
        for _ in range(2):
            told = asyncio.get_running_loop().create_future()
            asked = DeviceRequest("UTH-01", apart.devices["UTH-01"], 0, CoinInRequest(1, "12"))
            batcher.submit(asked, told.set_result)
            heard.append(await asyncio.wait_for(told, PATIENCE))
        await batcher.close()
        return heard

    apart.end.theirs.shutdown(socket.SHUT_RDWR)
    unknown, counted = asyncio.run(play())
    assert isinstance(unknown, OutcomeUnknown)
    assert isinstance(counted, PostedAnswer)
    assert Round.objects.count() == 1


def test_a_line_that_is_closed_under_a_question_ends_at_the_other_side_too() -> None:
    """The web is told to stop while an act waits for a lock; it waits for the other process, and so must that end."""
    begun, goes_on = threading.Event(), threading.Event()

    def serve(_: object) -> bool:
        begun.set()
        return goes_on.wait(PATIENCE)

    async def stop(end: FarEnd) -> None:
        asked = asyncio.ensure_future(end.line.ask("anything"))
        await asyncio.to_thread(begun.wait, PATIENCE)
        end.line.close()
        goes_on.set()
        end.thread.join(PATIENCE)  # the loop stands still meanwhile, as it does in `SideProcess.close`
        assert not end.thread.is_alive()
        with pytest.raises(SideGone):
            await asked

    uvloop.run(stop(FarEnd(serve)))


EVENING = (
    '"do":"mark","round":1,"seat":1,"hand":"straight_flush"', '"do":"mark","round":1,"seat":9,"hand":"flush"',
    '"do":"mark","round":"x","seat":1,"hand":"flush"', '"do":"mark","round":7,"seat":1,"hand":"flush"',
    '"do":"confirm","round":1', '"do":"card","round":1,"card":"1e5"', '"do":"card","round":1,"card":"600000000001"',
    '"do":"card","round":1,"card":"600000000001"', '"do":"park","round":1,"card":"","pin":"","reason":""',
    '"do":"void","round":1,"reason":"a test","card":"600000000001","pin":""', '"do":"dealer","badge":"","in":1',
    '"do":"key","key":"1","position":"UP"', '"do":"j_pot","pin":"1"', '"do":"action","round":1,"bank":1,"bets":[]',
    '"do":"journal","last_round":1,"last_slip":0,"rounds":[]',
)  # fmt: skip


def test_every_act_is_answered_beside_as_it_is_here(fresh_database: str) -> None:
    """Two tables play the same evening; only the names of tables and what the books count on differ."""
    casino = opened(tables=2)
    a_card(a_person("supervisor"), number="600000000001")
    ends = [FarEnd(acting.serve_act) for _ in range(acting.ACTORS)]
    here, beside = (
        [_without_numbers(each) for each in _evening(device, lines)]
        for device, lines in zip(casino.controllers, ([], [end.line for end in ends]), strict=True)
    )
    for end in ends:
        end.close()
    assert beside == here
    assert {200, 400, 403, 404, 409} <= {status for status, _ in here}, "refusals of every kind"
    assert Win.objects.count() == 2


def _evening(device: Device, lines: list[SideLine]) -> list[Answer]:
    assert device.table is not None
    speaker = Speaker(device.id, device.code, device.table.code, (), {})
    pool = ThreadPoolExecutor(1)

    async def play() -> list[Answer]:
        services = GatewayServices(Batcher(), pool, Logbook(pool), ActingLines(lines) if lines else None)
        said = ['"do":"coin_in","round":1,"seats":[1,2]', *EVENING]
        messages = [read_message(f'{{"id":{number},{words}}}'.encode()) for number, words in enumerate(said)]
        answers = [await answer_of(services, speaker, each, Session(compares=False)) for each in messages]
        await services.batcher.close()
        await services.logbook.write()
        return answers

    answers = asyncio.run(play())
    hang_up_all(pool, 1)
    pool.shutdown()
    return answers


NAMES = re.compile(r'UTH-0\d|slip \d+|\d+\.\d+|"(id|slip|number|win|hit)":\s*"?[\w-]+"?')


def _without_numbers(answer: Answer) -> tuple[int, str]:
    """What is the same at both tables."""
    return answer.status, NAMES.sub("…", answer.body.decode())


@pytest.fixture
def web(fresh_database: str, tmp_path: Path) -> Iterator[MortalServer]:
    server = MortalServer(fresh_database, tmp_path)
    server.start()
    yield server
    server.close()


def children_of(pid: int | None) -> list[int]:
    return [int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]


def is_over(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] == "Z"
    except OSError:
        return True


@pytest.mark.skipif(len(os.sched_getaffinity(0)) < 2, reason="with one processor nothing is done beside")
def test_a_floor_plays_on_when_what_works_beside_it_is_killed_and_that_ends_with_its_gateway(web: MortalServer) -> None:
    casino = a_casino()
    box = HttpController(web.live, casino.controller, secret_for(casino.controller))
    answered(lambda: box.say(do="coin_in", round=1, seats=[1]))
    posts, acts = sorted(children_of(web.pid))
    assert box.say(do="mark", round=1, seat=1, hand="straight_flush")[0] == 200
    assert box.say(do="unmark", round=1, seat=1, hand="straight_flush")[0] == 200
    assert box.say(do="end", round=1)[0] == 200
    for each in (posts, acts):  # what a service manager says to all of them: the gateway decides when it is over
        os.kill(each, signal.SIGTERM)
    assert box.say(do="coin_in", round=2, seats=[1, 2])[0] == 200

    for each in (posts, acts):
        os.kill(each, signal.SIGKILL)
        until(lambda each=each: is_over(each), "it is gone")  # type: ignore[misc]
    said_until_known(box, do="mark", round=2, seat=1, hand="straight_flush")
    said_until_known(box, do="unmark", round=2, seat=1, hand="straight_flush")
    said_until_known(box, do="end", round=2)
    assert said_until_known(box, do="coin_in", round=3, seats=[5])["repeat"] is False
    assert Round.objects.count() == 3

    web.kill()
    web.start()
    answered(lambda: box.say(do="end", round=3))
    next_ones = children_of(web.pid)
    assert len(next_ones) == 2
    web.kill()
    until(lambda: all(is_over(each) for each in next_ones), "nobody works for a gateway that is gone")
    assert prove().holds


def said_until_known(box: HttpController, **words: Any) -> dict[str, Any]:
    """Each line learns by itself that its other end is gone; a box says it again."""
    for _ in range(acting.ACTORS + 1):
        status, answer = box.say(**words)
        if status != 503:
            break
        assert answer["code"] == "unknown"
    assert status == 200, answer
    return answer
