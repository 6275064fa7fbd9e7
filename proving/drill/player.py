"""The load process, as the drill holds it: started, heard, asked to stop, and its journals read."""

from __future__ import annotations

import contextlib
import json
import os
import select
import signal
import subprocess
import sys
from collections.abc import Iterator, Mapping
from typing import Any

from launcher.children import signal_group, spawn
from proving.drill.journal import Journals
from proving.house import NotCarriedOut, Stage


class Player:
    """How far the load is: what was acknowledged, and when the slowest table last said something that was."""

    def __init__(self, ours: Stage, made: Mapping[str, Any], seed: int) -> None:
        self._ours = ours
        self._journals = ours.places.data / "journals.json"
        told = ours.places.data / "load.json"
        where = {"ports": ours.ports, "scheme": ours.scheme, "journals": str(self._journals)}
        told.write_text(json.dumps({"scene": made, "seed": seed, **where}))
        with (ours.places.logs / "load.log").open("ab") as words:
            self._process = spawn(
                [sys.executable, "-m", "proving.drill.load", str(told)],
                cwd=ours.project, env=dict(ours.environ), stdout=subprocess.PIPE, stderr=words,
            )  # fmt: skip
        self._heard = b""
        self.acknowledged, self.slowest = 0, 0.0

    def hear(self) -> None:
        """Takes in the newest line; a load that died before it was asked to has drilled nothing."""
        if self.ended:
            raise NotCarriedOut(f"The load ended: {self._ours.words('load')}")
        out = self._process.stdout
        assert out is not None
        while select.select([out], [], [], 0)[0] and (more := os.read(out.fileno(), 65536)):
            self._heard += more
        *lines, self._heard = self._heard.split(b"\n")
        if lines:
            acknowledged, slowest = lines[-1].split()
            self.acknowledged, self.slowest = int(acknowledged), float(slowest)

    def ask_to_stop(self) -> None:
        self._process.send_signal(signal.SIGTERM)

    @property
    def ended(self) -> bool:
        return self._process.poll() is not None

    def journals(self) -> Journals:
        if self._process.returncode != 0:
            raise NotCarriedOut(f"The load ended with code {self._process.returncode}: {self._ours.words('load')}")
        return Journals.of(json.loads(self._journals.read_text()))

    def close(self) -> None:
        signal_group(self._process, signal.SIGKILL)
        self._process.wait()
        if self._process.stdout is not None:
            self._process.stdout.close()


@contextlib.contextmanager
def player(ours: Stage, made: Mapping[str, Any], seed: int) -> Iterator[Player]:
    playing = Player(ours, made, seed)
    try:
        yield playing
    finally:
        playing.close()
