"""manage.py set_right CODE --why WORDS"""

from __future__ import annotations

import getpass
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from jackpot.books.actions.row_watch import set_row_right
from jackpot.refusals import Refused


class Command(BaseCommand):
    help = "Sets the row of a jackpot that was changed behind its books back to what its last entry says."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("code", metavar="CODE", help="the jackpot that is stopped")
        parser.add_argument("--why", required=True, help="who changed the row, and why it may be set back")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            wrong = set_row_right(code=options["code"], by=f"engineer {getpass.getuser()}", why=options["why"])
        except Refused as refusal:
            raise CommandError(refusal.why) from None
        self.stdout.write(wrong)
        self.stdout.write(f"It is set back; {options['code']} plays again. Now run manage.py prove.")
