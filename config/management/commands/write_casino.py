"""manage.py write_casino [FILE.toml] [--property CODE]"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils import timezone

from accounting.house_file.writer import house_text
from config.management.one_house import house_named


class Command(BaseCommand):
    help = "Writes a house as a casino file: loaded into an empty database it makes an equal house."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", type=Path, nargs="?", help="where to write it; without one it is printed")
        parser.add_argument("--property", metavar="CODE", help="needed where there are several")

    def handle(self, *args: Any, **options: Any) -> None:
        premises = house_named(options["property"])
        text, path = house_text(premises, timezone.now()), options["file"]
        if path is None:
            self.stdout.write(text, ending="")
            return
        if path.exists():
            raise CommandError(f"{path} is there already. Choose another name, so that nothing is lost.")
        path.write_text(text, encoding="utf-8")
        self.stdout.write(f"{premises.code} is written to {path}.")
