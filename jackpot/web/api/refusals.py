"""Every refusal of the API is one object: {"ok": false, "code": …, "why": a sentence}, with the fitting status."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from django.core.exceptions import PermissionDenied
from django.db import IntegrityError, InterfaceError, OperationalError
from django.http import Http404
from rest_framework import exceptions
from rest_framework.response import Response

from jackpot.refusals import Refused
from jackpot.web.api.sentences import found_nothing, refused_by_framework
from jackpot.web.rules.doubt import doubt_of, sqlstate_of
from jackpot.web.rules.same_moment import noted_same_moment

RETRY_SECONDS: Final = 2
CODES: Final[Mapping[type[exceptions.APIException], str]] = {
    exceptions.ParseError: "not_json",
    exceptions.NotAuthenticated: "not_signed_in",
    exceptions.AuthenticationFailed: "not_signed_in",
    exceptions.PermissionDenied: "not_allowed",
    exceptions.NotFound: "not_found",
    exceptions.MethodNotAllowed: "no_such_method",
    exceptions.NotAcceptable: "not_acceptable",
    exceptions.UnsupportedMediaType: "not_json",
    exceptions.Throttled: "too_often",
}


def refusal(status: int, code: str, why: str, **headers: str) -> Response:
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return Response({"ok": False, "code": code, "why": why}, status=status, headers=named)


def answer_refusal(problem: Exception, context: Mapping[str, Any]) -> Response | None:
    """What a caller hears instead of a stack trace; None leaves a fault of ours to the page for faults."""
    path = context["request"].path if "request" in context else ""
    if isinstance(problem, IntegrityError) and "request" in context:
        problem = noted_same_moment(context["request"]._request, problem) or problem
    match problem:
        case Refused():
            if "request" in context:
                context["request"]._request.refused = problem  # whoever keeps the trail reads it behind us
            return refusal(problem.status, problem.code, problem.why)
        case exceptions.ValidationError():
            return refusal(400, "not_understood", sentence_of(problem.detail))
        case exceptions.Throttled():
            wait = str(int(getattr(problem, "wait", None) or 1))
            return refusal(429, "too_often", refused_by_framework(problem, (), path) or "", Retry_After=wait)
        case exceptions.APIException():
            ours = refused_by_framework(problem, getattr(context.get("view"), "allowed_methods", ()), path)
            code = CODES.get(type(problem), "refused")
            return refusal(problem.status_code, code, ours or sentence_of(problem.detail))
        case Http404():
            return refusal(404, "not_found", found_nothing(str(problem), path))
        case PermissionDenied():
            return refusal(403, "not_allowed", str(problem) or "Your roles do not allow this.")
        case OperationalError() | InterfaceError():
            method = context["request"].method if "request" in context else "GET"
            doubt = doubt_of(method, sqlstate_of(problem), program=True)
            answer = refusal(503, doubt.code, doubt.why, Retry_After=str(RETRY_SECONDS))
            answer.in_doubt = doubt.code == "unknown"  # type: ignore[attr-defined]  # the door behind us marks it
            return answer
    return None


def sentence_of(detail: Any, field: str = "") -> str:
    """The first thing that is wrong, with the name of the field it is about."""
    match detail:
        case dict():
            name, inner = next(iter(detail.items()))
            return sentence_of(inner, "" if name == "non_field_errors" else str(name))
        case list():
            return sentence_of(next((each for each in detail if each), "Not understood."), field)
    if not field:
        return str(detail)
    own = str(detail)  # a sentence about the value goes on from its name; a whole one stands behind it
    return f"“{field}” {own}" if own[:1].islower() else f"“{field}”: {own}"
