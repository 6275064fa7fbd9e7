"""A controller that speaks HTTP: every request is signed, and the sequence only rises."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from typing import Any, Final, NamedTuple

from django.db import DatabaseError, InterfaceError
from django.utils import timezone

from jackpot.refusals import NotAllowed, Refused
from tables.gateway import speakers
from tables.gateway.actions.hearing import hear
from tables.gateway.asgi import Receive, Scope, Send, read_body, respond
from tables.gateway.messages import LARGEST_NUMBER, Message, NotAMessage, answer_bytes, read_message, refusal_bytes
from tables.gateway.pool import in_own_connection
from tables.gateway.speakers import Speaker
from tables.gateway.verbs import Answer, GatewayServices, Session, answer, refused
from tables.rounds.rules.round import Credential

PREFIX: Final = "/api/v1/tables/"
SUFFIX: Final = "/messages"
_SIGNED: Final = (b"x-device", b"x-time", b"x-sequence", b"x-signature")


class SignedWords(NamedTuple):
    """What the headers say of who speaks; nothing of it is believed yet."""

    device: str
    time: str
    sequence_text: str
    signature: str

    @property
    def whole(self) -> bool:
        digits = self.sequence_text.isascii() and self.sequence_text.isdigit()
        return bool(self.device and self.time and digits and self.signature)

    @property
    def sequence(self) -> int:
        return int(self.sequence_text[:20])  # no stranger has a number of thousands of digits read

    def generation_at(self, speaker: Speaker, path: str, body: bytes) -> int | None:
        """Of the speaker's secret that signed, or None."""
        return speaker.signed(self.signature, path, self.time, self.sequence, body)


def signed_words(headers: Iterable[tuple[bytes, bytes]]) -> SignedWords:
    said = {name: value for name, value in headers if name in _SIGNED}
    return SignedWords(*[said.get(name, b"").decode("latin-1") for name in _SIGNED])


def table_of(path: str) -> str:
    return path[len(PREFIX) : -len(SUFFIX)]


def believed(speaker: Speaker, generation: int, signed: SignedWords, table_code: str) -> Credential:
    """The last checks of a message whose signature fits; its number is spent here and in no other place."""
    code, sequence = speaker.code, signed.sequence
    if speaker.table_code != table_code:
        raise NotHeard("wrong_table", f"{code} is enrolled at {speaker.table_code}, not at {table_code}.", code, 403)
    if not speakers.clock_agrees(signed.time):
        now = timezone.now().isoformat()
        raise NotHeard("clock", f"Your clock and ours differ by more than 30 s; here it is {now}.", code, at=now)
    spent = speaker.spent.get(generation, 0)
    if not spent < sequence <= LARGEST_NUMBER:
        raise NotHeard("replay", f"Sequence {sequence} was used. Use a number above {spent}.", code)
    # Spent as soon as it is believed, before the act: of two messages with one number only the first is heard.
    speaker.spent[generation] = sequence
    return Credential(generation, sequence)


class HttpDoor:
    """POST /api/v1/tables/<code>/messages."""

    def __init__(self, services: GatewayServices) -> None:
        self._services = services

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["method"] != "POST":
            await respond(send, 405, refusal_bytes(None, "method", "Send messages with POST."))
            return
        body = await read_body(scope, receive)
        if body is None:
            await respond(send, 413, refusal_bytes(None, "too_large", "A message has at most 64 KiB."))
            return
        said = await self._answer(scope, body)
        await respond(send, said.status, said.body)

    async def _answer(self, scope: Scope, body: bytes) -> Answer:
        path: str = scope["path"]
        signed, table_code = signed_words(scope["headers"]), table_of(path)
        try:
            speaker, spoken = await self._speaker(signed, path, table_code, body)
        except NotHeard as refusal:
            logbook = self._services.logbook
            note = logbook.refused_stranger if isinstance(refusal, UnprovenSender) else logbook.refused
            note(refusal.actor, "message", table_code, refusal.code, str(refusal))
            return Answer(refusal.status, refusal_bytes(None, refusal.code, str(refusal), **refusal.more))
        except (DatabaseError, InterfaceError):
            return Answer(503, refusal_bytes(None, "unknown", "The database does not answer. Say it again."))
        try:
            message = read_message(body)
        except NotAMessage as problem:
            self._services.logbook.refused(speaker.code, "message", table_code, "not_a_message", str(problem))
            return Answer(400, refusal_bytes(problem.id, "not_a_message", str(problem)))
        if message.do == "hello":
            return await self._greeted(speaker, message, spoken)
        return await answer(self._services, speaker, message, Session(compares=False), spoken)

    async def _greeted(self, speaker: Speaker, message: Message, spoken: Credential) -> Answer:
        try:
            return await self._hello(speaker, message, spoken)
        except NotAMessage as problem:
            return refused(self._services, speaker, message, "not_a_message", str(problem))
        except Refused as refusal:
            return refused(self._services, speaker, message, refusal.code, refusal.why, refusal.status)
        except (DatabaseError, InterfaceError):
            return refused(self._services, speaker, message, "unknown", "The database does not answer. Say it again.")

    async def _hello(self, speaker: Speaker, message: Message, spoken: Credential) -> Answer:
        named = message.text("device", 40)
        if named not in ("", speaker.code):
            why = f"This hello is signed by {speaker.code} and names “{named}”. A device says hello for itself."
            raise NotAllowed(why, "wrong_device")
        version, marks = message.text("version", 40), message.marks()
        # Its number is spent as an act's is: said once more it would cut off the device's socket.
        await self._in_pool(hear, device_id=speaker.id, table_code=speaker.table_code, spoken=spoken)
        facts = await self._services.greet(speaker, version, "", marks)
        speaker.below_version = facts["below_version"]
        return Answer(200, answer_bytes(message.id, {"ok": True, **facts}))

    async def _speaker(
        self, signed: SignedWords, path: str, table_code: str, body: bytes
    ) -> tuple[Speaker, Credential]:
        """Who speaks, or a refusal. Cheap checks first; nothing is believed before the signature fits."""
        if not signed.whole:
            raise UnprovenSender(
                "unsigned", "Sign the message: X-Device, X-Time, X-Sequence and X-Signature are needed.", signed.device
            )
        code = signed.device
        speaker = self._services.speakers.known(code) or await self._services.read(code)
        if speaker is None:
            raise UnprovenSender("not_enrolled", f"Device “{code[:40]}” is not enrolled here.", code)
        speaker, generation = await self._checked(speaker, signed, path, body)
        return speaker, believed(speaker, generation, signed, table_code)

    async def _checked(
        self, speaker: Speaker, signed: SignedWords, path: str, body: bytes
    ) -> tuple[Speaker, int]:  # fmt: skip
        generation = signed.generation_at(speaker, path, body)
        if generation is not None:
            return speaker, generation
        # Another process may have replaced the secret a moment ago: one look before it is called a forgery.
        if speakers.may_have_changed(speaker):
            again = await self._services.read(speaker.code)
            if again is not None:
                generation = signed.generation_at(again, path, body)
                if generation is not None:
                    return again, generation
        raise UnprovenSender(
            "signature", "The signature does not fit the message. Check the secret and what is signed.", speaker.code
        )

    async def _in_pool(self, work: Any, **arguments: Any) -> Any:
        return await asyncio.get_running_loop().run_in_executor(
            self._services.pool, in_own_connection(work, **arguments)
        )


class NotHeard(Exception):
    """Who speaks could not be believed."""

    def __init__(self, code: str, why: str, actor: str = "", status: int = 401, **more: str) -> None:
        super().__init__(why)
        self.code, self.actor, self.status, self.more = code, actor, status, more


class UnprovenSender(NotHeard):
    """Nothing shows that the name which was said is the sender's."""
