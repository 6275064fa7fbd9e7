"""manage.py simulate: a whole evening of the demo casino over the real protocol."""

from __future__ import annotations

import asyncio
import contextlib
import http.client
import math
import sys
import time
from argparse import ArgumentTypeError
from collections.abc import Callable, Iterator
from decimal import Decimal
from typing import Any, Final

from django.core.management.base import BaseCommand, CommandError, CommandParser

from config.casino import demo_floor
from jackpot.actions.refusals import Refused
from tables.actions.prove import prove
from tables.simulator.evening import Evening, Report, play
from tables.simulator.hits import Staff
from tables.simulator.pace import CALM, ROUNDS_AN_HOUR, Pace
from tables.simulator.script import Crowd, NoSuchCrowd
from tables.simulator.wires import Controller, SaidNo

SERVER_COMES_UP_WITHIN: Final = 15.0
A_LINE_EVERY: Final = 10.0
HITS: Final = "hits as the cards fall; dense: the deck is stacked for a show; none: nobody looks at the cards"


class Command(BaseCommand):
    help = "Plays the demo casino: devices, dealers and players over the real protocol, then a reconciliation."

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
            terms = demo_floor.terms_of(controller.table for controller in controllers)
        except (Refused, SaidNo) as refusal:
            raise CommandError(refusal.why) from None
        rounds = options["rounds"] or (options["hours"] and math.ceil(options["hours"] * ROUNDS_AN_HOUR))
        evening = Evening(
            url=options["url"], controllers=controllers, rounds=rounds, crowd=options["seats"], seed=options["seed"],
            pace=_pace(options["speed"], endless=rounds is None), over_http=options["http"],
            staff=_staff(options["hits"]), show=self.stdout.write if options["verbosity"] > 1 else _silent,
        )  # fmt: skip
        self.stdout.write(_opening(evening))
        total = None if rounds is None else rounds * len(controllers)
        with self._progress(total) as watch, demo_floor.keys_out(controller.table for controller in controllers):
            report = asyncio.run(play(evening, terms, watch))
        if not self._reckoned(report, proven=rounds is not None):
            sys.exit(1)

    def _reckoned(self, report: Report, *, proven: bool) -> bool:
        """Meters against coin-ins and awards, and after an evening with an end the proof of all books."""
        try:
            report = report.with_awards(demo_floor.moved_by(report.wins))
        except Refused as refusal:
            raise CommandError(refusal.why) from None
        for line in report_lines(report):
            self.stdout.write(line)
        if not proven:
            return report.good
        verdict = prove()
        for books in verdict.jackpots:
            self.stdout.write(str(books))
        return report.good and verdict.holds

    @contextlib.contextmanager
    def _progress(self, total: int | None) -> Iterator[Callable[[int], None]]:
        """A bar for a person; lines for a log, now and then."""
        if total is None or not sys.stdout.isatty():
            yield self._lines(total)
            return
        from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

        columns = (TextColumn("rounds"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
        with Progress(*columns) as bar:
            task = bar.add_task("rounds", total=total)
            yield lambda rounds: bar.update(task, completed=rounds)

    def _lines(self, total: int | None) -> Callable[[int], None]:
        said = {"at": time.monotonic(), "rounds": 0}

        def line(rounds: int) -> None:
            now = time.monotonic()
            if rounds != said["rounds"] and (now - said["at"] >= A_LINE_EVERY or rounds == total):
                said.update(at=now, rounds=rounds)
                self.stdout.write(f"{rounds} rounds played" if total is None else f"{rounds} of {total} rounds")
                self.stdout.flush()

        return line


def _staff(hits: str) -> Staff | None:
    """A demo in which nobody may approve plays without hits."""
    people = demo_floor.staff(show=hits == "dense")
    return people if hits != "none" and people.supervisors and len(people.executives) > 1 else None


def _silent(_: str) -> None:
    """Nothing is said about single rounds."""


def _enrolled(url: str, tables: int | None) -> list[Controller]:
    """A server that is just starting gets a moment."""
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


def report_lines(report: Report) -> Iterator[str]:
    """What was played, what went wrong, and whether every meter stands where it must."""
    tallies = report.tallies.values()
    losses, repeats = sum(tally.losses for tally in tallies), sum(tally.repeats for tally in tallies)
    yield f"{report.rounds} rounds, {report.chips} chips; {losses} answers lost, {repeats} repeats recognised."
    yield from (f"Stopped early: {trouble}" for trouble in report.troubles)
    if report.wins:
        yield f"{len(report.wins)} awards, {sum(Decimal(win.amount) for win in report.wins)} won."
    if report.reckoned:
        heads = f"{'awards':>14} {'expected':>14} {'meter':>14} {'difference':>12}"
        yield f"{'jackpot':<12} {'before':>14} {'chips':>9} {heads}"
    for line in report.reckoned:
        yield (
            f"{line.jackpot:<12} {line.before:>14} {line.chips:>9} {line.awards:>14.2f} {line.expected:>14.2f} "
            f"{line.after:>14.2f} "
            f"{f'{line.difference:.2f}' if line.agrees else line.difference:>12}"
        )
    if not report.reckoned:
        yield "Not reconciled."
    elif all(line.agrees for line in report.reckoned):
        yield "Reconciled: every meter stands exactly where the acknowledged coin-ins and awards put it."
    else:
        yield "The meters differ. If anybody else played, voided or won meanwhile, the difference is theirs."


def _pace(speed: float | None, *, endless: bool) -> Pace:
    if speed is None:
        return Pace(CALM, endless=True) if endless else Pace()
    return Pace(speed, endless)


def _positive(text: str) -> int:
    if not text.isdigit() or int(text) < 1:
        raise ArgumentTypeError(f"“{text}” is no whole number from 1 up.")
    return int(text)


def _speed(text: str) -> float:
    try:
        speed = float(text)
    except ValueError:
        speed = -1
    if not 0 <= speed <= 100_000:
        raise ArgumentTypeError(f"“{text}” is no speed. 1 is life, 60 plays an hour in a minute, 0 does not wait.")
    return speed


def _hours(text: str) -> float:
    try:
        hours = float(text)
    except ValueError:
        hours = -1
    if not 0 < hours <= 1_000:
        raise ArgumentTypeError(f"“{text}” is no number of hours. Write 8 or 0.5.")
    return hours


def _crowd(text: str) -> Crowd:
    try:
        return Crowd.of(text)
    except NoSuchCrowd as why:
        raise ArgumentTypeError(str(why)) from None
