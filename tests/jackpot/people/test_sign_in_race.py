from __future__ import annotations

import time
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from typing import Final

import pytest
from django.db import connection, transaction

from jackpot.people.actions.sign_in import MOST_IN_THE_HOUSE, MOST_WAITING, sign_in
from jackpot.refusals import Refused
from jackpot.trail.models import Trail
from tests.builders import a_person

pytestmark = [pytest.mark.race]
RIGHT: Final = "a long right password"


def test_thirty_tries_at_once_are_not_more_than_five(fresh_database: str) -> None:
    def guess(_: int) -> str:
        try:
            sign_in(username="ann", password="guess", address="10.0.0.1")
        except Refused as refused:
            return refused.code
        finally:
            connection.close()
        return "in"

    with ThreadPoolExecutor(8) as pool:
        heard = list(pool.map(guess, range(30)))
    assert "in" not in heard
    assert Trail.objects.filter(act="sign_in", outcome="wrong").count() <= 5


def test_two_windows_of_one_person_open_at_the_same_moment(fresh_database: str) -> None:
    """A program and its person, or two tabs: each waits a moment for the other, and neither is turned away."""
    a_person("ann", password=RIGHT)
    together = Barrier(4)

    def come_in(_: int) -> str:
        together.wait(20)
        try:
            return sign_in(username="ann", password=RIGHT, address="10.0.0.1").username
        finally:
            connection.close()

    for _ in range(3):
        with ThreadPoolExecutor(4) as pool:
            assert list(pool.map(come_in, range(4))) == ["ann"] * 4
    assert Trail.objects.filter(act="sign_in", outcome="done").count() == 12


def test_who_comes_on_top_of_a_full_line_is_sent_away_and_nothing_is_judged(fresh_database: str) -> None:
    """The line of a name is short: guesses side by side do not hold every connection of the house."""
    a_person("ann", password=RIGHT)
    with connection.cursor() as cursor, transaction.atomic():
        for place in range(1, MOST_WAITING + 1):
            cursor.execute(
                "SELECT pg_advisory_xact_lock(hashtextextended(%s, 0))", [f"sign_in {place} ann at 10.0.0.1"]
            )
        with ThreadPoolExecutor(1) as pool:
            heard = pool.submit(_refusal_of_the_right_one).result(20)
    assert heard == (429, "busy", "Many are signing in at this moment. Try again in some seconds.")
    assert not Trail.objects.filter(act="sign_in").exists()
    assert sign_in(username="ann", password=RIGHT, address="10.0.0.1").username == "ann"


def test_a_full_house_of_guesses_sends_the_next_one_away_at_once(fresh_database: str) -> None:
    """Sixty strangers, each of another place: no more are judged or wait than may, and never two at once."""
    at_once, most = [0], [0]

    def slow(**_: str) -> None:
        at_once[0] += 1
        most[0] = max(most[0], at_once[0])
        time.sleep(0.05)
        at_once[0] -= 1

    def guess(number: int) -> str:
        try:
            sign_in(username=f"stranger-{number}", password="guess", address=f"10.0.1.{number}")
        except Refused as refused:
            return refused.code
        finally:
            connection.close()
        return "in"

    with pytest.MonkeyPatch.context() as patch, ThreadPoolExecutor(24) as pool:
        patch.setattr("jackpot.people.actions.sign_in.authenticate", slow)
        heard = list(pool.map(guess, range(60)))
    assert most == [1]
    assert {"busy", "wrong_sign_in"} == set(heard)
    assert heard.count("wrong_sign_in") >= MOST_IN_THE_HOUSE


def _refusal_of_the_right_one() -> tuple[int, str, str]:
    try:
        sign_in(username="ann", password=RIGHT, address="10.0.0.1")
    except Refused as refused:
        return refused.status, refused.code, refused.why
    finally:
        connection.close()
    raise AssertionError("there was no room in the line")
