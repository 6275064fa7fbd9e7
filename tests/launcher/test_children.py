"""Children end with us, and are started again when they end too soon."""

from __future__ import annotations

import os
import sys
from pathlib import Path

from launcher.children import LARGEST_LOG, Child, open_log, wait_until
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
