"""What a benchmark leaves behind: a table for the reader and a file for the record."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

from rich.console import Console
from rich.table import Table

from proving.bench.figures import FigureLine, FigureVerdict, Round
from proving.bench.rounds import MeasurePlan, Summary
from proving.gates import Gate

SLOWEST: Final = 25
KEPT: Final = Path(__file__).parent / "results"


@dataclass(frozen=True, slots=True)
class Result:
    """One benchmark, measured."""

    name: str
    pace: MeasurePlan
    machine: dict[str, Any]
    lines: list[FigureLine]
    gates: list[Gate]
    summaries: list[Summary] = field(default_factory=list)
    rounds: list[Round] = field(default_factory=list)
    pages: list[dict[str, Any]] = field(default_factory=list)

    @property
    def broken_gates(self) -> list[Gate]:
        return [gate for gate in self.gates if not gate.holds]

    def lines_with(self, verdict: FigureVerdict) -> list[FigureLine]:
        return [line for line in self.lines if line.verdict == verdict.value]

    def plain(self, today: datetime) -> dict[str, Any]:
        return {
            "benchmark": self.name,
            "measured_on": today.date().isoformat(),
            "machine": self.machine,
            "rounds": self.pace.rounds,
            "warm_up_seconds": self.pace.warm_up,
            "window_seconds": self.pace.window,
            "lines": [line.plain() for line in self.lines],
            "gates": [asdict(gate) | {"holds": gate.holds} for gate in self.gates],
            "contenders": [asdict(each) for each in self.summaries],
            **({"pages": self.pages} if self.pages else {}),
        }


def keep(result: Result, folder: Path = KEPT) -> Path:
    today = datetime.now(UTC)
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{today.date().isoformat()}-{result.name}.json"
    path.write_text(json.dumps(result.plain(today), indent=2, ensure_ascii=False) + "\n")
    return path


def show(result: Result, console: Console) -> None:
    if result.summaries:
        console.print(_contenders(result.summaries))
    if result.pages:
        console.print(_pages(result.pages))
    console.print(_answers(result.lines))
    console.print(_gates(result.gates))
    console.print(", ".join(f"{name} {value}" for name, value in result.machine.items()), soft_wrap=True)


def _table(title: str, first: str, *others: str) -> Table:
    table = Table(title=title, title_justify="left", title_style="bold")
    table.add_column(first)
    for name in others:
        table.add_column(name, justify="right")
    return table


def _contenders(summaries: list[Summary]) -> Table:
    columns = ("events/s", "p50 ms", "p99 ms", "Python µs", "PostgreSQL µs", "client µs", "foreign cores")
    table = _table("Contenders, medians of all rounds", "contender", *columns)
    for each in summaries:
        costs = (f"{cost:.1f}" for cost in (each.python_us, each.database_us, each.client_us))
        row = (f"{each.rate:,.0f}", f"{each.p50_ms:.2f}", f"{each.p99_ms:.2f}", *costs, f"{each.foreign:.2f}")
        table.add_row(each.name, *row)
    return table


def _pages(pages: list[dict[str, Any]]) -> Table:
    """The slowest first; all of them stand in the file."""
    table = _table("The slowest addresses", "address", "p50 ms", "p95 ms", "at a tenth of the books", "kB")
    for page in sorted(pages, key=lambda page: -page["p95_ms"])[:SLOWEST]:
        figures = (page["p50_ms"], page["p95_ms"], page["p50_ms_at_a_tenth"], page["kb"])
        table.add_row(page["address"], *(shown(each) for each in figures))
    return table


def _answers(lines: list[FigureLine]) -> Table:
    columns = ("median", "min–max", "good rounds", "dropped", "with noisy", "aim", "floor", "verdict")
    table = _table("Answers, medians of per-round figures", "line", *columns)
    for line in lines:
        spread = f"{shown(line.ratio_min)}–{shown(line.ratio_max)}"
        middle = f"{shown(line.ratio_median)} {line.unit}"
        counts = (str(line.good_rounds), str(line.dropped_rounds), shown(line.noisy_median))
        table.add_row(line.name, middle, spread, *counts, shown(line.aim), shown(line.floor), line.verdict)
    return table


def _gates(gates: list[Gate]) -> Table:
    table = _table("Gates", "gate", "looked at", "")
    for gate in gates:
        verdict = "holds" if gate.holds else f"[bold red]BROKEN[/] {gate.against[0]}"
        table.add_row(gate.name, f"{gate.checked:,}", verdict)
    return table


def shown(figure: float | None) -> str:
    """Three figures that matter, whatever the size."""
    if figure is None:
        return "–"
    return f"{figure:,.0f}" if abs(figure) >= 100 else f"{figure:.3g}"
