from __future__ import annotations

from typing import ClassVar

from django.db import models
from django.db.models.functions import Now

from jackpot.money import Money, units_of
from jackpot.money_field import AmountField
from tables.slip_book.rules import WORD_MEANINGS, BookAct, SlipWord, printed

PERSON = "jackpot.Operator"


class SlipBook(models.Model):
    """A book of slips with numbers that a printer set. It never changes."""

    premises = models.ForeignKey("jackpot.Property", on_delete=models.PROTECT, related_name="slip_books")
    code = models.CharField(max_length=20)
    prefix = models.CharField(max_length=8, help_text="What is printed before each number.")
    digits = models.PositiveSmallIntegerField(help_text="With how many digits a number is printed.")
    first = models.BigIntegerField()
    last = models.BigIntegerField()
    added_by = models.ForeignKey(PERSON, on_delete=models.PROTECT, related_name="+")
    added_at = models.DateTimeField(db_default=Now())

    class Meta:
        ordering: ClassVar[list[str]] = ["premises_id", "code"]
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(fields=["premises", "code"], name="slip_book_code_once"),
            models.CheckConstraint(
                condition=models.Q(first__gte=0, last__gte=models.F("first")), name="slip_book_runs"
            ),
        ]

    def __str__(self) -> str:
        return f"book {self.code}"

    def printed(self, number: int) -> str:
        return printed(self.prefix, self.digits, number)


class SlipBookMove(models.Model):
    """A book goes out to a pit and comes back, with its first blank number read each time. Added, never changed."""

    book = models.ForeignKey(SlipBook, on_delete=models.PROTECT, related_name="moves")
    number = models.PositiveIntegerField(help_text="Counts the moves of this book.")
    act = models.CharField(max_length=4, choices=[(act.value, act.value) for act in BookAct])
    pit = models.CharField(max_length=40)
    next_blank = models.BigIntegerField(help_text="The first number that is still blank, as it was read in the book.")
    person = models.ForeignKey(PERSON, on_delete=models.PROTECT, related_name="+")
    person_name = models.CharField(max_length=100)
    second = models.ForeignKey(PERSON, on_delete=models.PROTECT, null=True, related_name="+")
    second_name = models.CharField(max_length=100, blank=True)
    at = models.DateTimeField(db_default=Now())

    class Meta:
        ordering: ClassVar[list[str]] = ["id"]
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(fields=["book", "number"], name="slip_book_move_once"),
            models.CheckConstraint(
                condition=~models.Q(person=models.F("second")) | models.Q(second__isnull=True),
                name="slip_book_move_of_two",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.book} {self.act}"


class HandSlip(models.Model):
    """What became of one printed number: tied to a win that was posted late, void, or missing. Added, never changed."""

    book = models.ForeignKey(SlipBook, on_delete=models.PROTECT, related_name="slips")
    premises = models.ForeignKey("jackpot.Property", on_delete=models.PROTECT, related_name="+")
    number = models.BigIntegerField()
    printed = models.CharField(max_length=20, help_text="The number as it stands on the slip.")
    word = models.CharField(max_length=7, choices=[(word.value, words) for word, words in WORD_MEANINGS.items()])
    why = models.CharField(max_length=120)
    win = models.ForeignKey("jackpot.Win", on_delete=models.PROTECT, null=True, related_name="hand_slips")
    amount = AmountField(null=True, help_text="As it was written on the slip.")
    written_at = models.DateTimeField(null=True, help_text="As it was written on the slip.")
    written_by = models.CharField(max_length=100, blank=True, help_text="Who signed the slip.")
    outage = models.ForeignKey(
        "tables.Outage", on_delete=models.PROTECT, null=True, related_name="hand_slips",
        help_text="The outage of the table's box that it was written in; empty: none is known of.",
    )  # fmt: skip
    differs = models.BooleanField(default=False, help_text="The slip names another amount than the books.")
    person = models.ForeignKey(PERSON, on_delete=models.PROTECT, related_name="+")
    person_name = models.CharField(max_length=100)
    second = models.ForeignKey(PERSON, on_delete=models.PROTECT, null=True, related_name="+")
    second_name = models.CharField(max_length=100, blank=True)
    at = models.DateTimeField(db_default=Now())

    class Meta:
        ordering: ClassVar[list[str]] = ["id"]
        constraints: ClassVar[list[models.BaseConstraint]] = [
            # By what is printed, in the house: that is what a window reads. A missing slip may turn up after all.
            models.UniqueConstraint(
                fields=["premises", "printed"], condition=models.Q(word__in=["used", "void"]), name="hand_slip_once"
            ),
            models.UniqueConstraint(
                fields=["premises", "printed"], condition=models.Q(word="missing"), name="hand_slip_missing_once"
            ),
            # Or one win would be paid on two hand-written slips.
            models.UniqueConstraint(
                fields=["win"], condition=models.Q(win__isnull=False), name="hand_slip_of_a_win_once"
            ),
            models.CheckConstraint(
                condition=models.Q(word="used", win__isnull=False, amount__gte=0, written_at__isnull=False)
                | models.Q(word__in=["void", "missing"], win__isnull=True, amount__isnull=True),
                name="hand_slip_used_for_a_win",
            ),
            models.CheckConstraint(
                condition=~models.Q(person=models.F("second")) | models.Q(second__isnull=True),
                name="hand_slip_of_two_people",
            ),
        ]
        indexes: ClassVar[list[models.Index]] = [models.Index(fields=["book", "number"], name="hand_slip_by_number")]

    def __str__(self) -> str:
        return f"slip {self.printed}"

    @property
    def amount_money(self) -> Money | None:
        return None if self.amount is None else Money(units_of(self.amount))

    @property
    def words(self) -> str:
        return WORD_MEANINGS[SlipWord(self.word)]
