"""What was shown to somebody signed in is kept by no browser and no proxy: after the sign-out it is gone."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from django.conf import settings
from django.http import HttpRequest
from django.http.response import HttpResponseBase

NOT_KEPT: Final = "private, no-store"


class Unkept:
    """Django's middleware. What says itself how long it may be kept keeps its word."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        response = self.get_response(request)
        if settings.SESSION_COOKIE_NAME in request.COOKIES and not response.has_header("Cache-Control"):
            response.headers["Cache-Control"] = NOT_KEPT
        return response
