"""Where the archive lies: one folder for each unbroken log, with the base copies from which it can be replayed."""

from __future__ import annotations

import contextlib
import itertools
import json
import os
import secrets
import shutil
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from typing import Final

from launcher.archive.segments import missing, segment_of
from launcher.places import Places
from launcher.switches import whole_number

ELSEWHERE: Final = "FAIRMETER_ARCHIVE"
DAYS: Final = "FAIRMETER_ARCHIVE_DAYS"
GIGABYTES: Final = "FAIRMETER_ARCHIVE_GB"
NONE_WANTED: Final = "no"
A_DAY: Final = timedelta(days=1)
NOTE: Final = "note.json"
REACHED: Final = "reached.json"
OWN_NAME: Final = "archive.name"


def archive_root(places: Places, environ: Mapping[str, str]) -> Path | None:
    """The folder of all logs; None where the house wants none."""
    named = environ.get(ELSEWHERE) or ""
    if named == NONE_WANTED:
        return None
    return Path(named).expanduser().absolute() if named else places.data / "archive"


@dataclass(frozen=True)
class ArchiveLimits:
    """How far back one can go, and what the archive may hold for it."""

    days: int = 7
    gigabytes: int = 20

    @property
    def bytes(self) -> int:
        return self.gigabytes * 1024**3

    @classmethod
    def of(cls, environ: Mapping[str, str]) -> ArchiveLimits:
        return cls(whole_number(environ, DAYS, cls.days), whole_number(environ, GIGABYTES, cls.gigabytes))


@dataclass(frozen=True)
class BaseCopy:
    """A copy of the whole server; with the log from its first segment on, any moment after its end comes back."""

    folder: Path
    ended: datetime
    needs: str
    zone: str | None
    size: int
    house: str = ""

    @classmethod
    def read(cls, folder: Path) -> BaseCopy:
        note = json.loads((folder / NOTE).read_text())
        size = sum(path.stat().st_size for path in folder.iterdir())
        return cls(
            folder, datetime.fromisoformat(note["ended"]), note["needs"], note["zone"], size, note.get("house", "")
        )


@dataclass(frozen=True)
class ArchiveFolder:
    """One unbroken log: from the moment its place at the server was reserved until that place was lost or given up."""

    path: Path

    @property
    def house(self) -> str:
        """Whose log it is: the name without its number."""
        return self.path.name.rpartition("-")[0]

    def segments(self) -> dict[str, Path]:
        """By their names, whole ones before the one that is still written."""
        found = sorted(self.path.iterdir(), reverse=True)
        return {segment: path for path in found if (segment := segment_of(path)) is not None}

    def bases(self) -> list[BaseCopy]:
        return sorted((BaseCopy.read(path.parent) for path in self.path.glob(f"base-*/{NOTE}")), key=lambda b: b.ended)

    def bytes_from(self, first: str, before: str | None = None) -> int:
        """How much of the log lies between two segments."""
        held = self.segments().items()
        return sum(path.stat().st_size for name, path in held if name >= first and (before is None or name < before))

    def gap(self) -> str | None:
        """The segment that is missing behind the oldest base copy, if somebody took one away."""
        bases = self.bases()
        return missing(self.segments(), bases[0].needs) if bases else None

    @property
    def reached(self) -> datetime | None:
        """The last moment of which it is known that everything committed before it lies here."""
        try:
            return datetime.fromisoformat(json.loads((self.path / REACHED).read_text())["at"])
        except (OSError, ValueError, KeyError):
            return None

    def note_reached(self, at: datetime) -> None:
        draft = self.path / f".{REACHED}"
        draft.write_text(json.dumps({"at": at.isoformat()}))
        draft.replace(self.path / REACHED)


def own_name(places: Places, system: str) -> str:
    """A restored copy has its server's number as well, so the data folder has one of its own: drawn once."""
    drawn = places.data / OWN_NAME
    if not drawn.exists():
        draft = places.data / f".{OWN_NAME}.{secrets.token_hex(4)}"
        draft.write_text(secrets.token_hex(4))
        with contextlib.suppress(FileExistsError):
            os.link(draft, drawn)  # whole, and the same for two starters
        draft.unlink()
    return f"{system}-{drawn.read_text().strip()}"


def folders(root: Path, house: str = "") -> list[ArchiveFolder]:
    """Of one server, or of all whose archive lies here; the newest last."""
    found = [path for path in root.glob("*-[0-9][0-9][0-9]") if path.is_dir() and path.name.startswith(house)]
    return [ArchiveFolder(path) for path in sorted(found)]


def next_folder(root: Path, house: str) -> ArchiveFolder:
    """A new log of this server's begins."""
    before = folders(root, f"{house}-")
    number = int(before[-1].path.name[-3:]) + 1 if before else 1
    made = root / f"{house}-{number:03d}"
    made.mkdir(mode=0o700)
    return ArchiveFolder(made)


@dataclass(frozen=True)
class HeldCopy:
    """A base copy with what it weighs: itself, and the log up to the next one."""

    base: BaseCopy
    bytes: int


def held_in(found: Sequence[ArchiveFolder]) -> Iterator[HeldCopy]:
    """Every base copy, the oldest first."""
    for folder in found:
        bases = folder.bases()
        for base, after in itertools.zip_longest(bases, bases[1:]):
            yield HeldCopy(base, base.size + folder.bytes_from(base.needs, after.needs if after else None))


def no_longer_kept(held: Sequence[HeldCopy], now: datetime, limits: ArchiveLimits) -> list[BaseCopy]:
    """Base copies that may go: the next one is old enough by itself, or room is needed. Never the newest."""
    going, weight = list[BaseCopy](), sum(one.bytes for one in held)
    for one, after in itertools.pairwise(held):
        # What comes behind this one is younger, and may still be needed.
        if after.base.ended > now - limits.days * A_DAY and weight <= limits.bytes:
            break
        going.append(one.base)
        weight -= one.bytes
    return going


def base_is_due(folder: ArchiveFolder, now: datetime, limits: ArchiveLimits) -> bool:
    """One a day, and one before the log since the last has taken half of the room."""
    bases = folder.bases()
    if not bases:
        return True
    return now - bases[-1].ended >= A_DAY or folder.bytes_from(bases[-1].needs) > limits.bytes // 2


def clear(found: Sequence[ArchiveFolder], now: datetime, limits: ArchiveLimits) -> list[BaseCopy]:
    """Takes away what is no longer kept, and the log that only it needed; the newest folder is still written."""
    going = no_longer_kept(list(held_in(found)), now, limits)
    for base in going:
        shutil.rmtree(base.folder)
    for folder in found:
        bases = folder.bases()
        # An old log without a copy to begin from replays nothing.
        if not bases and folder != found[-1]:
            shutil.rmtree(folder.path)
        elif going and bases:
            _clear_log(folder, bases[0].needs)
    return going


def _clear_log(folder: ArchiveFolder, first: str) -> None:
    for segment, path in folder.segments().items():
        if segment < first:
            path.unlink()
