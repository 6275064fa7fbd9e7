from __future__ import annotations

from typing import Any

from django.db.models import QuerySet
from rest_framework import serializers

from jackpot.web.api.doors import ListDoor
from jackpot.web.api.fields import OneOf
from tables.floor.models.sign import Sign
from tables.floor.queries import device_lists


class SignText(serializers.Serializer[Any]):
    """A display on the wall. What it shows right now is at /api/v1/signs/<code>."""

    code = serializers.CharField()
    name = serializers.CharField()
    premises = serializers.CharField(source="premises.code")
    type = OneOf("SignType", Sign.Type)
    digits = serializers.IntegerField(help_text="How many digits it can show, cents included.")
    notice = serializers.CharField()
    jackpots = serializers.SerializerMethodField(help_text="Codes of its meters, in the order shown.")

    def get_jackpots(self, sign: Sign) -> list[str]:
        return [meter.jackpot.code for meter in sign.meters.all()]


class Signs(ListDoor):
    """All signs and the meters they show."""

    serializer_class = SignText

    def get_queryset(self) -> QuerySet[Sign]:
        return device_lists.signs_of(self.request.user)
