"""Where doors ask for long sums: the answer if it is known, else how far the calculating process has come."""

from __future__ import annotations

import atexit
import json
import subprocess
import sys
import threading
from collections import OrderedDict
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, Literal

from django.conf import settings

from jackpot.refusals import NotUnderstood

Lane = Literal["short", "long"]
REMEMBERED: Final = 256
IN_A_REQUEST: Final = 0.9  # seconds that a request may wait for its answer


@dataclass(slots=True)
class Job:
    """One question on its way."""

    name: str
    progress: float = 0.0
    answer: dict[str, Any] | None = None
    refused: str = ""
    worker: subprocess.Popen[str] | None = None
    done: threading.Event = field(default_factory=threading.Event)

    @property
    def percent(self) -> int:
        return min(99, int(self.progress * 100))


class Desk:
    """Questions and their answers, by their own text. A process is started with the first question of its lane."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._jobs: OrderedDict[str, Job] = OrderedDict()
        self._workers: dict[Lane, subprocess.Popen[str]] = {}
        self._lock = threading.Lock()

    def ask(self, asked: Mapping[str, Any], *, lane: Lane, wait: float = IN_A_REQUEST) -> Job:
        """The same question again finds the same job, done or under way; waits a moment for the answer."""
        name = json.dumps(asked, sort_keys=True, separators=(",", ":"))
        with self._lock:
            job = self._jobs.get(name)
            if job is None:
                job = self._jobs[name] = Job(name, worker=self._send(lane, name))
                self._forget_old()
            self._jobs.move_to_end(name)
        job.done.wait(wait)
        if job.refused:
            raise NotUnderstood(job.refused)
        return job

    def close(self) -> None:
        """Ends the processes; a calculation under way is begun anew when it is asked for again."""
        with self._lock:
            workers, self._workers = list(self._workers.values()), {}
        for worker in workers:
            worker.kill()
            worker.wait()

    def _send(self, lane: Lane, name: str) -> subprocess.Popen[str]:
        worker = self._workers.get(lane)
        line = json.dumps({"name": name}) + "\n"
        if worker is None or worker.poll() is not None or not _written(worker, line):
            worker = self._workers[lane] = self._start(lane)
            _written(worker, line)
        return worker

    def _start(self, lane: Lane) -> subprocess.Popen[str]:
        self.folder.mkdir(parents=True, exist_ok=True)
        command = [sys.executable, "-m", "tables.calculation.worker", str(self.folder), lane]
        worker = subprocess.Popen(
            command, cwd=settings.BASE_DIR, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        threading.Thread(target=self._hear, args=(worker,), daemon=True, name=f"{lane} calculations").start()
        return worker

    def _hear(self, worker: subprocess.Popen[str]) -> None:
        assert worker.stdout is not None
        with worker.stdout as said:
            for line in said:
                self._note(json.loads(line))
        self._ended(worker)

    def _note(self, said: Mapping[str, Any]) -> None:
        with self._lock:
            job = self._jobs.get(said["name"])
            if job is None:
                return
            job.progress = said.get("progress", job.progress)
            job.answer, job.refused = said.get("answer"), said.get("refused", "")
            if job.answer is not None or job.refused:
                job.done.set()

    def _ended(self, worker: subprocess.Popen[str]) -> None:
        """Whatever it left undone is forgotten: asked again, it goes to a new process."""
        worker.wait()
        if worker.stdin is not None:
            worker.stdin.close()
        with self._lock:
            self._workers = {lane: other for lane, other in self._workers.items() if other is not worker}
            for name in [name for name, job in self._jobs.items() if job.worker is worker and not job.done.is_set()]:
                del self._jobs[name]

    def _forget_old(self) -> None:
        while len(self._jobs) > REMEMBERED:
            self._jobs.popitem(last=False)


def _written(worker: subprocess.Popen[str], line: str) -> bool:
    """An idle process may have ended a moment ago."""
    assert worker.stdin is not None
    try:
        worker.stdin.write(line)
        worker.stdin.flush()
    except OSError:
        return False
    return True


_desks: dict[Path, Desk] = {}
_opening = threading.Lock()


def desk() -> Desk:
    """The desk of this web process; its answers lie in the data folder, where every process finds them."""
    folder = Path(settings.DATA_DIR) / "games"
    with _opening:
        if folder not in _desks:
            _desks[folder] = Desk(folder)
            atexit.register(_desks[folder].close)
        return _desks[folder]
