"""Copies of the whole database: written by pg_dump, read by pg_restore, both as the owner."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import psycopg
from psycopg.conninfo import conninfo_to_dict, make_conninfo

from launcher.cluster import clean_environment, wheel_binaries
from launcher.heads import LastEntry, heads_beside, last_entries, write_heads
from launcher.sentences import CannotStart

FIRST_WITH_TRANSACTION_TIMEOUT = 17
AT_LENGTH = "-c maintenance_work_mem=256MB"  # indexes and references of millions of rows, sorted in one pass
LONGEST_PREAMBLE = 40  # lines of settings at the head of pg_restore's output


@dataclass(frozen=True)
class Written:
    """A finished copy."""

    path: Path
    size: int
    heads: list[LastEntry]


def back_up(url: str, path: Path) -> Written:
    """One moment of the books: the copy and the list of last entries are read in the same snapshot."""
    path.parent.mkdir(parents=True, exist_ok=True)
    draft = path.with_name(f".{path.name}.unfinished")
    with psycopg.connect(url) as connection:
        connection.isolation_level = psycopg.IsolationLevel.REPEATABLE_READ
        snapshot = connection.execute("SELECT pg_export_snapshot()").fetchone()
        assert snapshot is not None
        heads = last_entries(connection)
        server = connection.info.server_version // 10000
        options = ["--format=custom", "--no-owner", "--no-privileges", f"--snapshot={snapshot[0]}", f"--file={draft}"]
        _run([tool("pg_dump", server), *options, f"--dbname={_without_password(url)}"], url)
    # All of the books stand in it: it is for its owner alone.
    draft.chmod(0o600)
    draft.replace(path)
    write_heads(heads_beside(path), heads)
    return Written(path, path.stat().st_size, heads)


def restore(url: str, path: Path) -> None:
    """Reads a copy into an empty database, whole or not at all."""
    if not path.is_file():
        raise CannotStart(f"There is no file {path}.")
    with psycopg.connect(url) as connection:
        refuse_full(connection)
        server = connection.info.server_version // 10000
    # Through psql and not straight: an older server does not know a setting that the copy makes (`understood`).
    reader = subprocess.Popen(
        [tool("pg_restore", server), "--file=-", "--no-owner", "--no-privileges", str(path)],
        stdout=subprocess.PIPE,
        env=_environment(url),
    )
    options = [
        "--no-psqlrc",
        "--quiet",
        "--file=-",
        "--single-transaction",
        "--set=ON_ERROR_STOP=1",
        "--output=/dev/null",
    ]
    writer = subprocess.Popen(
        [tool("psql", server), *options, f"--dbname={_without_password(url)}"],
        stdin=subprocess.PIPE,
        env=_environment(url) | {"PGOPTIONS": AT_LENGTH},
    )
    assert reader.stdout is not None
    assert writer.stdin is not None
    with reader.stdout as read, writer.stdin as written:
        whole = _pour(understood(read, server), written)
        if reader.wait() != 0 or not whole:
            writer.kill()  # before the end of its input, so that the transaction is never committed
    if writer.wait() != 0:
        raise CannotStart(f"{path} could not be restored; the database is as empty as before.")


def _pour(lines: Iterable[bytes], into: Any) -> bool:
    try:
        for line in lines:
            into.write(line)
        into.flush()
    # psql has ended, and its exit code says so.
    except BrokenPipeError:
        return False
    return True


def understood(lines: Iterable[bytes], server: int) -> Iterator[bytes]:
    """Leaves out the one setting that an older server does not know."""
    for number, line in enumerate(lines):
        too_new = server < FIRST_WITH_TRANSACTION_TIMEOUT and line.startswith(b"SET transaction_timeout")
        if not (too_new and number < LONGEST_PREAMBLE):
            yield line


def tables_in(connection: psycopg.Connection[Any]) -> int:
    held = connection.execute("SELECT count(*) FROM pg_tables WHERE schemaname = 'public'").fetchone()
    return int(held[0]) if held else 0


def refuse_full(connection: psycopg.Connection[Any]) -> None:
    held = tables_in(connection)
    if held:
        raise CannotStart(
            f"The database already holds {held} tables; a copy is restored into an empty one only. "
            "Name a new data folder: FAIRMETER_DATA=DIR python3 manage.py restore FILE"
        )


def tool(name: str, server: int) -> str:
    """The wheel's program; a newer server needs one of its own age from the path."""
    try:
        binaries = wheel_binaries()
    except CannotStart:
        binaries = None
    if binaries and binaries.major >= server:
        return binaries.program(name)
    found = shutil.which(name, path=f"/usr/lib/postgresql/{server}/bin:{os.environ.get('PATH', '')}")
    if found is None:
        raise CannotStart(f"Your PostgreSQL is version {server}; install its client programs ({name}) and try again.")
    return found


def _run(command: list[str], url: str) -> None:
    if subprocess.run(command, check=False, env=_environment(url)).returncode != 0:
        raise CannotStart(f"{Path(command[0]).name} did not finish; the reason is above. No copy was made.")


def _without_password(url: str) -> str:
    """A command line can be read by everyone on the machine."""
    return make_conninfo("", **{name: value for name, value in conninfo_to_dict(url).items() if name != "password"})


def _environment(url: str) -> dict[str, str]:
    password = conninfo_to_dict(url).get("password") or os.environ.get("PGPASSWORD")
    return clean_environment(os.environ) | ({"PGPASSWORD": str(password)} if password else {})
