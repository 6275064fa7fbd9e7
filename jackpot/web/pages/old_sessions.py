"""A sign-in is taken from a browser by the sign-out alone, never by an answer that comes late.

Whoever signs out and in again at one browser may have another tab that asked for something before. Its session is gone
by then; Django would take the cookie away with the answer, and that is the cookie of the newer sign-in already.
"""

from __future__ import annotations

from django.conf import settings
from django.contrib.sessions.middleware import SessionMiddleware
from django.http import HttpRequest, HttpResponse


class OldSessions(SessionMiddleware):
    """Django's own; what a browser still shows of a session that ended opens nothing and is left where it is."""

    def process_response(self, request: HttpRequest, response: HttpResponse) -> HttpResponse:
        taken_by_the_page = settings.SESSION_COOKIE_NAME in response.cookies
        response = super().process_response(request, response)
        cookie = response.cookies.get(settings.SESSION_COOKIE_NAME)
        if cookie is not None and not cookie.value and not taken_by_the_page:
            del response.cookies[settings.SESSION_COOKIE_NAME]
        return response
