"""What comes round: done once whoever comes, repeated after a failure, told when nobody did it."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from typing import Any

import pytest
import time_machine
from django.db import IntegrityError, connection
from django.test import Client
from django.utils import timezone

from jackpot.errands import actions as errands
from jackpot.errands.models import Errand
from jackpot.errands.rules import Rhythm
from jackpot.property.models.property import Property
from jackpot.trail.models import Trail
from tests.builders import a_jackpot, a_person

HEADS = Rhythm("publish heads", every=timedelta(minutes=5), alarm_after=timedelta(minutes=5))


def owed_for(minutes: int) -> None:
    then = timezone.now() - timedelta(minutes=minutes)
    Errand.objects.update(owed_since=then, due_at=then)


def test_of_many_who_come_at_once_one_does_it(fresh_database: str) -> None:
    errands.put_up([HEADS])
    done: list[int] = []

    def come(_: int) -> bool:
        try:
            return errands.do_errand(code=HEADS.code, work=lambda: done.append(1))
        finally:
            connection.close()

    with ThreadPoolExecutor(8) as many:
        assert sum(many.map(come, range(24))) == 1
    assert done == [1]


@pytest.mark.django_db
def test_a_failure_is_noted_undone_and_repeated_later_each_time() -> None:
    errands.put_up([HEADS])
    jackpot = a_jackpot("GRAND")

    def fails() -> None:
        Property.objects.filter(pk=jackpot.premises_id).update(name="half-done")
        raise OSError(28, "No space left on device")

    pauses = []
    for _ in range(10):
        Errand.objects.update(due_at=timezone.now())
        assert not errands.do_errand(code=HEADS.code, work=fails)
        assert not errands.is_due(HEADS.code)
        pauses.append((Errand.objects.get().due_at - timezone.now()).seconds + 1)
    assert pauses == [2, 4, 8, 16, 32, 64, 128, 256, 300, 300]
    assert Errand.objects.get().why == "It failed 10 times. Last word: OSError: [Errno 28] No space left on device"
    assert Property.objects.get(pk=jackpot.premises_id).name != "half-done"


@pytest.mark.django_db
def test_work_that_the_database_refuses_is_a_failure_like_any_other() -> None:
    errands.put_up([HEADS])
    assert not errands.do_errand(code=HEADS.code, work=lambda: (_ for _ in ()).throw(IntegrityError("no")))
    assert Errand.objects.get().tries == 1


@pytest.mark.django_db
def test_an_overdue_errand_is_told_to_the_trail_once_and_again_when_it_is_done() -> None:
    assert errands.look_out([HEADS]) == 0
    owed_for(6)
    assert [errands.look_out([HEADS]), errands.look_out([HEADS])] == [1, 0]
    alarm = Trail.objects.get(act="errand overdue")
    assert (alarm.actor, alarm.subject, alarm.outcome) == ("Server", "publish heads", "alarm")
    assert alarm.why.startswith("Nobody does it")
    assert errands.do_errand(code=HEADS.code, work=lambda: None)
    assert Trail.objects.get(act="errand done late").why == "Owed for 6 minutes."
    assert errands.look_out([HEADS]) == 0


@pytest.mark.django_db
def test_failing_tries_do_not_put_the_alarm_off() -> None:
    errands.put_up([HEADS])
    owed_for(6)

    def fails() -> None:
        raise OSError("disk")

    errands.do_errand(code=HEADS.code, work=fails)
    assert errands.raise_alarms() == 1
    assert "Last word: OSError: disk" in Trail.objects.get(act="errand overdue").why


@pytest.mark.django_db
@pytest.mark.parametrize(("minutes", "shown"), [(4, False), (6, True)])
def test_pit_office_readiness_and_metrics_show_what_is_overdue(client: Client, minutes: int, shown: bool) -> None:
    errands.put_up([HEADS])
    owed_for(minutes)
    client.force_login(a_person("supervisor", may=("run_tables", "see")))
    for page in ("/pit/", "/"):
        assert ("Overdue: publish heads" in client.get(page).content.decode()) is shown
    answer: Any = client.get("/api/v1/ready")
    assert (answer.status_code, answer.json()["overdue"]) == (200, ["publish heads"] if shown else [])
    text = client.get("/api/v1/metrics").content.decode()
    assert f'fairmeter_errand_overdue{{errand="publish heads"}} {int(shown)}' in text


@pytest.mark.django_db
def test_work_that_was_put_off_while_the_clock_was_ahead_is_due_when_it_is_put_right() -> None:
    errands.put_up([HEADS])
    with time_machine.travel(timezone.now() + timedelta(hours=1), tick=False):
        assert errands.do_errand(code=HEADS.code, work=lambda: None)
        assert not errands.is_due(HEADS.code)
    assert errands.is_due(HEADS.code)
    assert errands.do_errand(code=HEADS.code, work=lambda: None)
    assert not errands.is_due(HEADS.code), "from here on in its own rhythm"
