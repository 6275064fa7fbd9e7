"""Starts the naive peer in the house and measures it: gunicorn, two workers of eight threads, sixteen connections."""

from __future__ import annotations

import importlib.util
from typing import Final

from proving.house import NotCarriedOut, ProvingHouse, free_port

DATABASE: Final = "naive"
CONNECTIONS: Final = 16
SERVED: Final = ("--worker-class", "gthread", "--workers", "2", "--threads", "8", "--keep-alive", "60")


def start(house: ProvingHouse) -> list[tuple[object, ...]]:
    """The roster of its tables, once it answers."""
    if importlib.util.find_spec("gunicorn") is None:
        raise NotCarriedOut("The naive peer needs gunicorn: .venv/bin/python -m pip install -r requirements-dev.txt")
    house.make_database(DATABASE)
    house.run("proving.bench.naive.prepare", str(CONNECTIONS), database=DATABASE)
    port = free_port()
    where = ("--bind", f"127.0.0.1:{port}", "--log-level", "warning")
    house.serve(
        "naive", "gunicorn", "proving.bench.naive.wsgi:application", *SERVED, *where, port=port, database=DATABASE
    )
    return [(port, f"/tables/N-{number:02}/messages", "-", "-") for number in range(1, CONNECTIONS + 1)]


def count_rounds(house: ProvingHouse) -> int:
    with house.connect(DATABASE) as connection:
        row = connection.execute("SELECT count(*) FROM naive_naiveround").fetchone()
    assert row is not None
    return int(row[0])
