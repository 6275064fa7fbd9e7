"""Django's PostgreSQL, with a commit that does not take doubt for success."""

from __future__ import annotations

from functools import partial
from typing import Any, NoReturn

import psycopg
from django.db import InterfaceError, OperationalError
from django.db.backends.postgresql import base

from jackpot.database.deadlines import nearest_first
from jackpot.database.durable import CONFIRMED, KNOWN_TO_FAIL, CommitUnknown, note_doubts, was_doubted
from jackpot.database.moved import moved_books
from jackpot.database.under_way import commits

_answered_last: dict[tuple[str, str], tuple[str, str]] = {}  # by the hosts and ports of an address
_Cursor: Any = base.Cursor  # the stubs know no methods of it
_Wrapper: Any = base.DatabaseWrapper


class CertainCursor(_Cursor):  # type: ignore[misc]
    """Outside a transaction each statement is its own commit, and is judged as one."""

    def execute(self, *args: Any, **kwargs: Any) -> Any:
        raw = self.connection
        raw.__dict__[CONFIRMED] = False  # here and not where cursors are made: one may be older than the commit
        answer = super().execute(*args, **kwargs)
        if raw.pgconn.transaction_status == psycopg.pq.TransactionStatus.IDLE and was_doubted(raw):
            raise CommitUnknown("The wait for the standby was cut short.")
        return answer


class DatabaseWrapper(_Wrapper):  # type: ignore[misc]
    """Every transaction of the product ends in `_commit`, so this is the one place where a commit is believed."""

    writes = False  # said by who knows it of this transaction: its commit waits for the standby

    @property
    def confirmed(self) -> bool:
        """Our last commit wrote and had its answer, and nothing was asked since: all before it is certain."""
        return self.connection is not None and self.connection.__dict__.get(CONFIRMED, False)

    @confirmed.setter
    def confirmed(self, is_so: bool) -> None:
        if self.connection is not None:
            self.connection.__dict__[CONFIRMED] = is_so

    def create_cursor(self, name: str | None = None) -> Any:
        self.confirmed = False
        return super().create_cursor(name)

    def _rollback(self) -> None:
        self.writes = self.confirmed = False
        super()._rollback()

    def get_connection_params(self) -> dict[str, Any]:
        return {**super().get_connection_params(), "cursor_factory": CertainCursor}

    def get_new_connection(self, conn_params: dict[str, Any]) -> Any:
        """The host that answered last comes first, so that a dead one costs its seconds once and not each time."""
        self.writes = self.confirmed = False
        hosts, ports = str(conn_params.get("host") or ""), str(conn_params.get("port") or "")
        if "," in hosts:
            conn_params["host"], conn_params["port"] = nearest_first(hosts, ports, _answered_last.get((hosts, ports)))
        raw = super().get_new_connection(conn_params)
        if "," in hosts:
            _answered_last[hosts, ports] = (raw.info.host, str(raw.info.port))
            words = {**conn_params, "host": hosts, "port": ports}
            moved_books.watch(raw, words, partial(_answered_last.__setitem__, (hosts, ports)))
        note_doubts(raw)
        return raw

    def _commit(self) -> None:
        raw, wrote = self.connection, self.writes
        self.writes = self.confirmed = False
        try:
            with commits.one(confirms=wrote):
                super()._commit()
                if was_doubted(raw):
                    raise CommitUnknown("The commit was cut short before the standby had it.")
        except CommitUnknown as cut:
            self._leave(str(cut), cut)
        except (OperationalError, InterfaceError) as problem:
            if getattr(problem.__cause__, "sqlstate", None) in KNOWN_TO_FAIL:
                raise
            self._leave(f"The commit had no answer: {problem}", problem)
        self.confirmed = wrote

    def _leave(self, why: str, cause: Exception | None = None) -> NoReturn:
        """This connection is not used again; `atomic` finds it closed and does not open another one in its place."""
        self.close()
        self.closed_in_transaction = True
        raise CommitUnknown(why) from cause
