"""manage.py founding_code"""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand

from accounting.setup_desk.actions.founding import code_of_today, may_be_founded


class Command(BaseCommand):
    help = "Prints the code by which an empty database becomes a house at /begin/. It counts until tomorrow (UTC)."

    def handle(self, *args: Any, **options: Any) -> None:
        if not may_be_founded():
            self.stdout.write("A house stands here already, or people do; there is nothing to found.")
            return
        self.stdout.write(code_of_today())
