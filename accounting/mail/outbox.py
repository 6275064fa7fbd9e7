"""Messages that wait until somebody took them: each sent by one worker, outside of any transaction, tried again."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Final, Generic, Protocol, TypeVar

from django.db import models, transaction
from django.db.models import QuerySet, Subquery
from django.db.models.functions import Now
from django.utils import timezone

from jackpot.errands.queries import due_by
from jackpot.errands.rules import pause_after

log = logging.getLogger(__name__)
LONGEST_PAUSE: Final = timedelta(hours=1)
SPELL: Final = 20.0  # after which a worker looks up; what is left is due again at once


class WaitingMessage(models.Model):
    """How far one message is on its way."""

    written_at = models.DateTimeField(db_default=Now())
    due_at = models.DateTimeField(db_default=Now(), help_text="Not tried before this moment.")
    tries = models.PositiveIntegerField(default=0)
    sent_at = models.DateTimeField(null=True)
    given_up_at = models.DateTimeField(null=True)
    last_answer = models.CharField(max_length=200, blank=True)

    class Meta:
        abstract = True

    @property
    def waits(self) -> bool:
        return self.sent_at is None and self.given_up_at is None


class MessageAnswer(Protocol):
    """What came of a try: whether it was taken, and the sentence that people read about it."""

    @property
    def taken(self) -> bool: ...

    @property
    def why(self) -> str: ...


@dataclass(frozen=True, slots=True)
class NotWritten:
    """A fault of ours, in the same words as what a server did not take."""

    taken: bool = False
    why: str = "This letter could not be written; the log says why."


Message = TypeVar("Message", bound=WaitingMessage)


def due(rows: QuerySet[Message], now: datetime) -> QuerySet[Message]:
    return rows.filter(due_by("due_at", now, LONGEST_PAUSE), sent_at=None, given_up_at=None)


def with_last(rows: QuerySet[Any], messages: QuerySet[Any]) -> QuerySet[Any]:
    """Where messages go, each with what came of its last one; `messages` are those of one row, by `OuterRef`."""
    last = messages.order_by("-id")
    told: QuerySet[Any] = rows.annotate(
        answer=Subquery(last.values("last_answer")[:1]), sent=Subquery(last.values("sent_at")[:1]),
        asked=Subquery(last.values("written_at")[:1]),
    )  # fmt: skip
    return told


def _silent(_: Any) -> None:
    """Most messages leave no line of their own."""


@dataclass(frozen=True, slots=True)
class Outbox(Generic[Message]):
    """One kind of messages: its rows with what is read along, how each is sent, and when it is not tried any more."""

    rows: QuerySet[Message]
    deliver: Callable[[Message], MessageAnswer]
    given_up_after: timedelta
    lease: timedelta  # so long a telling may take before somebody else tries: every word of SMTP waits
    ended: Callable[[Message], None] = _silent  # within the transaction that notes that it went, or never will

    def send_due(self) -> int:
        """One message after another, each by one worker: no two send the same. Returns how many were taken."""
        taken, until = 0, time.monotonic() + SPELL
        while time.monotonic() < until and (message := self._claimed()) is not None:
            # Behind the commit: a mail server that drips holds no row and no transaction.
            answer = self._delivered(message)
            self._note(message, answer)
            taken += answer.taken
        return taken

    def _delivered(self, message: Message) -> MessageAnswer:
        """What cannot even be written is no taken letter, and stands in the way of none behind it."""
        try:
            return self.deliver(message)
        except Exception:
            log.exception("%s could not be written", message)
            return NotWritten()

    def _claimed(self) -> Message | None:
        """Taken for a while; whoever dies with it leaves it to be told again, which is better than never."""
        now = timezone.now()
        with transaction.atomic():
            rows = due(self.rows, now).select_for_update(skip_locked=True, of=("self",))
            message = rows.order_by("id").first()
            if message is not None:
                # Counted and not only timed: who comes back after the lease is told apart from who has it then.
                message.tries += 1
                message.due_at = now + self.lease
                message.save(update_fields=["tries", "due_at"])
            return message

    def _note(self, message: Message, answer: MessageAnswer) -> None:
        """What came of it; of a try that somebody else has taken over, only that it was taken after all."""
        with transaction.atomic():
            held = self.rows.select_for_update(of=("self",)).get(pk=message.pk)
            now, waited = timezone.now(), held.waits
            if answer.taken:
                held.sent_at, held.last_answer = held.sent_at or now, answer.why[:200]
            elif held.tries == message.tries:
                held.last_answer = answer.why[:200]
                if now - held.written_at > self.given_up_after:
                    held.given_up_at = held.given_up_at or now
                else:
                    held.due_at = now + pause_after(held.tries, LONGEST_PAUSE)
            held.save(update_fields=["last_answer", "sent_at", "given_up_at", "due_at"])
            if waited and not held.waits:
                self.ended(held)
