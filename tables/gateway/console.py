"""The dealer's console speaks by a page: a staff session, this server's own origin and a duty stand for the proof."""

from __future__ import annotations

import asyncio
import time
from concurrent.futures import Executor
from dataclasses import dataclass, field
from importlib import import_module
from typing import Any, Final, Protocol

from django.conf import settings
from django.contrib.auth import get_user
from django.contrib.sessions.backends.base import SessionBase, UpdateError
from django.db import DatabaseError, InterfaceError
from django.http import HttpRequest, parse_cookie

from jackpot.people.models import Operator
from jackpot.refusals import NotAllowed, Refused
from tables.gateway.actions import console as console_acts
from tables.gateway.asgi import Scope
from tables.gateway.messages import answer_bytes
from tables.gateway.pool import in_own_connection
from tables.gateway.speakers import Speaker
from tables.gateway.verbs import Session
from tables.hits.queries.table_state import table_states

LOOK_EVERY: Final = 1.0
SESSION_EVERY: Final = 15.0
NO_SESSION: Final = 4401
KEPT_AT: Final = "kept_for_duty_at"


class ConsoleSocket(Protocol):
    """The open socket of a page."""

    session: Session

    async def say(self, body: bytes) -> None: ...

    async def close(self, code: int, why: str) -> None: ...


@dataclass(slots=True)
class Attended:
    """What is kept of a page: its table, its session, and what it was told of the table last."""

    table_code: str
    session_key: str
    told: dict[str, Any] = field(default_factory=dict)
    looked_at: float = 0.0


class Consoles:
    """The pages that speak for tables in this process: admitted, told what others did, watched."""

    def __init__(self, pool: Executor) -> None:
        self._pool = pool
        self._attended: dict[ConsoleSocket, Attended] = {}
        self._task: asyncio.Task[None] | None = None

    async def admit(self, scope: Scope, table_code: str) -> tuple[Speaker, int]:
        """Who this page speaks as, and its secret's generation; a refusal says what is missing: session, role, duty."""
        session_key = session_key_of(scope)
        return await self._in_pool(_admitted, session_key=session_key, table_code=table_code)  # type: ignore[no-any-return]

    def attend(self, line: ConsoleSocket, scope: Scope, table_code: str, facts: dict[str, Any]) -> None:
        told = {word: facts[word] for word in ("next_round", "open_round", "parked", "key_at_jph", "dealer")}
        now = asyncio.get_running_loop().time()
        self._attended[line] = Attended(table_code, session_key_of(scope), told, now)
        if self._task is None or self._task.done():
            self._task = asyncio.get_running_loop().create_task(self._run())

    def attends(self, line: ConsoleSocket) -> bool:
        """Whether this is a page; a box is told of its hits in other words."""
        return line in self._attended

    def leave(self, line: ConsoleSocket) -> None:
        self._attended.pop(line, None)

    async def stop(self) -> None:
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)

    async def _run(self) -> None:
        while self._attended:
            await asyncio.sleep(LOOK_EVERY)
            try:
                await self._tell_what_changed()
                await self._look_at_sessions()
            except (DatabaseError, InterfaceError):
                continue  # a page hears nothing new meanwhile and is not thrown out; the next look finds the database

    async def _tell_what_changed(self) -> None:
        """What was looked at before a page's newest answer is older than that answer: the next look tells."""
        codes = sorted({page.table_code for page in self._attended.values()})
        before = {line: line.session.answers for line in self._attended}
        now = await self._in_pool(table_states, table_codes=codes)
        for line, page in list(self._attended.items()):
            standing = now.get(page.table_code)
            if standing is not None and standing != page.told and line.session.answers == before.get(line):
                page.told = standing
                await line.say(answer_bytes(None, {"do": "table", **standing}))

    async def _look_at_sessions(self) -> None:
        now = asyncio.get_running_loop().time()
        for line, page in list(self._attended.items()):
            if now - page.looked_at < SESSION_EVERY:
                continue
            page.looked_at = now
            why = await self._in_pool(_why_not, session_key=page.session_key, table_code=page.table_code)
            if why is not None:
                await line.close(NO_SESSION, why)

    async def _in_pool(self, work: Any, **arguments: Any) -> Any:
        return await asyncio.get_running_loop().run_in_executor(self._pool, in_own_connection(work, **arguments))


def session_key_of(scope: Scope) -> str:
    """The session cookie of a page of this server; a box sends no Origin and has no session."""
    headers = dict(scope["headers"])
    if not headers.get(b"origin"):
        return ""
    return parse_cookie(headers.get(b"cookie", b"").decode("latin-1")).get(settings.SESSION_COOKIE_NAME, "")


def _admitted(*, session_key: str, table_code: str) -> tuple[Speaker, int]:
    operator = _signed_in(session_key)
    device = console_acts.open_console(table_code=table_code, operator=operator)
    speaker = Speaker(device.id, device.code, table_code, secrets=(), spent={}, person=operator.pk)
    speaker.seats = device.table.seats if device.table is not None else speaker.seats
    return speaker, device.generation


def _why_not(*, session_key: str, table_code: str) -> str | None:
    """Why this page may speak no longer, or None."""
    try:
        console_acts.check_on_duty(table_code=table_code, operator=_signed_in(session_key))
        _keep(_session(session_key))
    except Refused as refusal:
        return refusal.why
    except UpdateError:
        return "You are signed out. Sign in again to speak for this table."
    return None


def _keep(session: SessionBase) -> None:
    """Nobody is signed out by the clock while on duty: a session half used up is as good as new again."""
    if time.time() - session.get(KEPT_AT, 0) > settings.SESSION_COOKIE_AGE / 2:
        session[KEPT_AT] = int(time.time())
        session.save()


def _session(session_key: str) -> SessionBase:
    store: SessionBase = import_module(settings.SESSION_ENGINE).SessionStore(session_key or None)
    return store


def _signed_in(session_key: str) -> Operator:
    """The person of a session, judged as every page judges it; Django's way needs a request to hang it on."""
    request = HttpRequest()
    request.session = _session(session_key)
    person = get_user(request)
    if not session_key or not isinstance(person, Operator):
        raise NotAllowed("You are signed out. Sign in again to speak for this table.", "not_signed_in")
    return person
