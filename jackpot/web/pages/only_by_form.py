"""An address that takes a form only, opened by itself: by a bookmark, a reload after a sign-in, a typing hand."""

from __future__ import annotations

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase

from jackpot.web.pages.errors import only_by_form
from jackpot.web.rules.doubt import READING


class OnlyByForm:
    """Django's middleware. Django answers such a look with nothing at all, and browsers show a fault of their own."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        response = self.get_response(request)
        bare = response.status_code == 405 and isinstance(response, HttpResponse) and not response.content
        if not bare or request.method not in READING or request.path.startswith("/api/"):
            return response
        told = only_by_form(request)
        told.headers["Allow"] = response.headers["Allow"]
        return told
