from __future__ import annotations

from datetime import datetime
from typing import ClassVar

from django.db import models
from django.db.models.functions import Now

from jackpot.requests.rules.life import APPROVED, OPEN, RequestState

LONGEST_REASON = 200
_SIGNED = models.Q(state__in=sorted(state.value for state in APPROVED))
_OPEN = models.Q(state__in=sorted(state.value for state in OPEN))
_OF_TWO = models.Q(decided_by__isnull=False) & ~models.Q(decided_by=models.F("asked_by"))


class Request(models.Model):
    """What one person asks for and another decides, of whatever kind. Kept whatever became of it.

    A kind with columns of its own has a model beside it that inherits from this one; any other keeps what is asked for
    in `payload`. Who asked and what was previewed never changes, and a decision is made once: the database refuses
    anything else.
    """

    State = RequestState

    kind = models.CharField(max_length=20, help_text="What is asked for; docs/requests.md lists the kinds.")
    premises = models.ForeignKey("jackpot.Property", on_delete=models.PROTECT, related_name="requests")
    jackpot = models.ForeignKey("jackpot.Jackpot", on_delete=models.PROTECT, null=True, related_name="requests")
    win = models.ForeignKey("jackpot.Win", on_delete=models.PROTECT, null=True, related_name="requests")
    cause = models.ForeignKey(
        "self", on_delete=models.PROTECT, null=True, related_name="decisions",
        help_text="The request that this one follows from, such as the back-out that a difference comes of.",
    )  # fmt: skip
    number = models.PositiveIntegerField(
        default=0, help_text="1, 2, 3 … per kind and jackpot, or per kind and house; 0: people use its key."
    )
    payload = models.JSONField(default=dict, help_text="What is asked for, of a kind without columns of its own.")
    reason = models.CharField(max_length=LONGEST_REASON, help_text="Why it is asked for, in words.")
    evidence = models.CharField(max_length=200, blank=True)
    file_name = models.CharField(max_length=120, blank=True)
    file_sha256 = models.CharField(max_length=64, blank=True)
    state = models.CharField(
        max_length=10, choices=[(state.value, state.value) for state in RequestState], default=RequestState.ASKED.value
    )
    asked_by = models.ForeignKey("jackpot.Operator", on_delete=models.PROTECT, related_name="+")
    asked_by_name = models.CharField(max_length=100, help_text="The name as it was then; people are compared by key.")
    asked_at = models.DateTimeField(db_default=Now())
    previewed_at = models.DateTimeField(null=True)
    findings = models.JSONField(default=list, help_text="What the preview found, frozen with the request.")
    preview = models.JSONField(default=dict, help_text="Before and after, as whoever asked saw it.")
    alone = models.BooleanField(default=False, help_text="It only takes authority away: one person is enough.")
    decided_by = models.ForeignKey("jackpot.Operator", on_delete=models.PROTECT, null=True, related_name="+")
    decided_by_name = models.CharField(max_length=100, blank=True)
    decided_at = models.DateTimeField(null=True)
    decided_reason = models.CharField(max_length=LONGEST_REASON, blank=True, help_text="Why it was refused.")
    card = models.ForeignKey(
        "jackpot.Card",
        on_delete=models.PROTECT,
        null=True,
        related_name="+",
        help_text="Read for the second signature.",
    )
    withdrawn_by = models.ForeignKey("jackpot.Operator", on_delete=models.PROTECT, null=True, related_name="+")
    withdrawn_by_name = models.CharField(max_length=100, blank=True)
    withdrawn_at = models.DateTimeField(null=True)
    withdrawn_reason = models.CharField(max_length=LONGEST_REASON, blank=True)

    class Meta:
        ordering = ["-id"]
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(
                fields=["kind", "premises", "jackpot", "number"],
                condition=models.Q(number__gt=0),
                # What is asked for of a house has no jackpot: two such empty ones count as equal here.
                nulls_distinct=False,
                name="request_numbers_once",
            ),
            # What only takes authority away counts on one person's word.
            models.CheckConstraint(condition=~_SIGNED | models.Q(alone=True) | _OF_TWO, name="request_of_two_people"),
            models.CheckConstraint(
                condition=~_OPEN | models.Q(decided_by__isnull=True, decided_at__isnull=True),
                name="request_open_is_undecided",
            ),
            models.CheckConstraint(
                condition=~models.Q(state=RequestState.REFUSED.value)
                | models.Q(decided_by__isnull=False, decided_at__isnull=False),
                name="request_refused_by_somebody",
            ),
            # A reset puts one version in force, so no two may wait for it.
            models.UniqueConstraint(
                fields=["jackpot"],
                condition=models.Q(kind="terms", state=RequestState.SIGNED.value),
                name="request_one_version_waits",
            ),
            # Refused, it may be asked for again; asked for or signed, it is one.
            models.UniqueConstraint(
                fields=["win"],
                condition=models.Q(kind="back_out") & (_OPEN | _SIGNED),
                name="request_backs_out_once",
            ),
            models.UniqueConstraint(
                fields=["cause", "win"],
                condition=models.Q(kind="difference") & _OPEN,
                name="request_of_a_difference_once",
            ),
            models.UniqueConstraint(
                fields=["win"],
                condition=models.Q(kind="underpayment") & _OPEN,
                name="request_of_an_underpayment_once",
            ),
            models.CheckConstraint(
                condition=~models.Q(kind="underpayment") | models.Q(win__isnull=False),
                name="request_underpayment_has_its_win",
            ),
            models.CheckConstraint(
                condition=~models.Q(kind="difference") | models.Q(cause__isnull=False, win__isnull=False),
                name="request_difference_has_its_cause",
            ),
        ]
        indexes = [
            models.Index(fields=["state", "-id"], name="request_inbox"),
            models.Index(fields=["premises", "asked_at"], name="request_by_time"),
        ]

    def __str__(self) -> str:
        return f"request {self.pk}"

    @property
    def ended_at(self) -> datetime | None:
        """When it was decided or taken back."""
        return self.decided_at or self.withdrawn_at

    @property
    def is_open(self) -> bool:
        """Whether nobody has decided yet."""
        return self.state in OPEN


class RequestEntry(models.Model):
    """An entry of the books that a request was posted as."""

    request = models.ForeignKey(Request, on_delete=models.PROTECT, related_name="entries")
    jackpot = models.ForeignKey("jackpot.Jackpot", on_delete=models.PROTECT, related_name="+")
    seq = models.BigIntegerField(help_text="Its number in the books of that jackpot.")

    class Meta:
        ordering = ["id"]
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(fields=["jackpot", "seq"], name="request_entry_once")
        ]

    def __str__(self) -> str:
        return f"{self.jackpot.code}/{self.seq}"
