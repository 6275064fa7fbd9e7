"""Signed in without the page: the product's own door gives the session, and the browser carries it.

The page of the sign-in has tests of its own (`test_pages`, `keyboard`, `test_second_factor_pages`, `test_passkey`).
Where it is only the way to another page it costs a load, two fields and a press in each of two hundred tests.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.conf import settings
from django.test import Client

from tests.living import Live

if TYPE_CHECKING:
    from playwright.sync_api import BrowserContext


def let_in(context: BrowserContext, live: Live, who: str, password: str = "right") -> None:
    door = Client(SERVER_NAME="127.0.0.1", SERVER_PORT=str(live.port))
    answer = door.post("/sign-in/", {"username": who, "password": password})
    assert answer.status_code == 302, f"{who} did not come in"
    name = settings.SESSION_COOKIE_NAME
    session = {"name": name, "value": door.cookies[name].value, "url": live.url, "httpOnly": True, "sameSite": "Strict"}
    context.add_cookies([session])  # type: ignore[list-item]
