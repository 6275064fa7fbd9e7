"""Is this node of the house that the database belongs to? A stranger's key or an older program starts nothing."""

from __future__ import annotations

import ast
from pathlib import Path
from typing import Any

import psycopg

from launcher.places import drawn, read_master
from launcher.sentences import CannotStart

_APPLIED = "SELECT app, name FROM django_migrations WHERE app = ANY(%s) ORDER BY id"
_MARK = "SELECT mark FROM jackpot_keymark ORDER BY id LIMIT 1"
_FIRST = """
INSERT INTO jackpot_keymark (id, mark) VALUES (1, %s) ON CONFLICT (id) DO NOTHING
"""


def mark_of(master: bytes) -> str:
    """Says which key a database belongs to, and nothing of the key."""
    return drawn(master, "mark of the key file").hex()[:32]


def refuse_other_shape(url: str, project: Path) -> None:
    """What an older program would write into a newer database nobody has thought through."""
    with psycopg.connect(url) as connection:
        why = other_shape(connection, project)
    if why is not None:
        raise CannotStart(why)


def other_shape(connection: psycopg.Connection[Any], project: Path) -> str | None:
    """The sentence, where this program cannot go on from what this database was migrated to."""
    folders = {path.parent.name: path for path in sorted(project.glob("*/migrations"))}
    there = connection.execute("SELECT to_regclass('django_migrations') IS NOT NULL").fetchone()
    applied = connection.execute(_APPLIED, [[*folders]]).fetchall() if there and there[0] else []
    known = {(app, path.stem): _replaced(path) for app, folder in folders.items() for path in folder.glob("0*.py")}
    earlier = {(app, name) for (app, _), names in known.items() for name in names}
    unknown = [f"{app}.{name}" for app, name in applied if (app, name) not in known.keys() | earlier]
    if unknown:
        return (
            f"A newer Fairmeter has given this database another shape ({unknown[-1]}), which this program does not "
            "know. Start the newer program, or restore the backup from before it."
        )
    missing = [
        f"{app}.{name}" for (app, whole), names in known.items() if (app, whole) not in applied
        for name in names if (app, name) not in applied and applied
    ]  # fmt: skip
    return _not_whole(missing[0]) if missing else None


def _replaced(migration: Path) -> tuple[str, ...]:
    """The names of those that became this one; a house has all of them behind it, or none."""
    for line in ast.parse(migration.read_bytes()).body:
        if isinstance(line, ast.Assign) and getattr(line.targets[0], "id", "") == "REPLACED":
            return tuple(ast.literal_eval(line.value))
    return ()


def _not_whole(missing: str) -> str:
    return (
        f"This database stands between two shapes ({missing} was not applied), and this program knows only the whole "
        "of them. Start the program that it came from once more in its last version, then this one."
    )


def refuse_other_key(url: str, data: Path) -> None:
    """The first node leaves its mark; another one must have a copy of that key file."""
    mine = mark_of(read_master(data))
    with psycopg.connect(url) as connection:
        connection.execute(_FIRST, [mine])
        row = connection.execute(_MARK).fetchone()
    if row is not None and row[0] != mine:
        raise CannotStart(_not_this_key(row[0], mine))


def other_key(connection: psycopg.Connection[Any], data: Path) -> str | None:
    """For `doctor`: the sentence, where the key file is another one."""
    there = connection.execute("SELECT to_regclass('jackpot_keymark') IS NOT NULL").fetchone()
    row = connection.execute(_MARK).fetchone() if there and there[0] else None
    mine = mark_of(read_master(data))
    return None if row is None or row[0] == mine else _not_this_key(row[0], mine)


def _not_this_key(theirs: str, mine: str) -> str:
    return (
        f"This database belongs to another key file (mark {theirs[:8]}; the one here has {mine[:8]}): devices would "
        "be told that they are not enrolled. Copy the house's fairmeter.key into the data folder, or name it with "
        "FAIRMETER_KEY_FILE. If it is lost: manage.py adopt_key --why WORDS, and enrol every device again."
    )
