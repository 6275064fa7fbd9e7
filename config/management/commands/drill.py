"""manage.py drill: kills a house of its own at full load and proves that nothing was lost or counted twice."""

from __future__ import annotations

import sys
from argparse import ArgumentTypeError
from functools import partial
from typing import Any, Final

from django.core.management.base import BaseCommand, CommandError, CommandParser

from jackpot.reading import NotANumber, read_whole
from launcher.house import stop_signals_interrupt
from launcher.sentences import CannotStart
from proving.drill.chosen import FAULT_DRILLS, add_faults
from proving.drill.faults import keep, lines_of
from proving.drill.kill import Drilled, Plan, drill
from proving.drill.report import lines
from proving.engines import NoEngine
from proving.house import EARLY, LOOSE, SOUND, NotCarriedOut, Weakness

SHORT: Final = (2, 2, 1.0)
DEFAULT: Final = (10, 10, 2.0)
LONG: Final = (100, 100, 3.0)
NOT_CARRIED_OUT: Final = 2  # 1 says that a gate failed
BROKEN: Final = {"early": EARLY, "loose": LOOSE}


class Command(BaseCommand):
    help = "Kill a house of its own (web, PostgreSQL) at full load and prove that nothing acknowledged was lost."
    requires_system_checks = []

    def add_arguments(self, parser: CommandParser) -> None:
        drills = parser.add_subparsers(dest="drill", required=True)
        kill = drills.add_parser("kill", help="kill -9 of web, what works beside it, and PostgreSQL; then the gates")
        _add_lengths(kill)
        kill.add_argument("--web", type=_count, metavar="N", help="kills of the web process (10)")
        kill.add_argument("--postgres", type=_count, metavar="N", help="kills of PostgreSQL (10)")
        kill.add_argument("--beside", type=_count, metavar="N", help="kills of what works beside a web process (10)")
        kill.add_argument("--broken", choices=[*BROKEN, "both"], nargs="?", const="both", help="a house that must fail")
        two = drills.add_parser("two", help="two web processes, every message to both in the same moment")
        two.add_argument("--web", type=_count, metavar="N", default=2, help="kills of either (2)")
        for each in (kill, two):
            each.add_argument("--seconds", type=_seconds, metavar="S", help="seconds of play, kills spread over them")
            each.add_argument("--seed", type=int, default=1, help="the same seed plays and kills alike (1)")
            each.add_argument("--tables", type=_count, default=40, metavar="N", help="tables that play (40)")
        drills.add_parser("teeth", help="both broken houses, shortly: succeeds if the gates catch both")
        add_faults(drills)

    def handle(self, *args: Any, **options: Any) -> None:
        faults = {name: partial(self._faults, name) for name in FAULT_DRILLS}
        run = ({"kill": self._kill, "two": self._two, "teeth": self._teeth} | faults)[options["drill"]]
        try:
            with stop_signals_interrupt():  # however it is stopped, it takes its house down first
                good = run(**options)
        except (NotCarriedOut, NoEngine, CannotStart) as sentence:
            raise CommandError(str(sentence), returncode=NOT_CARRIED_OUT) from None
        if not good:
            sys.exit(1)

    def _kill(self, **options: Any) -> bool:
        chosen = options["broken"]
        houses = list(BROKEN.values()) if chosen == "both" else [BROKEN[chosen]] if chosen else [SOUND]
        # A broken house gives itself away in the short run.
        plan = _plan(options, short=bool(chosen))
        drilled = [self._drilled(plan, weakness) for weakness in houses]
        return all(one.holds for one in drilled)

    def _two(self, **options: Any) -> bool:
        gap = options["seconds"] / max(options["web"], 1) if options["seconds"] else 3.0
        plan = Plan(options["web"], 0, gap, options["seed"], options["tables"], doors=2)
        return self._drilled(plan, SOUND).holds

    def _teeth(self, **options: Any) -> bool:
        caught = [not self._drilled(Plan(*SHORT), weakness).holds for weakness in BROKEN.values()]
        verdict = "has teeth: it caught both." if all(caught) else "missed a broken house: mend the drill first."
        self.stdout.write(f"The drill {verdict}")
        return all(caught)

    def _faults(self, name: str, **options: Any) -> bool:
        drilled = FAULT_DRILLS[name](options, self.stdout.write)
        for line in lines_of(drilled):
            self.stdout.write(line)
        if options["keep"]:
            self.stdout.write(f"Kept: {keep(drilled).name}")
        return drilled.holds

    def _drilled(self, plan: Plan, weakness: Weakness) -> Drilled:
        drilled = drill(plan, weakness, self.stdout.write)
        for line in lines(drilled):
            self.stdout.write(line)
        return drilled


def _add_lengths(parser: CommandParser) -> None:
    length = parser.add_mutually_exclusive_group()
    length.add_argument("--short", action="store_true", help="2 kills of each, within a minute: for every change")
    length.add_argument("--long", action="store_true", help="100 kills of each: before a release")


def _plan(options: dict[str, Any], *, short: bool) -> Plan:
    web, postgres, gap = SHORT if options["short"] or short else LONG if options["long"] else DEFAULT
    web = web if options["web"] is None else options["web"]
    postgres = postgres if options["postgres"] is None else options["postgres"]
    beside = 0 if options["broken"] else web if options["beside"] is None else options["beside"]
    if options["seconds"]:
        gap = options["seconds"] / max(web + postgres + beside, 1)
    return Plan(web, postgres, gap, options["seed"], options["tables"], beside=beside)


def _count(text: str) -> int:
    return _whole(text, "number of things", 0, 10_000)


def _seconds(text: str) -> float:
    return _whole(text, "number of seconds", 1, 86_400)


def _whole(text: str, what: str, low: int, high: int) -> int:
    try:
        return read_whole(text, what, low, high)
    except NotANumber as why:
        raise ArgumentTypeError(str(why)) from None
