"""One POST to an address that somebody registered: in bounded time, following nobody, believing nothing it says."""

from __future__ import annotations

import contextlib
import http.client
import socket
import ssl
import threading
from collections.abc import Mapping
from dataclasses import dataclass
from http import HTTPStatus
from typing import Final
from urllib.parse import urlsplit

SECONDS: Final = 10.0


@dataclass(frozen=True, slots=True)
class PostAnswer:
    """Whether it took the delivery, and the sentence that people read about it."""

    taken: bool
    why: str


def post_events(address: str, body: bytes, headers: Mapping[str, str], *, seconds: float = SECONDS) -> PostAnswer:
    """Only the status counts; the answer's body is never read, so it may be as long as it likes.

    The time limit is of the whole delivery and not of each word: whoever answers one letter a second is cut off too.
    """
    parts = urlsplit(address)
    assert parts.hostname, "an address without a host is never registered"
    connection = _connection(parts.scheme, parts.hostname, parts.port, seconds)
    over = threading.Event()
    cut = threading.Timer(seconds, _cut, [connection, over])
    cut.daemon = True
    cut.start()
    place = f"{parts.hostname}:{connection.port}"
    try:
        connection.request("POST", (parts.path or "/") + (f"?{parts.query}" if parts.query else ""), body, headers)
        status = connection.getresponse().status
        if over.is_set():  # half an answer, cut in two by ourselves, still begins with a status
            raise TimeoutError
        return _judged(status)
    except (OSError, http.client.HTTPException, ValueError) as trouble:
        return PostAnswer(False, _sentence(trouble, place, seconds, over.is_set()))
    finally:
        cut.cancel()
        connection.close()


def _connection(scheme: str, host: str, port: int | None, seconds: float) -> http.client.HTTPConnection:
    if scheme == "https":
        return http.client.HTTPSConnection(host, port, timeout=seconds, context=ssl.create_default_context())
    return http.client.HTTPConnection(host, port, timeout=seconds)


def _cut(connection: http.client.HTTPConnection, over: threading.Event) -> None:
    over.set()
    if connection.sock is not None:
        with contextlib.suppress(OSError):
            connection.sock.shutdown(socket.SHUT_RDWR)


def _judged(status: int) -> PostAnswer:
    known = {each.value: each.phrase for each in HTTPStatus}
    spoken = f"{status} ({known[status]})" if status in known else str(status)
    if 200 <= status < 300:
        return PostAnswer(True, f"It answered {spoken}.")
    if 300 <= status < 400:
        return PostAnswer(False, f"It answered {spoken}. A redirect is not followed: register where it leads to.")
    return PostAnswer(False, f"It answered {spoken}. A delivery counts once it answers 2xx.")


def _sentence(trouble: Exception, place: str, seconds: float, over: bool) -> str:
    """Of our own: what a strange program says stands on no page of ours."""
    if over or isinstance(trouble, TimeoutError):
        return f"{place} gave no answer within {seconds:g} seconds."
    match trouble:
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
