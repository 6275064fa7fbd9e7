"""A controller that keeps a WebSocket: challenge, hello, then one answer for every message, in order."""

from __future__ import annotations

import asyncio
import contextlib
import secrets
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Final

from django.conf import settings
from django.db import DatabaseError, InterfaceError

from jackpot.refusals import Refused
from launcher.straight import STRAIGHT
from tables.gateway.asgi import Receive, Scope, Send
from tables.gateway.console import Consoles
from tables.gateway.messages import Message, NotAMessage, answer_bytes, read_message, refusal_bytes
from tables.gateway.speakers import Speaker
from tables.gateway.verbs import GatewayServices, Session, answer
from tables.hits.queries.progress import NO_WIN
from tables.rounds.rules.round import IN_HOUSE, Credential

PREFIX: Final = "/ws/tables/"
HELLO_WITHIN: Final = 10.0
WAGERS_TOLD: Final = ("wager", "wager_name", "further")
FOREIGN, NOT_ENROLLED, REPLACED, BLOCKED, SECRET_REPLACED = 4403, 4401, 4409, 4410, 4411


@dataclass(slots=True, eq=False)
class Connection:
    """One open socket of one table."""

    send: Send
    nonce: str = field(default_factory=lambda: secrets.token_hex(16))
    speaker: Speaker | None = None
    spoken: Credential = IN_HOUSE
    session: Session = field(default_factory=Session)
    told: dict[str, Any] = field(default_factory=dict)

    async def say(self, body: bytes) -> None:
        with contextlib.suppress(OSError, RuntimeError):  # gone meanwhile; its reader notices
            await self.send({"type": "websocket.send", "text": body.decode()})

    async def close(self, code: int, why: str) -> None:
        reason = why.encode()[:120].decode(errors="ignore")  # a closing frame holds no more
        with contextlib.suppress(OSError, RuntimeError):
            await self.send({"type": "websocket.close", "code": code, "reason": reason})


@dataclass(slots=True)
class EarlyWords:
    """What comes over a socket, heard while its hello is under way: whoever hung up meanwhile takes nobody's place."""

    receive: Receive
    _next: asyncio.Task[Any] | None = None

    def begin(self) -> None:
        if self._next is None:
            self._next = asyncio.ensure_future(self.receive())

    @property
    def hung_up(self) -> bool:
        heard = self._next
        return heard is not None and heard.done() and _is_over(heard)

    async def __call__(self) -> Any:
        heard, self._next = self._next, None
        return await (heard if heard is not None else self.receive())

    def end(self) -> None:
        if self._next is not None:
            self._next.cancel()


def _is_over(heard: asyncio.Task[Any]) -> bool:
    return heard.cancelled() or heard.exception() is not None or heard.result()["type"] != "websocket.receive"


StraightFrames = Callable[[Connection, bytes, Callable[[bytes], None]], bool]


class SocketDoor:
    """WS /ws/tables/<code>."""

    def __init__(self, services: GatewayServices, straight: StraightFrames | None = None) -> None:
        self._services = services
        self._straight = straight
        self.connections: dict[str, Connection] = {}
        self.consoles = Consoles(services.pool)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        await receive()  # websocket.connect
        table_code = scope["path"][len(PREFIX) :].strip("/")
        connection = Connection(send)
        if foreign_origin(scope):
            origin = _header(scope, b"origin")
            why = f"a page of {origin[:60]} tried to open a table"
            self._services.logbook.refused_stranger("", "connect", table_code, "origin", why)
            await connection.close(FOREIGN, "This page may not speak for a table.")
            return
        await send({"type": "websocket.accept"})
        await connection.say(answer_bytes(None, {"do": "challenge", "nonce": connection.nonce}))
        early = EarlyWords(receive)
        try:
            if await self._hello(scope, early, connection, table_code):
                self._let_straight(scope, connection)
                await self._converse(early, connection)
        finally:
            early.end()
            self.consoles.leave(connection)
            # Only its own place: a newer line of the table may stand there by now.
            if self.connections.get(table_code) is connection:
                del self.connections[table_code]

    async def _hello(self, scope: Scope, early: EarlyWords, connection: Connection, table_code: str) -> bool:
        """Nothing is heard before a hello that answers the challenge."""
        try:
            event = await asyncio.wait_for(early(), HELLO_WITHIN)
        except TimeoutError:
            await connection.close(NOT_ENROLLED, "No hello came within 10 seconds.")
            return False
        if event["type"] != "websocket.receive":
            return False
        id_, code, why = None, "hello_first", "Say hello first: it answers the challenge."
        try:
            message = read_message(_body(event))
            id_ = message.id
            if message.do == "hello":
                early.begin()
                return await self._greet(scope, early, connection, message, table_code)
        except NotAMessage as problem:
            id_, code, why = id_ if problem.id is None else problem.id, "not_a_message", str(problem)
        except NotProven as problem:
            code, why = "not_enrolled", str(problem)
        except Refused as refusal:
            code, why = refusal.code, refusal.why
        except (DatabaseError, InterfaceError):
            code, why = "unknown", "The database does not answer. Connect again."
        self._services.logbook.refused_stranger("", "hello", table_code, code, why)
        await connection.say(refusal_bytes(id_, code, why))
        await connection.close(NOT_ENROLLED, why)
        return False

    async def _greet(
        self, scope: Scope, early: EarlyWords, connection: Connection, message: Message, table_code: str
    ) -> bool:  # fmt: skip
        console, version = message.console(), message.text("version", 40)
        if console:
            speaker, generation = await self.consoles.admit(scope, table_code)
        else:
            speaker, generation = await self._proven(scope, connection, message, table_code)
        connection.spoken = Credential(generation)
        identity, marks = secrets.token_hex(8), {} if console else message.marks()
        facts = await self._services.greet(speaker, version, identity, marks, lambda: not early.hung_up)
        if console:
            facts["below_version"] = None  # a page is always of this server's own version
            self.consoles.attend(connection, scope, table_code, facts)
        speaker.below_version = facts["below_version"]
        connection.speaker = speaker
        connection.told |= {"connection": identity, "config": {"hands": facts["hands"]}, "seats": facts["seats"]}
        connection.told |= {"win": NO_WIN, "notice": {"notice": ""}, "lamps": {"lamps": ["off"] * facts["seats"]}}
        connection.told["wagers"] = {word: facts[word] for word in WAGERS_TOLD if word in facts}
        # The newest line wins: after a cable was pulled the server may hold a dead one for minutes.
        before = self.connections.get(table_code)
        self.connections[table_code] = connection
        if before is not None:
            await before.close(REPLACED, "A newer connection speaks for this table.")
        await connection.say(answer_bytes(message.id, {"ok": True, **facts}))
        return True

    async def _proven(
        self, scope: Scope, connection: Connection, message: Message, table_code: str
    ) -> tuple[Speaker, int]:
        """The device whose secret answers the challenge, and that secret's generation."""
        device, version, proof = message.text("device", 40), message.text("version", 40), message.text("proof", 64)
        speaker = await self._services.read(device)
        generation = None
        if speaker is not None:
            generation = speaker.proved(proof, connection.nonce, scope["path"], version)
        if speaker is None or generation is None:
            raise NotProven(f"“{device}” is not enrolled here, or its proof does not fit. Enrol the device again.")
        if speaker.table_code != table_code:
            raise NotProven(f"{device} is enrolled at {speaker.table_code}, not at {table_code}.")
        return speaker, generation

    def _let_straight(self, scope: Scope, connection: Connection) -> None:
        """Where the server can, coin-ins and ends go past the task of this line from now on."""
        let = (scope.get("extensions") or {}).get(STRAIGHT, {}).get("let")
        straight = self._straight
        if let is not None and straight is not None:
            let(lambda body, say: straight(connection, body, say))

    async def _converse(self, early: EarlyWords, connection: Connection) -> None:
        speaker = connection.speaker
        assert speaker is not None
        while (event := await early())["type"] == "websocket.receive":
            try:
                message = read_message(_body(event))
            except NotAMessage as problem:
                why = str(problem)
                self._services.logbook.refused(speaker.code, "message", speaker.table_code, "not_a_message", why)
                await connection.say(refusal_bytes(problem.id, "not_a_message", why))
                continue
            said = await answer(self._services, speaker, message, connection.session, connection.spoken)
            connection.session.others += 1
            await connection.say(said.body)


class NotProven(Exception):
    """A hello that does not answer the challenge."""


def foreign_origin(scope: Scope) -> bool:
    """Devices send no Origin; a browser's must be exactly this server's scheme, host and port, or be listed."""
    origin = _header(scope, b"origin")
    if not origin:
        return False
    scheme = "https" if scope.get("scheme") == "wss" else "http"
    return origin != f"{scheme}://{_header(scope, b'host')}" and origin not in settings.ALLOWED_ORIGINS


def _header(scope: Scope, wanted: bytes) -> str:
    return next((value.decode("latin-1") for name, value in scope["headers"] if name == wanted), "")


def _body(event: Any) -> bytes | str:
    body = event.get("text")
    return body if body is not None else event.get("bytes") or b""
