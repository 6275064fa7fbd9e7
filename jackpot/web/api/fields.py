"""How values look on the wire: amounts as exact text, digests as hex, the eight accounts by name."""

from __future__ import annotations

from datetime import date, datetime
from decimal import Decimal
from enum import StrEnum
from typing import Any, Final

from django.db.models import TextChoices
from drf_spectacular.drainage import set_override
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from jackpot.money import Money, NotAnAmount, text_of_units, units_of
from jackpot.reading import read_day, read_whole, read_zoned_moment

AMOUNT_SCHEMA: Final = {"type": "string", "pattern": r"^-?\d+\.\d{2,8}$", "example": "20001.40"}
HEX_SCHEMA: Final = {"type": "string", "pattern": "^[0-9a-f]{64}$", "description": "sha-256 as hexadecimal text."}
LARGEST_KEY: Final = 2**63 - 1


@extend_schema_field(AMOUNT_SCHEMA)
class AmountText(serializers.Field[Any, Any, str, Any]):
    """An exact amount as text with a point, whatever form it is held in."""

    def to_representation(self, value: Money | Decimal | int) -> str:
        match value:
            case Money():
                return str(value)
            case Decimal():
                return text_of_units(units_of(value))
        return text_of_units(value)


class AmountWritten(serializers.CharField):
    """An amount that somebody sends: text, since a JSON number may already have lost its last figure on the way."""

    def to_internal_value(self, data: Any) -> str:
        if not isinstance(data, str):
            raise serializers.ValidationError('Write an amount as text, such as "15.00".')
        return str(super().to_internal_value(data))


class WholeNumber(serializers.IntegerField):
    """A whole number in plain digits, read as every door reads it: neither 1_0 nor digits of another script nor 5.0."""

    def to_internal_value(self, written: Any) -> int:
        try:
            low = -LARGEST_KEY if self.min_value is None else self.min_value
            return read_whole(written, "number", low, LARGEST_KEY if self.max_value is None else self.max_value)
        except NotAnAmount as why:
            raise serializers.ValidationError(str(why)) from None


class CalendarDay(serializers.DateField):
    """A day, read as every door reads it: 2026-11-18, and neither 20261118 nor 2026-W47-3."""

    def to_internal_value(self, value: Any) -> date:
        try:
            return read_day(value)
        except NotAnAmount as why:
            raise serializers.ValidationError(str(why)) from None


class ZonedMoment(serializers.DateTimeField):
    """A moment with its zone, read as every door reads it: no week, no bare day, no digits of another script."""

    def to_internal_value(self, value: Any) -> datetime:
        try:
            return read_zoned_moment(value)
        except NotAnAmount as why:
            raise serializers.ValidationError(str(why)) from None


class OneOf(serializers.CharField):
    """One word of a known few, under the same name in the OpenAPI document wherever it appears."""

    def __init__(self, called: str, choices: type[TextChoices | StrEnum], **kwargs: Any) -> None:
        super().__init__(**kwargs)
        set_override(self, "field", {"type": "string", "enum": [choice.value for choice in choices]})
        set_override(self, "field_component_name", called)


@extend_schema_field(HEX_SCHEMA)
class HexText(serializers.Field[Any, Any, str, Any]):
    def to_representation(self, value: bytes) -> str:
        return bytes(value).hex()


class AccountsText(serializers.Serializer[Any]):
    """What went into (+) and out of (−) each account, or what stands in it; the sum is always zero."""

    contributed = AmountText()
    meter = AmountText()
    reserve = AmountText()
    overflow = AmountText()
    house = AmountText()
    winners = AmountText()
    paid = AmountText()
    outside = AmountText()


class RefusalText(serializers.Serializer[Any]):
    ok = serializers.BooleanField(default=False)
    code = serializers.CharField(help_text="For programs: round_open, clash, not_allowed …")
    why = serializers.CharField(help_text="For people: names the thing and the cure.")
