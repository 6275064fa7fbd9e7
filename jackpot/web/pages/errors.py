"""Pages for what went wrong; programs under /api/ hear the same as one object."""

from __future__ import annotations

from typing import Final

from django.core.exceptions import BadRequest
from django.db import close_old_connections, connection
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render

from jackpot.refusals import NotAllowed

FAULT: Final = "Something broke on our side; nothing half-done was kept. Try again; if it stays, tell the technician."
UNREADABLE: Final = "This request could not be read. Go back and try again."


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    return _answer(request, 400, "not_understood", str(exception) if isinstance(exception, BadRequest) else UNREADABLE)


def forbidden(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:
    why = str(exception or "") or "This page is not open to you."
    request.refused = NotAllowed(why)  # type: ignore[attr-defined]  # whoever keeps the trail reads it behind us
    return _answer(request, 403, "not_allowed", why)


def not_found(request: HttpRequest, exception: Exception) -> HttpResponse:  # noqa: ARG001 - Django names it
    return _answer(request, 404, "not_found", "There is nothing at this address. It may have been typed wrongly.")


def fault(request: HttpRequest) -> HttpResponse:
    return _answer(request, 500, "fault", FAULT)


def _answer(request: HttpRequest, status: int, code: str, why: str) -> HttpResponse:
    if request.path.startswith("/api/"):
        return JsonResponse({"ok": False, "code": code, "why": why}, status=status)
    try:
        return render(request, f"{status}.html", {"why": why}, status=status)
    finally:
        # Under ASGI Django renders these pages in a thread whose connection nobody closes after the request.
        if not connection.in_atomic_block:
            close_old_connections()
