from __future__ import annotations

from collections.abc import Mapping
from datetime import timedelta
from typing import Any, ClassVar, Final

from django.db import transaction
from django.db.models import QuerySet
from django.shortcuts import get_object_or_404
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from jackpot.pacing.actions import TooSoon
from jackpot.refusals import Refused
from jackpot.trail.actions.trail import record
from jackpot.web.api.access import ANYONE
from jackpot.web.api.doors import CodedAsked, Door, ListDoor, OneDoor
from jackpot.web.api.fields import OneOf
from tables.floor.models.device import Device, DeviceKind, DeviceState
from tables.floor.queries import device_lists
from tables.rounds.queries import round_lists
from tables.setup.actions.enrol import (
    LONGEST_GRACE,
    at_that_pace,
    block,
    end_earlier_secret,
    end_secrets,
    enrol,
    invite,
    refuse_second_controller,
    rotate,
    unblock,
)
from tables.setup.actions.floor import DeviceFacts, register_device

CODE: Final = r"^[A-Z0-9][A-Z0-9-]{0,19}$"
HOUR: Final = timedelta(hours=1)


class DeviceText(serializers.Serializer[Any]):
    """A machine with a credential of its own. The credential is never told."""

    code = serializers.CharField()
    kind = OneOf("DeviceKind", DeviceKind)
    table = serializers.CharField(source="table.code", default=None, allow_null=True)
    sign = serializers.CharField(source="sign.code", default=None, allow_null=True)
    model = serializers.CharField(help_text="Its maker's name for it; rules of software may differ by it.")
    serial = serializers.CharField()
    version = serializers.CharField()
    contact = serializers.CharField()
    state = OneOf("DeviceState", DeviceState)
    enrolled_at = serializers.DateTimeField(allow_null=True)
    generation = serializers.IntegerField(help_text="Counts its secrets: each enrolment and rotation is one more.")
    earlier_until = serializers.DateTimeField(
        allow_null=True, help_text="Until when the secret before the newest is heard; null: it is not."
    )
    last_seen_at = serializers.DateTimeField(allow_null=True)


class NewDevice(serializers.Serializer[Any]):
    """A device the house shall know. It belongs to one table or to one sign."""

    code = serializers.RegexField(r"^[A-Z0-9][A-Z0-9-]{0,39}$")
    kind = serializers.ChoiceField(choices=DeviceKind.choices)
    table = serializers.RegexField(CODE, required=False, default="")
    sign = serializers.RegexField(CODE, required=False, default="")
    model = serializers.CharField(max_length=60, required=False, default="", allow_blank=True)
    serial = serializers.CharField(max_length=60, required=False, default="", allow_blank=True)
    version = serializers.CharField(max_length=40, required=False, default="", allow_blank=True)
    contact = serializers.CharField(max_length=100, required=False, default="", allow_blank=True)


class InvitationText(serializers.Serializer[Any]):
    """The one-time code that the device shows to get its secret."""

    ok = serializers.BooleanField(default=True)
    device = serializers.CharField()
    enrol_code = serializers.CharField(help_text="Good once, for a day; a newer one makes it useless.")


class SecretText(serializers.Serializer[Any]):
    """Told once and never again."""

    ok = serializers.BooleanField(default=True)
    device = serializers.CharField()
    secret = serializers.CharField(help_text="32 bytes as hexadecimal text.")
    table = serializers.CharField(allow_null=True)
    sign = serializers.CharField(allow_null=True)
    generation = serializers.IntegerField()
    earlier_until = serializers.DateTimeField(
        allow_null=True, help_text="Until when the secret before this one is heard; null: it ended with this answer."
    )


class DoneText(serializers.Serializer[Any]):
    ok = serializers.BooleanField(default=True)
    device = serializers.CharField()
    state = OneOf("DeviceState", DeviceState)


class EnrolCode(serializers.Serializer[Any]):
    code = serializers.CharField(max_length=40)


class Reason(serializers.Serializer[Any]):
    why = serializers.CharField(max_length=200, required=False, default="", allow_blank=True)


class WhyUnblocked(serializers.Serializer[Any]):
    why = serializers.CharField(max_length=200, help_text="Why it may come back; it stands in the trail.")


class Rotation(serializers.Serializer[Any]):
    """How the secret before goes: at once, or after a grace that ends at a date."""

    grace_hours = serializers.IntegerField(
        min_value=0, max_value=LONGEST_GRACE // HOUR, required=False, default=0,
        help_text="How long the secret before is still heard. 0: it ends at once.",
    )  # fmt: skip
    why = serializers.CharField(max_length=200, required=False, default="", allow_blank=True)


class Ending(serializers.Serializer[Any]):
    """Which secrets end now."""

    what = serializers.ChoiceField(
        choices=[("earlier", "the one before the newest"), ("all", "every secret, the newest too")], default="all"
    )
    why = serializers.CharField(max_length=200, help_text="Why; it stands in the trail.")


class Nothing(serializers.Serializer[Any]):
    """No words are needed."""


class DevicesAsked(CodedAsked):
    kind = serializers.ChoiceField(choices=DeviceKind.choices, required=False)
    state = serializers.ChoiceField(choices=DeviceState.choices, required=False)
    table = serializers.RegexField(CODE, required=False)


class Devices(ListDoor):
    """Devices of the house. POST makes one known and answers with its one-time code."""

    asks = DevicesAsked
    tells_once = ("enrol_code",)
    verbs: ClassVar[Mapping[str, tuple[str, ...]]] = {"GET": ("see",), "POST": ("service",)}

    def get_serializer_class(self) -> type[serializers.Serializer[Any]]:
        return NewDevice if self.request.method == "POST" else DeviceText

    def get_queryset(self) -> QuerySet[Device]:
        columns = {"kind": "kind", "state": "state", "table": "table__code"}
        wanted = {column: self.asked[word] for word, column in columns.items() if word in self.asked}
        return device_lists.devices_of(self.request.user).filter(**wanted)

    @extend_schema(request=NewDevice, responses={201: InvitationText})
    def post(self, request: Request) -> Response:
        told = dict(self.sent_fields())
        _check_place(request.user, told)
        with transaction.atomic():
            if told["kind"] == DeviceKind.CONTROLLER and told.get("table"):
                refuse_second_controller(table_code=told["table"], code=told["code"])
            # Known and invited in one transaction: no device stays behind without its code.
            device = register_device(code=told.pop("code"), facts=DeviceFacts(**told), by=request.user.username)
            code = invite(device=device, by=request.user.username)
        return Response({"ok": True, "device": device.code, "enrol_code": code}, status=201)


class OneDevice(OneDoor):
    """One device."""

    serializer_class = DeviceText
    lookup_field = "code"

    def get_queryset(self) -> QuerySet[Device]:
        return device_lists.devices_of(self.request.user)


class ThisDevice(Door):
    """A door behind the code of one device; only technicians open it."""

    verbs: ClassVar[Mapping[str, tuple[str, ...]]] = {"POST": ("service",)}

    def device(self) -> Device:
        return get_object_or_404(device_lists.devices_of(self.request.user), code=self.kwargs["code"])


class Invite(ThisDevice):
    """A new one-time code; an older one becomes useless."""

    serializer_class = Nothing
    tells_once = ("enrol_code",)

    @extend_schema(request=None, responses=InvitationText)
    def post(self, request: Request, code: str) -> Response:
        device = self.device()
        return Response({"ok": True, "device": code, "enrol_code": invite(device=device, by=request.user.username)})


class Block(ThisDevice):
    """Blocks the device: from now on no process hears it."""

    serializer_class = Reason

    @extend_schema(request=Reason, responses=DoneText)
    def post(self, request: Request, code: str) -> Response:
        device = self.device()
        block(device=device, by=request.user.username, why=self.sent_fields()["why"])
        return Response({"ok": True, "device": code, "state": device.state})


class Unblock(ThisDevice):
    """Lets a blocked device be enrolled again: its old secret is gone, so it needs a new one-time code."""

    serializer_class = WhyUnblocked

    @extend_schema(request=WhyUnblocked, responses=DoneText)
    def post(self, request: Request, code: str) -> Response:
        device = self.device()
        unblock(device=device, by=request.user.username, why=self.sent_fields()["why"])
        return Response({"ok": True, "device": code, "state": device.state})


class Rotate(ThisDevice):
    """A new secret for a device at work; the one before ends within a second, or after the grace that is asked."""

    serializer_class = Rotation
    tells_once = ("secret",)

    @extend_schema(request=Rotation, responses=SecretText)
    def post(self, request: Request, code: str) -> Response:
        device, told = self.device(), self.sent_fields()
        grace = told["grace_hours"] * HOUR
        secret = rotate(device=device, by=request.user.username, grace=grace, why=told["why"])
        return Response({"ok": True, "device": code, "secret": secret, **_place(device), **_generation(device)})


class Revoke(ThisDevice):
    """Ends secrets now, in every process and on lines that are open."""

    serializer_class = Ending

    @extend_schema(request=Ending, responses=DoneText)
    def post(self, request: Request, code: str) -> Response:
        device, told = self.device(), self.sent_fields()
        end = end_earlier_secret if told["what"] == "earlier" else end_secrets
        end(device=device, by=request.user.username, why=told["why"])
        return Response({"ok": True, "device": code, "state": device.state})


class Enrol(Door):
    """A device shows its one-time code and learns its secret. Open to machines that have nothing yet."""

    serializer_class = EnrolCode
    # A machine has nothing to show before this call; the code is its only proof.
    authentication_classes = []
    verbs: ClassVar[Mapping[str, tuple[str, ...]]] = {"POST": (ANYONE,)}

    @extend_schema(request=EnrolCode, responses=SecretText)
    def post(self, request: Request) -> Response:
        told, asker = self.sent_fields(), str(request.META.get("REMOTE_ADDR", ""))
        try:
            enrolled = at_that_pace(asker, lambda: enrol(code=told["code"]))
        # Who is slowed down tried no code: a flood of knocks must not become a flood of lines.
        except TooSoon:
            raise
        except Refused as refused:
            record(actor=asker, act="enrol_device", outcome="refused", why=refused.why)
            raise
        return Response(
            {
                "ok": True,
                "device": enrolled.device_code,
                "secret": enrolled.secret_hex,
                "table": enrolled.table_code,
                "sign": enrolled.sign_code,
                "generation": enrolled.generation,
                "earlier_until": None,
            }
        )


def _check_place(person: Any, told: Mapping[str, Any]) -> None:
    """A technician places devices in the own house only; whether the place exists at all, the act says."""
    if told["table"]:
        get_object_or_404(round_lists.tables_of(person), code=told["table"])
    if told["sign"]:
        get_object_or_404(device_lists.signs_of(person), code=told["sign"])


def _place(device: Device) -> dict[str, str | None]:
    table, sign = device.table, device.sign
    return {"table": table.code if table else None, "sign": sign.code if sign else None}


def _generation(device: Device) -> dict[str, Any]:
    return {"generation": device.generation, "earlier_until": device.earlier_until}
