"""manage.py parcel --from DAY --to DAY [--property CODE] -o FILE"""

from __future__ import annotations

from datetime import date
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from accounting.audit.actions.parcel import parcel_period, write_parcel
from accounting.audit.actions.runs import check_parcel_days
from config.management.one_house import house_named
from config.management.progress import shown_on
from jackpot.reading import read_day
from jackpot.refusals import Refused
from jackpot.trail.actions.trail import record
from jackpot.trail.rules import objects

CONSOLE = "console"


class Command(BaseCommand):
    help = "Writes the auditor's parcel of a period, which deploy/verify_books.py verifies anywhere."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--from", dest="first", required=True, metavar="DAY", help="first gaming day: 2026-11-01")
        parser.add_argument("--to", dest="last", required=True, metavar="DAY", help="last gaming day: 2026-11-17")
        parser.add_argument("--property", metavar="CODE", help="needed where there are several")
        parser.add_argument("-o", "--output", type=Path, required=True, metavar="FILE", help="the ZIP to write")

    def handle(self, *args: Any, **options: Any) -> None:
        house, output = house_named(options["property"]), Path(options["output"])
        first, last = _day(options["first"]), _day(options["last"])
        try:
            check_parcel_days(house, first, last)
            with shown_on(self.stdout) as progress:
                period = parcel_period(house, first, last)
                written = write_parcel(period, output, made_by="the server’s console", progress=progress)
        except Refused as refusal:
            raise CommandError(refusal.why) from None
        except OSError as problem:
            raise CommandError(f"{output} cannot be written: {problem.strerror}.") from None
        details = {"first": str(first), "last": str(last), "sha256": written.sha256}
        record(actor=CONSOLE, act="make_parcel", about=objects.house(house.code), details=details)
        self.stdout.write(f"{written.lines:,} lines written to {output}. Its digest: {written.sha256}")
        self.stdout.write(f"Check it: python3 deploy/verify_books.py {output}")


def _day(typed: str) -> date:
    try:
        return read_day(typed)
    except ValueError:
        raise CommandError(f"“{typed}” is no day. Write it like 2026-11-17.") from None
