"""manage.py export [--jackpot CODE] [-o FILE]"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, BinaryIO

import orjson
from django.core.management.base import BaseCommand, CommandError, CommandParser

from jackpot.evidence.actions.exporting import write_evidence
from jackpot.evidence.queries import FOLDER
from jackpot.refusals import Refused
from tables.rounds.queries.prove_file import export


class Command(BaseCommand):
    help = "Writes the books as JSON lines that anyone can prove with deploy/verify_books.py."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--jackpot", action="append", metavar="CODE", help="only this jackpot; may be repeated")
        parser.add_argument("-o", "--output", type=Path, metavar="FILE", help="write here instead of to the terminal")

    def handle(self, *args: Any, **options: Any) -> None:
        output: Path | None = options["output"]
        written = 0
        try:
            with _file(output) as file:
                # To a terminal without evidence: its files need a folder to lie in.
                for line in export(jackpot_codes=options["jackpot"], with_evidence=output is not None):
                    if output is not None and line["line"] == "evidence":
                        # The file before its line: no line names what is not there.
                        write_evidence(output.parent / FOLDER, line)
                    file.write(orjson.dumps(line, option=orjson.OPT_APPEND_NEWLINE))
                    written += 1
        except Refused as refusal:
            raise CommandError(refusal.why) from None
        except OSError as problem:
            raise CommandError(f"{output} cannot be written: {problem.strerror}.") from None
        if output is not None:
            self.stdout.write(f"{written:,} lines written to {output}. Check them: deploy/verify_books.py {output}")


@contextmanager
def _file(output: Path | None) -> Iterator[BinaryIO]:
    """The finished export takes its name whole: a cut-off one never looks like the real one."""
    if output is None:
        yield sys.stdout.buffer
        return
    draft = output.with_name(f".{output.name}.part")
    try:
        with draft.open("wb") as file:
            yield file
        draft.replace(output)
    finally:
        draft.unlink(missing_ok=True)
