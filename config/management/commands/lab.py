"""manage.py lab: the laboratory's answer in a terminal."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, TypeVar

from django.core.management.base import BaseCommand, CommandError, CommandParser

from accounting.lab.actions.questions import Ground, LabQuestion, asked_of, ground_of, values_of
from accounting.lab.pages import lab_figures
from config.management.laboratory import calculated
from jackpot.books.models.jackpot import Jackpot
from jackpot.refusals import Refused
from tables.floor.models.table import Table

SIDE: Final = ("wager", "seed", "rate", "reserve", "limit", "table", "fixed")
Told = TypeVar("Told")
PLAYED: Final = ("seats", "coin_ins", "days", "paths", "meter")


class Command(BaseCommand):
    help = "What a setting will do: edge, return, days to the top award, running dry, the worst round, findings."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--jackpot", default="", help="start from its live terms, such as GRAND")
        parser.add_argument("--json", action="store_true", help="the whole answer for programs")
        parser.add_argument("--against", nargs="*", default=None, metavar="NAME=VALUE", help="a second configuration")
        for name in (*SIDE, *PLAYED):
            parser.add_argument(f"--{name.replace('_', '-')}", default=None, dest=name)

    def handle(self, *args: Any, **wanted: Any) -> None:
        ground = _ground(wanted["jackpot"])
        asked = _asked(ground, wanted)
        answers = _or_sentence(lambda: calculated([one.plain for one in asked], self.stdout))
        if wanted["json"]:
            told = [{**one.plain, "answer": answer} for one, answer in zip(asked, answers, strict=True)]
            self.stdout.write(json.dumps({"ok": True, "configurations": told}, indent=2))
            return
        self._show(ground, answers)

    def _show(self, ground: Ground, answers: Sequence[Mapping[str, Any]]) -> None:
        # Imported where somebody looks on: a program that asks for JSON does without.
        from rich.console import Console
        from rich.table import Table as Printed

        house = ground.jackpot.premises if ground.jackpot else None
        stream: Any = self.stdout
        # Django wraps the stream, and the console has to see whether it is a terminal.
        console = Console(file=getattr(stream, "_out", stream))
        printed = Printed(
            title=f"{ground.jackpot.name if ground.jackpot else ground.game.title}: what this setting does"
        )
        printed.add_column("Figure")
        for side in "AB"[: len(answers)]:
            printed.add_column(side if len(answers) > 1 else "Value", justify="right")
        if len(answers) > 1:
            printed.add_column("B less A", justify="right")
        for figure in lab_figures.figures(answers, house):
            printed.add_row(figure.name, *figure.values, *([figure.apart] if len(answers) > 1 else []))
        console.print(printed)
        for side, told in zip("AB", answers, strict=False):
            for finding in told["findings"]:
                # Sentences may hold brackets, which would be read as markup.
                console.print(f"{side}  {finding['weight']:8}  {finding['why']}", markup=False, highlight=False)
            for row in told["worst_rounds"][:1]:
                console.print(row["why"], markup=False, highlight=False)
        # Both sides may leave out the same: it is said once.
        for words in dict.fromkeys(words for told in answers for words in told["leaves_out"]):
            console.print(f"Left out: {words}", markup=False, highlight=False)


def _ground(code: str) -> Ground:
    jackpot = Jackpot.objects.select_related("premises", "version").filter(code=code).first() if code else None
    if code and jackpot is None:
        known = ", ".join(Jackpot.objects.order_by("code").values_list("code", flat=True)) or "none yet"
        raise CommandError(f"There is no jackpot {code}; there is {known}.")
    table = Table.objects.filter(links__jackpot=jackpot).first() if jackpot else None
    return ground_of(jackpot, table.game if table else "", min(table.seats, 7) if table else 7)


def _asked(ground: Ground, wanted: Mapping[str, Any]) -> list[LabQuestion]:
    typed = {name: wanted[name] for name in PLAYED if wanted[name] is not None}
    first = {name: wanted[name] for name in SIDE if wanted[name] is not None}
    second = {**first, **_second(wanted["against"] or [])}
    typed |= {f"a_{name}": value for name, value in first.items()}
    typed |= {f"b_{name}": value for name, value in second.items()}
    sides = ("a",) if wanted["against"] is None else ("a", "b")
    return _or_sentence(lambda: asked_of(ground, values_of(ground, typed), sides))


def _second(words: Sequence[str]) -> dict[str, str]:
    read = dict(word.partition("=")[::2] for word in words)
    unknown = sorted(set(read) - set(SIDE))
    if unknown:
        raise CommandError(f"“{unknown[0]}” is no part of a configuration. Known: {', '.join(SIDE)}.")
    return read


def _or_sentence(act: Callable[[], Told]) -> Told:
    """A trouble of the asker's is one sentence, not a traceback."""
    try:
        return act()
    except (Refused, ValueError) as why:
        raise CommandError(str(why)) from None
