"""What a house declares from a day on: its shifts, its tax rules. Rows are added; what is printed keeps its words."""

from __future__ import annotations

from datetime import date
from decimal import Decimal

from django.db import transaction

from jackpot.money import MILLION, ZERO
from jackpot.people.models import Role
from jackpot.property.models.house_rules import DatedNotice, DatedShifts, DatedTax, DatedUnclaimed
from jackpot.property.models.property import Property
from jackpot.property.rules.notice import DECLARED, MEASURED, NoticeRule
from jackpot.property.rules.shift import ShiftPlan
from jackpot.property.rules.tax import TaxRule
from jackpot.property.rules.unclaimed import UnclaimedRule
from jackpot.refusals import NotAllowedNow, NotUnderstood
from jackpot.trail.actions.trail import record
from jackpot.trail.rules import objects
from jackpot.wins.models import Payment, Win

LONGEST_NAME = 30
LONGEST_RECIPIENT = 60
LONGEST_FORM = 20


@transaction.atomic
def declare_shifts(*, premises: Property, plan: ShiftPlan, by: str) -> DatedShifts:
    """Other shifts from a gaming day on. A day whose slips are out keeps the shifts that stand on them."""
    names = [shift.name for shift in plan.shifts]
    minutes = [shift.begins_minutes for shift in plan.shifts]
    if len(set(minutes)) != len(minutes) or len(set(names)) != len(names):
        raise NotUnderstood("Every shift has a name and a beginning of its own.", "begins")
    if not all(0 < len(name) <= LONGEST_NAME for name in names):
        raise NotUnderstood(f"A shift has a name of at most {LONGEST_NAME} letters.", "name")
    _check_begins(premises, plan.begins, DatedShifts)
    row = DatedShifts.objects.create(premises=premises, begins=plan.begins, names=names, minutes=minutes)
    told = {"begins": str(plan.begins), "shifts": dict(zip(names, minutes, strict=True))}
    record(actor=by, act="declare_shifts", about=objects.house(premises.code), details=told)
    return row


@transaction.atomic
def declare_tax(*, premises: Property, rule: TaxRule, by: str) -> DatedTax:
    """Another tax rule from a gaming day on."""
    if rule.minimum < ZERO or not 0 <= rule.rate <= MILLION:
        raise NotUnderstood("A tax rule has a minimum from 0 up and a rate from 0 to 100 percent.", "rate")
    if max(len(rule.form), len(rule.shared_form)) > LONGEST_FORM or (rule.shared_form and not rule.form):
        why = "Name the form of one winner, and beside it the one that several share, in 20 letters each."
        raise NotUnderstood(why, "form")
    _check_begins(premises, rule.begins, DatedTax)
    # Tax goes by the gaming day of payment, not of the slip: a slip of an older day may have been paid under this one.
    paid = Payment.objects.filter(premises=premises, gaming_day__gte=rule.begins).first()
    if paid is not None:
        why = f"Slip {paid.slip} was paid on {paid.gaming_day} under the rule before."
        raise NotAllowedNow(f"{why} Begin on a later day.", "from")
    above = None if rule.withhold_above is None else rule.withhold_above.decimal()
    columns = {
        "minimum": rule.minimum.decimal(), "multiple": rule.multiple, "withhold_above": above, "rate": rule.rate,
        "wager_deducted": rule.wager_deducted, "form": rule.form, "shared_form": rule.shared_form,
        "currency_above": None if rule.currency_above is None else rule.currency_above.decimal(),
    }  # fmt: skip
    row = DatedTax.objects.create(premises=premises, begins=rule.begins, **columns)
    told = {name: str(value) for name, value in columns.items()} | {"rate": f"{Decimal(rule.rate) / 10_000:f} %"}
    record(
        actor=by, act="declare_tax", about=objects.house(premises.code), details={"begins": str(rule.begins), **told}
    )
    return row


@transaction.atomic
def declare_unclaimed(*, premises: Property, rule: UnclaimedRule, by: str) -> DatedUnclaimed:
    """How long slips given from a gaming day on stay payable; slips that are out keep what was promised."""
    if not 0 <= rule.notice_after <= rule.lapse_after:
        raise NotUnderstood("A notice is due before the claim lapses: write the days in that order.", "lapse_after")
    _check_begins(premises, rule.begins, DatedUnclaimed)
    columns = {"notice_after": rule.notice_after, "lapse_after": rule.lapse_after}
    row = DatedUnclaimed.objects.create(premises=premises, begins=rule.begins, **columns)
    told = {"begins": str(rule.begins), **columns}
    record(actor=by, act="declare_unclaimed", about=objects.house(premises.code), details=told)
    return row


@transaction.atomic
def declare_notice(*, premises: Property, rule: NoticeRule, by: str) -> DatedNotice:
    """Who has to be told of what from a gaming day on, and by whom; notices that are out keep their due time."""
    if rule.about not in DECLARED or not 0 < len(rule.to.strip()) <= LONGEST_RECIPIENT:
        known = ", ".join(sorted(DECLARED))
        raise NotUnderstood(f"A notice is about one of {known}, and to somebody in 60 letters at most.", "about")
    if not Role.objects.filter(code=rule.owner).exists():
        raise NotUnderstood(f"There is no role {rule.owner} that could see to the notice. Name a known one.", "owner")
    # Of the house, as two who declare at once must meet: the second finds the row of the first.
    Property.objects.select_for_update(no_key=True).get(pk=premises.pk)
    columns = {"about": rule.about.value, "to": rule.to}
    if DatedNotice.objects.filter(premises=premises, begins=rule.begins, **columns).exists():
        why = f"A rule of {rule.about} to {rule.to} that begins on {rule.begins} stands already."
        raise NotAllowedNow(f"{why} Choose a later day.", "from")
    if rule.from_amount is not None and (rule.about not in MEASURED or rule.from_amount <= ZERO):
        known = ", ".join(sorted(MEASURED))
        raise NotUnderstood(f"A notice begins at an amount above 0 only where there is one: {known}.", "from_amount")
    more = {"owner": rule.owner, "within_hours": rule.within_hours}
    least = None if rule.from_amount is None else rule.from_amount.decimal()
    row = DatedNotice.objects.create(premises=premises, begins=rule.begins, **columns, **more, from_amount=least)
    told = {"begins": str(rule.begins), **columns, **more}
    if rule.from_amount is not None:
        told["from_amount"] = str(rule.from_amount)
    record(actor=by, act="declare_notice", about=objects.house(premises.code), details=told)
    return row


def _check_begins(premises: Property, begins: date, rows: type[DatedShifts | DatedTax | DatedUnclaimed]) -> None:
    """A later row for a day that has slips would make their reprints differ from what was signed."""
    Property.objects.select_for_update(no_key=True).get(pk=premises.pk)
    if rows.objects.filter(premises=premises, begins=begins).exists():
        raise NotAllowedNow(f"A rule that begins on {begins} stands already and stays. Choose a later day.", "from")
    slip = Win.objects.filter(jackpot__premises=premises, slip__isnull=False, gaming_day__gte=begins).first()
    if slip is not None:
        raise NotAllowedNow(
            f"Slip {slip.slip} of {slip.gaming_day} is out with the rule before. Begin on a later day.", "from"
        )
