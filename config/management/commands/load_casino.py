"""manage.py load_casino FILE.toml [--dry-run] [--signed-by NAME] [--without-laboratory]"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, Final

from django.core.management.base import BaseCommand, CommandError, CommandParser

from accounting.house_file.loader import BY, Loaded, load_casino
from accounting.setup_desk.actions.openings import laboratory_findings, opening_questions
from config.management.laboratory import calculated
from jackpot.laboratory.findings import WEIGHTS
from jackpot.refusals import Refused

Finding = Mapping[str, str]
LONGEST_NAME: Final = 40


class Command(BaseCommand):
    help = "Makes the casino as a file tells it: property, roles, people, jackpots, tables, signs, devices."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", type=Path, help="the casino file, see docs/casino-file.md")
        parser.add_argument("--dry-run", action="store_true", help="show what would change and change nothing")
        parser.add_argument(
            "--signed-by", default="", metavar="NAME",
            help="the executive who takes what the laboratory refuses; it stands in the trail",
        )  # fmt: skip
        parser.add_argument(
            "--without-laboratory", action="store_false", dest="laboratory",
            help="open jackpots with only what their terms show by themselves",
        )  # fmt: skip

    def handle(self, *args: Any, **options: Any) -> None:
        signed_by = options["signed_by"].strip()
        if len(signed_by) > LONGEST_NAME:
            raise CommandError(f"--signed-by takes a name of at most {LONGEST_NAME} letters.")
        by = f"{BY}, signed by {signed_by}" if signed_by else BY
        try:
            # Looked at first, because the laboratory may calculate for minutes: nothing is held meanwhile.
            looked_at = load_casino(options["file"], dry_run=True, by=by)
            found = list(self._found(looked_at)) if options["laboratory"] else list(looked_at.findings)
            _refuse(found, signed_by, changes=bool(looked_at.changes))
            loaded = looked_at if options["dry_run"] else load_casino(options["file"], by=by)
        except Refused as refusal:
            raise CommandError(f"{refusal.why}\nThe file was refused whole; nothing was changed.") from None
        if options["verbosity"] > 0:
            self.stdout.writelines(f"{change}\n" for change in loaded.changes)
            self.stdout.writelines(_lines_of(found))
        self.stdout.write(_ending(len(loaded.changes), dry_run=loaded.dry_run))

    def _found(self, looked_at: Loaded) -> Iterator[Finding]:
        """What the laboratory finds of each jackpot that would be opened, and what only its terms show."""
        asked = opening_questions(looked_at)
        # On the other stream, so that a pipe gets what was changed and no progress.
        answers = iter(calculated([each["question"] for each in asked if not each["unknown"]], self.stderr))
        for each in asked:
            alone = [finding for finding in looked_at.findings if finding["jackpot"] == each["jackpot"]]
            told = {**each, "answer": None if each["unknown"] else next(answers)}
            found = list(laboratory_findings([told], ()))
            yield from found
            yield from (one for one in alone if one["code"] not in {finding["code"] for finding in found})


def _refuse(found: Iterable[Finding], signed_by: str, *, changes: bool) -> None:
    refused = [finding["why"] for finding in found if finding["weight"] == "refused"]
    # A file that changes nothing is refused nothing.
    if refused and changes and not signed_by:
        cure = "Change its terms, or name the executive who takes it: --signed-by NAME."
        raise CommandError("\n".join([*refused, cure, "The file was refused whole; nothing was changed."]))


def _lines_of(found: Iterable[Finding]) -> Iterator[str]:
    for finding in sorted(found, key=lambda each: WEIGHTS.index(each["weight"])):
        yield f"! {finding['weight']}: {finding['why']}\n"


def _ending(count: int, *, dry_run: bool) -> str:
    if not count:
        return "Nothing to change: the casino stands as the file tells it."
    changes = "1 change" if count == 1 else f"{count} changes"
    return f"{changes} would be made. Nothing was changed." if dry_run else f"{changes} made."
