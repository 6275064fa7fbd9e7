"""manage.py bench NAME [--rounds N] [--smoke]"""

from __future__ import annotations

import argparse
import signal
import sys
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any, Final

from django.core.management.base import BaseCommand, CommandError, CommandParser
from rich.console import Console

NAMES: Final = ("coin-in", "signs", "prove", "awards", "pages", "size", "restart", "floor")
SIZES: Final = ("rounds", "wins", "jackpots", "tables", "times")
INCONCLUSIVE: Final = 3


class Command(BaseCommand):
    help = "Measure the product beside its peers, durable, on a database of the benchmark's own."
    # It measures a house of its own: nothing of this one has to be in order.
    requires_system_checks: Any = []

    def add_arguments(self, parser: CommandParser) -> None:
        parser.formatter_class = argparse.RawDescriptionHelpFormatter
        parser.add_argument("name", choices=[*NAMES, "all"])
        parser.add_argument("--rounds", type=int, default=6, metavar="N", help="how often everything is measured (6)")
        parser.add_argument("--smoke", action="store_true", help="one short round: all gates, no word about speed")

        for name, usual in (("rounds", "1,000,000"), ("wins", "10,000"), ("jackpots", "100"), ("tables", "2,000"),
                            ("times", "20")):  # fmt: skip
            parser.add_argument(f"--size-{name}", type=int, metavar="N", help=f"of `size`: how many {name} ({usual})")
        parser.add_argument("--size-house", type=Path, metavar="DIR", help="of `size`: where its house lies and stays")

    def handle(self, *args: Any, **options: Any) -> None:
        # Imported only here: nothing of the product imports `proving`, and its tools are not those of `up`.
        from proving.bench.rounds import MeasurePlan

        # So that a polite end, like Ctrl-C, still takes down the servers and the folder.
        signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
        names = NAMES if options["name"] == "all" else (options["name"],)
        self.size = {name: options[f"size_{name}"] for name in SIZES if options[f"size_{name}"] is not None}
        self.kept: Path | None = options["size_house"]
        codes = [self._measure(name, MeasurePlan.of(options["rounds"], options["smoke"])) for name in names]
        if any(codes):
            sys.exit(max(codes))

    def _measure(self, name: str, pace: Any) -> int:
        from proving.bench.results import keep, show
        from proving.house import NotCarriedOut

        # A log has no width of its own, and the figures need this much.
        console = Console(width=None if sys.stdout.isatty() else 160)
        try:
            measure = benchmark(name)
            more = {"wanted": self.size, "kept": self.kept} if name == "size" else {}
            result = measure(pace, lambda text: console.print(text, style="dim"), **more)
        except NotCarriedOut as why:
            raise CommandError(str(why)) from None
        show(result, console)
        if not pace.smoke:
            console.print(f"Kept as proving/bench/results/{keep(result).name}")
        return self._judge(result)

    def _judge(self, result: Any) -> int:
        """Broken books end with 1, so does a figure below its floor; a noisy machine is no verdict: 3."""
        from proving.bench.figures import FigureVerdict

        if result.broken_gates:
            raise CommandError("The books do not hold what was acknowledged. Look at the gates above.")
        if result.pace.smoke:
            return 0
        if below := result.lines_with(FigureVerdict.BELOW):
            raise CommandError(f"Below the floor: {', '.join(line.name for line in below)}.")
        if result.lines_with(FigureVerdict.INCONCLUSIVE):
            self.stderr.write(
                "Inconclusive: other programs took too much of the machine. Run it again when it is quiet."
            )
            return INCONCLUSIVE
        return 0


def benchmark(name: str) -> Callable[..., Any]:
    """Each is imported only when it is asked for."""
    measure: Callable[..., Any] = import_module(f"proving.bench.{name.replace('-', '_')}").measure
    return measure
