"""A commit counts only when it is everywhere it must be.

With a synchronous standby, a cancelled wait ends in success plus warning 01000: the row may exist here alone. Such a
commit is not acknowledged to anyone.
"""

from __future__ import annotations

from typing import Any, Final

from django.db.backends.signals import connection_created

CANCELLED_WAIT: Final = "01000"
_MARK: Final = "fairmeter_commit_doubted"


def watch_commits() -> None:
    """Every connection of this process notes the warning; called once, when the app is ready."""
    connection_created.connect(_watch, dispatch_uid="jackpot.watch_commits")


def commit_doubted(connection: Any) -> bool:
    """Whether the last commit was cut short; forgets it, so the next one is judged alone."""
    doubted = getattr(connection.connection, _MARK, False)
    if doubted:
        setattr(connection.connection, _MARK, False)
    return bool(doubted)


def _watch(connection: Any, **_: Any) -> None:
    raw = connection.connection

    def note(diagnostic: Any) -> None:
        if diagnostic.sqlstate == CANCELLED_WAIT:
            setattr(raw, _MARK, True)

    raw.add_notice_handler(note)
