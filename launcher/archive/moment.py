"""Back to a moment: a base copy, the log behind it, and PostgreSQL's own recovery, into a folder without books."""

from __future__ import annotations

import shutil
import tarfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from launcher.archive.folder import ArchiveFolder, BaseCopy, folders
from launcher.archive.segments import unbroken, unpack
from launcher.cluster import ServerAccount, binaries_for
from launcher.passwords import RULES
from launcher.places import alone_in, make_data_folder, make_server_folder
from launcher.postgres import Server
from launcher.sentences import CannotStart
from launcher.unfinished import begin

SIGNAL: Final = "recovery.signal"
ALONE: Final = "local all all trust\n"  # on the private socket, while nothing but the replay runs; the start closes it
NOT_REACHED: Final = "recovery ended before configured recovery target was reached"


@dataclass(frozen=True)
class RecoveryWay:
    """From which copy, along which log."""

    folder: ArchiveFolder
    base: BaseCopy

    @property
    def log(self) -> list[Path]:
        held = self.folder.segments()
        return [held[name] for name in unbroken(held, self.base.needs)]


def ways(root: Path) -> list[RecoveryWay]:
    """Every base copy of a house, the oldest first. `root` holds all logs, or one, or is a name in it."""
    found = folders(root) or ([ArchiveFolder(root)] if root.is_dir() else folders(root.parent, f"{root.name}-"))
    every = sorted(
        (RecoveryWay(folder, base) for folder in found for base in folder.bases()), key=lambda way: way.base.ended
    )
    if not every:
        raise CannotStart(
            f"{root} holds no base copy. Name the archive of the house with --archive DIR (data/archive of its data "
            "folder, or what FAIRMETER_ARCHIVE named), or restore a backup's file instead."
        )
    newest = {way.folder.house: way for way in every}
    if len(newest) > 1:
        told = "; ".join(f"{root / name} ({_whose(way)})" for name, way in newest.items())
        raise CannotStart(f"{root} holds the archives of {len(newest)} houses. Name one with --archive: {told}.")
    return every


def _whose(way: RecoveryWay) -> str:
    return f"{way.base.house or 'no house yet'}, last copied {in_utc(way.base.ended)}"


def way_to(root: Path, moment: datetime | None) -> RecoveryWay:
    """The newest copy that ended before the moment; without a moment the newest of all."""
    every = ways(root)
    before = [way for way in every if moment is None or way.base.ended <= moment]
    if not before:
        assert moment is not None
        raise CannotStart(
            f"The archive begins at {in_utc(every[0].base.ended)}; {in_utc(moment)} was before that. Choose a later "
            "moment, or restore a backup's file from before it."
        )
    return before[-1]


def in_utc(moment: datetime) -> str:
    return f"{moment.astimezone(UTC):%Y-%m-%d %H:%M:%S} UTC"


def restore_to(server: Server, root: Path, moment: datetime | None) -> RecoveryWay:
    """The books as they stood then, in a folder that holds none: whole, or nothing is left of it."""
    way = way_to(root, moment)
    make_data_folder(server.places)
    folder = make_server_folder(server.places, server.account)
    with alone_in(folder):
        cluster = folder / "cluster"
        if cluster.exists():
            raise CannotStart(
                f"{server.places.data} already holds books; a moment is restored into a new data folder only: "
                "FAIRMETER_DATA=DIR python3 manage.py restore --to …"
            )
        with _draft(folder / "cluster.unfinished") as draft:
            _lay_out(way, draft, server.account)
            _replay(server, draft, way, moment)
            # The note before the books: whatever cuts us off from here on, nothing serves them before their tables are
            # held.
            begin(server.places, f"{in_utc(moment) if moment else 'the last moment'} out of {root}")
            draft.rename(cluster)
    return way


@contextmanager
def _draft(draft: Path) -> Iterator[Path]:
    shutil.rmtree(draft, ignore_errors=True)
    try:
        yield draft
    except OSError as why:
        raise CannotStart(f"The copy could not be laid out ({why}); nothing is left of it.") from None
    finally:
        shutil.rmtree(draft, ignore_errors=True)


def _lay_out(way: RecoveryWay, draft: Path, account: ServerAccount) -> None:
    draft.mkdir(mode=0o700)
    for archive, into in (("base.tar.gz", draft), ("pg_wal.tar.gz", draft / "pg_wal")):
        with tarfile.open(way.base.folder / archive) as packed:
            packed.extractall(into, filter="tar")
    for path in way.log:
        unpack(path, draft / "pg_wal" / path.name[:24])
    (draft / SIGNAL).touch()
    (draft / RULES).write_text(ALONE)
    # Unpacked by us, and read by the account that runs PostgreSQL.
    for path in (draft, *draft.rglob("*")):
        account.owns(path)


def _replay(server: Server, draft: Path, way: RecoveryWay, moment: datetime | None) -> None:
    """The log already lies in the folder, so there is nowhere else to fetch from."""
    settings = {"restore_command": "false", "recovery_target_action": "promote", "hot_standby": "off"}
    if moment is not None:
        settings["recovery_target_time"] = moment.astimezone(UTC).isoformat()
    words = server.places.logs / "postgres.log"
    said_before = words.stat().st_size if words.exists() else 0
    if server.recover(binaries_for(server.account), draft, settings):
        return
    # Only what it said of this attempt: its log is older than that.
    with words.open("rb") as log:
        log.seek(said_before)
        said = log.read().decode(errors="replace")
    if NOT_REACHED in said:
        assert moment is not None
        raise CannotStart(
            f"The archive ends before {in_utc(moment)}{_end(way)}. Choose an earlier moment, or take all there is: "
            "--to latest. Nothing is left of this attempt."
        )
    raise CannotStart(f"PostgreSQL could not replay the log. Its last words are in {words}. Nothing is left of it.")


def _end(way: RecoveryWay) -> str:
    reached = way.folder.reached
    return f": it is whole up to {in_utc(reached)}" if reached else ""
