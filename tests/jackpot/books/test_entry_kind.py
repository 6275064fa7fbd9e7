"""The kinds of entries are told once; the page for strangers and the stranger's verifier know the same ones."""

from __future__ import annotations

import runpy
from pathlib import Path

import pytest

from jackpot.books.rules.entry_kind import EntryKind, known_kind, table_of_kinds
from jackpot.books.rules.kinds import CORRECTING, FIRST, ORDERING, STATES, TRANSFERS

PROJECT = Path(__file__).parents[3]


@pytest.fixture(scope="module")
def verifier() -> dict[str, object]:
    return runpy.run_path(str(PROJECT / "deploy" / "verify_books.py"))


def test_the_page_for_strangers_has_the_table_of_kinds_as_the_enumeration_tells_it() -> None:
    page = (PROJECT / "docs" / "books.md").read_text(encoding="utf-8")
    section = page.partition("## Every kind of entry\n\n")[2].partition("\n## ")[0]
    cure = "paste what `python -m jackpot.books.rules.entry_kind` prints into docs/books.md"
    assert section.strip().splitlines() == list(table_of_kinds()), cure


def test_the_verifier_knows_exactly_the_kinds_of_the_books(verifier: dict[str, object]) -> None:
    assert set(verifier["KINDS"]) == {kind.value for kind in EntryKind}  # type: ignore[call-overload]


@pytest.mark.parametrize(
    ("name", "ours"),
    [
        ("FIRST", FIRST),
        ("CORRECTING", CORRECTING),
        ("ORDERING", ORDERING),
        ("STATES", STATES),
        ("TRANSFERS", TRANSFERS),
    ],
)
def test_the_verifier_sorts_them_as_the_books_do(
    verifier: dict[str, object], name: str, ours: frozenset[EntryKind]
) -> None:
    assert set(verifier[name]) == {kind.value for kind in ours}  # type: ignore[call-overload]


def test_a_word_that_is_no_kind_is_known_as_none() -> None:
    assert known_kind("opening") is EntryKind.OPENING
    assert known_kind("OPENING") is None
    assert known_kind("") is None
