"""Pages for what went wrong; programs under /api/ hear the same as one object."""

from __future__ import annotations

import logging
import sys
from typing import Final

from django.conf import settings
from django.contrib.sessions.exceptions import SessionInterrupted
from django.core.exceptions import BadRequest, DisallowedHost
from django.db import InterfaceError, OperationalError, close_old_connections, connection
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.utils.http import url_has_allowed_host_and_scheme

from jackpot.refusals import NotAllowed, Refused
from jackpot.web.rules.doubt import READING, doubt_of, sqlstate_of
from jackpot.web.rules.same_moment import noted_same_moment

log = logging.getLogger(__name__)
RETRY_SECONDS: Final = "2"
REFRESH_SECONDS: Final = "3"

FAULT: Final = "Something broke on our side; nothing half-done was kept. Try again; if it stays, tell the technician."
SIGNED_OUT: Final = "Your sign-in ended at this moment: it was ended, or you signed in at another place. Sign in again."
FORM_ONLY: Final = "This address takes what a form sends and shows nothing by itself. Open the page with the form anew."
UNREADABLE: Final = "This request could not be read. Go back and try again."


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    # To Django a session that ended meanwhile is a bad request; to people it is a sign-in that is over.
    if isinstance(exception, SessionInterrupted):
        return signed_out_meanwhile(request)
    return _answer(request, 400, "not_understood", str(exception) if isinstance(exception, BadRequest) else UNREADABLE)


def signed_out_meanwhile(request: HttpRequest) -> HttpResponse:
    """The sign-in ended while this was asked: elsewhere somebody signed in, or ended it."""
    if request.path.startswith("/api/"):
        return _answer(request, 401, "signed_out", SIGNED_OUT)
    return redirect(f"{settings.LOGIN_URL}?ended=meanwhile")


def counted_before(request: HttpRequest, why: str) -> HttpResponse:
    """A form that was sent before: what it did then stands, and nothing was done now."""
    return _answer(request, 409, "form_sent", why, look=_came_from(request))


def forbidden(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:
    why = str(exception or "") or "This page is not open to you."
    request.refused = NotAllowed(why)  # type: ignore[attr-defined]  # whoever keeps the trail reads it behind us
    return _answer(request, 403, "not_allowed", why)


def not_found(request: HttpRequest, exception: Exception) -> HttpResponse:  # noqa: ARG001 - Django names it
    return _answer(request, 404, "not_found", "There is nothing at this address. It may have been typed wrongly.")


def only_by_form(request: HttpRequest) -> HttpResponse:
    """Somebody looks at an address that only takes a form."""
    return _answer(request, 405, "method", FORM_ONLY)


def fault(request: HttpRequest) -> HttpResponse:
    """Also where a session could not be read or kept: that is the database's trouble and no fault of ours."""
    problem = sys.exc_info()[1]
    if isinstance(problem, OperationalError | InterfaceError):
        return in_doubt(request, problem)
    return refused_meanwhile(request, problem) or _answer(request, 500, "fault", FAULT)


def refused_meanwhile(request: HttpRequest, problem: BaseException | None) -> HttpResponse | None:
    """Somebody else did the same first, between this act's look and its writing; None: it is something else."""
    refused = noted_same_moment(request, problem) if problem is not None else None
    if refused is None:
        return None
    return _answer(request, refused.status, refused.code, refused.why, meanwhile=True, look=_came_from(request))


def in_doubt(request: HttpRequest, problem: BaseException) -> HttpResponse:
    """The database did not answer: what was read is tried again by itself, what was done is looked for."""
    method = request.method or "GET"
    doubt = doubt_of(method, sqlstate_of(problem), program=request.path.startswith("/api/"))
    log.warning("%s %s: %s (%s)", method, request.path, doubt.code, str(problem).partition("\n")[0])
    words: dict[str, bool | str] = {
        "read": method in READING,
        "unsure": doubt.code == "unknown",
        "look": _came_from(request),
    }
    response = _answer(request, 503, doubt.code, doubt.why, **words)
    response.headers["Retry-After"] = RETRY_SECONDS
    if method == "GET" and not request.path.startswith("/api/"):
        response.headers["Refresh"] = REFRESH_SECONDS  # the browser asks again by itself
    response.in_doubt = doubt.code == "unknown"  # type: ignore[attr-defined]
    return response


def stands_still(request: HttpRequest, refused: Refused) -> HttpResponse:
    """Nothing is done and nothing private shown just now: the sentence, and the page that asks again by itself."""
    read = request.method in READING
    response = _answer(request, refused.status, refused.code, refused.why, read=read, look=_came_from(request))
    response.headers["Retry-After"] = RETRY_SECONDS
    if read and not request.path.startswith("/api/"):
        response.headers["Refresh"] = REFRESH_SECONDS
    return response


def _came_from(request: HttpRequest) -> str:
    """The page whose form was sent, if it is one of ours."""
    came = request.headers.get("Referer", "")
    try:
        ours = url_has_allowed_host_and_scheme(came, {request.get_host()}, require_https=request.is_secure())
    except DisallowedHost:  # nothing of ours; where that is judged it is refused
        ours = False
    return came if came and ours else "/"


def _answer(request: HttpRequest, status: int, code: str, why: str, **more: bool | str) -> HttpResponse:
    if request.path.startswith("/api/"):
        return JsonResponse({"ok": False, "code": code, "why": why}, status=status)
    try:
        return render(request, f"{status}.html", {"why": why, **more}, status=status)
    finally:
        # Under ASGI Django renders these pages in a thread whose connection nobody closes after the request.
        if not connection.in_atomic_block:
            close_old_connections()
