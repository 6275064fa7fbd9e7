"""Reads a backup into an empty database, or brings the books of a moment back from the archive."""

from __future__ import annotations

import os
from datetime import datetime
from pathlib import Path
from typing import Any, Final, NoReturn
from zoneinfo import ZoneInfo

import psycopg
from django.conf import settings
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError, CommandParser

from config.connections import owner_url, pointed_at
from jackpot.reading import NotANumber, read_moment_in
from launcher.archive.folder import ELSEWHERE, NONE_WANTED
from launcher.archive.moment import in_utc, restore_to, ways
from launcher.dumps import restore, tables_in
from launcher.heads import LastEntry, heads_beside, last_entries, read_heads
from launcher.installation import Installation
from launcher.places import Places
from launcher.sentences import CannotStart
from launcher.unfinished import begin, finish, is_unfinished, refuse_unfinished
from tables.floor.actions.restored import hold_restored

LATEST: Final = "latest"


class Command(BaseCommand):
    help = "Restore a backup into an empty database, or a moment of the archive into a new data folder."
    # Books can be brought back where a check would stop everything else.
    requires_system_checks = []

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", type=Path, nargs="?", help="what `backup` wrote")
        parser.add_argument(
            "--to", metavar="MOMENT", help="instead: the books as they stood then, such as '2026-11-19 03:12' on the "
            "house's clocks or 2026-11-19T11:12:00Z; `latest` for all that the archive holds"
        )  # fmt: skip
        parser.add_argument("--archive", type=Path, metavar="DIR", help="with --to: the archive of the lost house")
        parser.add_argument("--finish", action="store_true", help="end a restore that broke off: hold its tables")

    def handle(self, *args: Any, **options: Any) -> None:
        if [bool(options["file"]), bool(options["to"]), options["finish"]].count(True) != 1:
            raise CommandError("Name either the file of a backup or a moment with --to, and not both.")
        try:
            if options["finish"]:
                self._finish()
            elif options["to"]:
                self._moment(options["to"], options["archive"])
            else:
                self._file(options["file"].absolute())
        except CannotStart as sentence:
            raise CommandError(str(sentence)) from None
        self.stdout.write("Now prove it: python3 manage.py prove")

    @property
    def places(self) -> Places:
        return Places(settings.DATA_DIR)

    def _file(self, path: Path) -> None:
        """Held before it is compared: books that differ from their list are not played on either."""
        refuse_unfinished(self.places)
        url = owner_url()
        begin(self.places, str(path))
        try:
            restore(url, path)
        except CannotStart:  # whole or nothing, and it says that it is nothing
            finish(self.places)
            raise
        heads = self._bring_up(url)
        self._hold(url)
        self._compare(heads, read_heads(heads_beside(path)))

    def _finish(self) -> None:
        """What a restore does after its books have come; where none have, there is nothing to hold."""
        if not is_unfinished(self.places):
            raise CannotStart(f"No restore into {self.places.data} broke off; there is nothing to finish.")
        installation = Installation.found(self.places, os.environ)
        if installation.server is not None and not (self.places.server / "cluster").exists():
            self._nothing_came()
        with installation.running():
            url = owner_url()
            with psycopg.connect(url) as connection:
                if not tables_in(connection):
                    self._nothing_came()
            self._bring_up(url)
            self._hold(url)

    def _nothing_came(self) -> NoReturn:
        finish(self.places)
        raise CannotStart("Nothing had come before it broke off. Restore again.")

    def _moment(self, written: str, archive: Path | None) -> None:
        """Into a folder without books; the server runs only for as long as tables are held in them."""
        refuse_unfinished(self.places)
        installation = Installation.found(self.places, os.environ)
        if installation.server is None:
            raise CannotStart(
                "DATABASE_URL names a PostgreSQL of your own, and its log is kept by a tool of its own (pgBackRest, "
                "for example). Go back with that one, or unset DATABASE_URL."
            )
        root = _archive(archive)
        moment = _moment_meant(written, root)
        way = restore_to(installation.server, root, moment)
        with installation.running():
            url = owner_url()
            self._bring_up(url)
            base = f"from the base copy of {in_utc(way.base.ended)} and {len(way.log)} files of the log"
            self.stdout.write(f"The archive is {way.folder.path}, of {way.base.house or 'no house yet'}.")
            self.stdout.write(f"The books of {in_utc(moment) if moment else 'the last moment there is'}, {base}.")
            self._hold(url)

    def _bring_up(self, url: str) -> list[LastEntry]:
        # A copy may come from an older program: it is brought to the shape that this one knows.
        call_command("migrate", interactive=False, verbosity=0)
        with psycopg.connect(url) as connection:
            heads = last_entries(connection)
        for head in heads:
            self.stdout.write(f"  {head}")
        return heads

    def _hold(self, url: str) -> None:
        with pointed_at(url):
            count = hold_restored()
        finish(self.places)
        tables = "1 table stands" if count == 1 else f"{count} tables stand"
        self.stdout.write(
            f"{tables} held, and slips go on from the next thousand but one: these books are older than what the "
            "floor has seen. docs/operations.md says what to compare before a table is opened."
        )

    def _compare(self, found: list[LastEntry], noted: list[LastEntry] | None) -> None:
        if noted is None:
            self.stdout.write("Restored. No list of last entries lies beside the file to compare with.")
        elif noted == found:
            self.stdout.write("Restored. The last entry of every jackpot is the one noted at the backup.")
        else:
            raise CommandError("Restored, but the last entries differ from those noted at the backup. Do not use it.")


def _archive(named: Path | None) -> Path:
    told_elsewhere = os.environ.get(ELSEWHERE) or ""
    if named is None and told_elsewhere not in ("", NONE_WANTED):
        named = Path(told_elsewhere)
    if named is None:
        raise CannotStart("Which archive? Name it with --archive DIR; as a rule it is data/archive of the lost house.")
    return named.expanduser().absolute()


def _moment_meant(written: str, root: Path) -> datetime | None:
    """On the clocks of the house whose archive it is, as its newest copy noted them."""
    if written == LATEST:
        return None
    zone = ways(root)[-1].base.zone
    try:
        return read_moment_in(ZoneInfo(zone) if zone else None, written, "moment")
    except NotANumber as why:
        raise CannotStart(str(why)) from None
