"""One asking, one answer: who repeats a request under its own key hears what was answered the first time."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import timedelta
from typing import Any, Final

from django.conf import settings
from django.utils import timezone

from jackpot.answers.models import StoredAnswer
from jackpot.answers.rules import forgotten_before
from jackpot.canonical import digest_of_value
from jackpot.errands.rules import Rhythm
from jackpot.refusals import AlreadyPosted

FORGETTING: Final = Rhythm("forget answers", every=timedelta(hours=1), alarm_after=timedelta(days=1))
AT_ONCE: Final = 5_000


def answered(*, actor: str, key: str, asked: Mapping[str, Any]) -> dict[str, Any] | None:
    """The stored answer of this person's request, or None; the same key with other words is a clash."""
    row = StoredAnswer.objects.filter(actor=actor[:80], key=key).first()
    if row is None:
        return None
    if row.asked != _digest(asked):
        raise AlreadyPosted("This Idempotency-Key was used for another request. Draw a new one.")
    return {**row.answer, "repeat": True}


def remember(*, actor: str, key: str, asked: Mapping[str, Any], answer: Mapping[str, Any]) -> None:
    """Keeps an answer under its key; of two that came at the same moment the first one stays."""
    row = StoredAnswer(actor=actor[:80], key=key, asked=_digest(asked), answer=dict(answer))
    StoredAnswer.objects.bulk_create([row], ignore_conflicts=True)


def forget_answers() -> int:
    """Takes away what is older than its stated life, some thousands at a time; returns how many."""
    until, gone = forgotten_before(timezone.now(), settings.ANSWERS_KEPT_DAYS), 0
    while True:
        some = StoredAnswer.objects.filter(at__lt=until).order_by("at").values("pk")[:AT_ONCE]
        count, _ = StoredAnswer.objects.filter(pk__in=some).delete()
        gone += count
        if count < AT_ONCE:
            return gone


def _digest(asked: Mapping[str, Any]) -> str:
    return digest_of_value(dict(asked))
