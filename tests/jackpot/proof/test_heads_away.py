"""Heads leave the machine, and are compared with the books when they come back."""

from __future__ import annotations

import base64
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from jackpot.errands import actions as errands
from jackpot.errands.models import Errand
from jackpot.proof.actions.heads_away import AWAY, NotTaken, send_heads_away, spoken
from jackpot.proof.rules.heads import read_head
from jackpot.proof.tasks import send_heads_away as every_five_minutes
from tests.builders import a_jackpot
from tests.tampering import tamper

pytestmark = pytest.mark.django_db


class Store(BaseHTTPRequestHandler):
    """An object store that takes each name once."""

    taken: dict[str, tuple[bytes, str]]
    answers: int

    def do_PUT(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"]))
        self.taken[self.path] = body, self.headers.get("Authorization", "")
        self.send_response(type(self).answers)
        self.end_headers()

    def log_message(self, *_: Any) -> None:
        return


@pytest.fixture
def store() -> Iterator[tuple[str, type[Store]]]:
    handler = type("OneStore", (Store,), {"taken": {}, "answers": 201})
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield f"127.0.0.1:{server.server_address[1]}", handler
    server.shutdown()
    server.server_close()


@pytest.fixture
def program(tmp_path: Path) -> Path:
    path = tmp_path / "away"
    path.write_text(f"#!/bin/sh\ncat >> {tmp_path}/received\n")
    path.chmod(0o755)
    return path


def test_every_address_takes_the_newest_head_of_every_jackpot(
    store: tuple[str, type[Store]], program: Path, settings: Any
) -> None:
    a_jackpot("GRAND")
    a_jackpot("MINI")
    settings.HEADS_TO = [f"http://house:se%20cret@{store[0]}/books/?signed=yes", str(program)]
    assert send_heads_away() == 2
    ((path, (body, named)),) = store[1].taken.items()
    assert path.startswith("/books/heads-")
    assert path.endswith("Z.jsonl?signed=yes")
    assert base64.b64decode(named.removeprefix("Basic ")) == b"house:se cret"
    assert [read_head(line).jackpot for line in body.decode().splitlines()] == ["GRAND", "MINI"]
    assert (program.parent / "received").read_bytes() == body


@pytest.mark.parametrize(
    ("address", "why"),
    [
        ("http://a:b@{store}/x", "it answered 507"), ("http://127.0.0.1:1/x", "refused"),
        ("ftp://127.0.0.1/x", "neither http"), ("/nowhere/at/all", "No such file"),
        ("{false}", "it ended with 3 \\(no\\)"),
    ],
)  # fmt: skip
def test_who_does_not_take_them_is_named_without_a_password_and_the_others_get_them(
    store: tuple[str, type[Store]], program: Path, settings: Any, address: str, why: str
) -> None:
    a_jackpot("GRAND")
    store[1].answers = 507
    false = program.with_name("false")
    false.write_text("#!/bin/sh\necho no >&2\nexit 3\n")
    false.chmod(0o755)
    settings.HEADS_TO = [address.format(store=store[0], false=false), str(program)]
    with pytest.raises(NotTaken, match=why) as told:
        send_heads_away()
    assert "a:b@" not in str(told.value)
    assert (program.parent / "received").exists()
    errands.put_up([AWAY])
    every_five_minutes()
    assert (Errand.objects.get().tries, Errand.objects.get().last_error[:8]) == (1, "NotTaken")


def test_nothing_is_sent_where_nobody_said_where(settings: Any) -> None:
    a_jackpot("GRAND")
    settings.HEADS_TO = []
    assert send_heads_away() == 0
    assert spoken("https://a:b@store.example/x") == "https://a:…@store.example/x"


def test_heads_that_come_back_are_compared_with_the_books(program: Path, settings: Any) -> None:
    jackpot = a_jackpot("GRAND")
    settings.HEADS_TO, settings.DATA_DIR = [str(program)], program.parent
    send_heads_away()
    kept = program.parent / "received"
    call_command("prove", "--heads", str(kept), stdout=StringIO())
    tamper("UPDATE jackpot_entry SET seal = sha256('x')")
    tamper("UPDATE jackpot_jackpot SET seal = sha256('x')")
    said = StringIO()
    with pytest.raises(CommandError):
        call_command("prove", "--heads", str(kept), stdout=said)
    assert f"[published head] {jackpot.code}/1" in said.getvalue()
    kept.write_text(kept.read_text().replace('"seq":1', '"seq":2'))
    said = StringIO()
    with pytest.raises(CommandError):
        call_command("prove", "--heads", str(kept), stdout=said)
    assert "[published head] received line 1" in said.getvalue()
