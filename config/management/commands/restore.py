"""Reads a backup into an empty database."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import psycopg
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError, CommandParser

from config.connections import owner_url, pointed_at
from launcher.dumps import restore
from launcher.heads import LastEntry, heads_beside, last_entries, read_heads
from launcher.sentences import CannotStart
from tables.floor.actions.restored import hold_restored


class Command(BaseCommand):
    help = "Restore a backup into an empty database, and say where each jackpot's books end."
    requires_system_checks = []

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", type=Path)

    def handle(self, *args: Any, **options: Any) -> None:
        path: Path = options["file"].absolute()
        url = owner_url()
        try:
            restore(url, path)
        except CannotStart as sentence:
            raise CommandError(str(sentence)) from None
        call_command("migrate", interactive=False, verbosity=0)
        with psycopg.connect(url) as connection:
            heads = last_entries(connection)
        for head in heads:
            self.stdout.write(f"  {head}")
        self._compare(heads, read_heads(heads_beside(path)))
        self._hold(url)
        self.stdout.write("Now prove it: python3 manage.py prove")

    def _hold(self, url: str) -> None:
        with pointed_at(url):
            count = hold_restored()
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
