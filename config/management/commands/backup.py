"""Writes one file that holds the whole database."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils import timezone

from config.connections import owner_url
from jackpot.trail.actions.trail import record
from jackpot.trail.rules.objects import BACKUP
from launcher.archive.copies import current_folder, make_base
from launcher.archive.folder import archive_root
from launcher.dumps import back_up
from launcher.installation import Installation
from launcher.places import Places
from launcher.sentences import CannotStart


class Command(BaseCommand):
    help = "Write a copy of the whole database to one file, and say where each jackpot's books end in it."
    # A copy can be made where a check would stop everything else.
    requires_system_checks = []

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", nargs="?", type=Path, help="default: a dated file in the data folder's `backups`")
        parser.add_argument("--elsewhere", metavar="WHAT", help="write nothing; note that another tool did it")

    def handle(self, *args: Any, **options: Any) -> None:
        elsewhere = (options["elsewhere"] or "").strip()
        if elsewhere:
            record(actor="shell", act="backup", about=BACKUP, subject=elsewhere, details={"elsewhere": True})
            self.stdout.write(f"Noted: {elsewhere}. The office's first page counts the age of the backup from now.")
            return
        name = f"fairmeter-{timezone.now():%Y%m%dT%H%M%SZ}.dump"
        path = (options["file"] or settings.DATA_DIR / "backups" / name).absolute()
        try:
            written = back_up(owner_url(), path)
        except CannotStart as sentence:
            raise CommandError(str(sentence)) from None
        # After the file is whole: the office counts the age of the backup from this line.
        record(actor="shell", act="backup", about=BACKUP, subject=written.path.name, details={"bytes": written.size})
        for head in written.heads:
            self.stdout.write(f"  {head}")
        self.stdout.write(f"{written.path} holds the whole database: {written.size:,} bytes.")
        # After the file, which is whole by itself whatever becomes of the base.
        self._base()
        self.stdout.write("The key file fairmeter.key is not in it. Keep both, on another machine and apart.")

    def _base(self) -> None:
        """Of our own server also a base copy: from its end on every moment can be gone back to."""
        installation = Installation.found(Places(settings.DATA_DIR), os.environ)
        root = archive_root(installation.places, os.environ)
        if installation.server is None or root is None:
            return
        try:
            base = make_base(installation.server, current_folder(installation.server, root))
        except CannotStart as sentence:
            raise CommandError(f"The file is whole, but: {sentence}") from None
        self.stdout.write(f"{base.folder} is a base of {base.size:,} bytes: `restore --to` reaches every moment after.")
