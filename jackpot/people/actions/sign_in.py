"""Signing in by name and password. Wrong tries make the name wait where they came from, and nowhere else.

The trail counts them, so a restart forgets none. How much of the machine sign-ins may take is bounded as well: the
floor's process counts chips beside them.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from itertools import takewhile
from threading import BoundedSemaphore
from typing import Final

from django.contrib.auth import authenticate
from django.db import OperationalError, connection, transaction
from django.db.models import Q
from django.db.models.functions import Now
from django.utils import timezone

from jackpot.pacing.actions import count_try, take_try_back
from jackpot.pacing.rules import TryPace, spoken_wait
from jackpot.people.models import Operator
from jackpot.refusals import NotAllowed, NotAllowedNow, Refused
from jackpot.trail.actions.trail import beside_no_line, record, record_once_a_minute
from jackpot.trail.models import Trail
from jackpot.trail.rules import objects
from jackpot.web.logs import unsaid

WRONG_TRIES: Final = 5
FIRST_WAIT: Final = timedelta(seconds=30)
LONGEST: Final = timedelta(minutes=15)
WINDOW: Final = timedelta(hours=1)
KNOWN: Final = timedelta(days=30)
# Ten wrong tries come to the longest wait; what was before them need not be read.
MOST_COUNTED: Final = 20
ADDRESS_TRIES: Final = TryPace("sign_in", free=60, longest=timedelta(seconds=30))
ACT: Final = "sign_in"
UNLOCK: Final = "unlock_name"
WRONG: Final = "wrong"
LOCKED: Final = "locked"

MOST_WAITING: Final = 8  # tries of one name that stand in line; who comes on top of them is guessing
MOST_IN_THE_HOUSE: Final = 12  # sign-ins of one process, judged or waiting
LONGEST_TURN: Final = 5.0
_IN_THE_HOUSE: Final = BoundedSemaphore(MOST_IN_THE_HOUSE)
_AT_THE_HASH: Final = BoundedSemaphore(1)
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
    with beside_no_line():
        return _signed_in(username, password, address)


def told_name(username: str) -> str:
    """As the trail keeps what was typed for a name: whoever typed a card there by mistake is not written down."""
    return username if Operator.objects.filter(username=username).exists() else unsaid(username)


def _signed_in(username: str, password: str, address: str) -> Operator:
    with paced_by_address(username, address):
        try:
            with one_at_a_time():
                operator = _tried(username, password, address)
        except NotAllowed:
            # The refused try was rolled back with its transaction; that it was tried stands in one of its own.
            why = f"tried while locked, from {address}"
            told = told_name(username)
            record_once_a_minute(actor=told, act=ACT, about=objects.person(told), outcome=LOCKED, why=why)
            raise
        if operator is None:
            raise WrongNameOrPassword("This name and password do not fit together. Check both and try again.")
    return operator


@contextmanager
def paced_by_address(username: str, address: str) -> Iterator[None]:
    """Tries under ever other names are slowed where they come from; the person of a place that it knows is not."""
    known_here = signed_in_before(username, address)
    if not known_here:
        count_try(ADDRESS_TRIES, address, "Sign-ins")
    yield
    if not known_here:
        take_try_back(ADDRESS_TRIES, address)


@transaction.atomic
def _tried(username: str, password: str, address: str) -> Operator | None:
    """One try, counted in the same transaction as it is judged: a hundred at once still count one by one."""
    take_turn(username, address)
    check_not_locked(username, address)
    operator = authenticate(username=username, password=password)
    outcome = WRONG if operator is None else "done"
    told = told_name(username)
    record(actor=told, act=ACT, about=objects.person(told), outcome=outcome, details={"address": address})
    # Asked once more, with the try that was just written: the one that makes the name wait is told.
    if wait_left(username, address):
        why = f"wrong tries, the last from {address}; other places are not concerned"
        record(actor="server", act="lock_name", about=objects.person(told), why=why)
    return operator if isinstance(operator, Operator) else None


def check_not_locked(username: str, address: str) -> None:
    """Refuses while the name waits at this address, and says how long."""
    left = wait_left(username, address)
    if left:
        why = f"Too many wrong tries for this name from here. Wait {spoken_wait(left)}, then try again."
        raise NotAllowed(why, "locked")


def wait_left(username: str, address: str) -> timedelta:
    """How long this name waits at this address: half a minute after five wrong tries, then twice as long with each.

    A right try from there or an administrator begins anew. Whoever guesses elsewhere locks nobody here.
    """
    rows = Trail.objects.filter(act__in=(ACT, UNLOCK), subject=told_name(username)[:80], at__gt=Now() - WINDOW)
    rows = rows.filter(Q(act=UNLOCK) | Q(details__address=address))
    rows = rows.exclude(outcome=LOCKED).order_by("-id")  # a try that was not even judged counts for nothing
    tries = list(rows.values_list("outcome", "at")[:MOST_COUNTED])
    wrong = list(takewhile(lambda each: each[0] == WRONG, tries))
    if len(wrong) < WRONG_TRIES:
        return timedelta()
    wait = min(LONGEST, FIRST_WAIT * 2 ** (len(wrong) - WRONG_TRIES))
    left: timedelta = min(wait, wrong[0][1] + wait - timezone.now())  # a clock that was put back makes none longer
    return max(timedelta(), left)


def locked(username: str) -> bool:
    """Whether the name waits anywhere."""
    rows = Trail.objects.filter(act=ACT, subject=username[:80], outcome=WRONG, at__gt=Now() - WINDOW)
    places = set(rows.values_list("details__address", flat=True)[: MOST_COUNTED * WRONG_TRIES])
    return any(wait_left(username, place) for place in places if place)


def signed_in_before(username: str, address: str) -> bool:
    """A place that this name came from lately: no flood of strange names from there keeps its person out."""
    rows = Trail.objects.filter(act=ACT, subject=username[:80], outcome="done", at__gt=Now() - KNOWN)
    return rows.filter(details__address=address).exists()


@transaction.atomic
def unlock_name(*, person: Operator, why: str, by: Operator) -> None:
    """The count of wrong passwords begins anew; the password stays what it was."""
    if person.pk == by.pk:
        raise NotAllowed(f"{by} cannot unlock a name of their own. Another person must.", "same_person")
    if not locked(person.username):
        raise NotAllowedNow(f"The name {person.username} is not locked. Its person may sign in.", "not_locked")
    record(actor=by, act=UNLOCK, about=objects.person(person.username), why=why)


def take_turn(username: str, address: str) -> None:
    """Two people at two windows wait for each other a moment; a hundred guesses do not hold a hundred connections."""
    line = f"{username} at {address}"
    # Advisory locks of the transaction, so a process that dies keeps nobody waiting.
    with connection.cursor() as cursor:
        cursor.execute(A_PLACE_IN_LINE, [MOST_WAITING, line])
        if cursor.fetchone() is None:
            raise _too_many()
        cursor.execute(PATIENCE)
        try:
            cursor.execute(ONE_TRY_AT_A_TIME, [line])
        except OperationalError as waited:
            raise _too_many() from waited
        # What the act does after this waits as the house has set it.
        cursor.execute("SET LOCAL lock_timeout = DEFAULT")


@contextmanager
def one_at_a_time() -> Iterator[None]:
    """A password takes 90 ms of a core by design: however many guess, one core of this process is all they get."""
    if not _IN_THE_HOUSE.acquire(blocking=False):
        raise _too_many()
    try:
        if not _AT_THE_HASH.acquire(timeout=LONGEST_TURN):
            raise _too_many()
        try:
            yield
        finally:
            _AT_THE_HASH.release()
    finally:
        _IN_THE_HOUSE.release()


def _too_many() -> TooManyAtOnce:
    return TooManyAtOnce("Many are signing in at this moment. Try again in some seconds.")
