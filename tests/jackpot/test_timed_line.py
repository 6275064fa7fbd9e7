"""Whoever we ask: one that tells a letter now and then, for ever, is left when the time is over."""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from email.message import EmailMessage

import pytest
from django.conf import settings

from accounting.mail import letters
from accounting.webhooks.actions.wire import post_events
from jackpot.people.actions import directory
from jackpot.proof.actions import heads_away
from jackpot.timed_line import within
from tests.patience import PATIENCE


@contextmanager
def that_drips(words: bytes, again: bytes) -> Iterator[int]:
    """Says these words at once and goes on with the others, a letter every twentieth of a second, for ever."""
    over = threading.Event()
    with socket.create_server(("127.0.0.1", 0)) as server:

        def answer() -> None:
            with suppress(OSError):
                line, _ = server.accept()
                with line:
                    line.sendall(words)
                    while not over.is_set():
                        for letter in again:
                            over.wait(0.05)
                            line.sendall(bytes([letter]))

        thread = threading.Thread(target=answer, daemon=True)
        thread.start()
        try:
            yield server.getsockname()[1]
        finally:
            over.set()
    thread.join(PATIENCE)


def a_webhook(port: int) -> str:
    return post_events(f"http://127.0.0.1:{port}/", b"{}", {}, seconds=0.5).why


def some_heads(port: int) -> str:
    with pytest.raises(OSError, match="no answer within") as told:
        heads_away._put(f"http://127.0.0.1:{port}/heads", "heads.jsonl", b"{}\n")
    return str(told.value)


def a_letter(port: int) -> str:
    letter = EmailMessage()
    letter.set_content("figures")
    return letters.send_letter(letter, "ledger@casino.example").why


def a_directory(port: int) -> str:
    settings.DIRECTORY_ISSUER = f"http://127.0.0.1:{port}"
    with pytest.raises(directory.DirectoryAway) as told:
        directory.check_directory()
    return str(told.value)


@pytest.mark.parametrize(
    ("asks", "words", "again", "told"),
    [
        (a_webhook, b"HTTP/1.1 200 OK\r\n", b"X: a\r\n", "gave no answer within 0.5 seconds"),
        (some_heads, b"", b"HTTP/1.1 200 OK                    ", "no answer within 0.5 seconds"),
        (a_letter, b"", b"220-wait\r\n", "broke off before it took the letter"),
        (a_directory, b"HTTP/1.1 200 OK\r\n\r\n", b" ", "does not answer as it should"),
        (a_directory, b"HTTP/1.1 200 OK\r\n", b"X: a\r\n", "does not answer as it should"),
        (a_letter, b"220 here\r\n", b"250-wait\r\n", "broke off before it took the letter"),
    ],
)
def test_what_drips_is_left(
    asks: Callable[[int], str], words: bytes, again: bytes, told: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for whose in (heads_away, directory):
        monkeypatch.setattr(whose, "PATIENCE", 0.5)
    monkeypatch.setattr(settings, "DIRECTORY_ISSUER", "")
    monkeypatch.setattr(letters, "WHOLE", 0.5)
    with that_drips(words, again) as port:
        monkeypatch.setattr(settings, "SMTP_URL", f"smtp://127.0.0.1:{port}")
        began = time.monotonic()
        assert told in asks(port)
        assert time.monotonic() - began < PATIENCE, "it goes on for ever"


def heard_of(port: int) -> bytes:
    heard = b""
    with within(0.2) as line, line.opened(("127.0.0.1", port)) as opened:
        while part := opened.recv(10):
            heard += part
        return heard


def test_what_is_cut_in_two_is_no_answer() -> None:
    with that_drips(b"x", b"y") as port, pytest.raises(TimeoutError, match="no answer within"):
        heard_of(port)
