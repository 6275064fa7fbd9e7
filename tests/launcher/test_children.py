"""Children end with us, and are started again when they end too soon."""

from __future__ import annotations

import os
import socket
import sys
from pathlib import Path

import pytest

from launcher import children
from launcher.children import LARGEST_LOG, OLDER_LOGS, Child, open_log, turn_log_over, wait_until
from launcher.house import Site, Stack
from launcher.installation import Installation
from launcher.places import Places
from launcher.postgres import Addresses
from tests.patience import PATIENCE


def child(folder: Path, program: str) -> Child:
    return Child("sample", [sys.executable, "-c", program], os.environ, folder, folder)


def test_a_child_that_dies_is_started_again_later_each_time(tmp_path: Path) -> None:
    subject = child(tmp_path, "raise SystemExit(3)")
    pauses = []
    for _ in range(3):
        subject.start()
        assert wait_until(lambda: not subject.alive, PATIENCE)
        assert subject.bury() == "code 3"
        pauses.append(subject.pause_left)
    assert pauses == sorted(pauses)
    assert pauses[0] > 0


def test_a_stopped_child_leaves_no_grandchild_behind(tmp_path: Path) -> None:
    program = "import subprocess, sys, time; print(subprocess.Popen(['sleep', '60']).pid, flush=True); time.sleep(60)"
    subject = child(tmp_path, program)
    subject.start()
    log = tmp_path / "sample.log"
    assert wait_until(lambda: log.read_text().strip() != "", PATIENCE)
    grandchild = Path(f"/proc/{log.read_text().strip()}/cmdline")
    subject.stop(patience=5)
    assert wait_until(lambda: not grandchild.exists() or grandchild.read_bytes() == b"", PATIENCE)


def test_a_child_that_does_not_listen_is_ended_anyway(tmp_path: Path) -> None:
    subject = child(
        tmp_path, "import signal, time; signal.signal(15, signal.SIG_IGN); print(1, flush=True); time.sleep(60)"
    )
    subject.start()
    assert wait_until(lambda: (tmp_path / "sample.log").read_text() != "", PATIENCE)
    subject.stop(patience=0.2)
    assert not subject.alive


def test_a_large_log_becomes_the_previous_one(tmp_path: Path) -> None:
    (tmp_path / "web.log").write_bytes(b"x" * (LARGEST_LOG + 1))
    open_log(tmp_path, "web").close()
    assert (tmp_path / "web.log").stat().st_size == 0
    assert (tmp_path / "web.log.1").stat().st_size == LARGEST_LOG + 1


TALKS = """
import sys, time
from pathlib import Path
place = Path(sys.argv[1])
for part in range(6):
    for number in range(200):
        print(f"{part}.{number:03}", "x" * 40, flush=True)
    (place / f"said-{part}").touch()
    while not (place / f"go-{part}").exists():
        time.sleep(0.01)
"""


def test_a_log_turns_over_while_its_program_goes_on_writing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is said twice or torn, the newest files are kept, and the program notices nothing."""
    monkeypatch.setattr(children, "LARGEST_LOG", 5_000)
    subject = Child("web", [sys.executable, "-c", TALKS, str(tmp_path)], os.environ, tmp_path, tmp_path)
    log = tmp_path / "web.log"
    subject.start()
    for part in range(6):
        assert wait_until((tmp_path / f"said-{part}").exists, PATIENCE)
        assert turn_log_over(log)
        assert (log.stat().st_size, turn_log_over(log)) == (0, False)
        (tmp_path / f"go-{part}").touch()
    subject.stop(patience=5)
    older = sorted(each.name for each in tmp_path.glob("web.log.*"))
    assert older == [f"web.log.{number}" for number in range(1, OLDER_LOGS + 1)]
    for age in range(1, OLDER_LOGS + 1):
        told = [line.split()[0] for line in (tmp_path / f"web.log.{age}").read_text().splitlines()]
        assert told == [f"{6 - age}.{number:03}" for number in range(200)]


def test_the_house_looks_after_its_logs_while_it_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(children, "LARGEST_LOG", 100)
    (tmp_path / "logs").mkdir()
    for name in ("web", "worker", "postgres"):
        (tmp_path / "logs" / f"{name}.log").write_bytes(b"x" * 200)
    with socket.socket() as listener:
        installation = Installation(Places(tmp_path), None, Addresses("postgresql://a@/x", "postgresql://o@/x"))
        site = Site("http", "127.0.0.1", 8000, ("127.0.0.1",), None, None, 1)
        house = Stack(tmp_path, installation, site, listener)
        house._look_after()
        house._look_after()
    assert sorted(each.name for each in (tmp_path / "logs").iterdir()) == [
        f"{name}.log{age}" for name in ("postgres", "web", "worker") for age in ("", ".1")
    ]
