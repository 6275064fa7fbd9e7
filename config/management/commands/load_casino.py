"""manage.py load_casino FILE.toml [--dry-run]"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from accounting.house_file.loader import load_casino
from jackpot.refusals import Refused


class Command(BaseCommand):
    help = "Makes the casino as a file tells it: property, roles, people, jackpots, tables, signs, devices."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", type=Path, help="the casino file, see docs/casino-file.md")
        parser.add_argument("--dry-run", action="store_true", help="show what would change and change nothing")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            loaded = load_casino(options["file"], dry_run=options["dry_run"])
        except Refused as refusal:
            raise CommandError(f"{refusal.why}\nThe file was refused whole; nothing was changed.") from None
        if options["verbosity"] > 0:
            self.stdout.writelines(f"{change}\n" for change in loaded.changes)
            self.stdout.writelines(f"! {finding}\n" for finding in loaded.findings)
        self.stdout.write(_ending(len(loaded.changes), dry_run=loaded.dry_run))


def _ending(count: int, *, dry_run: bool) -> str:
    if not count:
        return "Nothing to change: the casino stands as the file tells it."
    changes = "1 change" if count == 1 else f"{count} changes"
    return f"{changes} would be made. Nothing was changed." if dry_run else f"{changes} made."
