"""Other terms for a jackpot over the API: drafted, previewed, signed by a second person, refused, withdrawn."""

from __future__ import annotations

from typing import Any, ClassVar

from django.db.models import QuerySet
from drf_spectacular.utils import extend_schema, extend_schema_field
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from jackpot.books import queries
from jackpot.books.api.jackpots import ThisJackpot, Versions
from jackpot.books.queries import laboratory_record
from jackpot.configuring.actions.configure import TermsWish, differs
from jackpot.requests.rules.life import RequestState
from jackpot.requests.rules.wire import TERMS_STATES, wire_state
from jackpot.signing.actions import refuse, sign, withdraw
from jackpot.signing.api import ProofText, approver_of
from jackpot.terms.models.terms_change import TERMS, TermsChange
from jackpot.terms.rules.terms import Terms
from jackpot.web.api.doors import ListDoor, NumberedAsked
from tables.requests.actions import configure
from tables.requests.actions.configure import TermsPreview

CONFIGURES = ("configure",)
READS = ("read_books", "configure")
STATE_WORDS = tuple((word, word) for word in TERMS_STATES)


class DifferenceText(serializers.Serializer[Any]):
    term = serializers.CharField(help_text="rate, seed, pay_table.royal, policy.order …")
    name = serializers.CharField()
    before = serializers.CharField()
    after = serializers.CharField()


class PreviewFindingText(serializers.Serializer[Any]):
    code = serializers.CharField()
    weight = serializers.ChoiceField(choices=["refused", "warning", "advice"])
    why = serializers.CharField(help_text="One sentence with its figures.")


class ChangeText(serializers.Serializer[Any]):
    """A request for other terms, and what became of it."""

    number = serializers.IntegerField(help_text="1, 2, 3 … per jackpot.")
    jackpot = serializers.CharField(source="jackpot.code")
    state = serializers.SerializerMethodField()
    how = serializers.ChoiceField(choices=TermsChange.How.choices)
    reason = serializers.CharField()
    asked_by = serializers.CharField()
    asked_at = serializers.DateTimeField()
    differences = serializers.SerializerMethodField(help_text="Against the terms it was drafted on.")
    terms = serializers.SerializerMethodField(help_text="The whole terms asked for.")
    findings = PreviewFindingText(many=True)
    previewed_at = serializers.DateTimeField(allow_null=True)
    decided_by = serializers.CharField(allow_null=True, help_text="Who approved or refused it.")
    decided_at = serializers.DateTimeField(allow_null=True)
    why = serializers.SerializerMethodField(help_text="Why it was refused or withdrawn.")
    version = serializers.IntegerField(source="version.number", default=None, allow_null=True)
    waits_for = serializers.SerializerMethodField(
        help_text="Signed and not in force: next_reset, or notice while whoever must be told was not told."
    )
    first_entry = serializers.IntegerField(
        source="activated_seq", allow_null=True, help_text="First under its version."
    )

    @extend_schema_field(serializers.ChoiceField(choices=["", "next_reset", "notice"]))
    def get_waits_for(self, change: TermsChange) -> str:
        if change.state != RequestState.SIGNED:
            return ""
        return "notice" if change.not_told else "next_reset"

    @extend_schema_field(serializers.ChoiceField(choices=STATE_WORDS))
    def get_state(self, change: TermsChange) -> str:
        return wire_state(TERMS_STATES, change.state)

    def get_differences(self, change: TermsChange) -> list[dict[str, str]]:
        return list(DifferenceText(differs(change), many=True).data)

    def get_terms(self, change: TermsChange) -> dict[str, Any]:
        return change.value.plain()

    def get_why(self, change: TermsChange) -> str:
        return change.withdrawn_reason or change.decided_reason


class WholeChangeText(ChangeText):
    """One request for other terms, with what the laboratory said of it."""

    laboratory = serializers.SerializerMethodField(
        help_text="What the laboratory said, frozen with the request: `form` and `digest` of the record, its questions "
        "and `figures` of the terms in force and asked for."
    )

    @extend_schema_field(serializers.DictField(allow_null=True))
    def get_laboratory(self, change: TermsChange) -> Any:
        return laboratory_record(change)


class WishText(serializers.Serializer[Any]):
    """Only what should differ: {"rate": "60", "seed": "12000.00"}. A pay table is given by its lines, or by
    {"game", "code", "fixed_from"} of a pack.
    """

    changes = serializers.DictField(help_text="Terms by name; what is not named stays.")
    how = serializers.ChoiceField(choices=TermsChange.How.choices, default=TermsChange.How.NEXT_RESET)
    reason = serializers.CharField(max_length=200, required=False, default="", allow_blank=True)


class WhyText(serializers.Serializer[Any]):
    reason = serializers.CharField(max_length=200)


class NothingText(serializers.Serializer[Any]):
    """An empty body."""


class PreviewText(serializers.Serializer[Any]):
    """What the laboratory and the house's rules say, in force and asked for side by side."""

    ok = serializers.BooleanField(default=True)
    ready = serializers.BooleanField(help_text="false: still calculating; ask again.")
    percent = serializers.IntegerField()
    findings = PreviewFindingText(many=True)
    in_force = serializers.DictField(allow_null=True)
    asked_for = serializers.DictField(allow_null=True)


class ChangedText(serializers.Serializer[Any]):
    ok = serializers.BooleanField(default=True)
    change = ChangeText()


class AskedVersions(Versions):
    """Every set of terms this jackpot ever had; a POST asks for other ones and changes nothing yet."""

    verbs: ClassVar[dict[str, tuple[str, ...]]] = {**Versions.verbs, "POST": CONFIGURES}

    @extend_schema(request=WishText, responses={201: ChangedText})
    def post(self, request: Request, **_: str) -> Response:
        """Drafts other terms and previews them. A preview that takes longer is asked for again at the draft."""
        jackpot, person = self.jackpot(), _person(request)
        told = _read(WishText, request)
        wish = TermsWish(configure.wished_terms(jackpot, told["changes"]), told["reason"], TermsChange.How(told["how"]))
        change = configure.draft(jackpot=jackpot, wish=wish, by=person)
        # After the draft's commit: the laboratory is asked while nothing is locked.
        configure.preview(change=change, by=person)
        # Read again: the preview has frozen its findings in the row.
        return Response({"ok": True, **_as_reply(configure.change_of(jackpot, change.number))}, status=201)


class TermsLookAhead(ThisJackpot):
    """What other terms would do, without asking for them: findings and figures beside those in force."""

    serializer_class = WishText
    verbs: ClassVar[dict[str, tuple[str, ...]]] = {"POST": CONFIGURES}

    @extend_schema(request=WishText, responses={200: PreviewText, 202: PreviewText}, operation_id="jackpots_preview")
    def post(self, _: Request, **__: str) -> Response:
        # A POST because the wish is a body of its own: nothing is kept of it.
        jackpot, told = self.jackpot(), self.sent_fields()
        terms: Terms = configure.wished_terms(jackpot, told["changes"])
        return _previewed(configure.look_ahead(jackpot, TermsWish(terms, told["reason"], TermsChange.How(told["how"]))))


class ChangesAsked(NumberedAsked):
    order = serializers.ChoiceField(choices=["number", "-number"], default="-number")
    state = serializers.ChoiceField(choices=list(TERMS_STATES), required=False)


class TermsChanges(ThisJackpot, ListDoor):
    """Every request for other terms and what became of it, newest first."""

    serializer_class = ChangeText
    verbs: ClassVar[dict[str, tuple[str, ...]]] = {"GET": READS}
    asks = ChangesAsked
    key = "number"

    def get_queryset(self) -> QuerySet[TermsChange]:
        rows = queries.changes(self.jackpot())
        return rows.filter(state__in=TERMS_STATES[self.asked["state"]]) if "state" in self.asked else rows


class ThisTermsChange(ThisJackpot):
    """A door behind one request."""

    serializer_class: Any = NothingText
    verbs: ClassVar[dict[str, tuple[str, ...]]] = {"POST": CONFIGURES}

    def change(self) -> TermsChange:
        return configure.change_of(self.jackpot(), int(self.kwargs["change"]))

    def decided(self) -> Response:
        return Response({"ok": True, **_as_reply(self.change())})


class OneTermsChange(ThisTermsChange):
    """One request."""

    serializer_class = WholeChangeText
    verbs: ClassVar[dict[str, tuple[str, ...]]] = {"GET": READS}

    @extend_schema(responses=WholeChangeText)
    def get(self, _: Request, **__: str) -> Response:
        assert self.asked is not None, "a question that is not understood is refused, not ignored"
        return Response(WholeChangeText(self.change()).data)


class PreviewTerms(ThisTermsChange):
    """The preview of a draft, frozen with it as soon as it is there; 202 while it is calculated."""

    @extend_schema(request=None, responses={200: PreviewText, 202: PreviewText})
    def post(self, request: Request, **_: str) -> Response:
        return _previewed(configure.preview(change=self.change(), by=_person(request)))


class ApproveTerms(ThisTermsChange):
    """The second, different person's word: the version is made and waits for the next reset, or counts at once."""

    serializer_class = ProofText

    @extend_schema(request=ProofText, responses=ChangedText)
    def post(self, request: Request, **_: str) -> Response:
        change = self.change()
        sign(request_id=change.pk, approver=approver_of(request, self.sent_fields(), TERMS, change.premises))
        return self.decided()


class RefuseTerms(ThisTermsChange):
    """The second person says no, and why."""

    serializer_class = WhyText

    @extend_schema(request=WhyText, responses=ChangedText)
    def post(self, request: Request, **_: str) -> Response:
        refuse(request_id=self.change().pk, reason=self.sent_fields()["reason"], by=_person(request))
        return self.decided()


class WithdrawTerms(ThisTermsChange):
    """Whoever asked takes it back; what waits for a reset, anyone who configures."""

    serializer_class = WhyText

    @extend_schema(request=WhyText, responses=ChangedText)
    def post(self, request: Request, **_: str) -> Response:
        withdraw(request_id=self.change().pk, reason=self.sent_fields()["reason"], by=_person(request))
        return self.decided()


def _previewed(found: TermsPreview) -> Response:
    before, after = found.figures if len(found.figures) == 2 else (None, None)
    told = {
        "ok": True, "ready": found.ready, "percent": found.percent, "findings": found.findings,
        "in_force": before, "asked_for": after,
    }  # fmt: skip
    return Response(told) if found.ready else Response(told, status=202, headers={"Retry-After": "1"})


def _as_reply(change: TermsChange) -> dict[str, Any]:
    return {"change": ChangeText(change).data}


def _read(form: type[serializers.Serializer[Any]], request: Request) -> dict[str, Any]:
    read = form(data=request.data)
    read.is_valid(raise_exception=True)
    return dict(read.validated_data)


def _person(request: Request) -> Any:
    return request.user
