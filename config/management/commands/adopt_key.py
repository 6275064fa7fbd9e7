"""manage.py adopt_key --why WORDS"""

from __future__ import annotations

import getpass
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser

from launcher.identity import mark_of
from tables.setup.actions.key_lost import adopt_key


class Command(BaseCommand):
    help = "The house's key file is lost: from now on this one counts, and every device must be enrolled again."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--why", required=True, help="how the key file was lost, and who knows of it")

    def handle(self, *args: Any, **options: Any) -> None:
        if not options["why"].strip():
            raise CommandError("Say in a few words how the key file was lost.")
        mark = mark_of(settings.MASTER_KEY)
        waiting = adopt_key(mark=mark, by=f"engineer {getpass.getuser()}", why=options["why"])
        self.stdout.write(f"This key file counts now. {waiting} devices wait for a new one-time code.")
