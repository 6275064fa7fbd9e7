"""What was shown to somebody signed in is kept by nobody; what anybody may see says nothing of it."""

from __future__ import annotations

import pytest
from django.conf import settings
from django.http import HttpResponse
from django.test import Client, RequestFactory

from jackpot.web.pages.unkept import NOT_KEPT, Unkept
from tests.jackpot.books.api_scene import signed_in


@pytest.mark.django_db
@pytest.mark.parametrize(
    "address", ["/", "/me/", "/pit/", "/office/", "/api/v1/jackpots/", "/nowhere/", "/office/reports/wins/", "/verify/"]
)
def test_whoever_is_signed_in_leaves_no_page_behind(address: str) -> None:
    client = signed_in("see", "read_books", "run_tables")
    told = client.get(address).headers["Cache-Control"]
    assert {"no-store", "no-cache", "private"} & set(told.replace(",", " ").split())


@pytest.mark.django_db
def test_what_anybody_may_see_is_not_spoken_of() -> None:
    assert "Cache-Control" not in Client().get("/api/v1/health").headers


def test_who_says_how_long_keeps_its_word(rf: RequestFactory) -> None:
    """A photo of a checklist never changes."""
    photo = HttpResponse(headers={"Cache-Control": "private, max-age=86400, immutable"})
    request = rf.get("/")
    request.COOKIES[settings.SESSION_COOKIE_NAME] = "x"
    assert Unkept(lambda _: photo)(request).headers["Cache-Control"].endswith("immutable")
    assert Unkept(lambda _: HttpResponse())(request).headers["Cache-Control"] == NOT_KEPT


def test_it_stands_before_everything_that_answers() -> None:
    """A refusal of a guard behind it is an answer too."""
    order = [name.rpartition(".")[2] for name in settings.MIDDLEWARE]
    assert order.index("Unkept") < min(order.index(name) for name in ("OldSessions", "CsrfViewMiddleware"))
