"""A preview is a job that ends: asked with the figures of its moment, seen to its end by the worker, watched or not."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from time import monotonic, sleep
from typing import Any

import pytest
from django.conf import settings
from django.db import IntegrityError, transaction

from jackpot.books.models.jackpot import Jackpot
from jackpot.configuring.actions.configure import TermsWish
from jackpot.errands import actions as errands
from jackpot.errands.models import Errand
from jackpot.refusals import Refused
from jackpot.requests.queries import waiting_requests
from jackpot.signing.actions import SecondPerson, asking, sign
from jackpot.terms.models.terms_change import TermsChange
from jackpot.trail.models import Trail
from tables.calculation.desk import desk
from tables.requests.actions import configure
from tables.requests.rules import PREVIEWS
from tables.requests.tasks import finish_previews
from tests.accounting.lab.lab_scene import outcomes_are_known
from tests.builders import a_pay_table
from tests.patience import PATIENCE
from tests.scenes_configure import two_people
from tests.scenes_owed import OwedFloor

pytestmark = pytest.mark.django_db


@pytest.fixture
def floor() -> Iterator[OwedFloor]:
    outcomes_are_known(Path(settings.DATA_DIR))
    yield OwedFloor(meter="20000.00", pay_table=a_pay_table())
    desk().close()


def drafted(floor: OwedFloor) -> TermsChange:
    jackpot = Jackpot.objects.get(code="GRAND")
    wish = TermsWish(configure.wished_terms(jackpot, {"rate": "60"}), "the season")
    return configure.draft(jackpot=jackpot, wish=wish, by=two_people(floor.casino.premises)[0])


def asked_meters(questions: dict[str, Any]) -> list[str]:
    return [each["question"]["meters"][0] for each in questions["asked"]]


def test_it_ends_though_chips_are_counted_all_the_time_and_nobody_looks(floor: OwedFloor) -> None:
    errands.put_up([PREVIEWS])
    change = drafted(floor)
    frozen = dict(change.questions)
    assert asked_meters(frozen) == ["20000.00", "20000.00"]
    others = set(desk()._jobs)
    until = monotonic() + PATIENCE
    while change.state == "asked" and monotonic() < until:
        floor.coin_ins(1)
        finish_previews()
        Errand.objects.filter(code=PREVIEWS.code).update(due_at="2026-01-01T00:00:00Z")
        sleep(0.1)
        change.refresh_from_db()
    floor.jackpot.refresh_from_db()
    assert str(floor.jackpot.meter_money) != "20000.00", "the meter went on meanwhile"
    assert (change.state, change.questions, len(change.figures)) == ("previewed", frozen, 2)
    asked = {name for name in desk()._jobs if name not in others and '"laboratory"' in name}
    assert len(asked) <= 2, "every look asked the same two questions"  # one may have been asked by another test
    line = Trail.objects.get(act="preview_version")
    assert (line.actor, line.details["change"]) == ("Server", 1)
    signer = two_people(floor.casino.premises)[1]
    assert [each.pk for each in waiting_requests(signer)] == [change.pk]


def test_the_question_survives_a_restart_and_cannot_be_exchanged(floor: OwedFloor) -> None:
    """What was under way in the old process is asked again by the next one, word for word."""
    change = drafted(floor)
    asking.finish_previews()
    desk().close()
    floor.coin_ins(3)
    kept = TermsChange.objects.get(pk=change.pk)
    assert kept.questions == change.questions
    with pytest.raises(IntegrityError, match="stays"), transaction.atomic():
        TermsChange.objects.filter(pk=change.pk).update(questions={"asked": [], "unknown": ""})


def test_nobody_signs_before_it_is_there(floor: OwedFloor) -> None:
    change = drafted(floor)
    with pytest.raises(Refused, match="has no preview yet"):
        sign(request_id=change.pk, approver=SecondPerson(two_people(floor.casino.premises)[1]))


def test_the_worker_s_errand_is_done_whether_or_not_anything_waits() -> None:
    errands.put_up([PREVIEWS])
    finish_previews()
    assert Errand.objects.get(code=PREVIEWS.code).done_at is not None
