"""Two sign-ins of one person in the same instant, where the house allows one: the earlier of them ends."""

from __future__ import annotations

import contextlib
from functools import partial
from threading import Barrier, BrokenBarrierError
from typing import Any

import pytest
from django.contrib.sessions.models import Session
from django.test import Client

from jackpot.people import pages
from jackpot.people.actions.sessions import close_sessions
from jackpot.people.models import Operator
from tests.builders import a_person
from tests.races.test_win_races import side_by_side

pytestmark = pytest.mark.race
PASSWORD = "a long enough word"


def signs_in(address: str) -> int:
    who = {"username": "ann", "password": PASSWORD}
    return Client(REMOTE_ADDR=address).post("/sign-in/", who).status_code


def test_one_sign_in_is_left_however_close_two_were(
    fresh_database: str, monkeypatch: pytest.MonkeyPatch, settings: Any
) -> None:
    settings.PASSWORD_HASHERS, settings.ONE_SESSION = ["tests.hashers.QuickArgon2"], True
    a_person("ann", password=PASSWORD, may=["see"])
    both_closed = Barrier(2, timeout=1)

    def closes(person: Operator) -> int:
        closed = close_sessions(person)
        with contextlib.suppress(BrokenBarrierError):  # whoever waits for the other's lock does not come here
            both_closed.wait()
        return closed

    monkeypatch.setattr(pages, "close_sessions", closes)
    told = side_by_side(partial(signs_in, "127.0.0.1"), partial(signs_in, "127.0.0.2"))
    assert sorted(told) == [302, 302], "the earlier may have ended before its answer was written: it is told so"
    assert Session.objects.count() == 1
