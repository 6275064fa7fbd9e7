from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from datetime import date
from typing import Any, ClassVar, Final

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.utils.urls import replace_query_param

from accounting.days.actions import explaining, writing
from accounting.days.actions.explaining import ExplanationWish
from accounting.days.actions.snapshots import plain_equation
from accounting.days.actions.steps import take_step
from accounting.days.models import Explanation
from accounting.days.queries.columns import lines_of
from accounting.days.queries.days import days_of, explained, explanations_on, signatures_on, state_on
from accounting.days.rules.day_life import DayAct, DayState
from accounting.days.rules.reconcile import CloseColumn, LineState, is_explained
from accounting.days.rules.typed import typed_amount
from jackpot.books.models.jackpot import Jackpot
from jackpot.books.queries import jackpots
from jackpot.property.models.property import Property
from jackpot.property.queries import house_of
from jackpot.refusals import NotFound, NotUnderstood
from jackpot.signing.actions import sign
from jackpot.signing.api import ProofText, approver_of, proof_of
from jackpot.web.api.doors import Asked, Door, PageAsked
from jackpot.web.api.fields import LARGEST_KEY, AmountText, AmountWritten, WholeNumber, ZonedMoment

READERS: Final = ("read_books", "close_day")
DAY_STATES: Final = [state.value for state in DayState]
DAY_ACTS: Final = [act.value for act in DayAct]
CLOSE_COLUMNS: Final = [column.value for column in CloseColumn]


class DayText(serializers.Serializer[Any]):
    """A gaming day that has rolled."""

    day = serializers.DateField()
    state = serializers.ChoiceField(choices=DAY_STATES)
    agrees = serializers.BooleanField(help_text="Whether the books of every jackpot agreed at the roll.")


class DaysText(serializers.Serializer[Any]):
    days = DayText(many=True)


class CloseLineText(serializers.Serializer[Any]):
    """One line of a column: what should be, what was found, what is left to explain."""

    subject = serializers.CharField(help_text="Names the line, also in an explanation.")
    column = serializers.ChoiceField(choices=CLOSE_COLUMNS)
    name = serializers.CharField()
    state = serializers.ChoiceField(choices=[state.value for state in LineState])
    expected = serializers.CharField()
    found = serializers.CharField()
    variance = AmountText()
    told = serializers.CharField()
    explained = serializers.BooleanField()


class DaySignatureText(serializers.Serializer[Any]):
    act = serializers.ChoiceField(choices=DAY_ACTS)
    person = serializers.CharField(source="person.username")
    at = serializers.DateTimeField()
    why = serializers.CharField()
    digest = serializers.CharField(help_text="sha-256 of everything that was signed.")


class DayColumnText(serializers.Serializer[Any]):
    """How much of a column is done; its lines stand at `lines/`."""

    column = serializers.ChoiceField(choices=CLOSE_COLUMNS)
    lines = serializers.IntegerField()
    to_do = serializers.IntegerField(help_text="Lines that differ or are missing and that nobody has explained.")


class OneDayText(serializers.Serializer[Any]):
    """A gaming day as it stands: its equations, how far every column is, and who signed."""

    day = serializers.DateField()
    state = serializers.ChoiceField(choices=DAY_STATES)
    equations = serializers.ListField(child=serializers.DictField())
    columns = DayColumnText(many=True)
    signatures = DaySignatureText(many=True)


class CloseLinesText(serializers.Serializer[Any]):
    """A page of lines."""

    next = serializers.URLField(allow_null=True, help_text="Address of the next page, or null.")
    results = CloseLineText(many=True)


ANEW = "Reckons every equation anew, as signing does; else as it was reckoned at the roll, beside the books of now."


class OneDayAsked(Asked):
    anew = serializers.BooleanField(default=False, help_text=ANEW)


class CloseLinesAsked(PageAsked):
    anew = serializers.BooleanField(default=False, help_text=ANEW)
    cursor = WholeNumber(min_value=0, max_value=LARGEST_KEY, required=False, default=0, help_text="Lines to leave out.")
    column = serializers.ChoiceField(choices=CLOSE_COLUMNS, required=False)
    to_do = serializers.BooleanField(default=False, help_text="Only lines that are still to be explained or done.")


class DayDoneText(serializers.Serializer[Any]):
    ok = serializers.BooleanField(default=True)
    id = serializers.IntegerField()


class ReadingWord(serializers.Serializer[Any]):
    """What a person reads off a sign, and when."""

    jackpot = serializers.CharField(max_length=20)
    shown = AmountWritten(max_length=40)
    read_at = ZonedMoment()
    sign = serializers.CharField(max_length=20, required=False, default="", allow_blank=True)


class CountWord(serializers.Serializer[Any]):
    """One person's count of one table's chips of one size."""

    table = serializers.CharField(max_length=20)
    wager = serializers.CharField(
        max_length=20, required=False, default="", allow_blank=True, help_text="A further wager; empty for the first."
    )
    chips = WholeNumber(min_value=0, max_value=writing.MOST_CHIPS)


class FeeWord(serializers.Serializer[Any]):
    """What the drop box of one table held in collections."""

    table = serializers.CharField(max_length=20)
    amount = AmountWritten(max_length=40)


class BalanceWord(serializers.Serializer[Any]):
    """The balance of the account that covers the jackpots, at the end of this day."""

    amount = AmountWritten(max_length=40)


class ExplanationWord(serializers.Serializer[Any]):
    """What a difference comes from. Its amount is computed."""

    subject = serializers.CharField(max_length=80)
    cause = serializers.ChoiceField(choices=Explanation.Cause.choices)
    why = serializers.CharField(max_length=200)
    evidence = serializers.CharField(max_length=200)
    file_name = serializers.CharField(max_length=120, required=False, default="", allow_blank=True)
    file_sha256 = serializers.RegexField("^([0-9a-f]{64})?$", required=False, default="", allow_blank=True)


class StepWord(ProofText):
    """The next step of the day's life. `back`, `ask` and `keep` need a reason, `reopen` proof of presence."""

    act = serializers.ChoiceField(choices=DAY_ACTS)
    why = serializers.CharField(max_length=200, required=False, default="", allow_blank=True)


class OfHouse(Door):
    """A door of the gaming days of the caller's house."""

    verbs: ClassVar[Mapping[str, tuple[str, ...]]] = {"GET": READERS}

    def house(self) -> Property:
        house = house_of(self.request.user)
        if house is None:
            raise NotFound("There is no house yet.", "no_house")
        return house

    def on(self) -> date:
        day: date = self.kwargs["day"]
        return day


class Days(OfHouse):
    """The gaming days that have rolled, newest first, each with its state. The last sixty."""

    serializer_class = DaysText

    @extend_schema(responses=DaysText, operation_id="days_list")
    def get(self, _: Request) -> Response:
        assert self.asked is not None, "a question that is not understood is refused, not ignored"
        rows = [{"day": day, "state": state, "agrees": agrees} for day, state, agrees in days_of(self.house())]
        return Response({"days": DayText(rows, many=True).data})


class OneDay(OfHouse):
    """One gaming day: equations, how far each column is, and signatures."""

    serializer_class = OneDayText
    asks = OneDayAsked

    @extend_schema(responses=OneDayText, operation_id="days_one")
    def get(self, _: Request, **__: Any) -> Response:
        house, on = self.house(), self.on()
        found, agreed = lines_of(house, on, anew=self.asked["anew"]), explained(explanations_on(house, on))
        to_do = Counter(line.column for line in found.unexplained(agreed))
        columns = [{"column": column, "lines": len(found.of(column)), "to_do": to_do[column]} for column in CloseColumn]
        told = {
            "day": on, "state": state_on(house, on), "columns": columns, "signatures": signatures_on(house, on),
            "equations": [plain_equation(each) for each in found.equations],
        }  # fmt: skip
        return Response(OneDayText(told).data)


class CloseLines(OfHouse):
    """The lines of a day's columns, a page at a time: what should be, what was found, what is left to explain."""

    serializer_class = CloseLinesText
    asks = CloseLinesAsked

    @extend_schema(responses=CloseLinesText, operation_id="days_lines")
    def get(self, request: Request, **_: Any) -> Response:
        house, on, asked = self.house(), self.on(), self.asked
        found, agreed = lines_of(house, on, anew=asked["anew"]), explained(explanations_on(house, on))
        chosen = found.unexplained(agreed) if asked["to_do"] else found.lines
        wanted = [line for line in chosen if asked.get("column") in (None, line.column)]
        upto = asked["cursor"] + asked["limit"]
        further = replace_query_param(request.get_full_path(), "cursor", upto) if upto < len(wanted) else None
        rows = [
            {"subject": line.subject, "column": line.column, "name": line.name, "state": line.state,
             "expected": line.expected, "found": line.found, "variance": line.variance, "told": line.told,
             "explained": not line.is_done and is_explained(line, agreed)}
            for line in wanted[asked["cursor"]:upto]
        ]  # fmt: skip
        return Response(CloseLinesText({"next": further, "results": rows}).data)


class Readings(OfHouse):
    """Notes what a person read off a sign; its gaming day and shift are those of the minute of the reading."""

    serializer_class = ReadingWord
    verbs: ClassVar[Mapping[str, tuple[str, ...]]] = {"POST": ("close_day", "count", "verify")}

    @extend_schema(request=ReadingWord, responses={201: DayDoneText}, operation_id="days_read_sign")
    def post(self, request: Request, **_: Any) -> Response:
        told, person = self.sent_fields(), request.user
        jackpot: Jackpot | None = jackpots(person).filter(code=told["jackpot"]).first()
        if jackpot is None:
            raise NotFound(f"There is no jackpot {told['jackpot']} here.", "no_jackpot")
        if jackpot.premises.gaming_day(told["read_at"]) != self.on():
            raise NotUnderstood(f"A reading at that time is not of {self.on()}.", "read_at")
        shown = typed_amount(told["shown"], "figure on the sign")
        assert not person.is_anonymous, "the door is closed to who is not signed in"
        row = writing.read_sign(jackpot=jackpot, shown=shown, at=told["read_at"], by=person, sign=told["sign"])
        return Response({"ok": True, "id": row.pk}, status=201)


class Counts(OfHouse):
    """Notes one person's count of one table. No answer tells what another person counted."""

    serializer_class = CountWord
    verbs: ClassVar[Mapping[str, tuple[str, ...]]] = {"POST": ("count",)}

    @extend_schema(request=CountWord, responses={201: DayDoneText}, operation_id="days_count_chips")
    def post(self, request: Request, **_: Any) -> Response:
        told = self.sent_fields()
        person: Any = request.user
        row = writing.count_chips(
            premises=self.house(),
            day=self.on(),
            table_code=told["table"],
            chips=told["chips"],
            by=person,
            wager=told["wager"],
        )
        return Response({"ok": True, "id": row.pk}, status=201)


class FeeDrops(OfHouse):
    """Notes what the drop box of one table held in collections. A later note takes the place of an earlier one."""

    serializer_class = FeeWord
    verbs: ClassVar[Mapping[str, tuple[str, ...]]] = {"POST": ("close_day", "count")}

    @extend_schema(request=FeeWord, responses={201: DayDoneText}, operation_id="days_count_fees")
    def post(self, request: Request, **_: Any) -> Response:
        told = self.sent_fields()
        person: Any = request.user
        amount = typed_amount(told["amount"], "drop")
        row = writing.count_fees(
            premises=self.house(), day=self.on(), table_code=told["table"], amount=amount, by=person
        )
        return Response({"ok": True, "id": row.pk}, status=201)


class Balance(OfHouse):
    """Notes the bank's balance of this day."""

    serializer_class = BalanceWord
    verbs: ClassVar[Mapping[str, tuple[str, ...]]] = {"POST": ("close_day",)}

    @extend_schema(request=BalanceWord, responses={201: DayDoneText}, operation_id="days_type_balance")
    def post(self, request: Request, **_: Any) -> Response:
        amount = typed_amount(self.sent_fields()["amount"], "balance of the bank")
        person: Any = request.user
        row = writing.type_balance(premises=self.house(), amount=amount, as_of=self.on(), by=person)
        return Response({"ok": True, "id": row.pk}, status=201)


class Explanations(OfHouse):
    """Explains a line that differs or is missing; it counts once another person has signed it.

    The answer names the request: at the doors of requests its file is added, and it is refused or withdrawn.
    """

    serializer_class = ExplanationWord
    verbs: ClassVar[Mapping[str, tuple[str, ...]]] = {"POST": ("close_day",)}

    @extend_schema(request=ExplanationWord, responses={201: DayDoneText}, operation_id="days_explain")
    def post(self, request: Request, **_: Any) -> Response:
        told = dict(self.sent_fields())
        person: Any = request.user
        cause = Explanation.Cause(told.pop("cause"))
        row = explaining.explain(
            premises=self.house(), day=self.on(), wish=ExplanationWish(cause=cause, **told), by=person
        )
        return Response({"ok": True, "id": row.pk}, status=201)


class SignExplanation(OfHouse):
    """The second person's word on an explanation, with proof of presence."""

    serializer_class = ProofText
    verbs: ClassVar[Mapping[str, tuple[str, ...]]] = {"POST": ("close_day",)}

    @extend_schema(request=ProofText, responses=DayDoneText, operation_id="days_sign_explanation")
    def post(self, request: Request, **_: Any) -> Response:
        rows = Explanation.objects.filter(premises=self.house(), day=self.on(), pk=int(self.kwargs["id"]))
        row = rows.first()
        if row is None:
            raise NotFound("There is no such explanation on this day.", "no_explanation")
        sign(request_id=row.pk, approver=approver_of(request, self.sent_fields(), row.kind, row.premises))
        return Response({"ok": True, "id": row.pk})


class Steps(OfHouse):
    """Signs a day, closes it as the second person, takes a signature back, opens a closed day again with two people."""

    serializer_class = StepWord
    verbs: ClassVar[Mapping[str, tuple[str, ...]]] = {"POST": ("close_day",)}

    @extend_schema(request=StepWord, responses={201: DayDoneText}, operation_id="days_step")
    def post(self, request: Request, **_: Any) -> Response:
        told = self.sent_fields()
        person: Any = request.user
        row = take_step(
            premises=self.house(), day=self.on(), act=DayAct(told["act"]), by=person, why=told["why"],
            proof=proof_of(request, told),
        )  # fmt: skip
        return Response({"ok": True, "id": row.pk}, status=201)
