"""What every page of the reports reads from its request: which report, which house."""

from __future__ import annotations

from collections.abc import Mapping

from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest

from accounting.reports.queries import asking
from accounting.reports.queries.catalogue import report_for
from accounting.reports.rules.declaring import OfficeReport
from jackpot.property.models.property import Property
from jackpot.refusals import NotAllowed, NotFound


def report_asked(request: HttpRequest, code: str) -> OfficeReport:
    """The report of that code, for whoever has one of its verbs."""
    try:
        return report_for(request.user, code)
    except NotFound as unknown:
        raise Http404(unknown.why) from None
    except NotAllowed as refused:
        raise PermissionDenied(refused.why) from None


def asked_house(request: HttpRequest, words: Mapping[str, str]) -> Property:
    house = asking.house_asked(request.user, words)
    if house is None:
        raise Http404("There is no such property here.")
    return house
