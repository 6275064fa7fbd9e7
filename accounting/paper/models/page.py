from __future__ import annotations

from typing import ClassVar

from django.db import models

from accounting.paper.rules.copies import CopyKind, CopyStamp, Form


class WinPage(models.Model):
    """The page of a win, made when it is printed first. It has the slip's number for ever."""

    win = models.OneToOneField("jackpot.Win", on_delete=models.PROTECT, related_name="page")
    slip = models.BigIntegerField(db_index=True)
    made_at = models.DateTimeField()

    def __str__(self) -> str:
        return f"slip {self.slip}"


class Copy(models.Model):
    """One print of a page, with the very bytes. Added, never changed: the database refuses anything else."""

    page = models.ForeignKey(WinPage, on_delete=models.PROTECT, related_name="copies")
    number = models.PositiveIntegerField(help_text="0 is the ORIGINAL; every further copy counts on.")
    kind = models.CharField(max_length=8, choices=[(kind.value, kind.value) for kind in CopyKind])
    form = models.CharField(max_length=7, choices=[(form.value, form.value) for form in Form])
    reason = models.CharField(max_length=200, blank=True)
    # The name of that day stands on the paper; `person` beside it is who that is.
    printed_by = models.CharField(max_length=100)
    person = models.ForeignKey("jackpot.Operator", on_delete=models.PROTECT, null=True, related_name="+")
    printed_at = models.DateTimeField()
    sha256 = models.CharField(max_length=64, help_text="Digest of the bytes.")
    # The bytes and not the facts: what was in a player's hand is shown years later as it was.
    content = models.BinaryField(help_text="A PDF; a picture of 203 dots an inch for a receipt.")

    class Meta:
        ordering = ["page_id", "number"]
        verbose_name_plural = "copies"
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(fields=["page", "number"], name="copy_numbers_once"),
            models.CheckConstraint(
                # Also the database knows only one ORIGINAL: number 0 is its alone, and a number stands once on a page.
                condition=models.Q(number=0, kind=CopyKind.ORIGINAL.value)
                | (models.Q(number__gt=0) & ~models.Q(kind=CopyKind.ORIGINAL.value)),
                name="copy_zero_is_the_original",
            ),
            models.CheckConstraint(
                condition=~models.Q(kind=CopyKind.REPRINT.value) | ~models.Q(reason=""), name="copy_reprint_has_reason"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.stamp.word} of {self.page}"

    @property
    def stamp(self) -> CopyStamp:
        return CopyStamp(CopyKind(self.kind), self.number, self.reason, self.printed_by, self.printed_at)

    @property
    def media_type(self) -> str:
        return "image/png" if self.form == Form.RECEIPT else "application/pdf"


class SpoiledCopy(models.Model):
    """Somebody found a printed copy spoiled and put it by: torn, jammed, unreadable. Added, never changed."""

    copy = models.OneToOneField(Copy, on_delete=models.PROTECT, related_name="spoiled")
    why = models.CharField(max_length=200)
    person = models.ForeignKey("jackpot.Operator", on_delete=models.PROTECT, related_name="+")
    person_name = models.CharField(max_length=100)
    at = models.DateTimeField()

    class Meta:
        verbose_name_plural = "spoiled copies"

    def __str__(self) -> str:
        return f"{self.copy}, spoiled"
