from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, ClassVar, Final

from django.db.models import QuerySet
from django.shortcuts import get_object_or_404
from drf_spectacular.utils import extend_schema, extend_schema_field
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from accounting.desk import queries
from jackpot.adjusting.actions.asking import AdjustmentWish, ask
from jackpot.adjusting.actions.difference import undecided
from jackpot.adjusting.models import Adjustment
from jackpot.adjusting.rules.adjusting import ACCOUNTS, GROUNDS, NAMES, SOURCES, Adjusting
from jackpot.answers.api import KEY, answer_once
from jackpot.books.models.jackpot import Jackpot
from jackpot.books.queries import jackpots
from jackpot.money import Money, NotAnAmount
from jackpot.people.models import Operator
from jackpot.reading import read_amount
from jackpot.refusals import NotFound, NotUnderstood
from jackpot.requests.queries import touched_by
from jackpot.requests.rules.wire import ADJUSTMENT_STATES, wire_state
from jackpot.signing.actions import sign, turn_down
from jackpot.signing.api import ProofText, approver_of
from jackpot.web.api.doors import Door, ListDoor, NumberedAsked, OneDoor
from jackpot.web.api.fields import AmountText, AmountWritten, WholeNumber
from jackpot.web.api.filters import AmountsAsked, MomentsAsked, PersonAsked, TotalsAsked, person_named, spans, wanted
from jackpot.wins.models import Win
from tables.hits.queries.hit_lists import wins_of

CODE: Final = r"^[A-Z0-9][A-Z0-9-]{0,19}$"
READERS: Final = ("read_books", "adjust", "sign_adjustments")
DECIDERS: Final = ("adjust", "sign_adjustments")
CAUSE: Final = "Difference: the back-out. Underpayment from the meter: the adjustment that gave it."


class AdjustmentText(serializers.Serializer[Any]):
    """What one person asked for and another decided. Balances before and after stand in it, jackpot by jackpot."""

    id = serializers.IntegerField()
    kind = serializers.CharField(help_text=", ".join(kind.value for kind in Adjusting))
    state = serializers.SerializerMethodField()
    jackpot = serializers.CharField(source="jackpot.code")
    other = serializers.CharField(
        source="other.code", default=None, allow_null=True, help_text="The jackpot that takes the money."
    )
    win = serializers.IntegerField(source="win_id", allow_null=True)
    slip = serializers.IntegerField(source="win.slip", allow_null=True, default=None, help_text="Of the win it names.")
    account = serializers.CharField()
    amount = AmountText(source="amount_money", allow_null=True)
    leaves_seed = serializers.BooleanField()
    reading = AmountText(source="reading_money", allow_null=True)
    reason = serializers.CharField(source="ground", help_text=", ".join(GROUNDS))
    why = serializers.CharField(source="reason")
    evidence = serializers.CharField()
    file_name = serializers.CharField()
    file_sha256 = serializers.CharField()
    requested_by = serializers.CharField(source="asked_by")
    requested_at = serializers.DateTimeField(source="asked_at")
    decided_by = serializers.SerializerMethodField(help_text="Who approved or refused it, or took it back; or null.")
    decided_at = serializers.SerializerMethodField()
    answer = serializers.SerializerMethodField(help_text="Why it was refused.")
    gaming_day = serializers.DateField(allow_null=True)
    entries = serializers.SerializerMethodField(help_text="What it wrote: GRAND/45.")
    shown = serializers.DictField(
        source="preview", help_text="Before and after, and later winners' differences, as asked."
    )
    posted = serializers.DictField(help_text="The same as it was posted.")
    cause = serializers.IntegerField(source="cause_id", allow_null=True, help_text=CAUSE)
    pays = serializers.BooleanField(help_text="Difference: paid by a page of its own; else only noted.")
    slips = serializers.SerializerMethodField(help_text="Difference, underpayment: the slip that pays it.")
    undecided = serializers.SerializerMethodField(help_text="Back-out: winners whose difference nobody has asked for.")

    @extend_schema_field(serializers.ChoiceField(choices=list(ADJUSTMENT_STATES)))
    def get_state(self, row: Adjustment) -> str:
        return wire_state(ADJUSTMENT_STATES, row.state)

    def get_decided_by(self, row: Adjustment) -> str | None:
        who = row.decided_by or row.withdrawn_by
        return None if who is None else str(who)

    @extend_schema_field(serializers.DateTimeField(allow_null=True))
    def get_decided_at(self, row: Adjustment) -> Any:
        moment = row.decided_at or row.withdrawn_at
        return None if moment is None else serializers.DateTimeField().to_representation(moment)

    def get_answer(self, row: Adjustment) -> str:
        return row.decided_reason or row.withdrawn_reason

    def get_entries(self, row: Adjustment) -> list[str]:
        return row.names_of_entries

    def get_slips(self, row: Adjustment) -> list[int]:
        return [page.slip for page in row.pages.all() if page.slip is not None]

    def get_undecided(self, row: Adjustment) -> list[int]:
        return [each["id"] for each in undecided(row)]


class RequestWord(serializers.Serializer[Any]):
    """A request with its reason and evidence."""

    kind = serializers.ChoiceField(choices=[(kind.value, name) for kind, name in NAMES.items()])
    jackpot = serializers.RegexField(CODE, required=False, help_text="Not needed where a win is named.")
    other = serializers.RegexField(CODE, required=False, help_text="Transfer, retire: who takes the money.")
    slip = WholeNumber(min_value=1, max_value=2**53 - 1, required=False, help_text="The win it is about, by its slip.")
    win = WholeNumber(min_value=1, max_value=2**53 - 1, required=False, help_text="The same by its own id.")
    cause = WholeNumber(min_value=1, max_value=2**53 - 1, required=False, help_text=CAUSE)
    pays = serializers.BooleanField(default=False, help_text="Difference: true pays it, false only notes it.")
    account = serializers.ChoiceField(
        choices=list(dict.fromkeys(ACCOUNTS + SOURCES)),
        default="meter",
        help_text="Difference, underpayment: meter or house pays it.",
    )
    amount = AmountWritten(max_length=30, required=False, help_text="Adjust: signed. Transfer: a part.")
    leaves_seed = serializers.BooleanField(
        default=False, help_text="Transfer, retire: all but a seed, which stays in the meter. Without an amount."
    )
    reading = AmountWritten(
        max_length=30,
        required=False,
        help_text="Retire: the closing reading. Underpayment: what the meter must have been.",
    )
    reason = serializers.ChoiceField(choices=list(GROUNDS.items()))
    why = serializers.CharField(max_length=200)
    evidence = serializers.CharField(max_length=200)
    file_name = serializers.CharField(max_length=120, required=False, default="", allow_blank=True)
    file_sha256 = serializers.RegexField(r"^([0-9a-f]{64})?$", required=False, default="", allow_blank=True)


class ApproveWord(ProofText):
    """The second person, who has seen what later winners would be owed."""

    differences_seen = serializers.BooleanField(default=False)


class RefuseWord(serializers.Serializer[Any]):
    why = serializers.CharField(max_length=200)


class AdjustmentAnswer(serializers.Serializer[Any]):
    ok = serializers.BooleanField(default=True)
    repeat = serializers.BooleanField(default=False, help_text="true: the stored answer of the same key.")
    adjustment = AdjustmentText()


class AdjustmentsAsked(AmountsAsked, MomentsAsked, PersonAsked, TotalsAsked, NumberedAsked):
    order = serializers.ChoiceField(choices=["id", "-id"], default="-id")
    state = serializers.ChoiceField(choices=list(ADJUSTMENT_STATES), required=False)
    kind = serializers.ChoiceField(choices=[kind.value for kind in Adjusting], required=False)
    jackpot = serializers.RegexField(CODE, required=False)


class Adjustments(ListDoor):
    """What was asked for and what became of it, newest first; a POST asks. `since` and `until` are of the asking;
    `person` asked, decided or took back."""

    serializer_class = AdjustmentText
    asks = AdjustmentsAsked
    key = "id"
    sums: ClassVar[Mapping[str, str]] = {"amount": "amount"}
    currency = "premises__currency"
    verbs: ClassVar[Mapping[str, tuple[str, ...]]] = {"GET": READERS, "POST": ("adjust",)}

    def get_queryset(self) -> QuerySet[Adjustment]:
        columns = {"kind": "kind", "jackpot": "jackpot__code", **spans(amount="amount", moment="asked_at")}
        rows = queries.adjustments(self.request.user).filter(**wanted(self.asked, columns))
        # Programs know states of an adjustment from before all requests had one life; each stands for one or more of
        # these.
        if "state" in self.asked:
            rows = rows.filter(state__in=ADJUSTMENT_STATES[self.asked["state"]])
        if "person" in self.asked:
            rows = rows.filter(touched_by(person_named(self.request.user, self.asked["person"])))
        return rows

    @extend_schema(request=RequestWord, responses=AdjustmentAnswer, parameters=[KEY])
    def post(self, request: Request, **_: str) -> Response:
        """Asks for an act of two people: it waits for another person's word."""
        form = RequestWord(data=request.data)
        form.is_valid(raise_exception=True)
        told, person = dict(form.validated_data), _person(request)
        return _once(self, lambda: ask(wish=_wish(person, told), by=person))


class OneAdjustment(OneDoor):
    """One request."""

    serializer_class = AdjustmentText
    lookup_field = "id"
    verbs: ClassVar[Mapping[str, tuple[str, ...]]] = {"GET": READERS}

    def get_queryset(self) -> QuerySet[Adjustment]:
        return queries.adjustments(self.request.user)


class ThisAdjustment(Door):
    """A door behind one request."""

    verbs: ClassVar[Mapping[str, tuple[str, ...]]] = {"POST": DECIDERS}

    def row(self) -> Adjustment:
        return get_object_or_404(queries.adjustments(self.request.user), id=int(self.kwargs["id"]))


class ApproveAdjustment(ThisAdjustment):
    """Another person's word: computed again under the lock, and posted."""

    serializer_class = ApproveWord

    @extend_schema(request=ApproveWord, responses=AdjustmentAnswer, parameters=[KEY])
    def post(self, request: Request, **_: str) -> Response:
        told, row = dict(self.sent_fields()), self.row()
        seen = told.pop("differences_seen")

        def approve() -> Adjustment:
            signs = approver_of(request, told, row.kind, row.premises)
            signed: Adjustment = sign(request_id=row.pk, approver=signs, seen=seen)
            return signed

        return _once(self, approve)


class RefuseAdjustment(ThisAdjustment):
    """Nothing moves; the request stays with the answer."""

    serializer_class = RefuseWord

    @extend_schema(request=RefuseWord, responses=AdjustmentAnswer, parameters=[KEY])
    def post(self, request: Request, **_: str) -> Response:
        told, row, person = self.sent_fields(), self.row(), _person(request)
        return _once(self, lambda: turn_down(request_id=row.pk, by=person, reason=told["why"]))


def _once(door: Door, work: Callable[[], Adjustment]) -> Response:
    def done() -> dict[str, Any]:
        # Read again: the act returns its own row, and the answer wants what stands beside it too.
        row = queries.adjustments(door.request.user).get(pk=work().pk)
        return {"adjustment": AdjustmentText(row).data}

    return answer_once(door.request, done)


def _person(request: Request) -> Operator:
    assert isinstance(request.user, Operator), "the door lets nobody in who is not signed in"
    return request.user


def _wish(person: Any, told: Mapping[str, Any]) -> AdjustmentWish:
    """The body as a wish; a code or an amount that means nothing is named."""
    win = _win_named(person, told)
    jackpot = win.jackpot if win is not None else _jackpot(person, told.get("jackpot", ""))
    other = _jackpot(person, told["other"]) if told.get("other") else None
    cause = None
    if told.get("cause") is not None:
        cause = get_object_or_404(queries.adjustments(person), id=told["cause"])
    words = {name: told[name] for name in ("evidence", "account", "file_name", "file_sha256")}
    words |= {"ground": told["reason"], "reason": told["why"]}
    return AdjustmentWish(
        Adjusting(told["kind"]), jackpot, other=other, win=win, cause=cause, pays=told["pays"],
        leaves_seed=told["leaves_seed"],
        amount=_amount(told.get("amount")), reading=_amount(told.get("reading")), **words,
    )  # fmt: skip


def _win_named(person: Any, told: Mapping[str, Any]) -> Win | None:
    """By its slip, or by its own id; both at once must be the same win."""
    named = {column: told[word] for word, column in (("slip", "slip"), ("win", "id")) if told.get(word) is not None}
    if not named:
        return None
    # Of who belongs to several houses the first that has it: a slip is a number of one house.
    found: Win | None = wins_of(person).filter(**named).order_by("premises_id").first()
    if found is None:
        raise NotFound("There is no such win here. GET /api/v1/wins/ lists the wins with their slips.", "no_win")
    return found


def _jackpot(person: Any, code: str) -> Jackpot:
    found = jackpots(person).filter(code=code).first()
    if found is None:
        raise NotFound(f"There is no jackpot {code or 'without a code'} here.", "no_jackpot")
    return found


def _amount(text: str | None) -> Money | None:
    try:
        return read_amount(text, "amount") if text else None
    except NotAnAmount as wrong:
        raise NotUnderstood(str(wrong), "amount") from None
