"""manage.py prove [--jackpot CODE] [--from-file EXPORT]"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import DatabaseError, transaction

from accounting.audit.actions.working import keep_proof
from config.management.progress import shown_on
from jackpot.proof.queries import ProofReport
from jackpot.refusals import Refused
from tables.rounds.queries.prove import prove
from tables.rounds.queries.prove_file import prove_file


class Command(BaseCommand):
    help = "Adds and seals every entry again and names each row that disagrees. Ends with 1 if there is one."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--jackpot", action="append", metavar="CODE", help="only this jackpot; may be repeated")
        parser.add_argument(
            "--heads", action="append", type=Path, default=[], metavar="FILE",
            help="heads that were sent away and came back; may be repeated",
        )  # fmt: skip
        parser.add_argument("--from-file", type=Path, metavar="EXPORT", help="an export, instead of our database")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            with shown_on(self.stdout) as progress:
                if options["from_file"]:
                    verdict = prove_file(options["from_file"], jackpot_codes=options["jackpot"], progress=progress)
                else:
                    verdict = prove(jackpot_codes=options["jackpot"], progress=progress, heads=options["heads"])
        except Refused as refusal:
            raise CommandError(refusal.why) from None
        except OSError as problem:
            raise CommandError(f"{options['from_file']} cannot be read: {problem.strerror}.") from None
        # Only a proof of everything is the house's: its age is what Audit shows.
        if options["from_file"] is None and options["jackpot"] is None:
            self._keep(verdict)
        self._say(verdict)

    def _keep(self, verdict: ProofReport) -> None:
        """Its age and outcome are shown under Audit. Books that cannot be written to were proven all the same."""
        try:
            with transaction.atomic():
                keep_proof(verdict)
        except DatabaseError as trouble:
            self.stderr.write(f"This proof was not put on record ({type(trouble).__name__}). What it found:")

    def _say(self, verdict: ProofReport) -> None:
        for finding in verdict.findings.listed:
            self.stdout.write(f"[{finding.kind}] {finding}")
        for kind, count in verdict.findings.unlisted().items():
            self.stdout.write(f"[{kind}] and {count:,} more of this kind")
        for proven in verdict.jackpots:
            self.stdout.write(str(proven))
        if verdict.holds:
            self.stdout.write(_ending(verdict))
            return
        total = verdict.findings.total
        raise CommandError(
            f"{total:,} finding{'s' if total > 1 else ''}. Look at the rows named above before you go on."
        )


def _ending(verdict: ProofReport) -> str:
    rounds = "1 round agrees" if verdict.rounds == 1 else f"{verdict.rounds:,} rounds agree"
    return f"{rounds} with the entries. Nothing disagrees."
