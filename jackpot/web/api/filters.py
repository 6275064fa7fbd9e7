"""Filters by amount, date and person, under the same names at every list; and the totals of what they leave."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from typing import Any, Final

from django.contrib.auth import get_user_model
from django.db.models import Count, Q, QuerySet, Sum
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from jackpot.money import Money, NotAnAmount
from jackpot.reading import read_amount
from jackpot.refusals import NotUnderstood
from jackpot.web.api.fields import AMOUNT_SCHEMA, AmountText, CalendarDay, ZonedMoment

EXACT: Final = 8  # decimals: a filter may be as exact as what it is compared with


@extend_schema_field({**AMOUNT_SCHEMA, "pattern": r"^-?[\d,]+(\.\d{1,8})?$", "example": "7.50"})
class AmountBound(serializers.Field[Any, Any, Decimal, Any]):
    """An amount as a filter: "7.50", "7,500.00"; neither 1e5 nor digits of another script."""

    def to_internal_value(self, data: Any) -> Decimal:
        try:
            return read_amount(data, "amount", digits=EXACT).decimal()
        except NotAnAmount as why:
            raise serializers.ValidationError(str(why)) from None


class AmountsAsked(serializers.Serializer[Any]):
    amount_min = AmountBound(required=False, help_text="At least this amount.")
    amount_max = AmountBound(required=False, help_text="At most this amount.")

    def validate(self, attrs: Any) -> Any:
        return in_turn(super().validate(attrs), "amount_min", "amount_max")


class DaysAsked(serializers.Serializer[Any]):
    day = CalendarDay(required=False, help_text="Gaming day.")
    from_day = CalendarDay(required=False, help_text="From this gaming day on.")
    to_day = CalendarDay(required=False, help_text="Up to this gaming day, itself included.")

    def validate(self, attrs: Any) -> Any:
        return in_turn(super().validate(attrs), "from_day", "to_day")


class MomentsAsked(serializers.Serializer[Any]):
    since = ZonedMoment(required=False, help_text="From this moment on.")
    until = ZonedMoment(required=False, help_text="Before this moment.")

    def validate(self, attrs: Any) -> Any:
        return in_turn(super().validate(attrs), "since", "until")


class PersonAsked(serializers.Serializer[Any]):
    person = serializers.CharField(max_length=60, required=False, help_text="User name: what this person did.")


class TotalsAsked(serializers.Serializer[Any]):
    totals = serializers.BooleanField(
        default=False, help_text="true: the answer has the totals over all rows of the list, whichever page it is."
    )


def person_named(looks: Any, username: str) -> Any:
    """The person of the own house, or of several, by user name; a name that nobody has would show an empty figure."""
    house = getattr(looks, "premises_id", None)
    rows = get_user_model().objects.filter(username=username)
    found = rows.filter(Q(premises__isnull=True) | Q(premises=house)).first() if house is not None else rows.first()
    if found is None:
        raise NotUnderstood(f"“person”: nobody here signs in as “{username[:40]}”. GET /api/v1/people/ lists who does.")
    return found


def in_turn(asked: Any, low: str, high: str) -> Any:
    """A span that ends before it begins is a slip of the pen, and its empty list would be read as a figure."""
    if low in asked and high in asked and asked[low] > asked[high]:
        raise serializers.ValidationError(f"“{low}” is greater than “{high}”, so nothing can lie between. Swap them.")
    return asked


def spans(*, amount: str = "", day: str = "", moment: str = "") -> Mapping[str, str]:
    """Which column each of the common words is about, at a list that has such a column."""
    words = {
        "amount_min": (amount, "__gte"), "amount_max": (amount, "__lte"), "day": (day, ""), "from_day": (day, "__gte"),
        "to_day": (day, "__lte"), "since": (moment, "__gte"), "until": (moment, "__lt"),
    }  # fmt: skip
    return {word: column + bound for word, (column, bound) in words.items() if column}


def wanted(asked: Mapping[str, Any], columns: Mapping[str, str]) -> dict[str, Any]:
    """What was asked for, as the database is asked; a word that was not said takes nothing away."""
    return {column: asked[word] for word, column in columns.items() if word in asked}


def totals_of(rows: QuerySet[Any], sums: Mapping[str, str], currency: str) -> dict[str, Any]:
    """How many rows, and the exact sums of their amounts: by the database, over all of them, in one currency."""
    # Without order and joins: an order would stand among the columns that `distinct` compares below.
    bare = rows.order_by().select_related(None).prefetch_related(None)
    told = bare.aggregate(count=Count("pk"), **{f"sum_{name}": Sum(column) for name, column in sums.items()})
    answer: dict[str, Any] = {"count": told["count"]}
    if not sums:
        return answer
    # Two are enough to refuse.
    currencies = list(bare.values_list(currency, flat=True).distinct()[:2])
    if len(currencies) > 1:
        raise NotUnderstood(
            f"These rows are in {currencies[0]} and {currencies[1]}, which nobody adds up. Ask with one jackpot.",
            "two_currencies",
        )
    amounts = {name: AmountText().to_representation(told[f"sum_{name}"] or Money(0)) for name in sums}
    return {**answer, **amounts, "currency": currencies[0] if currencies else None}


def totals_schema(sums: Mapping[str, str]) -> dict[str, Any]:
    """The same in the words of the OpenAPI document."""
    amounts = dict.fromkeys(sums, AMOUNT_SCHEMA)
    currency = {"currency": {"type": "string", "nullable": True, "description": "Of the sums."}} if sums else {}
    return {
        "type": "object", "nullable": True, "required": ["count", *amounts, *currency],
        "description": "Over all rows of the list, exactly; null unless it was asked for.",
        "properties": {"count": {"type": "integer", "description": "Rows of the list."}, **amounts, **currency},
    }  # fmt: skip
