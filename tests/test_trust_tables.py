"""Whoever reads that something holds finds what shows it: each row of the tables of security and reliability ends at
tests that are there and can fail, at a drill that can be run, or is named here with the sentence that says why not.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from proving.drill.chosen import FAULT_DRILLS

ROOT = Path(__file__).resolve().parent.parent
DOCS = ("docs/security.md", "docs/reliability.md")
THREATS = [f"T{number}" for number in range(1, 24)]
FAULTS = [f"F{number}" for number in range(1, 21)]
# Not prevented, or not there: the row itself says so.
SAID_WHY = ("T8: a swipe repeated elsewhere", "T10: two people of one mind")
HEADS = ("shown by", "ends at", "how it is shown")
NAMED = re.compile(r"`((?:[\w./-]*/)?(?:test_\w+|\w+_drill)\.py|tests/[\w./-]+)`")
PLACES = re.compile(r"`((?:tests|config|jackpot|tables|accounting|launcher|proving|deploy|releases)/[\w./-]+)`")
SCENES = re.compile(r"^from (tests[\w.]+) import", re.MULTILINE)
DRILL = re.compile(r"`drill (\w+)")
DRILLS = {"kill", "two", "teeth", *FAULT_DRILLS}
PHASES = re.compile(r"`drill (?:cluster|strain)[^`]*`: ((?:\*\w+\*(?:, )?)+)")  # what is done to the house there
CHECKS = ("assert", "raises", "expect(", "pytest.fail")


def rows() -> Iterator[tuple[str, str, str]]:
    """Page, what the row is about, and its last cell; of tables whose last column says what shows it."""
    for page in DOCS:
        shown = False
        for line in (ROOT / page).read_text(encoding="utf-8").splitlines():
            cells = [cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]]
            if not cells:
                # A row that follows an empty line stands in the same table still.
                shown = shown and not line
            elif cells[-1] in HEADS:
                shown = True
            elif shown and not set(cells[-1]) <= {"-"}:
                yield page, cells[0], cells[-1]


ROWS = list(rows())


@cache
def checks_in(path: Path) -> int:
    """How many tests of the file, or of the folder, hold something against something, there or in a scene of theirs."""
    if path.is_dir():
        return sum(checks_in(each) for each in path.rglob("test_*.py"))
    text = path.read_text(encoding="utf-8")
    scenes = [ROOT / f"{name.replace('.', '/')}.py" for name in SCENES.findall(text)]
    told = text + "".join(each.read_text(encoding="utf-8") for each in scenes if each.is_file())
    if not any(word in told for word in CHECKS):
        return 0
    # A plugin is no test and makes every one of them hold more.
    named = "test_" if path.name.startswith("test_") else "pytest_"
    made = [each for each in ast.walk(ast.parse(text)) if isinstance(each, ast.FunctionDef | ast.AsyncFunctionDef)]
    return sum(each.name.startswith(named) for each in made)


def found(name: str, page: str, beside: str) -> Path | None:
    """A whole path; a short name stands in the folder named before it in its row, or anywhere once."""
    whole = ROOT / name
    if whole.exists() and "/" in name:
        return whole
    near = [ROOT / each for each in re.findall(r"`(tests/[\w./-]+)/test_\w+\.py`", beside)]
    for folder in near:
        if (folder / name).is_file():
            return folder / name
    anywhere = list((ROOT / "tests").rglob(Path(name).name)) if "/" not in name else []
    return anywhere[0] if len(anywhere) == 1 else None


@pytest.mark.parametrize("page", DOCS)
def test_what_a_page_names_is_there_and_can_fail(page: str) -> None:
    lost = []
    for _, about, shown in (row for row in ROWS if row[0] == page):
        for name in NAMED.findall(shown):
            path = found(name, page, shown)
            if path is None or not checks_in(path):
                lost.append(f"{about[:60]}: {name}")
        lost += [f"{about[:60]}: drill {name}" for name in DRILL.findall(shown) if name not in DRILLS]
        lost += [f"{about[:60]}: {name}" for name in named_phases(shown) if not re.search(rf"\b{name}\b", sources())]
    assert lost == []


def named_phases(shown: str) -> list[str]:
    return [name for told in PHASES.findall(shown) for name in re.findall(r"\w+", told)]


@cache
def sources() -> str:
    return "".join(each.read_text(encoding="utf-8") for each in (ROOT / "proving").rglob("*.py"))


def test_no_row_ends_at_nothing() -> None:
    bare = []
    for _, about, shown in ROWS:
        same, named = shown.startswith("the same"), NAMED.search(shown) or DRILL.search(shown)
        if not (same or named or "*" in shown or "`" in shown or about in SAID_WHY):
            bare.append(about)
    assert bare == []
    assert len(ROWS) > 90, "the tables are found"


def test_every_threat_and_every_fault_of_the_model_has_its_row() -> None:
    told = " ".join(about for _, about, _ in ROWS)
    assert [each for each in (*THREATS, *FAULTS) if not re.search(rf"\b{each}\b", told)] == []


def test_every_place_that_these_pages_name_is_there() -> None:
    """Also beside the tables: a sentence that leads to a moved file leads nowhere."""
    lost = [
        f"{page}: {name}"
        for page in DOCS
        for name in PLACES.findall((ROOT / page).read_text(encoding="utf-8"))
        if not (ROOT / name).exists()
    ]
    assert lost == []
