"""Listed here for `manage.py help`; the launcher runs it before Django is imported."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from launcher.up import add_wishes


class Command(BaseCommand):
    help = "Start everything: environment, database, migrations, demo casino, web, worker. Ctrl-C stops it."

    def add_arguments(self, parser: CommandParser) -> None:
        add_wishes(parser)

    def handle(self, *args: Any, **options: Any) -> None:
        self.stderr.write("Start it with: python3 manage.py up")
