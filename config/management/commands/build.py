"""manage.py build: which program this is, file by file."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser

from launcher.build import LIST, NotAsListed, build_of, listed, manifest, refuse_unlisted


class Command(BaseCommand):
    help = f"Prints the build; --list every file with its SHA-256, as {LIST} holds them; --check holds them against it."
    requires_system_checks = []

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--list", action="store_true", help="every file with its digest")
        parser.add_argument("--check", action="store_true", help=f"against {LIST} beside the program")

    def handle(self, *args: Any, **options: Any) -> None:
        found = manifest(settings.BASE_DIR)
        if options["list"]:
            # To the byte as sha256sum writes it: a line more would be another list.
            self.stdout.write(listed(found), ending="")
            return
        if options["check"]:
            try:
                refuse_unlisted(settings.BASE_DIR)
            except NotAsListed as why:
                raise CommandError(str(why)) from None
        self.stdout.write(f"{settings.PROGRAM}, build {build_of(found)}, {len(found)} files.")
