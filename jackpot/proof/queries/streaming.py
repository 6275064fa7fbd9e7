"""Long answers in portions, so that a proof holds nothing in memory but numbers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Final

from django.db import connection

AT_ONCE: Final = 5_000


def stream(statement: str, parameters: Sequence[Any]) -> Iterator[list[Any]]:
    """The answer in portions, through a cursor that stays in the server."""
    with connection.chunked_cursor() as cursor:
        cursor.execute(statement, parameters)
        while rows := cursor.fetchmany(AT_ONCE):
            yield rows
