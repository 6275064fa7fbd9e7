from __future__ import annotations

from datetime import datetime
from typing import ClassVar

from django.db import models
from django.db.models.functions import Now

from jackpot.property.rules.notice import NOTICE_WORDS, NoticeAbout, NoticeState, notice_state
from jackpot.trail.rules import objects
from jackpot.trail.rules.objects import ObjectRef
from jackpot.wins.rules.win_life import WinState


class Notice(models.Model):
    """Somebody has to be told of something by a moment, and somebody has done it or has not.

    What is due never changes; that it was done is written once. The database refuses anything else.
    """

    premises = models.ForeignKey("jackpot.Property", on_delete=models.PROTECT, related_name="notices")
    about = models.CharField(max_length=12, choices=[(about.value, words) for about, words in NOTICE_WORDS.items()])
    to = models.CharField(max_length=60, help_text="Who has to be told.")
    owner = models.CharField(max_length=40, blank=True, help_text="The role that tells them; empty: the window.")
    request = models.ForeignKey("jackpot.Request", on_delete=models.PROTECT, null=True, related_name="notices")
    suspension = models.ForeignKey(
        "jackpot.CoverSuspension", on_delete=models.PROTECT, null=True, related_name="notices",
        help_text="The jackpot suspended itself: nobody asked for it, so there is no request.",
    )  # fmt: skip
    win = models.ForeignKey("jackpot.Win", on_delete=models.PROTECT, null=True, related_name="due_notices")
    subject = models.CharField(max_length=120, help_text="What it is about, in one line.")
    raised_at = models.DateTimeField(db_default=Now())
    due_at = models.DateTimeField()
    done_by = models.ForeignKey("jackpot.Operator", on_delete=models.PROTECT, null=True, related_name="+")
    done_by_name = models.CharField(max_length=100, blank=True)
    done_at = models.DateTimeField(null=True)
    note = models.CharField(max_length=200, blank=True, help_text="How they were told: a letter, its number, a call.")

    class Meta:
        ordering = ["due_at", "id"]
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(fields=["request", "to"], name="notice_of_a_request_once"),
            models.UniqueConstraint(fields=["win"], name="notice_of_a_slip_once"),
            models.UniqueConstraint(fields=["suspension", "to"], name="notice_of_a_suspension_once"),
            models.CheckConstraint(
                condition=models.Q(request__isnull=False, win__isnull=True, suspension__isnull=True)
                | models.Q(request__isnull=True, win__isnull=False, suspension__isnull=True)
                | models.Q(request__isnull=True, win__isnull=True, suspension__isnull=False),
                name="notice_is_about_one_thing",
            ),
            models.CheckConstraint(
                condition=models.Q(done_by__isnull=True, done_at__isnull=True, note="")
                | models.Q(done_by__isnull=False, done_at__isnull=False) & ~models.Q(note=""),
                name="notice_done_by_somebody_somehow",
            ),
        ]
        indexes = [models.Index(fields=["premises", "done_at", "due_at"], name="notice_by_due")]

    def __str__(self) -> str:
        return f"notice {self.pk}"

    @property
    def thing(self) -> ObjectRef:
        """The request, the slip or the jackpot that somebody is told of."""
        if self.win is not None:
            return objects.slip(self.win.slip, self.premises_id)
        if self.suspension is not None:
            return objects.jackpot(self.suspension.jackpot.code)
        assert self.request_id is not None, "a notice is about one thing"
        return objects.request(self.request_id, self.premises_id)

    @property
    def words(self) -> str:
        return f"Tell {self.to} of {NOTICE_WORDS[NoticeAbout(self.about)]}."

    def state(self, now: datetime) -> NoticeState:
        falls = self.win is not None and self.win.state != WinState.OWED
        return notice_state(due_at=self.due_at, now=now, done=self.done_at is not None, falls=falls)
