"""Signing in by name and password. Five wrong tries within fifteen minutes lock the name; the trail counts them."""

from __future__ import annotations

from datetime import timedelta
from typing import Final

from django.contrib.auth import authenticate
from django.db import OperationalError, connection, transaction
from django.db.models.functions import Now

from jackpot.people.models import Operator
from jackpot.refusals import NotAllowed, NotAllowedNow, Refused
from jackpot.trail.actions.trail import record, record_once_a_minute
from jackpot.trail.models import Trail
from jackpot.trail.rules import objects

WRONG_TRIES: Final = 5
WINDOW: Final = timedelta(minutes=15)
ACT: Final = "sign_in"
UNLOCK: Final = "unlock_name"
WRONG: Final = "wrong"
LOCKED: Final = "locked"

MOST_WAITING: Final = 8  # tries of one name that stand in line; who comes on top of them is guessing
PATIENCE: Final = "SET LOCAL lock_timeout = '5s'"
A_PLACE_IN_LINE: Final = """
SELECT place FROM generate_series(1, %s) AS place
 WHERE pg_try_advisory_xact_lock(hashtextextended('sign_in ' || place || ' ' || %s, 0)) LIMIT 1
"""
ONE_TRY_AT_A_TIME: Final = "SELECT pg_advisory_xact_lock(hashtextextended('sign_in ' || %s, 0))"


class TooManyAtOnce(Refused):
    """Nothing was judged: the same try is welcome a moment later."""

    code = "busy"
    status = 429


class WrongNameOrPassword(NotAllowed):
    """One sentence for every reason, so that nobody learns which names exist."""

    code = "wrong_sign_in"


def sign_in(*, username: str, password: str, address: str) -> Operator:
    """The person behind name and password, or a refusal that says nothing about which of them was wrong."""
    try:
        operator = _tried(username, password, address)
    except NotAllowed:
        # The refused try was rolled back with its transaction; that it was tried stands in one of its own.
        why = f"tried while locked, from {address}"
        record_once_a_minute(actor=username, act=ACT, about=objects.person(username), outcome=LOCKED, why=why)
        raise
    if operator is None:
        raise WrongNameOrPassword("This name and password do not fit together. Check both and try again.")
    return operator


@transaction.atomic
def _tried(username: str, password: str, address: str) -> Operator | None:
    """One try, counted in the same transaction as it is judged: a hundred at once still count one by one."""
    take_turn(username)
    check_not_locked(username)
    operator = authenticate(username=username, password=password)
    outcome = WRONG if operator is None else "done"
    record(actor=username, act=ACT, about=objects.person(username), outcome=outcome, details={"address": address})
    if locked(username):
        why = f"{WRONG_TRIES} wrong tries, the last from {address}"
        record(actor="server", act="lock_name", about=objects.person(username), why=why)
    return operator if isinstance(operator, Operator) else None


def check_not_locked(username: str) -> None:
    if locked(username):
        raise NotAllowed("Too many wrong tries for this name. Wait 15 minutes, then try again.", "locked")


def locked(username: str) -> bool:
    """Whether the last five tries within the window were all wrong; a right try or an administrator begins anew."""
    rows = Trail.objects.filter(act__in=(ACT, UNLOCK), subject=username[:80], at__gt=Now() - WINDOW)
    rows = rows.exclude(outcome=LOCKED).order_by("-id")  # a try that was not even judged counts for nothing
    outcomes = list(rows.values_list("outcome", flat=True)[:WRONG_TRIES])
    return outcomes == [WRONG] * WRONG_TRIES


@transaction.atomic
def unlock_name(*, person: Operator, why: str, by: Operator) -> None:
    """The count of wrong passwords begins anew; the password stays what it was."""
    if person.pk == by.pk:
        raise NotAllowed(f"{by} cannot unlock a name of their own. Another person must.", "same_person")
    if not locked(person.username):
        raise NotAllowedNow(f"The name {person.username} is not locked. Its person may sign in.", "not_locked")
    record(actor=by, act=UNLOCK, about=objects.person(person.username), why=why)


def take_turn(username: str) -> None:
    """Two people at two windows wait for each other a moment; a hundred guesses do not hold a hundred connections."""
    with connection.cursor() as cursor:
        cursor.execute(A_PLACE_IN_LINE, [MOST_WAITING, username])
        if cursor.fetchone() is None:
            raise _too_many()
        cursor.execute(PATIENCE)
        try:
            cursor.execute(ONE_TRY_AT_A_TIME, [username])
        except OperationalError as waited:
            raise _too_many() from waited
        cursor.execute("SET LOCAL lock_timeout = DEFAULT")


def _too_many() -> TooManyAtOnce:
    return TooManyAtOnce("Many are signing in with this name at this moment. Try again in some seconds.")
