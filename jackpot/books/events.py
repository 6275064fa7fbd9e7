"""Who wants to hear that meters moved. Told once per batch and jackpot, after the commit, in this process.

Other processes learn by reading the jackpot rows; rare acts also notify them through the database.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Final

from django.db import connection, transaction

CHANNEL: Final = "fairmeter"

Listener = Callable[[frozenset[int]], None]

_listeners: list[Listener] = []  # in this process: one for each event loop that has signs


def listen(listener: Listener) -> None:
    """Registers a listener; it must return at once (set a mark, wake a task) and never raise."""
    if listener not in _listeners:
        _listeners.append(listener)


def forget(listener: Listener) -> None:
    if listener in _listeners:
        _listeners.remove(listener)


def announce_after_commit(jackpot_ids: Iterable[int]) -> None:
    """To be called inside the act's transaction; nothing is said if it rolls back."""
    told = frozenset(jackpot_ids)
    if _listeners:  # a process without signs, such as the worker, asks for nothing after its commits
        transaction.on_commit(lambda: announce(told))


def notify(word: str) -> None:
    """Tells every process, inside the act's transaction, that something rare happened (a block, a hold, a hit)."""
    # PostgreSQL tells it with the commit, and not at all where the act is taken back.
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_notify(%s, %s)", [CHANNEL, word])


def announce(jackpot_ids: frozenset[int]) -> None:
    """To everybody who listens in this process; what moved them is committed."""
    for listener in _listeners:
        listener(jackpot_ids)
