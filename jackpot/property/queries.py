"""What can be asked of the progressive. Most questions start from a person: another house is not there for them."""

from __future__ import annotations

from datetime import datetime
from typing import Any, TypeVar

from django.db.models import Model, QuerySet

from jackpot.property.models.property import Property
from jackpot.property.rules.shift import plan_on, shift_at
from jackpot.property.rules.tax import TaxRule

Row = TypeVar("Row", bound=Model)


def of_house(rows: QuerySet[Row], person: Any, path: str = "premises") -> QuerySet[Row]:
    """The rows of a person's house; somebody without one (a regulator over several) sees all."""
    house = getattr(person, "premises_id", None)
    return rows if house is None else rows.filter(**{f"{path}_id": house})


def house_of(person: Any) -> Property | None:
    """The property whose name, day and money a page speaks of."""
    own = getattr(person, "premises", None)
    return own or Property.objects.order_by("id").first()


def tax_rules(premises: Property) -> list[TaxRule]:
    return [row.value for row in premises.tax_rules.all()]


def shift_of(premises: Property, moment: datetime) -> str:
    """The shift of a moment by the plan of its gaming day; nothing where the house named none."""
    plan = plan_on((row.value for row in premises.shift_plans.all()), premises.gaming_day(moment))
    return shift_at(plan.shifts, moment, premises.zone) if plan else ""
