"""One POST to an address that somebody registered: in bounded time, following nobody, believing nothing it says.

The limit is of the whole delivery: looking the name up, the handshake of TLS, every word of the answer. What is still
looked up when it is over is left to a thread of its own, which ends by itself and holds nobody up.
"""

from __future__ import annotations

import http.client
import socket
import ssl
import threading
from collections.abc import Mapping
from dataclasses import dataclass
from http import HTTPStatus
from typing import Any, Final
from urllib.parse import SplitResult, urlsplit

from django.conf import settings

from accounting.webhooks.rules.reach import WebhookReach
from jackpot.timed_line import TimedLine

SECONDS: Final = 10.0


@dataclass(frozen=True, slots=True)
class PostAnswer:
    """Whether it took the delivery, and the sentence that people read about it."""

    taken: bool
    why: str


class OutOfReach(OSError):
    """The name leads nowhere that this installation sends to."""


class BoundedLine(TimedLine):
    """The way to a host, cut when its time is over: also while a name is looked up or TLS begins."""

    def __init__(self, host: str, seconds: float) -> None:
        super().__init__(seconds)
        self.host = host

    def opened(self, where: tuple[str, int], _timeout: object = None, _source: object = None) -> socket.socket:
        """To a number that the name leads to now and that is allowed: it is not looked up again."""
        trouble: OSError = OutOfReach(self.host)
        for number in _reach().chosen(self.host, self._numbers(where[1])):
            try:
                return super().opened((number, where[1]))
            except OSError as why:
                trouble = why
        raise trouble

    def _numbers(self, port: int) -> list[str]:
        found: list[Any] = []

        def look_up() -> None:
            try:
                found.append(socket.getaddrinfo(self.host, port, type=socket.SOCK_STREAM))
            except OSError as why:
                found.append(why)

        # The library that looks names up has no time limit of its own.
        looking = threading.Thread(target=look_up, daemon=True, name=f"name of {self.host}")
        looking.start()
        looking.join(self.left)
        if not found:
            self.over.set()
            raise TimeoutError
        if isinstance(found[0], OSError):
            raise found[0]
        return list(dict.fromkeys(each[4][0] for each in found[0]))


def _reach() -> WebhookReach:
    """Written so that it cannot be read it reaches nobody."""
    try:
        return WebhookReach.of(settings.WEBHOOK_REACH)
    except ValueError as why:
        raise OutOfReach(str(why)) from None


def post_events(address: str, body: bytes, headers: Mapping[str, str], *, seconds: float = SECONDS) -> PostAnswer:
    """Only the status counts; the answer's body is never read, so it may be as long as it likes.

    The time limit is of the whole delivery and not of each word: whoever answers one letter a second is cut off too.
    """
    parts = urlsplit(address)
    assert parts.hostname, "an address without a host is never registered"
    line = BoundedLine(parts.hostname, seconds)
    connection = line.carry(_connection(parts.scheme, parts.hostname, parts.port, seconds))
    place = f"{parts.hostname}:{connection.port}"
    with line:
        return _posted(connection, line, parts, body, headers, place)


def _posted(
    connection: http.client.HTTPConnection, line: BoundedLine, parts: SplitResult, body: bytes,
    headers: Mapping[str, str], place: str,
) -> PostAnswer:  # fmt: skip
    try:
        connection.request("POST", (parts.path or "/") + (f"?{parts.query}" if parts.query else ""), body, headers)
        status = connection.getresponse().status
        if line.over.is_set():  # half an answer, cut in two by ourselves, still begins with a status
            raise TimeoutError
        return _judged(status)
    except (OSError, http.client.HTTPException, ValueError) as trouble:
        return PostAnswer(False, _sentence(trouble, place, line.seconds, line.over.is_set()))
    finally:
        connection.close()


def _connection(scheme: str, host: str, port: int | None, seconds: float) -> http.client.HTTPConnection:
    if scheme == "https":
        return http.client.HTTPSConnection(host, port, timeout=seconds, context=ssl.create_default_context())
    return http.client.HTTPConnection(host, port, timeout=seconds)


def _judged(status: int) -> PostAnswer:
    known = {each.value: each.phrase for each in HTTPStatus}
    spoken = f"{status} ({known[status]})" if status in known else str(status)
    if 200 <= status < 300:
        return PostAnswer(True, f"It answered {spoken}.")
    if 300 <= status < 400:
        # Where it leads to nobody signed for, and it may be inside of our own network.
        return PostAnswer(False, f"It answered {spoken}. A redirect is not followed: register where it leads to.")
    return PostAnswer(False, f"It answered {spoken}. A delivery counts once it answers 2xx.")


def _sentence(trouble: Exception, place: str, seconds: float, over: bool) -> str:
    """Of our own: what a strange program says stands on no page of ours."""
    if over or isinstance(trouble, TimeoutError):
        return f"{place} gave no answer within {seconds:g} seconds."
    match trouble:
        case OutOfReach():
            return f"{place} leads nowhere that this installation sends to (FAIRMETER_WEBHOOK_REACH)."
        case ssl.SSLCertVerificationError():
            return f"The certificate of {place} is not trusted by this machine. Add its authority to the system’s."
        case ssl.SSLError():
            return f"{place} does not speak https as we do. Check the address, or its certificate."
        case socket.gaierror():
            return f"The name in {place} is not known on this machine. Check it, or the name server."
        case ConnectionRefusedError():
            return f"Nobody listens at {place}. Start the program there, or pause this webhook."
        case http.client.HTTPException() | ConnectionError():
            return f"{place} broke off before it answered."
        case _:
            return f"{place} cannot be reached from this machine."
