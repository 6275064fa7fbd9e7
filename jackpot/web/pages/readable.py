"""Before a view reads a request: a NUL in its address or form is refused in a sentence, a cookie with one is nobody's.

No column holds a NUL and no keyboard makes one; further in, each would be a fault instead of an answer.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final
from urllib.parse import unquote

from django.core.exceptions import BadRequest
from django.http import Http404, HttpRequest, HttpResponseBase

NUL: Final = "\x00"
FORMS: Final = ("application/x-www-form-urlencoded", "multipart/form-data")
WHY: Final = "The {place} holds a NUL character, which nothing here can keep. Type it anew."


class Readable:
    """Django's middleware; it stands first, so that no session is looked up under such a cookie."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        for name in [name for name, value in request.COOKIES.items() if NUL in value]:
            del request.COOKIES[name]
        return self.get_response(request)

    def process_view(self, request: HttpRequest, *_: Any) -> None:
        if NUL in request.path:
            raise Http404("There is nothing at this address; it holds a NUL character.")
        if NUL in unquote(request.META.get("QUERY_STRING", "")):
            raise BadRequest(WHY.format(place="address"))
        # The API reads its bodies by itself, and refuses such a character there.
        if request.method == "POST" and request.content_type in FORMS and not request.path.startswith("/api/"):
            texts = [*request.POST, *(text for name in request.POST for text in request.POST.getlist(name))]
            if any(NUL in text for text in texts):
                raise BadRequest(WHY.format(place="form"))
