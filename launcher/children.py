"""Child processes that end with us, even when we are killed."""

from __future__ import annotations

import contextlib
import ctypes
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any

PR_SET_PDEATHSIG = 1
LARGEST_LOG = 5 * 1024 * 1024
OLDER_LOGS = 3
_LIBC = ctypes.CDLL(None) if sys.platform == "linux" else None


def ends_with_us(number: signal.Signals) -> Callable[[], None]:
    """Runs in the child before its program: the kernel sends the signal when the parent dies, even by kill -9.

    To the kernel the parent is the thread that started the child, so only a main thread may start one.
    """
    parent = os.getpid()

    def tie() -> None:
        if _LIBC is not None:
            _LIBC.prctl(PR_SET_PDEATHSIG, int(number))
            # The parent may have died before the kernel was told.
            if os.getppid() != parent:
                os._exit(1)

    return tie


def spawn(
    command: Sequence[str], *, last_signal: signal.Signals = signal.SIGTERM, **options: Any
) -> subprocess.Popen[bytes]:
    """In a session of its own, so that Ctrl-C reaches only us and we choose the order of stopping."""
    return subprocess.Popen(
        command,
        stdin=subprocess.DEVNULL,
        start_new_session=True,
        preexec_fn=ends_with_us(last_signal),  # noqa: PLW1509  the launcher has one thread when it starts children
        **options,
    )


def open_log(folder: Path, name: str) -> IO[bytes]:
    """Appends; an old file that has grown large becomes the previous one."""
    path = folder / f"{name}.log"
    turn_log_over(path)
    return path.open("ab")


def turn_log_over(path: Path) -> bool:
    """A file that has grown large becomes the previous one, `.log.1`, and that one `.log.2`; also while it is written.

    Its writers append, so what they say next stands at the beginning of the emptied file. What is said in the moment
    between the last look and the emptying is lost: some microseconds, every five megabytes.
    """
    try:
        with path.open("r+b") as log:
            if os.fstat(log.fileno()).st_size <= LARGEST_LOG:
                return False
            draft = path.with_suffix(".log.draft")
            with draft.open("wb") as copy:
                shutil.copyfileobj(log, copy)
                # From the oldest down: none is overwritten before it has moved on.
                for number in range(OLDER_LOGS, 1, -1):
                    _moved_up(path, number)
                draft.replace(path.with_suffix(".log.1"))
                shutil.copyfileobj(log, copy)  # what was said meanwhile
                log.truncate(0)
    except FileNotFoundError:
        return False
    return True


def _moved_up(path: Path, number: int) -> None:
    with contextlib.suppress(FileNotFoundError):
        path.with_suffix(f".log.{number - 1}").replace(path.with_suffix(f".log.{number}"))


def signal_group(process: subprocess.Popen[bytes], number: signal.Signals) -> None:
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process.pid, number)


def wait_until(true: Callable[[], bool], seconds: float, pause: float = 0.02) -> bool:
    deadline = time.monotonic() + seconds
    while not true():
        if time.monotonic() > deadline:
            return False
        time.sleep(pause)
    return True


@dataclass
class Child:
    """A program that is started again, later each time, for as long as it is wanted."""

    name: str
    command: Sequence[str]
    environ: Mapping[str, str]
    log_folder: Path
    folder: Path
    pass_fds: Sequence[int] = ()
    forever: bool = True
    process: subprocess.Popen[bytes] | None = None
    pause: float = 0.2
    not_before: float = 0.0
    started_at: float = field(default=0.0)

    LONGEST_PAUSE = 10.0
    LONG_ENOUGH = 60.0  # after this many seconds of life a death counts as the first one again

    def start(self) -> None:
        with open_log(self.log_folder, self.name) as log:
            self.process = spawn(
                self.command,
                cwd=self.folder,
                env=dict(self.environ),
                stdout=log,
                stderr=log,
                pass_fds=tuple(self.pass_fds),
            )
        self.started_at = time.monotonic()

    @property
    def alive(self) -> bool:
        return self.process is not None and self.process.poll() is None

    @property
    def pause_left(self) -> float:
        return max(0.0, self.not_before - time.monotonic())

    def bury(self) -> str:
        """Ends what a dead child left behind and says how it died."""
        assert self.process is not None
        assert self.process.returncode is not None
        signal_group(self.process, signal.SIGKILL)
        code = self.process.returncode
        self.process = None
        if time.monotonic() - self.started_at > self.LONG_ENOUGH:
            self.pause = 0.2
        self.put_off()
        return f"signal {-code}" if code < 0 else f"code {code}"

    def put_off(self) -> float:
        """When it is tried again, later each time; returns in how many seconds."""
        pause = self.pause
        self.not_before = time.monotonic() + pause
        self.pause = min(pause * 2, self.LONGEST_PAUSE)
        return pause

    def ask_to_stop(self) -> None:
        if self.process is not None and self.process.poll() is None:
            with contextlib.suppress(ProcessLookupError):
                self.process.terminate()

    def stop(self, patience: float) -> None:
        """Asks, waits, and then insists; nothing of its group survives."""
        if self.process is None:
            return
        self.ask_to_stop()
        with contextlib.suppress(subprocess.TimeoutExpired):
            self.process.wait(patience)
        signal_group(self.process, signal.SIGKILL)
        self.process.wait()
        self.process = None
