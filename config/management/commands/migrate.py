"""Django's migrate, run by the role that owns the tables and by one process at a time."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.core.management.commands import migrate

from config.connections import alone_with_the_schema, owner_url, pointed_at
from launcher.identity import refuse_other_shape


class Command(migrate.Command):
    def handle(self, *args: Any, **options: Any) -> None:
        url = owner_url()
        wait = lambda: self.stdout.write("Another process is migrating; waiting for it.")  # noqa: E731
        with alone_with_the_schema(url, on_wait=wait), pointed_at(url):
            # Asked behind the lock: a newer program may have migrated while this one waited.
            refuse_other_shape(url, settings.BASE_DIR)
            super().handle(*args, **options)
