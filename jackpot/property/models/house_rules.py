from __future__ import annotations

from typing import ClassVar

from django.contrib.postgres.fields import ArrayField
from django.db import models

from jackpot.money import Money, units_of
from jackpot.money_field import AmountField
from jackpot.property.rules.notice import DECLARED, NoticeAbout, NoticeRule
from jackpot.property.rules.shift import ShiftHours, ShiftPlan
from jackpot.property.rules.tax import TaxRule
from jackpot.property.rules.unclaimed import UnclaimedRule


class DatedShifts(models.Model):
    """The shifts of a property from a gaming day on. Added, never changed: a page printed again says the same."""

    premises = models.ForeignKey("jackpot.Property", on_delete=models.PROTECT, related_name="shift_plans")
    begins = models.DateField(help_text="First gaming day.")
    names = ArrayField(models.CharField(max_length=30))
    minutes = ArrayField(models.PositiveSmallIntegerField(), help_text="Begin of each, minutes after local midnight.")

    class Meta:
        ordering = ["premises_id", "begins"]
        verbose_name_plural = "dated shifts"
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(fields=["premises", "begins"], name="shifts_begin_once_a_day"),
        ]

    def __str__(self) -> str:
        return f"{', '.join(self.names)} from {self.begins}"

    @property
    def value(self) -> ShiftPlan:
        hours = zip(self.names, self.minutes, strict=True)
        return ShiftPlan(self.begins, tuple(ShiftHours(name, minute) for name, minute in hours))


class DatedTax(models.Model):
    """A tax rule of a property from a gaming day on. Added, never changed."""

    premises = models.ForeignKey("jackpot.Property", on_delete=models.PROTECT, related_name="tax_rules")
    begins = models.DateField(help_text="First gaming day.")
    minimum = AmountField()
    multiple = models.PositiveIntegerField(default=0, help_text="Times the wager; 0: no such condition.")
    withhold_above = AmountField(null=True, help_text="Empty: nothing is withheld.")
    rate = models.PositiveIntegerField(default=0, help_text="Millionths that are withheld.")
    wager_deducted = models.BooleanField(default=True)
    form = models.CharField(max_length=20, blank=True, help_text="Of a reported win, with its payee; empty: none.")
    shared_form = models.CharField(max_length=20, blank=True, help_text="Where several people share it.")
    currency_above = AmountField(null=True, help_text="Cash to one person on one day above which it is told.")

    class Meta:
        ordering = ["premises_id", "begins"]
        verbose_name_plural = "dated tax rules"
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(fields=["premises", "begins"], name="tax_rule_begins_once_a_day"),
            models.CheckConstraint(condition=models.Q(minimum__gte=0), name="tax_minimum_not_negative"),
            models.CheckConstraint(condition=models.Q(rate__lte=1_000_000), name="tax_rate_is_at_most_all"),
        ]

    def __str__(self) -> str:
        return f"tax from {self.begins}"

    @property
    def value(self) -> TaxRule:
        above, cash = (
            None if each is None else Money(units_of(each)) for each in (self.withhold_above, self.currency_above)
        )
        return TaxRule(
            self.begins, Money(units_of(self.minimum)), self.multiple, above, self.rate, self.wager_deducted,
            self.form, self.shared_form, cash,
        )  # fmt: skip


class DatedUnclaimed(models.Model):
    """How long slips given from a gaming day on stay payable. Added, never changed."""

    premises = models.ForeignKey("jackpot.Property", on_delete=models.PROTECT, related_name="unclaimed_rules")
    begins = models.DateField(help_text="First gaming day of the slips it is for.")
    notice_after = models.PositiveIntegerField(help_text="Days after which the owner is to be told.")
    lapse_after = models.PositiveIntegerField(help_text="Days after which the claim lapses.")

    class Meta:
        ordering = ["premises_id", "begins"]
        verbose_name_plural = "dated rules of unclaimed slips"
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(fields=["premises", "begins"], name="unclaimed_rule_begins_once_a_day"),
            models.CheckConstraint(
                condition=models.Q(lapse_after__gte=models.F("notice_after")), name="unclaimed_notice_before_lapse"
            ),
        ]

    def __str__(self) -> str:
        return f"unclaimed slips from {self.begins}"

    @property
    def value(self) -> UnclaimedRule:
        return UnclaimedRule(self.begins, self.notice_after, self.lapse_after)


class DatedNotice(models.Model):
    """Who has to be told of what from a gaming day on, by which role, within how many hours. Added, never changed."""

    premises = models.ForeignKey("jackpot.Property", on_delete=models.PROTECT, related_name="notice_rules")
    begins = models.DateField(help_text="First gaming day.")
    about = models.CharField(max_length=12, choices=[(about.value, about.value) for about in sorted(DECLARED)])
    to = models.CharField(max_length=60)
    owner = models.CharField(max_length=40, help_text="Code of the role that tells them.")
    within_hours = models.PositiveIntegerField(null=True, help_text="Empty: from that day on nobody has to be told.")
    from_amount = AmountField(null=True, help_text="Nobody is told of less than this, up or down. Empty: of whatever.")

    class Meta:
        ordering = ["premises_id", "begins", "id"]
        verbose_name_plural = "dated rules of notices"
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(fields=["premises", "begins", "about", "to"], name="notice_rule_begins_once_a_day"),
        ]

    def __str__(self) -> str:
        return f"notice of {self.about} to {self.to} from {self.begins}"

    @property
    def value(self) -> NoticeRule:
        least = None if self.from_amount is None else Money(units_of(self.from_amount))
        return NoticeRule(self.begins, NoticeAbout(self.about), self.to, self.owner, self.within_hours, least)
