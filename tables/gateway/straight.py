"""Coin-ins and ends without a task: heard, put into the batch, answered after its commit.

Only what needs no look into the database goes this way. Whatever is in doubt (a device that this process does not know,
a signature that does not fit, a message that cannot be read) is left, untouched, to the ordinary way, which says why.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import Final

from tables.gateway.asgi import headers_of
from tables.gateway.batcher import TooBusy
from tables.gateway.http import PREFIX, SUFFIX, NotHeard, believed, signed_words, table_of
from tables.gateway.messages import Message, NotAMessage, read_message
from tables.gateway.sockets import Connection
from tables.gateway.speakers import Speaker
from tables.gateway.verbs import COUNTED, GatewayServices, SayAnswer, Session, count, trouble
from tables.rounds.rules.round import Credential, RoundRequest

ADDRESS: Final = re.compile(f"{PREFIX}[A-Za-z0-9_.-]+{SUFFIX}".encode())


class StraightGate:
    """One per process, beside the doors of the ordinary way."""

    def __init__(self, services: GatewayServices) -> None:
        self._services = services

    def takes(self, method: bytes, address: bytes) -> bool:
        return method == b"POST" and ADDRESS.fullmatch(address) is not None

    def post(
        self, address: bytes, headers: Iterable[tuple[bytes, bytes]], body: bytes,
        say: Callable[[int, list[tuple[bytes, bytes]], bytes], None],
    ) -> bool:  # fmt: skip
        """A signed request. The checks of the ordinary way in its order, and the number is spent last."""
        path, signed = address.decode(), signed_words(headers)
        speaker = self._services.speakers.known(signed.device) if signed.whole else None
        generation = signed.generation_at(speaker, path, body) if speaker is not None else None
        asked = _counts(body) if generation is not None else None
        if speaker is None or generation is None or asked is None:
            return False
        try:
            spoken = believed(speaker, generation, signed, table_of(path))
        except NotHeard:
            return False
        self._count(
            speaker, asked, Session(compares=False), spoken,
            lambda said: say(said.status, headers_of(said.status, said.body), said.body),
        )  # fmt: skip
        return True

    def frame(self, connection: Connection, body: bytes, say: Callable[[bytes], None]) -> bool:
        """A message on a line that said hello."""
        asked = _counts(body)
        if asked is None or connection.speaker is None:
            return False
        self._count(connection.speaker, asked, connection.session, connection.spoken, lambda said: say(said.body))
        return True

    def _count(
        self, speaker: Speaker, asked: tuple[Message, RoundRequest], session: Session, spoken: Credential,
        say: SayAnswer,
    ) -> None:  # fmt: skip
        message, act = asked
        try:
            count(self._services, speaker, message, act, session, spoken, say)
        except TooBusy as problem:
            say(trouble(self._services, speaker, message, problem))


def _counts(body: bytes) -> tuple[Message, RoundRequest] | None:
    """A coin-in or an end that can be read as a whole, else None."""
    try:
        message = read_message(body)
        return (message, message.counted_act()) if message.do in COUNTED else None
    except NotAMessage:
        return None
