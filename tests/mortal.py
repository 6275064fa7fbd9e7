"""The web as a process of its own, for tests that kill it or need two of them."""

from __future__ import annotations

import contextlib
import os
import signal
import socket
import subprocess
import sys
from pathlib import Path

from django.conf import settings

from tests.living import Live
from tests.patience import until


class MortalServer:
    """A web process that can be killed, and one after it on the same socket."""

    def __init__(self, url: str, folder: Path) -> None:
        key = folder / "fairmeter.key"
        key.write_text(settings.MASTER_KEY.hex())
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.live = Live(self.listener.getsockname()[1])
        told = {"DATABASE_URL": url, "FAIRMETER_DATA": str(folder), "FAIRMETER_KEY_FILE": str(key)}
        environ = {**os.environ, **told, "DJANGO_SETTINGS_MODULE": "config.settings", "PYTHONPATH": "."}
        fd = self.listener.fileno()
        self.maker = subprocess.Popen(
            [sys.executable, "-m", "tests.mortal_web", str(fd)], env=environ, pass_fds=[fd], text=True, bufsize=1,
            stdin=subprocess.PIPE, stdout=subprocess.PIPE,
        )  # fmt: skip
        self.pid: int | None = None

    def start(self) -> None:
        assert self.maker.stdin
        assert self.maker.stdout
        self.maker.stdin.write("one\n")
        self.pid = int(self.maker.stdout.readline())

    def kill(self) -> None:
        pid, self.pid = self.pid, None
        if pid is not None:
            os.kill(pid, signal.SIGKILL)
            until(lambda: not _lives(pid), "the killed process is gone")

    def close(self) -> None:
        self.kill()
        self.listener.close()
        self.maker.communicate()


def _lives(pid: int) -> bool:
    with contextlib.suppress(ProcessLookupError):
        os.kill(pid, 0)
        return True
    return False
