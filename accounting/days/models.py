from __future__ import annotations

from typing import ClassVar

from django.db import models
from django.db.models.functions import Now

from accounting.days.rules.day_life import DayAct
from accounting.days.rules.piles import pile_name
from jackpot.money import Money, units_of
from jackpot.money_field import AmountField
from jackpot.requests.models import Request
from jackpot.requests.rules.life import RequestState

PERSON = "jackpot.Operator"


class OfDay(models.Model):
    """Something that was written of one gaming day of one house. It is added, never changed."""

    premises = models.ForeignKey("jackpot.Property", on_delete=models.PROTECT, related_name="+")
    day = models.DateField()
    at = models.DateTimeField(db_default=Now())

    class Meta:
        abstract = True


class DaySnapshot(OfDay):
    """Where one jackpot stood when the gaming day had rolled, with its equation as it was reckoned then."""

    jackpot = models.ForeignKey("jackpot.Jackpot", on_delete=models.PROTECT, related_name="days")
    after_seq = models.BigIntegerField(help_text="Last entry before the day.")
    last_seq = models.BigIntegerField(help_text="Last entry of the day; the same where nothing was posted.")
    seal = models.CharField(max_length=64, help_text="Of that entry: the head of the books at the close.")
    meter = AmountField()
    reserve = AmountField()
    overflow = AmountField()
    winners = AmountField()
    house = AmountField()
    owed = AmountField(help_text="What of house advances was still owed.")
    seed = AmountField(help_text="Of the version in force.")
    equation = models.JSONField()
    # The lists of days ask for it alone; the equation beside it is opened for one day at a time.
    agrees = models.BooleanField()

    class Meta:
        ordering = ["premises_id", "day", "jackpot_id"]
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(fields=["jackpot", "day"], name="snapshot_of_a_day_once"),
        ]
        indexes = [models.Index(fields=["premises", "day"], name="snapshot_by_day")]

    def __str__(self) -> str:
        return f"{self.jackpot.code} on {self.day}"


class MeterReading(OfDay):
    """What a person read off a sign, compared with the books of that minute. The last of a shift counts."""

    jackpot = models.ForeignKey("jackpot.Jackpot", on_delete=models.PROTECT, related_name="+")
    sign = models.CharField(max_length=20, blank=True)
    shift = models.CharField(max_length=30, blank=True)
    shown = AmountField()
    # By this moment it is compared with the meter; `at` says only when somebody typed it.
    read_at = models.DateTimeField()
    person = models.ForeignKey(PERSON, on_delete=models.PROTECT, related_name="+")

    class Meta:
        ordering = ["id"]

    def __str__(self) -> str:
        return f"reading of {self.jackpot.code}"


class ChipCount(OfDay):
    """The chips of one wager of a table as one person counted them, not knowing what another did."""

    table_code = models.CharField(max_length=20)
    wager = models.CharField(max_length=20, blank=True, default="", help_text="A further wager; empty for the first.")
    chips = models.PositiveIntegerField()
    person = models.ForeignKey(PERSON, on_delete=models.PROTECT, related_name="+")

    class Meta:
        ordering = ["id"]
        indexes = [models.Index(fields=["premises", "day"], name="count_by_day")]

    def __str__(self) -> str:
        return f"count of {self.pile}"

    @property
    def pile(self) -> str:
        return pile_name(self.table_code, self.wager)


class FeeCount(OfDay):
    """What the drop box of one table held in collections, as somebody counted it. The last line counts."""

    table_code = models.CharField(max_length=20)
    amount = AmountField()
    person = models.ForeignKey(PERSON, on_delete=models.PROTECT, related_name="+")

    class Meta:
        ordering = ["id"]
        indexes = [models.Index(fields=["premises", "day"], name="fee_count_by_day")]

    def __str__(self) -> str:
        return f"collections of {self.table_code}"


class BankBalance(OfDay):
    """What stood in the account that covers the jackpots, as somebody read it off a statement of that day."""

    amount = AmountField()
    as_of = models.DateField()
    person = models.ForeignKey(PERSON, on_delete=models.PROTECT, related_name="+")

    class Meta:
        ordering = ["id"]

    def __str__(self) -> str:
        return f"bank balance of {self.as_of}"


class ChipPlace(models.Model):
    """Whether the progressive chips of a house fall into a box of their own, so that they can be counted."""

    class Where(models.TextChoices):
        BOX = "box", "separate box"
        TRAY = "tray", "dealer's tray"

    premises = models.OneToOneField("jackpot.Property", on_delete=models.PROTECT, primary_key=True, related_name="+")
    where = models.CharField(max_length=4, choices=Where.choices)

    def __str__(self) -> str:
        return self.get_where_display()


class Explanation(Request):
    """Why a line of a gaming day differs, and by how much: a request like any other, counting once another person has
    signed it. Its number stands in what the two who close the day sign."""

    class Cause(models.TextChoices):
        COUNTING = "counting", "counted wrong"
        READING = "reading", "read wrong or late"
        NOT_DONE = "not_done", "not read or counted"
        DEVICE = "device", "sign or sensor fault"
        PAPER = "paper", "page missing or spoiled"
        POSTING = "posting", "posted wrong, corrected by a request"
        BANK = "bank", "transfer to the bank under way"
        OTHER = "other", "other"

    day = models.DateField()
    # As long as `CloseLine.subject` may be, for by it the line is found again.
    subject = models.CharField(max_length=80, help_text="The line: its column and what it is about.")
    amount = AmountField(help_text="The difference that it explains; another one is not explained by it.")
    ground = models.CharField(max_length=10, choices=Cause.choices)

    class Meta:
        ordering: ClassVar[list[str]] = ["id"]
        indexes = [models.Index(fields=["day"], name="explanation_of_a_day")]

    def __str__(self) -> str:
        return f"explanation of {self.subject}"

    @property
    def number_text(self) -> str:
        """For the names of a form's fields."""
        return str(self.number)

    @property
    def amount_money(self) -> Money:
        return Money(units_of(self.amount))

    @property
    def seen(self) -> dict[str, str]:
        """What stood on the line for whoever explained it. Explanations of old kept its difference only."""
        words = ("state", "expected", "found", "variance", "told")
        return {word: self.preview[word] for word in words} if self.preview else {"variance": str(self.amount_money)}

    @property
    def is_signed(self) -> bool:
        return self.state == RequestState.IN_FORCE


class DaySignature(OfDay):
    """One step of a day's life and who took it: the last one says where the day stands."""

    act = models.CharField(max_length=8, choices=[(act.value, act.value) for act in DayAct])
    person = models.ForeignKey(PERSON, on_delete=models.PROTECT, related_name="+")
    why = models.CharField(max_length=200, blank=True)
    digest = models.CharField(max_length=64, blank=True, help_text="sha-256 of what was signed.")
    # Kept whole beside its digest: the digest says that something changed since, this says what it had been.
    signed = models.JSONField(default=dict, help_text="Everything that was signed, as it stood then.")

    class Meta:
        ordering = ["id"]
        indexes = [models.Index(fields=["premises", "day"], name="day_signature_by_day")]

    def __str__(self) -> str:
        return f"{self.act} {self.day}"
