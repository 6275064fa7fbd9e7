"""`drill fuzz`: what nobody means, sent to a living house by every surface, while a neighbour plays on beside it.

Each surface hears so many requests, drawn by a seed. None may be answered by a fault of ours (5xx, 1011), every one is
answered, and a table that plays beside it never waits longer than a second.
"""

from __future__ import annotations

import contextlib
import http.client
import itertools
import json
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from websockets.exceptions import ConnectionClosed, WebSocketException
from websockets.sync.client import ClientConnection, connect

from proving.bench.figures import percentile
from proving.drill.faults import FaultsDrilled
from proving.drill.fuzz_doors import Doors, Knock
from proving.drill.kill import ASSERTED, Say
from proving.gates import Gate, prove, proven
from proving.house import HOUSE_OF_ONE, ProvingHouse, house
from proving.nasty import BODIES, TEXTS, VALUES, NastyHand
from proving.wires import HOST, MessageSignature, controller_of
from tables.gateway.messages import VERBS, proof_of, words_of
from tables.simulator.wires import Controller

SURFACES: Final = ("rest", "pages", "feed", "device", "socket", "sign")
PATIENCE: Final = 10.0
LONGEST_PAGE: Final = 120.0
NEIGHBOUR_WAITS: Final = 1.0
OURS: Final = frozenset({1011, 1012, 1013, 1014})  # a socket closed by a fault of ours

SLOWEST_KEPT: Final = 3


@dataclass
class FuzzTally:
    """What a surface answered, how soon, and what was wrong."""

    name: str
    seconds: list[float] = field(default_factory=list)
    wrong: list[str] = field(default_factory=list)
    slow: list[tuple[float, str]] = field(default_factory=list)
    waits: list[tuple[float, str]] = field(default_factory=list)  # the neighbour's, and beside what
    now: str = "what is asked first"

    def note(self, what: object, seconds: float, fault: str = "") -> None:
        self.seconds.append(seconds)
        if fault:
            self.wrong.append(f"{fault}: {what}"[:400])
        if len(self.slow) < SLOWEST_KEPT or seconds > self.slow[-1][0]:
            self.slow = sorted([*self.slow, (seconds, str(what)[:160])], reverse=True)[:SLOWEST_KEPT]

    def line(self) -> str:
        p50, p99 = (percentile(self.seconds, share) * 1000 for share in (0.5, 0.99))
        slowest, what = self.slow[0]
        own = f"{len(self.seconds):,} requests, {len(self.wrong)} wrong, p50 {p50:.1f} ms, p99 {p99:.0f} ms"
        longest, _ = max(self.waits, default=(0.0, ""))
        neighbour = f"a neighbour asked {len(self.waits):,} times and waited {longest:.2f} s at most"
        return f"{self.name}: {own}; {neighbour}; the slowest {slowest:.2f} s, {what}"

    def gates(self, wanted: int) -> Iterator[Gate]:
        yield Gate(f"{self.name}: no request is answered by a fault of ours", len(self.seconds), self.wrong)
        every = Gate(f"{self.name}: every request is sent")
        every.must(len(self.seconds) >= wanted, f"{len(self.seconds)} of {wanted}")
        yield every
        late = [f"waited {wait:.2f} s beside {what}" for wait, what in self.waits if wait > NEIGHBOUR_WAITS]
        yield Gate(f"{self.name}: a neighbour waits a second at most", len(self.waits), late)


class Neighbour:
    """A table that plays beside it; what it is told does not matter, how soon does."""

    def __init__(self, port: int, told: Mapping[str, Any], tally: FuzzTally) -> None:
        self._box, self._tally = SignedBox(port, controller_of(told)), tally
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._play, daemon=True)

    def __enter__(self) -> Neighbour:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._over.set()
        self._thread.join(PATIENCE * 2)
        self._box.close()

    def _play(self) -> None:
        due = int(self._ask({"do": "hello", **self._box.words}).get("next_round", 1))
        while not self._over.wait(0.05):
            self._ask({"do": "coin_in", "round": due, "seats": [1, 4]})
            ended = self._ask({"do": "end", "round": due})
            due = int(ended.get("next_round", due + 1)) if ended.get("ok") else due + 1

    def _ask(self, words: Mapping[str, Any]) -> Mapping[str, Any]:
        began, beside = time.monotonic(), self._tally.now
        try:
            _, said = self._box.send(json.dumps({"id": 1, **words}).encode())
        except (OSError, http.client.HTTPException):
            said = b"{}"
        self._tally.waits.append((time.monotonic() - began, beside))
        answer = json.loads(said) if said.startswith(b"{") else {}
        return answer if isinstance(answer, dict) else {}


class SignedBox:
    """A controller over signed HTTP; what it says may be anything, its signature is right."""

    def __init__(self, port: int, device: Controller) -> None:
        self._signature = MessageSignature(device)
        self._connection = http.client.HTTPConnection(HOST, port, timeout=PATIENCE)
        self.words = {"device": device.device, "version": device.version, "profile": device.profile}

    def send(self, body: bytes, spoilt: Mapping[str, str] | None = None) -> tuple[int, bytes]:
        headers = {**self._signature.headers(body), **(spoilt or {})}
        try:
            self._connection.request("POST", self._signature.path, body, headers)
            response = self._connection.getresponse()
            return response.status, response.read()
        except (OSError, http.client.HTTPException):
            self.close()
            raise

    def close(self) -> None:
        self._connection.close()


class Fuzz:
    """All that is sent to one house."""

    def __init__(self, ours: ProvingHouse, made: Mapping[str, Any], seed: int, wanted: int, say: Say) -> None:
        self.port, self.made, self.seed, self.wanted, self.say = ours.ports[0], made, seed, wanted, say
        self.sessions = list(made["everything"])
        self.victim, self.neighbour = made["tables"]["S"][0], made["tables"]["S"][1]

    def surface(self, name: str) -> FuzzTally:
        tally, hand = FuzzTally(name), NastyHand(f"{self.seed} {name}")
        sends = {"device": self._device, "socket": self._socket, "sign": self._sign}.get(name, self._doors)
        with Neighbour(self.port, self.neighbour, tally):
            sends(tally, hand)
        self.say(tally.line())
        return tally

    def _doors(self, tally: FuzzTally, hand: NastyHand) -> None:
        with contextlib.closing(Caller(self.port, self.sessions)) as caller:
            self._knock(tally, hand, caller)

    def _knock(self, tally: FuzzTally, hand: NastyHand, caller: Caller) -> None:
        doors = Doors(caller.get)
        for knock in itertools.islice(doors.knocks(tally.name, hand), self.wanted):
            tally.now = str(knock)[:120]
            began = time.monotonic()
            try:
                status = caller.send(knock)
            except (OSError, http.client.HTTPException) as problem:
                tally.note(knock, time.monotonic() - began, f"no answer ({type(problem).__name__})")
            else:
                tally.note(knock, time.monotonic() - began, f"status {status}" if status >= 500 else "")

    def _device(self, tally: FuzzTally, hand: NastyHand) -> None:
        with contextlib.closing(SignedBox(self.port, controller_of(self.victim))) as box:
            self._say(tally, hand, box)

    def _say(self, tally: FuzzTally, hand: NastyHand, box: SignedBox) -> None:
        for _ in range(self.wanted):
            body, spoilt = _nonsense(hand), _spoilt_head(hand)
            tally.now = str(body[:120])
            began = time.monotonic()
            try:
                status, said = box.send(body, spoilt)
            except (OSError, http.client.HTTPException) as problem:
                tally.note(body[:200], time.monotonic() - began, f"no answer ({type(problem).__name__})")
                continue
            fault = f"status {status}" if status >= 500 else "" if said else "no words"
            tally.note(body[:200], time.monotonic() - began, fault)

    def _socket(self, tally: FuzzTally, hand: NastyHand) -> None:
        self._talk(tally, hand, f"/ws/tables/{self.victim['place']}", controller_of(self.victim), answers=True)

    def _sign(self, tally: FuzzTally, hand: NastyHand) -> None:
        sign = self.made["signs"][0]
        self._talk(tally, hand, f"/ws/signs/{sign['place']}", controller_of(sign), answers=False)

    def _talk(self, tally: FuzzTally, hand: NastyHand, path: str, device: Controller, *, answers: bool) -> None:
        """Dials anew whenever it was hung up; now and then the hello itself is what nobody means.

        A message counts when the server has answered what was said behind it, or has hung up on it.
        """
        with contextlib.ExitStack() as held:
            socket: ClientConnection | None = None
            while len(tally.seconds) < self.wanted:
                said = _nonsense(hand)
                tally.now, began, fault = str(said[:120]), time.monotonic(), ""
                try:
                    if socket is None:
                        socket = self._dialled(held, path, device, greets=hand.dice.random() > 0.1)
                    socket.send(said if hand.dice.random() < 0.1 else said.decode("utf-8", "replace"))
                    _heard(socket, f"behind {len(tally.seconds)}", answers=answers)
                except TimeoutError:
                    fault = "no answer"
                except ConnectionClosed as closed:
                    code = closed.rcvd.code if closed.rcvd is not None else 1006
                    fault, socket = f"closed {code}" if code in OURS else "", None
                except (OSError, WebSocketException) as problem:
                    fault, socket = f"cannot dial ({type(problem).__name__}: {problem})", None
                if socket is None:
                    held.close()
                tally.note(said[:200], time.monotonic() - began, fault)

    def _dialled(self, held: contextlib.ExitStack, path: str, device: Controller, *, greets: bool) -> ClientConnection:
        url = f"ws://{HOST}:{self.port}{path}"
        socket = held.enter_context(connect(url, compression=None, open_timeout=PATIENCE, proxy=None))
        challenge = json.loads(socket.recv(timeout=PATIENCE))
        if greets:
            proof = proof_of(device.secret, challenge["nonce"], path, device.device, device.version)
            words = {"device": device.device, "version": device.version, "profile": device.profile, "proof": proof}
            socket.send(json.dumps({"id": 0, "do": "hello", **words}))
            socket.recv(timeout=PATIENCE)
        return socket


class Caller:
    """Somebody with every role at a browser or a program; who is signed out comes back with another session."""

    def __init__(self, port: int, sessions: list[dict[str, str]]) -> None:
        self._connection = http.client.HTTPConnection(HOST, port, timeout=PATIENCE)
        self._sessions, self._asked = sessions, 0

    def get(self, where: str) -> str:
        """What is asked before the first request: the document of the API may take its time."""
        with contextlib.closing(http.client.HTTPConnection(HOST, self._connection.port, timeout=LONGEST_PAGE)) as asked:
            asked.request("GET", where, headers=self._headers("text/html"))
            return asked.getresponse().read().decode("utf-8", "replace")

    def send(self, knock: Knock) -> int:
        self._asked += 1
        headers = {**self._headers(knock.kind), "Idempotency-Key": f"fuzz-{self._asked:08}"}
        try:
            self._connection.request(knock.method, knock.where, knock.body or None, headers)
            response = self._connection.getresponse()
            response.read()
        except (OSError, http.client.HTTPException):
            self.close()
            raise
        signed_out = response.status == 401 or "/sign-in/" in (response.headers.get("Location") or "")
        if signed_out and len(self._sessions) > 1:
            self._sessions.pop(0)
        return response.status

    def close(self) -> None:
        self._connection.close()

    def _headers(self, kind: str) -> dict[str, str]:
        cookies = self._sessions[0]
        told = "; ".join(f"{name}={value}" for name, value in cookies.items())
        return {"Cookie": told, "X-CSRFToken": cookies["csrftoken"], "Content-Type": kind}


def _heard(socket: ClientConnection, name: str, *, answers: bool) -> None:
    """Until the server answers what is said next: a beat of a box; a sign says nothing, so its line is asked."""
    if not answers:
        if not socket.ping(ack_on_close=True).wait(PATIENCE):
            raise TimeoutError
        with contextlib.suppress(TimeoutError):
            while True:
                socket.recv(timeout=0)
        return
    socket.send(json.dumps({"id": name, "do": "beat"}))
    while json.loads(socket.recv(timeout=PATIENCE)).get("id") != name:
        """What it says of itself, and the answers to nonsense, come before."""


def _nonsense(hand: NastyHand) -> bytes:
    """A message with some of its words as no box means them, or no message at all."""
    if hand.dice.random() < 0.1:
        return hand.dice.choice(BODIES)[:60_000]
    do = hand.dice.choice(VERBS)
    words: dict[str, Any] = {word: hand.dice.choice((1, 2, "1", [1, 2], "royal_flush")) for word in words_of(do)}
    for word in hand.dice.sample([*words, "strange", "id"], hand.dice.choice((1, 1, 2))):
        words[word] = hand.dice.choice(TEXTS if hand.dice.random() < 0.5 else VALUES)
    said = json.dumps({"id": 7, "do": do, **words}).encode("utf-8", "surrogatepass")
    return said if len(said) < 60_000 else said[:60_000]


def _spoilt_head(hand: NastyHand) -> dict[str, str]:
    """Seldom: what is not signed so is refused before it is read."""
    if hand.dice.random() > 0.1:
        return {}
    name = hand.dice.choice(("X-Device", "X-Time", "X-Sequence", "X-Signature", "Content-Type"))
    text = hand.text().encode("latin-1", "replace").decode("latin-1")
    return {name: "".join(letter for letter in text if letter.isprintable())[:4000].strip()}


def drill_fuzz(surfaces: Sequence[str], *, requests: int, seed: int, say: Say) -> FaultsDrilled:
    """A house, two tables, a sign, somebody with every role; at the end the books prove."""
    with house() as ours:
        made = ours.scene(tables={"S": 2}, signs=1, shown=["GRAND"], everything=40)
        ours.open_door()
        say(f"{requests:,} requests to each of {', '.join(surfaces)}; seed {seed}.")
        drilled, fuzz = FaultsDrilled("fuzz", HOUSE_OF_ONE), Fuzz(ours, made, seed, requests, say)
        began = time.monotonic()
        for name in surfaces:
            tally = fuzz.surface(name)
            drilled.settings = {**drilled.settings, name: tally.line()}
            drilled.gates += tally.gates(requests)
        drilled.played = time.monotonic() - began
        drilled.settings = {**drilled.settings, **ours.settings(*ASSERTED)}
        drilled.gates.append(proven(prove(ours)))
        return drilled
