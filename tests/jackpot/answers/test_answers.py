from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from jackpot.answers.actions import FORGETTING, SentForm, answered, count_form, forget_answers, keep_answer
from jackpot.answers.models import StoredAnswer
from jackpot.answers.rules import check_key
from jackpot.answers.tasks import forget_old_answers
from jackpot.errands import actions as errands
from jackpot.refusals import AlreadyPosted, NotUnderstood
from jackpot.trail.models import Trail
from tests.tampering import tamper_with

pytestmark = pytest.mark.django_db
SAID = {"status": 200, "said": {"slip": 7}}


def sent(actor: str = "ann", key: str = "key-00000001", asked: str = "a" * 64, sending: str = "first") -> SentForm:
    return SentForm(actor, key, asked, sending, prefix="")


def kept(actor: str = "ann") -> None:
    keep_answer(sent(actor), SAID)


def said(**of: str) -> Any:
    return (answered(sent(**of)) or {}).get("said")


def test_the_same_asking_hears_the_same_answer() -> None:
    kept()
    assert said(sending="second") == {"slip": 7}


def test_another_key_or_another_person_hears_nothing() -> None:
    kept()
    assert said(key="key-00000002") is None
    assert said(actor="bob") is None


def test_the_same_key_with_other_words_is_loud() -> None:
    kept()
    with pytest.raises(AlreadyPosted, match="another request"):
        said(asked="b" * 64)


def test_what_was_done_and_whose_answer_was_lost_is_not_done_again() -> None:
    count_form(sent())  # the process died between the act's commit and its answer
    with pytest.raises(AlreadyPosted, match="it was done; what it was answered is not kept"):
        said(sending="second")


@pytest.mark.parametrize("key", ["", "1234567", "a" * 61, "key 00001", "schlüssel"])
def test_a_key_is_short_and_plain(key: str) -> None:
    with pytest.raises(NotUnderstood):
        check_key(key)


def test_an_answer_is_no_line_of_the_trail() -> None:
    kept()
    assert not Trail.objects.exists()


def test_of_two_answers_at_the_same_moment_the_first_stays() -> None:
    kept()
    keep_answer(sent(sending="second"), {"status": 200, "said": {"slip": 8}})
    assert said() == {"slip": 7}


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
