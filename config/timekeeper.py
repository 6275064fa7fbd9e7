"""The timekeeper: a thread of the worker that reads in the database what is due.

It rings for it over the broker; what is still due a few seconds later it does itself. So a broker may lose every
message, and paper and published heads are late by those seconds only.
"""

from __future__ import annotations

import contextlib
import logging
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Final

import psycopg
from celery import bootsteps
from django.conf import settings
from django.db import close_old_connections, connection

from accounting.alarms import tasks as of_alarms
from accounting.alarms.actions.watching import watch_alarms
from accounting.audit import tasks as of_the_audit
from accounting.days import tasks as of_the_day
from accounting.days.actions.cover import RHYTHM as OF_THE_BANK
from accounting.days.actions.snapshots import RHYTHM as OF_THE_DAY
from accounting.feed import tasks as of_the_feed
from accounting.feed.actions.numbering import RHYTHM as OF_THE_FEED
from accounting.paper import tasks as of_the_office
from accounting.reports import tasks as of_the_reports
from accounting.webhooks import tasks as of_webhooks
from jackpot.answers import tasks as of_the_answers
from jackpot.books.actions.row_watch import watch_rows
from jackpot.database.moved import moved_books
from jackpot.errands import actions as errands
from jackpot.notices import tasks as of_notices
from jackpot.notices.actions.raising import RHYTHM as OF_NOTICES
from jackpot.proof import tasks as of_the_progressive
from jackpot.proof.actions.high_water import guard
from jackpot.software import tasks as of_the_program
from jackpot.software.actions import note_build
from jackpot.trail.actions.watching import watch_trail
from tables.floor import tasks as of_the_floor
from tables.floor.actions.unapproved import RHYTHM as OF_APPROVALS
from tables.play_sums import tasks as of_play_sums
from tables.play_sums.actions import RHYTHM as OF_SUMS
from tables.requests import tasks as of_requests
from tables.requests.rules import PREVIEWS
from tables.rounds import tasks as of_rounds
from tables.rounds.actions.play_hours import RHYTHM as OF_PLAY
from tables.signs.wire import libpq_settings

LOOK_EVERY: Final = 1.0
PATIENCE: Final = 5.0  # seconds that a bell has, from being rung until its work is no longer due
LOOK_FOR_ALARMS_EVERY: Final = 10.0
log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Chore:
    """Work of the worker: whether something of it is due, and the task that does all that is."""

    task: Any
    is_due: Callable[[], bool]
    apart: bool = False  # it speaks to strangers: if the timekeeper must do it, then in a thread of its own

    @property
    def name(self) -> str:
        return str(self.task.name)


CHORES: Final = (
    Chore(of_the_progressive.publish_heads, of_the_progressive.heads_are_due),
    Chore(of_the_progressive.send_heads_away, of_the_progressive.heads_leave_now),
    Chore(of_the_progressive.prove_what_is_new, of_the_progressive.new_entries_are_due),
    Chore(of_the_office.drain_print_queue, of_the_office.pages_are_due),
    Chore(of_requests.finish_previews, of_requests.previews_are_due),
    Chore(of_the_day.snapshot_days, of_the_day.days_are_due),
    Chore(of_the_day.watch_cover, of_the_day.cover_is_due),
    Chore(of_the_floor.close_unapproved, of_the_floor.approvals_are_due),
    Chore(of_rounds.write_play_hours, of_rounds.play_hours_are_due),
    Chore(of_play_sums.sum_play, of_play_sums.sums_are_due),
    Chore(of_the_feed.number_what_happened, of_the_feed.events_are_due),
    Chore(of_webhooks.deliver_events, of_webhooks.webhooks_are_due, apart=True),
    Chore(of_alarms.tell_alarms, of_alarms.alarms_are_due, apart=True),
    Chore(of_notices.raise_notices, of_notices.notices_are_due),
    Chore(of_the_reports.write_long_reports, of_the_reports.reports_are_due),
    Chore(of_the_reports.mail_reports, of_the_reports.letters_are_due, apart=True),
    Chore(of_the_audit.work_for_auditors, of_the_audit.audits_are_due),
    Chore(of_the_audit.prove_all_books, of_the_audit.everything_is_due),
    Chore(of_the_audit.tidy_old_parcels, of_the_audit.tidying_is_due),
    Chore(of_the_answers.forget_old_answers, of_the_answers.answers_are_due),
    Chore(of_the_program.check_the_program, of_the_program.check_is_due),
)

ROUNDS_OF_WORK: Final = (
    of_the_progressive.HEADS, of_the_progressive.AWAY, PREVIEWS, OF_THE_DAY, OF_THE_BANK, OF_APPROVALS,
    OF_PLAY, OF_SUMS, OF_THE_FEED, OF_NOTICES,
    of_the_answers.FORGETTING, of_the_progressive.NEW, of_the_audit.EVERYTHING, of_the_audit.TIDYING,
    of_the_program.SELF_CHECK,
)  # fmt: skip


def ring(chore: Chore) -> None:
    """Asks any worker to look, from a thread of its own: a broker that swallows connections holds nobody up."""
    threading.Thread(target=_rung, args=[chore], name=f"bell of {chore.name}", daemon=True).start()


def _rung(chore: Chore) -> None:
    try:
        chore.task.apply_async(retry=False, ignore_result=True, expires=60)
    except Exception as trouble:  # noqa: BLE001 - whatever is wrong with the bell, the timekeeper comes by
        log.warning("the bell for %s did not ring: %s", chore.name, trouble)


TURN: Final = 7_307_190_424  # any number, as long as every timekeeper takes the same one


class Turn:
    """Of all nodes one keeps the timetable; the others stand by and take over when its line to the database ends."""

    def __init__(self) -> None:
        self._line: psycopg.Connection[Any] | None = None
        self._holds = self._waits = False

    def is_ours(self) -> bool:
        """Asked each second. A line that is lost has lost its lock as well; the next try opens a new one."""
        try:
            if self._line is None:
                self._line = psycopg.connect(autocommit=True, **libpq_settings("timekeeper"))
                moved_books.watch(self._line, libpq_settings())
            asked = "SELECT 1" if self._holds else "SELECT pg_try_advisory_lock(%s)"
            row = self._line.execute(asked, None if self._holds else [TURN]).fetchone()
            self._holds = row is not None and bool(row[0])
        except (psycopg.Error, OSError):
            self.give_up()
            return False
        if not self._holds and not self._waits:
            log.warning("another node keeps the timetable of this house; this one stands by")
        self._waits = not self._holds
        return self._holds

    def give_up(self) -> None:
        line, self._line, self._holds = self._line, None, False
        if line is not None:
            with contextlib.suppress(psycopg.Error, OSError):
                line.close()


@dataclass(slots=True)
class Timekeeper:
    """One per worker. Each piece of work is taken under its own lock besides, so a change of turns disturbs nobody."""

    rings: Callable[[Chore], None] = ring
    chores: Sequence[Chore] = CHORES
    patience: float = PATIENCE
    rung_at: dict[str, float] = field(default_factory=dict)
    looked_for_alarms_at: float = -LOOK_FOR_ALARMS_EVERY
    asked_to_stop: threading.Event = field(default_factory=threading.Event)
    turn: Turn = field(default_factory=Turn)

    def run(self) -> None:
        """Until asked to stop; what waited for a worker or a turn is done at once, without a bell."""
        try:
            self._guarded(partial(note_build, project=settings.BASE_DIR))
            self._guarded(self.look_for_alarms)
            had_turn = False
            while True:
                has_turn = self.turn.is_ours()
                for chore in self.chores if has_turn else ():
                    self._guarded(self.see_to if had_turn else self._do, chore)
                had_turn = has_turn
                if self.asked_to_stop.wait(LOOK_EVERY):
                    return
                self._guarded(watch_trail)
                self._guarded(watch_rows)
                self._guarded(guard.look)
                self._guarded(self.look_for_alarms)
        finally:
            self.turn.give_up()
            connection.close()

    def see_to(self, chore: Chore) -> None:
        """Rings when the work falls due; does it here when the bell brought nobody."""
        if not chore.is_due():
            self.rung_at.pop(chore.name, None)
            return
        now = time.monotonic()
        if chore.name not in self.rung_at:
            self.rung_at[chore.name] = now
            self.rings(chore)
        elif now - self.rung_at[chore.name] >= self.patience:
            log.warning("nobody came for %s; the timekeeper does it", chore.name)
            self.rung_at.pop(chore.name)
            self._do(chore)

    def _do(self, chore: Chore) -> None:
        if not chore.apart:
            self._guarded(chore.task)
        elif not any(each.name == chore.name for each in threading.enumerate()):
            threading.Thread(target=self._done_apart, args=[chore], name=chore.name, daemon=True).start()

    def _done_apart(self, chore: Chore) -> None:
        try:
            self._guarded(chore.task)
        finally:
            connection.close()

    def look_for_alarms(self) -> None:
        if time.monotonic() - self.looked_for_alarms_at >= LOOK_FOR_ALARMS_EVERY:
            self.looked_for_alarms_at = time.monotonic()
            errands.look_out(ROUNDS_OF_WORK)
            watch_alarms()

    def _guarded(self, act: Callable[..., object], *what: Any) -> None:
        """Whatever goes wrong in one turn, the next one comes."""
        try:
            close_old_connections()
            act(*what)
        except Exception:
            log.exception("the timekeeper goes on after this")


class TimekeeperStep(bootsteps.StartStopStep):  # type: ignore[misc,unused-ignore]
    """Begins before the worker speaks to any broker: while that one is away, the work is done all the same."""

    def __init__(self, worker: Any, **options: Any) -> None:
        super().__init__(worker, **options)
        self.timekeeper = Timekeeper()
        self.thread = threading.Thread(target=self.timekeeper.run, name="timekeeper", daemon=True)

    def start(self, _worker: Any) -> None:
        self.thread.start()

    def stop(self, _worker: Any) -> None:
        self.timekeeper.asked_to_stop.set()
        self.thread.join(timeout=5)
