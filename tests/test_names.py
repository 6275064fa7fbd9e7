"""What is tidy only over all files together: a name stands once, and the documents speak of what is there."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable
from typing import Final

from tests.test_tidy import PROJECT, ROOMS, File, everything, product

NAMED_BY_DJANGO: Final = frozenset({"Command", "Meta"})


def class_names(files: Iterable[File]) -> dict[str, list[str]]:
    """Every class of the product with the places where one of that name stands."""
    places: dict[str, list[str]] = {}
    for file in files:
        for node in ast.walk(file.tree):
            if isinstance(node, ast.ClassDef) and node.name not in NAMED_BY_DJANGO:
                places.setdefault(node.name, []).append(f"{file.path}:{node.lineno}")
    return places


def test_a_class_name_exists_once() -> None:
    """Two classes of one name make every search find the wrong one first."""
    standing = class_names(file for file in everything() if product(file))
    twice = {name: places for name, places in standing.items() if len(places) > 1}
    assert not twice, "rename all but one of them"


def test_every_subject_is_on_the_map() -> None:
    """docs/architecture.md answers “where do I find …” for every folder of the three rooms."""
    on_the_map = (PROJECT / "docs" / "architecture.md").read_text(encoding="utf-8")
    folders = [path for room in ("jackpot", "tables", "accounting") for path in (PROJECT / room).iterdir()]
    subjects = [f"{path.parent.name}/{path.name}" for path in folders if (path / "__init__.py").exists()]
    missing = [subject for subject in subjects if f"| `{subject}` |" not in on_the_map]
    assert [subject for subject in missing if not subject.endswith(("/migrations", "/management"))] == []


def test_files_that_the_documents_name_are_there() -> None:
    places = re.compile(rf"`((?:{'|'.join((*ROOMS, 'deploy', 'tests'))})/[\w./-]+)`")
    named = {
        (file.path, place)
        for file in everything() if file.path.endswith(".md") and file.parts[0] in ("docs", "README.md")
        for place in places.findall(file.text)
    }  # fmt: skip
    gone = [each for each in named if not (PROJECT / each[1]).exists() and not (PROJECT / f"{each[1]}.py").exists()]
    assert sorted(gone) == []


def test_a_class_that_stands_twice_is_seen() -> None:
    files = [File("tables/a.py", "class Hit: ..."), File("jackpot/a.py", "x = 1\nclass Hit: ...")]
    assert class_names(files) == {"Hit": ["tables/a.py:1", "jackpot/a.py:2"]}
