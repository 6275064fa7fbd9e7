from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from jackpot.answers.actions import FORGETTING, answered, forget_answers, remember
from jackpot.answers.models import StoredAnswer
from jackpot.answers.rules import check_key
from jackpot.answers.tasks import forget_old_answers
from jackpot.errands import actions as errands
from jackpot.refusals import AlreadyPosted, NotUnderstood
from jackpot.trail.models import Trail
from tests.tampering import tamper_with

pytestmark = pytest.mark.django_db
ASKED = {"act": "approve", "win": "1"}


def kept(actor: str = "ann") -> None:
    remember(actor=actor, key="key-00000001", asked=ASKED, answer={"ok": True, "slip": 7})


def test_the_same_asking_hears_the_same_answer() -> None:
    kept()
    assert answered(actor="ann", key="key-00000001", asked=ASKED) == {"ok": True, "slip": 7, "repeat": True}


def test_another_key_or_another_person_hears_nothing() -> None:
    kept()
    assert answered(actor="ann", key="key-00000002", asked=ASKED) is None
    assert answered(actor="bob", key="key-00000001", asked=ASKED) is None


def test_the_same_key_with_other_words_is_loud() -> None:
    kept()
    with pytest.raises(AlreadyPosted, match="another request"):
        answered(actor="ann", key="key-00000001", asked={**ASKED, "win": "2"})


@pytest.mark.parametrize("key", ["", "1234567", "a" * 61, "key 00001", "schlüssel"])
def test_a_key_is_short_and_plain(key: str) -> None:
    with pytest.raises(NotUnderstood):
        check_key(key)


def test_an_answer_is_no_line_of_the_trail() -> None:
    kept()
    assert not Trail.objects.exists()


def test_of_two_answers_at_the_same_moment_the_first_stays() -> None:
    kept()
    remember(actor="ann", key="key-00000001", asked=ASKED, answer={"ok": True, "slip": 8})
    told = answered(actor="ann", key="key-00000001", asked=ASKED)
    assert told is not None
    assert told["slip"] == 7


def test_the_worker_forgets_answers_after_their_stated_life_and_no_sooner(settings: Any) -> None:
    settings.ANSWERS_KEPT_DAYS = 7
    kept()
    kept("bob")
    tamper_with(StoredAnswer.objects.filter(actor="bob"), at=timezone.now() - timedelta(days=7, minutes=1))
    tamper_with(StoredAnswer.objects.filter(actor="ann"), at=timezone.now() - timedelta(days=6, hours=23))
    errands.put_up([FORGETTING])
    forget_old_answers()
    assert list(StoredAnswer.objects.values_list("actor", flat=True)) == ["ann"]
    assert forget_answers() == 0
