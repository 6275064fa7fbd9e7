"""`up` does not give up: whatever keeps PostgreSQL from starting, it is tried again until it starts."""

from __future__ import annotations

import os
import shutil
import signal
import socket
import tempfile
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest

from launcher.children import Child
from launcher.house import Stack, Trouble
from launcher.installation import Installation
from launcher.places import Places
from launcher.postgres import Server
from launcher.up import Wishes, site_of
from tests.patience import until


def test_each_failure_waits_longer_and_none_is_the_last() -> None:
    trouble = Trouble()
    assert not trouble
    trouble.begins()
    assert trouble.is_due
    assert [trouble.failed() for _ in range(8)] == [1, 2, 4, 8, 16, 30, 30, 30]
    assert trouble
    assert not trouble.is_due
    trouble.over()
    assert not trouble


@pytest.fixture
def data(monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Under /tmp itself, so that root's PostgreSQL account can reach it."""
    folder = Path(tempfile.mkdtemp(prefix="fairmeter house "))
    folder.chmod(0o711)
    yield folder / "data"
    shutil.rmtree((folder / "data" / "postgres").resolve(), ignore_errors=True)
    shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture
def stack(data: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Stack]:
    monkeypatch.setattr(Trouble, "FIRST_PAUSE", 0.1)
    server = Server(Places(data))
    wishes = Wishes(None, 0, "127.0.0.1", None, None, None, demo=False, simulate=False, processes=1)
    with socket.socket() as listener:
        stack = Stack(data, Installation(Places(data), server, server.addresses), site_of(wishes, 0), listener)
        server.ensure()
        yield stack
        stack.stop()


def test_a_postgresql_that_cannot_start_is_tried_until_it_can(
    stack: Stack, data: Path, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    server = stack.installation.server
    assert server is not None
    assert server.process is not None
    cluster = (data / "postgres").resolve()
    version = next(path for path in cluster.rglob("PG_VERSION") if "base" not in path.parts)
    away = tmp_path / "away"
    shutil.move(version, away)  # as where the disk is full: it ends again and again
    server.process.send_signal(signal.SIGKILL)
    server.process.wait()
    tries = iter(range(1000))

    def told(sentence: str) -> bool:
        stack._look_after()
        next(tries)
        heard.append(capsys.readouterr().out)
        return sentence in "".join(heard)

    heard: list[str] = []
    until(lambda: told("Trying again in"))
    assert "PostgreSQL ended (signal 9)" in "".join(heard)
    shutil.move(away, version)
    until(lambda: told("PostgreSQL runs again after"))
    with psycopg.connect(server.addresses.app) as connection:
        assert connection.execute("SELECT 1").fetchone() == (1,)


def test_a_child_whose_log_has_no_room_is_put_off(
    stack: Stack, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    child = Child("web", ["true"], os.environ, tmp_path / "no such folder", tmp_path)
    stack.children.append(child)
    stack._look_after()
    assert "cannot be started" in capsys.readouterr().out
    assert child.pause_left > 0
    stack.children.clear()
