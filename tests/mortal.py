"""The web as a process of its own, for tests that kill it or need two of them."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
from pathlib import Path

from django.conf import settings

from tests.living import Live


class MortalServer:
    """The web process as the launcher starts it, that can be killed."""

    def __init__(self, url: str, folder: Path) -> None:
        key = folder / "fairmeter.key"
        key.write_text(settings.MASTER_KEY.hex())
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.live = Live(self.listener.getsockname()[1])
        told = {"DATABASE_URL": url, "FAIRMETER_DATA": str(folder), "FAIRMETER_KEY_FILE": str(key)}
        self.environ = {**os.environ, **told, "DJANGO_SETTINGS_MODULE": "config.settings", "PYTHONPATH": "."}
        self.process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        fd = self.listener.fileno()
        self.process = subprocess.Popen(
            [sys.executable, "-m", "launcher.web", "--socket", str(fd)], env=self.environ, pass_fds=[fd]
        )

    def kill(self) -> None:
        if self.process is not None:
            self.process.send_signal(signal.SIGKILL)
            self.process.wait()
