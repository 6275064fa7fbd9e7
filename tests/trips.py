"""What an act asks of the database, as the wire has it: trips, and the statements in them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from django.db import connection


class Trips(NamedTuple):
    """How often somebody waited for the database, and how many statements went there."""

    trips: int
    statements: int
    wire: str


def trips_of(act: Callable[[], object], folder: Path) -> Trips:
    """The act is done, and every message of its connection is counted; an answer ends with “ready for query”."""
    connection.ensure_connection()
    wire = connection.connection.pgconn
    told = folder / "wire.txt"
    with told.open("w") as file:
        wire.trace(file.fileno())
        try:
            act()
        finally:
            wire.untrace()
    lines = [line.split("\t")[1:4] for line in told.read_text(errors="replace").splitlines()]
    kinds = [(who, kind.strip()) for who, _, kind in (line for line in lines if len(line) == 3)]
    return Trips(
        kinds.count(("B", "ReadyForQuery")), kinds.count(("F", "Execute")) + kinds.count(("F", "Query")),
        told.read_text(errors="replace"),
    )  # fmt: skip
