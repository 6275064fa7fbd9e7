"""Signing in by name and password. Five wrong tries within fifteen minutes lock the name; the trail counts them."""

from __future__ import annotations

from datetime import timedelta
from typing import Final

from django.contrib.auth import authenticate
from django.db import connection, transaction
from django.db.models.functions import Now

from jackpot.people.models import Operator
from jackpot.refusals import NotAllowed
from jackpot.trail.actions.trail import record
from jackpot.trail.models import Trail

WRONG_TRIES: Final = 5
WINDOW: Final = timedelta(minutes=15)
ACT: Final = "sign_in"
WRONG: Final = "wrong"

ONE_TRY_AT_A_TIME: Final = "SELECT pg_try_advisory_xact_lock(hashtextextended('sign_in ' || %s, 0))"


class WrongNameOrPassword(NotAllowed):
    """One sentence for every reason, so that nobody learns which names exist."""

    code = "wrong_sign_in"


def sign_in(*, username: str, password: str, address: str) -> Operator:
    """The person behind name and password, or a refusal that says nothing about which of them was wrong."""
    operator = _tried(username, password, address)
    if operator is None:
        raise WrongNameOrPassword("This name and password do not fit together. Check both and try again.")
    return operator


@transaction.atomic
def _tried(username: str, password: str, address: str) -> Operator | None:
    """One try, counted in the same transaction as it is judged: a hundred at once still count one by one."""
    _take_turn(username)
    if locked(username):
        raise NotAllowed("Too many wrong tries for this name. Wait 15 minutes, then try again.", "locked")
    operator = authenticate(username=username, password=password)
    outcome = WRONG if operator is None else "done"
    record(actor=username, act=ACT, subject=username, outcome=outcome, details={"address": address})
    if locked(username):
        why = f"{WRONG_TRIES} wrong tries, the last from {address}"
        record(actor="server", act="lock_name", subject=username, why=why)
    return operator if isinstance(operator, Operator) else None


def locked(username: str) -> bool:
    """Whether the last five tries within the window were all wrong; one right try begins the count anew."""
    rows = Trail.objects.filter(act=ACT, subject=username[:80], at__gt=Now() - WINDOW).order_by("-id")
    outcomes = list(rows.values_list("outcome", flat=True)[:WRONG_TRIES])
    return outcomes == [WRONG] * WRONG_TRIES


def _take_turn(username: str) -> None:
    with connection.cursor() as cursor:
        cursor.execute(ONE_TRY_AT_A_TIME, [username])
        row = cursor.fetchone()
    if row is None or not row[0]:
        raise NotAllowed("Somebody is signing in with this name at this moment. Try again.", "busy")
