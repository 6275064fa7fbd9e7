"""The reports for programs: rows and totals as JSON, or the same file that the page gives."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, Final

from django.http import HttpResponse, HttpResponseBase
from django.utils import timezone
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiExample, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from accounting.reports.actions.exports import LONGEST_AT_ONCE
from accounting.reports.printing.cells import plain_cell, plain_row
from accounting.reports.printing.files import TooLongForIt
from accounting.reports.printing.taken import form_asked, take_report
from accounting.reports.queries import asking
from accounting.reports.queries.catalogue import EVERY_VERB, report_for, reports_for
from accounting.reports.queries.frame import ReportPage, ReportReading, report_page
from accounting.reports.rules.asking import NotAQuestion, read_question
from accounting.reports.rules.declaring import OfficeReport, ReportFilter, ReportQuestion
from jackpot.people.models import Operator
from jackpot.property.models.property import Property
from jackpot.property.rules.typed_days import NotADay
from jackpot.refusals import NotAllowed, NotAllowedNow, NotFound, NotUnderstood
from jackpot.web.api.doors import LARGEST_PAGE, AsItComes, Asked, Door
from jackpot.web.api.fields import WholeNumber

FILES: Final = ("csv", "xlsx", "pdf")
LAST_PAGE: Final = 1_000_000


def _word(text: str) -> Any:
    return serializers.CharField(max_length=100, required=False, allow_blank=True, help_text=text)


class ReportAsked(Asked):
    """A report takes those of these filters that its entry in the list of reports names."""

    from_day = _word("First gaming day, such as 2026-11-17.")
    to = _word("Last gaming day; without it the first alone.")
    period = _word("Instead of both: yesterday, last month, 1 Nov 2026 to 17 Nov 2026.")
    at = _word("A moment: yesterday (its close), 2026-11-17 14:30. Nothing: now.")
    jackpot = _word("Code of a jackpot.")
    table = _word("Code of a table.")
    shift = _word("Name of a shift.")
    person = _word("Name of a person, or a part of it.")
    act = _word("Name of an act of the trail, such as print_page.")
    object = _word("One thing: slip 17, table UTH-04, person anna.")
    outcome = _word("What came of it: done, refused, wrong, locked, failed, alarm.")
    q = _word("Words of a line of the trail.")
    slip = _word("Number of a slip.")
    property = _word("Code of a property, for who may see several.")
    sort = _word("A column; with - in front the largest first.")
    format = serializers.ChoiceField(choices=["json", *FILES], default="json")
    page = WholeNumber(min_value=1, max_value=LAST_PAGE, default=1)
    limit = WholeNumber(min_value=1, max_value=LARGEST_PAGE, default=100, help_text="Rows per page.")

    def get_fields(self) -> dict[str, Any]:
        """“from” is no name that Python lets a field have."""
        fields = super().get_fields()
        return {"from": fields.pop("from_day"), **fields}


class ColumnText(serializers.Serializer[Any]):
    code = serializers.CharField()
    title = serializers.CharField()
    kind = serializers.CharField(help_text="text, money, whole, day, moment, percent, or age in seconds.")
    total = serializers.BooleanField()


class ReportText(serializers.Serializer[Any]):
    """What there is to ask for."""

    code = serializers.CharField()
    title = serializers.CharField()
    about = serializers.CharField()
    group = serializers.CharField()
    filters = serializers.ListField(child=serializers.CharField())
    columns = ColumnText(many=True)


class ReportRowsText(serializers.Serializer[Any]):
    """A page of rows, and the totals over all of them; money is exact text."""

    ok = serializers.BooleanField(default=True)
    report = serializers.CharField()
    property = serializers.CharField()
    currency = serializers.CharField()
    asked = serializers.DictField(child=serializers.CharField(), help_text="The filters in words.")
    made_by = serializers.CharField()
    made_at = serializers.DateTimeField()
    note = serializers.CharField()
    count = serializers.IntegerField(help_text="Rows in all.")
    page = serializers.IntegerField()
    pages = serializers.IntegerField()
    totals = serializers.DictField()
    results = serializers.ListField(child=serializers.DictField())


LIABILITY: Final = {
    "ok": True, "report": "liability", "property": "EMERALD", "currency": "USD",
    "asked": {"As of": "Wed 18 Nov 2026, 06:00:00", "Jackpot": "all"}, "made_by": "Demo Accountant",
    "made_at": "2026-11-18T09:12:00-08:00", "note": "", "count": 1, "page": 1, "pages": 1,
    "totals": {"meter": "20000.00", "reserve": "617.25", "liability": "20617.25"},
    "results": [{"jackpot": "GRAND", "meter": "20000.00", "reserve": "617.25", "liability": "20617.25"}],
}  # fmt: skip


class Reports(Door):
    """The reports that this person may read, each with its filters and columns."""

    serializer_class = ReportText
    verbs: ClassVar[Mapping[str, tuple[str, ...]]] = {"GET": EVERY_VERB}

    @extend_schema(responses=ReportText(many=True), operation_id="reports_list")
    def get(self, request: Request) -> Response:
        assert self.asked is not None, "a question that is not understood is refused, not ignored"
        return Response([_declared(each) for _, group in reports_for(request.user) for each in group])


class OneReport(Door):
    """One report: a page of its rows with the totals of all, or the whole of it as a file. A file leaves a line in
    the trail; one that is too long to wait for is asked for on its page, where the worker writes it."""

    serializer_class = ReportRowsText
    content_negotiation_class = AsItComes
    verbs: ClassVar[Mapping[str, tuple[str, ...]]] = {"GET": EVERY_VERB}
    asks = ReportAsked

    @extend_schema(
        responses={200: ReportRowsText, (200, "text/csv"): OpenApiTypes.BINARY},
        examples=[OpenApiExample("Liability at yesterday’s close", value=LIABILITY, response_only=True)],
        operation_id="reports_one",
    )  # fmt: skip
    def get(self, request: Request, code: str) -> HttpResponseBase:
        declared, asked = report_for(request.user, code), self.asked
        house = asking.house_asked(request.user, asked)
        if house is None:
            raise NotFound("There is no such property here.")
        try:
            question = read_question(declared, _words(declared, asked), asking.clock_of(house, timezone.now()))
            if asked["format"] != "json":
                return _file(request, declared, question, house, asked)
        except (NotADay, NotAQuestion, TooLongForIt) as problem:
            raise NotUnderstood(str(problem)) from None
        page = report_page(declared, question, sort=asked.get("sort", ""), number=asked["page"], size=asked["limit"])
        return Response(_as_reply(request, declared, question, house, page))


def _words(declared: OfficeReport, asked: Mapping[str, Any]) -> dict[str, str]:
    """A filter that this report does not take is refused: ignored, it would show too much."""
    words = {each.value: asked.get(each.value, "") for each in ReportFilter if asked.get(each.value)}
    if first := asked.get("from") or asked.get("to"):
        words["period"] = f"{first} to {asked.get('to') or first}"
    unknown = next((word for word in words if not declared.takes_the(word)), None)
    if unknown is not None:
        takes = ", ".join(each.value for each in declared.takes) or "none"
        raise NotAQuestion(f"The report {declared.code} has no filter “{unknown}”. It takes: {takes}.")
    return words


def _file(
    request: Request, declared: OfficeReport, question: ReportQuestion, house: Property, asked: Mapping[str, Any]
) -> HttpResponse:
    reading = ReportReading(declared, question)
    if reading.count > LONGEST_AT_ONCE:
        why = f"This has more than {LONGEST_AT_ONCE:,} rows. Ask for fewer days, or take it from its page."
        raise NotAllowedNow(why, "too_long")
    form = form_asked(asked["format"])
    # A token is no person, and the trail's line of an export names who took it home.
    if not isinstance(request.user, Operator):
        raise NotAllowed("A program reads a report as JSON; a file bears the name of who took it. Leave out “format”.")
    taken = take_report(reading, house, form, by=request.user, sort=asked.get("sort", ""))
    return HttpResponse(taken.content, content_type=taken.media_type, headers=taken.headers)


def _declared(each: OfficeReport) -> dict[str, Any]:
    columns = [
        {"code": column.code, "title": column.title, "kind": column.kind.value, "total": column.total}
        for column in each.columns
    ]
    return {
        "code": each.code, "title": each.title, "about": each.about, "group": each.group.value,
        "filters": [taken.value for taken in each.takes], "columns": columns,
    }  # fmt: skip


def _as_reply(
    request: Request, declared: OfficeReport, question: ReportQuestion, house: Property, page: ReportPage
) -> dict[str, Any]:
    return {
        "ok": True, "report": declared.code, "property": house.code, "currency": house.currency,
        "asked": dict(question.told), "made_by": str(request.user), "made_at": question.now.astimezone(house.zone),
        "note": page.note or declared.note, "count": page.count, "page": page.number, "pages": page.pages,
        "totals": {column.code: plain_cell(column, page.totals[column.code], house) for column in declared.totals},
        "results": [plain_row(declared.columns, row, house) for row in page.rows],
    }  # fmt: skip
