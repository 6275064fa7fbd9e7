"""manage.py write_casino [FILE.toml] [--property CODE]"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils import timezone

from accounting.house_file.writer import house_text
from jackpot.property.models.property import Property


class Command(BaseCommand):
    help = "Writes a house as a casino file: loaded into an empty database it makes an equal house."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", type=Path, nargs="?", help="where to write it; without one it is printed")
        parser.add_argument("--property", default="", help="its code, where the database holds more than one")

    def handle(self, *args: Any, **options: Any) -> None:
        houses = Property.objects.order_by("id")
        premises = houses.filter(code=options["property"]).first() if options["property"] else houses.first()
        if premises is None:
            known = ", ".join(houses.values_list("code", flat=True)) or "none: found one first"
            raise CommandError(f"There is no such property here. Known: {known}.")
        text, path = house_text(premises, timezone.now()), options["file"]
        if path is None:
            self.stdout.write(text, ending="")
            return
        if path.exists():
            raise CommandError(f"{path} is there already. Choose another name, so that nothing is lost.")
        path.write_text(text, encoding="utf-8")
        self.stdout.write(f"{premises.code} is written to {path}.")
