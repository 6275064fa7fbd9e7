"""Where doors ask for long sums: the answer if it is known, else how far the calculating process has come."""

from __future__ import annotations

import atexit
import json
import os
import subprocess
import sys
import threading
from collections import OrderedDict
from collections.abc import Mapping
from pathlib import Path
from time import monotonic
from typing import Any, Final

from django.conf import settings

from jackpot.refusals import NotUnderstood
from tables.calculation.job import FORGOTTEN_AFTER, Job, Lane, next_of

REMEMBERED: Final = 256
IN_A_REQUEST: Final = 0.9  # seconds that a request may wait for its answer
PROCESSES: Final[Mapping[Lane, int]] = {"short": 1, "long": max(1, min(4, os.cpu_count() or 1))}


class CalculationDesk:
    """Questions and their answers, by their own text. Each lane has so many processes at most; each process has one
    question at a time, and whoever has none under way is served first."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._jobs: OrderedDict[str, Job] = OrderedDict()
        self._workers: dict[subprocess.Popen[str], Lane] = {}
        self._served: dict[str, int] = {}
        self._turns = 0
        self._lock = threading.Lock()

    def ask(self, asked: Mapping[str, Any], *, lane: Lane, wait: float = IN_A_REQUEST, by: str = "") -> Job:
        """The same question finds the same job, done or under way, whoever asks; waits a moment for its answer."""
        name = _name(asked)
        with self._lock:
            job = self._jobs.get(name)
            if job is None:
                job = self._jobs[name] = Job(name, lane)
            job.people.add(by)
            job.asked_at = monotonic()
            self._jobs.move_to_end(name)
            self._forget_old()
            self._give_out(lane)
            job.ahead = self._ahead(job)
        # Outside the lock: whoever waits for a sum holds up nobody who asks for another.
        job.done.wait(wait)
        if job.refused:
            raise NotUnderstood(job.refused)
        return job

    def cancel(self, asked: Mapping[str, Any], *, by: str = "") -> bool:
        """Takes one person's question back; when nobody else asked it, its calculation ends. Says if there was one."""
        with self._lock:
            job = self._jobs.get(_name(asked))
            if job is None or job.done.is_set() or by not in job.people:
                return False
            job.people.discard(by)
            if job.people:
                return True
            del self._jobs[job.name]
            worker = job.worker
        if worker is not None:
            worker.kill()  # what is noticed at its end gives the next question out
        return True

    def close(self) -> None:
        """Ends the processes; what is not calculated yet is begun anew when it is asked for again."""
        with self._lock:
            workers, self._workers = list(self._workers), {}
            # Also what waits: the next process would begin with it, and nobody hears the answer any more.
            for name in [name for name, job in self._jobs.items() if not job.done.is_set()]:
                del self._jobs[name]
        for worker in workers:
            worker.kill()
            worker.wait()

    @property
    def is_counting(self) -> bool:
        """Whether a long sum is under way, or waits."""
        with self._lock:
            return any(job.lane == "long" and not job.done.is_set() for job in self._jobs.values())

    def _give_out(self, lane: Lane) -> None:
        """As many waiting questions as there are free processes."""
        while True:
            running = [job for job in self._jobs.values() if job.worker is not None and not job.done.is_set()]
            busy = {job.worker for job in running}
            waiting = [job for job in self._jobs.values() if job.waits and job.lane == lane]
            job = next_of(waiting, [other for other in running if other.lane == lane], self._served)
            own = [worker for worker, its in self._workers.items() if its == lane and worker.poll() is None]
            free = [worker for worker in own if worker not in busy]
            if job is None or (not free and len(own) >= PROCESSES[lane]):
                return
            self._turns += 1
            self._served.update(dict.fromkeys(job.people, self._turns))
            self._send(job, free[0] if free else self._start(lane))

    def _send(self, job: Job, worker: subprocess.Popen[str]) -> None:
        line = json.dumps({"name": job.name}) + "\n"
        if not _written(worker, line):
            worker = self._start(job.lane)
            _written(worker, line)
        job.worker, job.began_at = worker, monotonic()

    def _start(self, lane: Lane) -> subprocess.Popen[str]:
        self.folder.mkdir(parents=True, exist_ok=True)
        command = [sys.executable, "-m", "tables.calculation.worker", str(self.folder), lane]
        worker = subprocess.Popen(
            command, cwd=settings.BASE_DIR, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        self._workers[worker] = lane
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
            job.heard(said)
            if job.done.is_set():
                self._give_out(job.lane)

    def _ended(self, worker: subprocess.Popen[str]) -> None:
        """Whatever it left undone is forgotten: asked again, it goes to a new process."""
        worker.wait()
        if worker.stdin is not None:
            worker.stdin.close()
        with self._lock:
            lane = self._workers.pop(worker, None)
            for name in [name for name, job in self._jobs.items() if job.worker is worker and not job.done.is_set()]:
                del self._jobs[name]
            if lane is not None:
                self._give_out(lane)

    def _ahead(self, job: Job) -> int:
        """How many others of its lane are under way or wait, while it waits itself."""
        others = [one for one in self._jobs.values() if one.lane == job.lane and not one.done.is_set()]
        return len(others) - 1 if job.waits else 0

    def _forget_old(self) -> None:
        """Old answers, and questions still waiting that nobody has asked about for a while."""
        late = monotonic() - FORGOTTEN_AFTER
        for name in [name for name, job in self._jobs.items() if job.waits and job.asked_at < late]:
            del self._jobs[name]
        for name in [name for name, job in self._jobs.items() if job.done.is_set()][:-REMEMBERED]:
            del self._jobs[name]


def _name(asked: Mapping[str, Any]) -> str:
    # Sorted: the same question finds its answer in whatever order its words were put.
    return json.dumps(asked, sort_keys=True, separators=(",", ":"))


def _written(worker: subprocess.Popen[str], line: str) -> bool:
    """An idle process may have ended a moment ago."""
    assert worker.stdin is not None
    try:
        worker.stdin.write(line)
        worker.stdin.flush()
    except OSError:
        return False
    return True


_desks: dict[Path, CalculationDesk] = {}
_opening = threading.Lock()


def desk() -> CalculationDesk:
    """The desk of this web process; its answers lie in the data folder, where every process finds them."""
    folder = Path(settings.DATA_DIR) / "games"
    with _opening:
        if folder not in _desks:
            _desks[folder] = CalculationDesk(folder)
            # Or minutes of mathematics would outlive the server that wanted them.
            atexit.register(_desks[folder].close)
        return _desks[folder]


def counting_desks() -> list[CalculationDesk]:
    """Those of this process with a long sum to do."""
    with _opening:
        return [each for each in _desks.values() if each.is_counting]
