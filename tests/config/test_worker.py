"""The worker as the house starts it, with brokers that lose, garble or refuse everything: heads go out all the same.

What is promised: within ten seconds of being due, while the worker runs; and that no message can end the worker. The
seconds are those of the broker that loses everything, with the product's own timekeeper; beside the others it hurries.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import timedelta
from pathlib import Path

import pytest
from celery.worker.consumer import Consumer
from django.utils import timezone

from accounting.paper.models.printer import PrintJob
from accounting.paper.printing.press import print_page
from accounting.paper.rules.copies import Form
from config.consumer import TURN, PatientConsumer, ShortTurns
from config.timekeeper import CHORES, Chore, Timekeeper
from jackpot.errands import actions as errands
from jackpot.errands.models import Errand
from jackpot.proof.tasks import HEADS
from launcher.children import Child, wait_until
from launcher.house import worker_command
from tests.builders import a_jackpot, a_person
from tests.patience import PATIENCE, until
from tests.scenes_wins import WinFloor

PROJECT = Path(__file__).resolve().parents[2]
BROKERS = ("", "losing://", "garbling://", "away://")
# As `worker_command` starts it, with the bad brokers known to it by name.
WITH_BAD_BROKERS = (
    "import sys; sys.argv[0] = 'celery'; import tests.config.lossy; from celery.__main__ import main; main()"
)
SECONDS_TO_BEGIN = 60.0  # a loaded machine imports slowly; counted apart from what is promised
PROMISED = 10.0


@pytest.fixture
def worker(request: pytest.FixtureRequest, fresh_database: str, tmp_path: Path) -> Iterator[Child]:
    environ = {
        **os.environ, "DATABASE_URL": fresh_database, "FAIRMETER_DATA": str(tmp_path), "REDIS_URL": "",
        "CELERY_BROKER_URL": request.param, "IN_A_HURRY": "" if request.param == "losing://" else "yes",
    }  # fmt: skip
    python, _, _, *words = worker_command()
    command = [python, "-c", WITH_BAD_BROKERS, *words, "--loglevel", "WARNING"]
    child = Child("worker", command, environ, tmp_path, PROJECT)
    yield child
    child.stop(patience=10)


@pytest.mark.parametrize("worker", BROKERS, indirect=True, ids=["own memory", "losing", "garbling", "away"])
def test_heads_and_pages_go_out_although_the_broker_does_its_worst(worker: Child, tmp_path: Path) -> None:
    win, heads = WinFloor().royal(), tmp_path / "heads.jsonl"
    worker.start()
    assert wait_until(lambda: Errand.objects.filter(done_at__isnull=False).exists(), SECONDS_TO_BEGIN), log_of(worker)
    assert len(heads.read_text().splitlines()) == 1
    heads.unlink()
    for _ in range(2):  # after the second, too: the timekeeper has forgotten the first
        Errand.objects.update(owed_since=timezone.now(), due_at=timezone.now())
        assert wait_until(lambda: not errands.is_due(HEADS.code), PROMISED), log_of(worker)
    assert heads.exists()
    print_page(win=win, form=Form.LETTER, by=a_person("cage"))
    assert wait_until(lambda: PrintJob.objects.get().state == "sent", PROMISED), log_of(worker)
    assert worker.alive, log_of(worker)


def log_of(worker: Child) -> str:
    return (worker.log_folder / "worker.log").read_text()


def test_what_no_bell_brought_about_the_timekeeper_does_itself(
    fresh_database: str, settings: object, tmp_path: Path
) -> None:
    settings.DATA_DIR = tmp_path  # type: ignore[attr-defined]
    a_jackpot("GRAND")
    errands.put_up([HEADS])
    rung: list[Chore] = []
    keeper = Timekeeper(rings=rung.append, patience=0.2)
    for _ in range(3):
        keeper.see_to(CHORES[0])
    assert (len(rung), (tmp_path / "heads.jsonl").exists()) == (1, False)
    assert wait_until(lambda: keeper.see_to(CHORES[0]) or (tmp_path / "heads.jsonl").exists(), PATIENCE)
    assert len(rung) == 1
    keeper.see_to(CHORES[0])
    assert keeper.rung_at == {}


def test_a_turn_that_fails_is_not_the_last_one(fresh_database: str) -> None:
    seen: list[str] = []

    def breaks() -> bool:
        seen.append("asked")
        raise RuntimeError("a fault of ours")

    keeper = Timekeeper(chores=[Chore(CHORES[0].task, breaks)])
    keeper._guarded(keeper.see_to, keeper.chores[0])
    keeper._guarded(keeper.see_to, keeper.chores[0])
    assert len(seen) == 2


@dataclass
class HangingTask:
    """Waits for a stranger until it is let go."""

    name: str = "hangs"
    begun: int = 0
    let_go: threading.Event = field(default_factory=threading.Event)

    def __call__(self) -> None:
        self.begun += 1
        assert self.let_go.wait(PATIENCE)


def test_work_with_strangers_holds_the_timekeeper_up_for_nobody(fresh_database: str) -> None:
    stranger = HangingTask()
    chore = Chore(stranger, lambda: True, apart=True)
    keeper = Timekeeper(rings=lambda _: None, chores=[chore], patience=0.0)
    for _ in range(6):  # rung for, then done here, and again: it is back at once each time
        keeper.see_to(chore)
    until(lambda: stranger.begun == 1, "its own thread")
    stranger.let_go.set()
    until(lambda: all(each.name != "hangs" for each in threading.enumerate()), "its end")


def test_an_errand_owed_through_the_night_is_done_late_and_said_so(fresh_database: str, settings: object) -> None:
    errands.put_up([HEADS])
    Errand.objects.update(owed_since=timezone.now() - timedelta(hours=8), due_at=timezone.now() - timedelta(hours=8))
    assert errands.do_errand(code=HEADS.code, work=lambda: None)
    assert not errands.is_due(HEADS.code)


class Deaf:
    """A connection on which nothing comes; remembers for how long it was listened to."""

    transport, listened = "ours", 0.0

    def drain_events(self, timeout: float) -> None:
        self.listened += timeout


def test_celerys_loop_looks_often_whether_it_shall_end() -> None:
    """Of itself it listens for two seconds, and once more after it was told to end: Ctrl-C waited for four."""
    deaf = Deaf()
    connection = ShortTurns(deaf)
    connection.drain_events(timeout=2.0)
    assert (deaf.listened, connection.transport) == (TURN, "ours")


def test_a_lost_line_that_does_not_close_is_told_and_does_not_end_the_worker(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """As Kombu's does that holds a message which nobody began: it would give it back over the line that is gone."""

    def unclosable(self: Consumer, exc: BaseException) -> None:
        raise AttributeError("'NoneType' object has no attribute 'hostname'") from exc

    monkeypatch.setattr(Consumer, "on_connection_error_after_connected", unclosable)
    PatientConsumer.on_connection_error_after_connected(object.__new__(PatientConsumer), ConnectionError("gone"))
    assert "did not close cleanly: 'NoneType'" in caplog.text
