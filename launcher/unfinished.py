"""A restore that broke off: books lie there that no table was held in and whose slip numbers did not jump.

The note lies in the data folder from before the books come until they are held; until then nothing serves them.
"""

from __future__ import annotations

import os
from pathlib import Path

from launcher.places import Places
from launcher.sentences import CannotStart

NAME = "restore.unfinished"


def note_of(places: Places) -> Path:
    return places.data / NAME


def is_unfinished(places: Places) -> bool:
    return note_of(places).exists()


def begin(places: Places, what: str) -> None:
    """On the disk before the first book is: a power cut in between leaves a note too many and never one too few."""
    with note_of(places).open("w", encoding="utf-8") as note:
        note.write(f"{what}\n")
        note.flush()
        os.fsync(note.fileno())
    folder = os.open(places.data, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)


def finish(places: Places) -> None:
    note_of(places).unlink(missing_ok=True)


def refuse_unfinished(places: Places) -> None:
    """Whoever would serve these books, or bring others beside them, finishes first."""
    if is_unfinished(places):
        what = note_of(places).read_text(encoding="utf-8").strip()
        raise CannotStart(
            f"The restore of {what} into {places.data} broke off before its tables were held. Finish it first: "
            f"FAIRMETER_DATA={places.data} python3 manage.py restore --finish"
        )
