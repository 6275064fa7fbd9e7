"""Deliveries over real sockets by several workers at once: in order, none missed, whoever hangs holds up nobody."""

from __future__ import annotations

import time
from concurrent.futures import ThreadPoolExecutor
from functools import partial

import pytest
from django.db import connection
from django.utils import timezone

from accounting.webhooks import queries
from accounting.webhooks.actions.delivering import deliver_due
from accounting.webhooks.actions.registering import pause_webhook, resume_webhook
from accounting.webhooks.actions.wire import post_events
from accounting.webhooks.models import Webhook
from tests.accounting.webhooks.receiver import BREAK_OFF, HANG, a_receiver
from tests.accounting.webhooks.scene import chief, registered, some_events
from tests.patience import PATIENCE, until

pytestmark = pytest.mark.race
QUICK = partial(post_events, seconds=0.5)


def a_worker(until_number: int) -> None:
    """Comes by again and again, as workers do, and does not wait for the pause after a failure."""
    try:
        end = time.monotonic() + PATIENCE
        rows = Webhook.objects.filter(last_number__lt=until_number, paused_at=None)
        while rows.exists() and time.monotonic() < end:
            deliver_due(QUICK)
            Webhook.objects.filter(tries__gt=0).update(next_try_at=timezone.now())
    finally:
        connection.close()


def test_several_workers_tell_everything_in_order_whatever_the_other_side_does(
    fresh_database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(queries, "AT_MOST", 3)
    some_events(20)
    with a_receiver(500, 200, BREAK_OFF, HANG, 503, 200) as shaky, a_receiver(200) as steady:
        registered(shaky.address)
        registered(steady.address)
        with ThreadPoolExecutor(3) as workers:
            for each in [workers.submit(a_worker, 20) for _ in range(3)]:
                each.result()
        for program in (shaky, steady):
            assert program.numbers == list(range(1, 21)), "in order, none missed, none twice among what was taken"
        assert len(steady.heard) == 7
        assert len(shaky.heard) == 7 + 4
    assert set(Webhook.objects.values_list("last_number", "tries")) == {(20, 0)}


def test_one_that_hangs_holds_up_nobody(fresh_database: str) -> None:
    some_events(3)
    with a_receiver(HANG) as hanging, a_receiver(200) as steady:
        stuck = registered(hanging.address).row
        registered(steady.address)
        with ThreadPoolExecutor(1) as worker:
            going = worker.submit(worked, PATIENCE)  # it hangs until it is told to go on
            until(lambda: steady.numbers, "the steady one is told")
            assert steady.numbers == [1, 2, 3]
            pause_webhook(row=stuck, reason="it hangs", by=chief())
            assert not going.done(), "the hanging one is still under way, and was paused meanwhile"
            hanging.over.set()
            assert going.result() == 1
        stuck.refresh_from_db()
        assert (stuck.tries, stuck.last_number, stuck.state) == (1, 0, "paused")
        assert "broke off before it answered" in stuck.last_answer
        hanging.answers[:] = [200]
        resume_webhook(row=stuck, reason="it answers again", by=chief())
        assert deliver_due(QUICK) == 1
        assert hanging.numbers == [1, 2, 3]


def worked(seconds: float) -> int:
    try:
        return deliver_due(partial(post_events, seconds=seconds))
    finally:
        connection.close()
