from __future__ import annotations

from typing import Any, ClassVar

from django.db.models import QuerySet
from django.shortcuts import get_object_or_404
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from jackpot.books import queries
from jackpot.books.models.jackpot import Jackpot, JackpotState, Version
from jackpot.books.queries import SignedFigures, signed_figures
from jackpot.laboratory.findings import WEIGHTS
from jackpot.laboratory.standing import standing_findings
from jackpot.money import Money
from jackpot.web.api.doors import CodedAsked, Door, ListDoor, NumberedAsked, OneDoor
from jackpot.web.api.fields import AccountsText, OneOf


class SignedFiguresText(serializers.Serializer[Any]):
    """What the laboratory said, in short; the whole record stands at the request."""

    request = serializers.IntegerField(help_text="The request of two people that it is kept with.")
    form = serializers.IntegerField(help_text="The version of the record; 0: from before records had one.")
    digest = serializers.CharField(help_text="sha-256 of the record; the trail says it too.")
    sound = serializers.BooleanField(help_text="Whether the digest still fits the record.")
    previewed_at = serializers.DateTimeField()
    house_edge = serializers.SerializerMethodField(help_text="At the seed, as an exact fraction of each chip.")
    runs_dry = serializers.SerializerMethodField(help_text="In the days asked for, of the lives that were played.")
    unknown = serializers.CharField(help_text="Why there are no figures.")
    findings = serializers.ListField(child=serializers.DictField())

    @extend_schema_field(serializers.CharField(allow_null=True))
    def get_house_edge(self, said: SignedFigures) -> str | None:
        return said.answer["house_edge"] if said.answer else None

    @extend_schema_field(serializers.FloatField(allow_null=True))
    def get_runs_dry(self, said: SignedFigures) -> float | None:
        return said.answer["seats_run_dry"]["chance"] if said.answer else None


class VersionText(serializers.Serializer[Any]):
    """One immutable set of terms. `digest` is the sha-256 of the canonical terms and stands in every entry's seal."""

    number = serializers.IntegerField()
    digest = serializers.CharField()
    digest_found = serializers.CharField(help_text="Computed anew from the stored text; equal, or somebody touched it.")
    in_force = serializers.SerializerMethodField()
    requested_by = serializers.CharField()
    approved_by = serializers.CharField()
    created_at = serializers.DateTimeField()
    terms = serializers.SerializerMethodField()
    laboratory = serializers.SerializerMethodField(
        help_text="What the laboratory said of it before two people signed; null where it came with a casino file."
    )

    def get_in_force(self, version: Version) -> bool:
        return version.jackpot.version_id == version.id

    def get_terms(self, version: Version) -> dict[str, Any]:
        return version.value.plain()

    @extend_schema_field(SignedFiguresText(allow_null=True))
    def get_laboratory(self, version: Version) -> Any:
        said = signed_figures([version]).get(version.pk)
        return None if said is None else SignedFiguresText(said).data


class CountersText(serializers.Serializer[Any]):
    entries = serializers.IntegerField(source="last_seq", help_text="Number of the last entry; there is no gap.")
    contributed = serializers.SerializerMethodField(help_text="All that coin-ins brought, since the books were opened.")

    def get_contributed(self, jackpot: Jackpot) -> str:
        return str(Money(-jackpot.balances.contributed))


class JackpotText(serializers.Serializer[Any]):
    """A jackpot as its books stand now."""

    code = serializers.CharField()
    name = serializers.CharField()
    premises = serializers.CharField(source="premises.code")
    currency = serializers.CharField(source="premises.currency")
    state = OneOf("JackpotState", JackpotState)
    version = serializers.IntegerField(
        source="version.number", allow_null=True, help_text="Number of the terms in force."
    )
    shown = serializers.SerializerMethodField(
        help_text="The books' meter, cut to what can be paid. While hits are verified, a sign says what is left of it."
    )
    limit = serializers.SerializerMethodField(help_text="The posted limit, or null.")
    balances = AccountsText()
    advance = serializers.SerializerMethodField(
        help_text="What of house advances is still owed: a dry meter that began anew, less what coin-ins repaid."
    )
    counters = CountersText(source="*")
    last_at = serializers.DateTimeField(allow_null=True, help_text="When the last entry was posted.")

    def get_shown(self, jackpot: Jackpot) -> str:
        return str(jackpot.meter_money.shown(jackpot.version.value.digits if jackpot.version else 2))

    def get_advance(self, jackpot: Jackpot) -> str:
        return str(jackpot.advance_money)

    def get_limit(self, jackpot: Jackpot) -> str | None:
        limit = jackpot.version.value.limit if jackpot.version else None
        return None if limit is None else str(limit)


class JackpotsAsked(CodedAsked):
    state = serializers.ChoiceField(choices=JackpotState.choices, required=False)


class VersionsAsked(NumberedAsked):
    order = serializers.ChoiceField(choices=["number", "-number"], default="-number")


class ThisJackpot(Door):
    """A door behind the code of one jackpot; a code of another house is not found."""

    verbs: ClassVar[dict[str, tuple[str, ...]]] = {"GET": ("read_books",)}

    def jackpot(self) -> Jackpot:
        return get_object_or_404(queries.jackpots(self.request.user), code=self.kwargs["code"])


class Jackpots(ListDoor):
    """All jackpots with their balances."""

    serializer_class = JackpotText
    asks = JackpotsAsked

    def get_queryset(self) -> QuerySet[Jackpot]:
        rows = queries.jackpots(self.request.user)
        return rows.filter(state=self.asked["state"]) if "state" in self.asked else rows


class TermsFindingText(serializers.Serializer[Any]):
    """What the terms in force ask to look at, with its figures."""

    code = serializers.CharField()
    weight = serializers.ChoiceField(choices=WEIGHTS)
    why = serializers.CharField()


class OneJackpotText(JackpotText):
    """A jackpot as its books stand now, and what its terms ask to look at."""

    findings = serializers.SerializerMethodField()

    @extend_schema_field(TermsFindingText(many=True))
    def get_findings(self, jackpot: Jackpot) -> list[dict[str, str]]:
        return standing_findings(jackpot.version.value) if jackpot.version else []


class OneJackpot(OneDoor):
    """One jackpot: balances, counters, state, version, limit and what its signs may show."""

    serializer_class = OneJackpotText
    lookup_field = "code"

    def get_queryset(self) -> QuerySet[Jackpot]:
        return queries.jackpots(self.request.user)


class Versions(ThisJackpot, ListDoor):
    """Every set of terms this jackpot ever had, with who asked for it and who approved it."""

    serializer_class = VersionText
    asks = VersionsAsked
    key = "number"

    def get_queryset(self) -> QuerySet[Version]:
        return queries.versions(self.jackpot())
