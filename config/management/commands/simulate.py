"""manage.py simulate: a whole evening of the demo casino over the real protocol."""

from __future__ import annotations

import asyncio
import contextlib
import http.client
import math
import sys
import time
from argparse import ArgumentTypeError
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import Any, Final

from django.core.management.base import BaseCommand, CommandError, CommandParser

from accounting.house_file import demo_books, demo_floor
from accounting.house_file.demo_report import report_lines
from config.management.progress import shown_on
from jackpot.money import Money
from jackpot.reading import NotANumber, read_amount, read_whole
from jackpot.refusals import Refused
from tables.rounds.queries.prove import prove
from tables.simulator.evening import Evening, EveningReport, Watch, play
from tables.simulator.hits import Staff
from tables.simulator.pace import CALM, ROUNDS_AN_HOUR, Pace
from tables.simulator.script import Crowd, NoSuchCrowd
from tables.simulator.wires import Controller, ServerRefusal

SERVER_COMES_UP_WITHIN: Final = 15.0
A_LINE_EVERY: Final = 10.0
HITS: Final = "hits as the cards fall; dense: the deck is stacked for a show; none: nobody looks at the cards"


class Command(BaseCommand):
    help = "Plays the demo casino: devices, dealers and players over the real protocol, then a reconciliation."
    _above: Callable[[str], None] | None = None

    def add_arguments(self, parser: CommandParser) -> None:
        length = parser.add_mutually_exclusive_group()
        length.add_argument("--rounds", type=_positive, help="rounds at each table (without: until Ctrl-C, calmly)")
        length.add_argument("--hours", type=_hours, help="hours of play at each table, 51 rounds an hour")
        parser.add_argument("--tables", type=_positive, help="how many tables play (all open ones)")
        parser.add_argument("--speed", type=_speed, help="times faster than life; 0 is as fast as it goes")
        parser.add_argument("--seats", type=_crowd, default=Crowd(2, 6), help="players at a table: 5, or 2-6")
        parser.add_argument("--hits", choices=["dealt", "dense", "none"], default="dealt", help=HITS)
        parser.add_argument("--seed", type=int, default=1, help="the same seed plays the same rounds")
        parser.add_argument("--url", default="http://127.0.0.1:8000", help="where the server listens")
        parser.add_argument("--http", action="store_true", help="signed HTTP requests instead of WebSockets")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            controllers = _enrolled(options["url"], options["tables"])
        except (Refused, ServerRefusal) as refusal:
            raise CommandError(refusal.why) from None
        # Up: however few minutes are asked for, something is played.
        rounds = options["rounds"] or (options["hours"] and math.ceil(options["hours"] * ROUNDS_AN_HOUR))
        evening = Evening(
            url=options["url"], controllers=controllers, rounds=rounds, crowd=options["seats"], seed=options["seed"],
            pace=_pace(options["speed"], endless=rounds is None), over_http=options["http"],
            staff=_staff(options["hits"]), tell=self._tell,
            show=self._tell if options["verbosity"] > 1 else _silent,
        )  # fmt: skip
        self.stdout.write(_opening(evening))
        total = None if rounds is None else rounds * len(controllers)
        tables = [controller.table for controller in controllers]
        opened = demo_books.stood(tables)
        with self._progress(total) as watch, demo_floor.keys_out(tables):
            report = asyncio.run(play(evening, watch))
        good = self._settled(report, opened)
        if rounds is not None:
            good = self._proven() and good
        if not good:
            sys.exit(1)

    def _settled(self, report: EveningReport, opened: Mapping[str, int]) -> bool:
        """Every meter against rounds and wins, whoever else played meanwhile."""
        settled = demo_books.settled(opened, report)
        for line in report_lines(report, settled):
            self.stdout.write(line)
        return settled.agrees and not report.troubles

    def _proven(self) -> bool:
        with shown_on(self.stdout) as progress:
            verdict = prove(progress=progress)
        for finding in verdict.findings.listed:
            self.stdout.write(f"[{finding.kind}] {finding}")
        for books in verdict.jackpots:
            self.stdout.write(str(books))
        return verdict.holds

    def _tell(self, sentence: str) -> None:
        """Above the bar, where there is one."""
        if self._above is not None:
            self._above(sentence)
            return
        self.stdout.write(sentence)
        self.stdout.flush()

    @contextlib.contextmanager
    def _progress(self, total: int | None) -> Iterator[Watch]:
        """A bar for a person; lines for a log, now and then."""
        if not sys.stdout.isatty():
            yield self._lines(total)
            return
        from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

        columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
        with Progress(*columns) as bar:
            self._above = partial(bar.console.print, markup=False, highlight=False)
            task = bar.add_task("rounds", total=total)
            yield lambda rounds, wins: bar.update(task, completed=rounds, description=f"{wins} awards, rounds")
        self._above = None

    def _lines(self, total: int | None) -> Watch:
        said = {"at": time.monotonic(), "rounds": 0}

        def line(rounds: int, wins: int) -> None:
            now = time.monotonic()
            if rounds != said["rounds"] and (now - said["at"] >= A_LINE_EVERY or rounds == total):
                said.update(at=now, rounds=rounds)
                self._tell(f"{rounds} rounds played, {wins} awards" if total is None else f"{rounds} of {total} rounds")

        return line


def _staff(hits: str) -> Staff | None:
    """A demo in which nobody may approve plays without hits."""
    people = demo_floor.staff(show=hits == "dense")
    return people if hits != "none" and people.supervisors and len(people.executives) > 1 else None


def _silent(_: str) -> None:
    """Nothing is said about single rounds."""


def _enrolled(url: str, tables: int | None) -> list[Controller]:
    """A server that is just starting gets a moment."""
    # Before the server is waited for: a number that no house here has is the asker's to mend.
    demo_floor.tables_to_play(tables)
    patience = time.monotonic() + SERVER_COMES_UP_WITHIN
    while True:
        try:
            return list(demo_floor.controllers(url, tables))
        except (OSError, http.client.HTTPException, ValueError) as problem:
            if time.monotonic() > patience:
                why = f"No Fairmeter answers at {url} ({problem}). Start it with: python3 manage.py up"
                raise CommandError(why) from None
            time.sleep(0.5)


def _opening(evening: Evening) -> str:
    tables = ", ".join(controller.table for controller in evening.controllers)
    length = "until Ctrl-C" if evening.rounds is None else f"{evening.rounds} rounds each"
    door = "signed HTTP" if evening.over_http else "WebSocket"
    return f"Playing {tables}: {length}, over {door}, seed {evening.seed}."


def _pace(speed: float | None, *, endless: bool) -> Pace:
    if speed is None:
        return Pace(CALM, endless=True) if endless else Pace()
    return Pace(speed, endless)


def _positive(text: str) -> int:
    try:
        return read_whole(text, "number", 1, 10**9)
    except NotANumber as why:
        raise ArgumentTypeError(str(why)) from None


def _speed(text: str) -> float:
    try:
        # A speed is no money.
        speed = float(read_amount(text, "speed", digits=8, least=Money.of(0), most=Money.of(100_000)).decimal())
    except NotANumber as why:
        raise ArgumentTypeError(f"{why} 1 is life, 60 plays an hour in a minute, 0 does not wait.") from None
    return speed


def _hours(text: str) -> float:
    try:
        least, most = Money.of("0.00000001"), Money.of(1_000)
        return float(read_amount(text, "number of hours", digits=8, least=least, most=most).decimal())
    except NotANumber as why:
        raise ArgumentTypeError(f"{why} Write 8 or 0.5.") from None


def _crowd(text: str) -> Crowd:
    try:
        return Crowd.of(text)
    except NoSuchCrowd as why:
        raise ArgumentTypeError(str(why)) from None
