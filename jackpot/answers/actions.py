"""One asking, one answer: who repeats a request under its own key hears what was answered the first time."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import timedelta
from json import dumps
from typing import Any, Final

from django.conf import settings
from django.db import DatabaseError, InterfaceError, connection, transaction
from django.db.models import QuerySet
from django.utils import timezone

from jackpot.answers.models import StoredAnswer
from jackpot.answers.rules import FORM, forgotten_before
from jackpot.errands.rules import Rhythm
from jackpot.refusals import AlreadyPosted

# The second of two at the same moment waits here for the first, and finds its row when that has committed.
_COUNTED: Final = """
INSERT INTO jackpot_storedanswer (actor, key, asked, answer) VALUES (%s, %s, %s, %s)
ON CONFLICT DO NOTHING RETURNING id
"""
_ALONE: Final = "SELECT pg_advisory_lock(hashtextextended(%s, 0))"
_LEFT: Final = "SELECT pg_advisory_unlock(hashtextextended(%s, 0))"
FORGETTING: Final = Rhythm("forget answers", every=timedelta(hours=1), alarm_after=timedelta(days=1))
AT_ONCE: Final = 5_000


@contextmanager
def one_asking(*, actor: str, key: str) -> Iterator[None]:
    """Of two that come under one key at the same moment the second waits here until the first one's answer is kept.

    A lock of the line and not of a transaction: the act commits, and its answer is kept after it. It ends with the
    line, so an act without an answer holds up nobody.
    """
    named = [f"asked under {actor[:80]} {key}"]
    with connection.cursor() as cursor:
        cursor.execute(_ALONE, named)
    line = connection.connection
    try:
        yield
    finally:
        if connection.connection is line:
            with suppress(DatabaseError, InterfaceError), connection.cursor() as cursor:
                cursor.execute(_LEFT, named)


@dataclass(frozen=True, slots=True)
class SentForm:
    """One sending of a page's form, or of a program's request: whose, its own key, a digest of what it says, and a
    name of this sending."""

    actor: str
    key: str
    asked: str
    sending: str
    prefix: str = FORM


def answered(sent: SentForm) -> dict[str, Any] | None:
    """What this person's request was answered, or None; the same key with other words is a clash."""
    row = _form_rows(sent).first()
    if row is None:
        return None
    if row.asked != sent.asked:
        raise AlreadyPosted("This Idempotency-Key was used for another request. Draw a new one.")
    if "said" not in row.answer:
        why = "This was sent before under the same Idempotency-Key, and it was done; what it was answered is not kept."
        raise AlreadyPosted(f"{why} Look what came of it, and draw a new key for what you do next.", "done_before")
    return dict(row.answer)


@transaction.atomic
def keep_answer(sent: SentForm, answer: Mapping[str, Any]) -> None:
    """Behind the act's commit: what was rolled back must never be told as done. Some acts have no line, and no mark."""
    _form_rows(sent).filter(answer__sending=sent.sending).delete()
    row = _form_row(sent, {"sending": sent.sending, **answer})
    StoredAnswer.objects.bulk_create([row], ignore_conflicts=True)


def sent_before(form: SentForm) -> Mapping[str, Any] | None:
    """What is known of an earlier sending that counted, or None; with other words it is another form."""
    row = _form_rows(form).first()
    if row is None:
        return None
    if row.asked != form.asked:
        why = "This form was sent before, with something else in it, and that counted."
        raise AlreadyPosted(f"{why} Look what came of it; for another one fill the form in anew.", "form_sent")
    return dict(row.answer)


def count_form(form: SentForm) -> None:
    """In the act's own transaction: act and mark are there together, or neither. A second sending is not done."""
    row = _form_row(form, {"sending": form.sending})
    with connection.cursor() as cursor:
        cursor.execute(_COUNTED, [row.actor, row.key, row.asked, dumps(row.answer)])
        if cursor.fetchone() is not None:
            return
    # The act may have begun anew within the same sending: then the mark that stands there is its own.
    known = _form_rows(form).first()
    if known is None or known.answer.get("sending") != form.sending:
        raise AlreadyPosted("This form was sent a moment ago, and it counts once. Look what came of it.", "form_sent")


@transaction.atomic
def keep_where(form: SentForm, to: str) -> None:
    # Taken away and added: of these rows nobody may change one (`rights.py`).
    """Whoever sends it again is led to where the first sending led."""
    gone, _ = _form_rows(form).filter(answer__sending=form.sending).delete()
    if gone:
        _form_row(form, {"sending": form.sending, "to": to}).save(force_insert=True)


def forget_form(form: SentForm) -> None:
    """Its act was refused: it may be sent again."""
    _form_rows(form).filter(answer__sending=form.sending).delete()


def _form_rows(form: SentForm) -> QuerySet[StoredAnswer]:
    return StoredAnswer.objects.filter(actor=form.actor[:80], key=f"{form.prefix}{form.key}")


def _form_row(form: SentForm, answer: dict[str, Any]) -> StoredAnswer:
    return StoredAnswer(actor=form.actor[:80], key=f"{form.prefix}{form.key}", asked=form.asked, answer=answer)


def forget_answers() -> int:
    """Takes away what is older than its stated life, some thousands at a time; returns how many."""
    until, gone = forgotten_before(timezone.now(), settings.ANSWERS_KEPT_DAYS), 0
    while True:
        # By their keys: a DELETE takes no limit.
        some = StoredAnswer.objects.filter(at__lt=until).order_by("at").values("pk")[:AT_ONCE]
        count, _ = StoredAnswer.objects.filter(pk__in=some).delete()
        gone += count
        if count < AT_ONCE:
            return gone
