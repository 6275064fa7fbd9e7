"""Whatever a device says: a message or a sentence, never a fault, and never a moved meter for what was refused."""

from __future__ import annotations

import http.client
import itertools
import json
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

from jackpot.books.models.jackpot import Jackpot
from jackpot.money import Money
from jackpot.trail.models import Trail
from tables.floor.actions.state import set_table_state
from tables.floor.models.table import Table, TableState
from tables.gateway.messages import VERBS, Message, NotAMessage, read_message, signature_of
from tests.builders import a_card, a_casino, a_person
from tests.controller import secret_for
from tests.patience import PATIENCE, until

LIVE = settings(
    max_examples=max(150, settings.default.max_examples),
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)

odd_numbers = st.integers() | st.floats() | st.sampled_from([0, -1, 2**31, 2**53, 2**63, 2**64, 1e400, True])
odd_words = st.text(max_size=20) | st.sampled_from(["", "1", "\x00", "x" * 300, "²", "null", "é", "600000000001"])
odd_values = st.recursive(
    st.none() | st.booleans() | odd_numbers | odd_words,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(odd_words, inner, max_size=3),
    max_leaves=6,
)
DUE = "the round that is due"  # put in by the door, which knows it
rounds = st.just(DUE) | st.just(DUE) | st.integers(1, 4)
seats = st.lists(st.integers(1, 7), max_size=7, unique=True)
hands = st.sampled_from(["straight_flush", "full_house"])  # the tray pays these: no meter moves
cards = st.sampled_from(["600000000001", "600000000002"])
APT: dict[str, dict[str, st.SearchStrategy[Any]]] = {
    "coin_in": {"round": rounds, "seats": seats, "spots": st.text("01x", max_size=9)},
    "end": {"round": rounds},
    "mark": {"round": rounds, "seat": st.integers(1, 7), "hand": hands},
    "unmark": {"round": rounds, "seat": st.integers(1, 7), "hand": hands},
    "confirm": {"round": rounds},
    "park": {"round": rounds, "card": cards, "pin": odd_words, "reason": st.just("looked at later")},
    "reject": {"round": rounds, "reason": st.just("not confirmed")},
    "card": {"round": rounds, "card": cards, "pin": odd_words},
    "key": {"key": odd_words, "position": st.sampled_from(["JPH", "RUN"])},
    "j_pot": {},
    "void": {"round": rounds, "reason": st.just("misdeal"), "card": cards},
    "recount": {"round": rounds, "seats": seats, "spots": st.just(""), "card": cards},
    "dealer": {"badge": cards, "in": st.booleans()},
    "spots": {"spots": st.text("01x", max_size=9)},
    "beat": {"rounds": st.integers(0, 3)},
    "action": {
        "round": rounds,
        "bank": st.fixed_dictionaries({"seat": st.integers(1, 7), "wager": odd_words}),
        "bets": st.lists(
            st.fixed_dictionaries({"seat": st.integers(1, 7), "wagers": st.just({"ante": "5"})}), max_size=2
        ),
    },
    "settle": {
        "round": rounds,
        "results": st.lists(
            st.fixed_dictionaries({"seat": st.integers(1, 7), "due": st.just({"ante": "-5", "blind": "-5"})}),
            max_size=2,
        ),
    },
    "journal": {
        "last_round": st.integers(0, 9),
        "last_slip": st.integers(0, 9),
        "rounds": st.lists(st.fixed_dictionaries({"round": st.integers(1, 4), "seats": seats}), max_size=3),
    },
    "hello": {"device": odd_words, "version": odd_words, "profile": odd_words},
}


@st.composite
def messages(draw: st.DrawFn) -> dict[str, Any]:
    """What a table may say; now and then one word is missing, odd, or one too many."""
    do = draw(st.sampled_from(["coin_in", "coin_in", "end", *APT]))
    said = {"id": 1, "do": do, **draw(st.fixed_dictionaries(APT[do]))}
    if draw(st.integers(0, 3)) == 0:
        said[draw(st.sampled_from([*said, "tip"]) | odd_words)] = draw(odd_values)
    if draw(st.integers(0, 9)) == 0:
        said.pop(draw(st.sampled_from(list(said))))
    return said


odd_messages = messages() | messages() | st.dictionaries(odd_words, odd_values, max_size=4)


def written(message: Any) -> bytes:
    """As JSON, also what JSON does not allow: NaN and Infinity are what a careless box would send."""
    return json.dumps(message).encode("utf-8", "surrogatepass")


def test_every_verb_is_tried() -> None:
    assert set(APT) == set(VERBS)


bodies = odd_messages.map(written) | st.binary(max_size=60) | odd_values.map(written)


@given(st.binary(max_size=200) | bodies | st.text(max_size=80))
@example(b"\xff\xfe")
@example("\ud800")
@example(b"[" * 5_000)
def test_whatever_arrives_is_a_message_or_a_sentence(body: bytes | str) -> None:
    message = answered(lambda: read_message(body))
    if isinstance(message, Message):
        assert message.do in VERBS
        for ask in (message.round, message.seats, message.spots, lambda: message.text("reason")):
            answered(ask)


def answered(ask: Callable[[], Any]) -> Any:
    """What is read, or None where a sentence says why it cannot be read."""
    try:
        return ask()
    except NotAMessage as problem:
        why = str(problem)
    assert why.endswith(".")
    return None


@dataclass
class Door:
    """The live HTTP door with a kept connection, and what the meter must be by what was acknowledged."""

    connection: http.client.HTTPConnection
    path: str
    device: str
    secret: bytes
    jackpot: Jackpot
    seats: dict[int, int] = field(default_factory=dict)
    due_round: int = 1
    sequences: Iterator[int] = field(default_factory=lambda: itertools.count(1))

    def headers(self, body: bytes) -> dict[str, str]:
        now, sequence = str(int(time.time() * 1000)), next(self.sequences)
        signature = signature_of(self.secret, "POST", self.path, now, sequence, body)
        return {"X-Device": self.device, "X-Time": now, "X-Sequence": str(sequence), "X-Signature": signature}

    def send(self, body: bytes, headers: dict[str, str], path: str = "") -> tuple[int, dict[str, Any]]:
        self.connection.request("POST", path or self.path, body, headers)
        response = self.connection.getresponse()
        said = response.read()
        return response.status, json.loads(said) if said.startswith(b"{") else {}

    def with_due_round(self, body: bytes) -> bytes:
        return body.replace(json.dumps(DUE).encode(), str(self.due_round).encode())

    def note(self, body: bytes, answer: dict[str, Any]) -> None:
        """What an acknowledged message does to the chips that are counted, and to the round that is due."""
        message = json.loads(body)
        self.due_round = answer.get("next_round", self.due_round)
        if message["do"] == "void" and message["round"] == self.due_round:
            self.due_round += 1
        if message["do"] in ("coin_in", "recount") and not answer["repeat"]:
            self.seats[message["round"]] = len(message["seats"])
        elif message["do"] == "void":
            self.seats[message["round"]] = 0

    @property
    def due(self) -> str:
        return str(Money.of("10000.00") + Money.of("0.70") * sum(self.seats.values()))

    @property
    def meter(self) -> str:
        self.jackpot.refresh_from_db()
        return str(self.jackpot.meter_money)


@pytest.fixture
def door(live: Any) -> Iterator[Door]:
    casino = a_casino()
    a_card(a_person("supervisor"), number="600000000001", level="supervisor")
    connection = http.client.HTTPConnection("127.0.0.1", live.port, timeout=PATIENCE)
    path = f"/api/v1/tables/{casino.table.code}/messages"
    yield Door(connection, path, casino.controller.code, secret_for(casino.controller), casino.jackpot)
    connection.close()


@LIVE
@given(body=odd_messages.map(written) | bodies)
@example(body=b'{"id":1,"do":"hello","version":5}')
def test_a_signed_message_is_answered_or_refused_and_only_an_answer_moves_the_meter(door: Door, body: bytes) -> None:
    body = door.with_due_round(body)
    status, answer = door.send(body, door.headers(body))
    assert 200 <= status < 500, (body, status, answer)  # 503 only if the house is troubled, and here it is not
    assert answer["ok"] is (status == 200)
    if status == 200:
        door.note(body, answer)
    else:
        assert answer["why"]
    if answer.get("code") == "counts_differ":
        set_table_state(table=Table.objects.get(), state=TableState.OPEN, by="supervisor")
    assert door.meter == door.due


header_texts = st.text(st.characters(min_codepoint=32, max_codepoint=255, exclude_characters="\x7f"), max_size=40)


@LIVE
@given(
    changed=st.dictionaries(
        st.sampled_from(["X-Device", "X-Time", "X-Sequence", "X-Signature"]), header_texts, min_size=1
    )
)
@example(changed={"X-Sequence": "²"})
@example(changed={"X-Signature": "é" * 64})
@example(changed={"X-Time": "9" * 400})
@example(changed={"X-Sequence": "9" * 30})
@example(changed={"X-Device": "Ünit"})
def test_headers_that_are_not_ours_are_refused_and_move_nothing(door: Door, changed: dict[str, str]) -> None:
    body = b'{"id":1,"do":"coin_in","round":1,"seats":[1,2,3]}'
    status, answer = door.send(body, {**door.headers(body), **{name: text.strip() for name, text in changed.items()}})
    assert (400 <= status < 500, answer["ok"]) == (True, False), (status, answer)
    assert answer["why"]
    assert door.meter == "10000.00"


@pytest.mark.parametrize("path", ["/api/v1/tables/%00/messages", "/api/v1/tables/%F0%9F%8E%B0/messages"])
def test_a_path_that_no_table_has_cannot_hide_what_others_were_refused(door: Door, path: str) -> None:
    """Refusals are written to the trail together; one that cannot be written must not take the others with it."""
    body = b'{"id":1,"do":"beat"}'
    assert door.send(body, {**door.headers(body), "X-Signature": "00" * 32})[1]["code"] == "signature"
    assert door.send(body, door.headers(body), path)[0] in (400, 401, 403, 404)
    assert until(Trail.objects.filter(details__code="signature").exists)


hellos = st.fixed_dictionaries(
    {"do": st.sampled_from(["hello", "coin_in"])},
    optional={"id": odd_values, "device": odd_words, "version": odd_words, "profile": odd_values, "proof": odd_words},
)


@settings(LIVE, max_examples=40)
@given(said=hellos.map(written) | bodies)
@example(said=b'{"do":"hello","device":"UTH-01-C","version":"2.0.0","proof":"\xc3\xa9"}')
@example(said=b'{"do":"hello","device":"\\u00e9","version":"2.0.0","proof":"00"}')
def test_whatever_is_said_instead_of_hello_is_refused_in_words_and_hung_up(live: Any, door: Door, said: bytes) -> None:
    with connect(live.ws_url + "/ws/tables/UTH-01") as socket:
        socket.recv(timeout=PATIENCE)
        socket.send(said)
        assert json.loads(socket.recv(timeout=PATIENCE))["ok"] is False
        with pytest.raises(ConnectionClosed) as closed:
            socket.recv(timeout=PATIENCE)
    assert closed.value.rcvd is not None
    assert closed.value.rcvd.code == 4401
