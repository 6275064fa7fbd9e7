"""Every line of the sources has its statement, every statement its place and its tests, and the page says so."""

from __future__ import annotations

from tests.traceability import KEPT, PAGE, PARTLY, PROJECT, facts, page

DOCUMENTS, STATEMENTS = facts()


def test_every_line_of_every_source_has_a_statement() -> None:
    told = {line for each in STATEMENTS for line in each.lines()}
    wanted = {(code, line) for code, each in DOCUMENTS.items() for line in range(1, each["lines"] + 1)}
    assert sorted(wanted - told) == []
    assert sorted(told - wanted) == []


def test_every_place_is_there() -> None:
    assert sorted({path for each in STATEMENTS for path in each.place if not (PROJECT / path).exists()}) == []
    assert [each.source for each in STATEMENTS if not each.place] == []


def test_every_test_is_there_by_its_name() -> None:
    """A file alone proves nothing of a sentence: the function is named, and stands there."""
    named = {tuple(test.split("::")) for each in STATEMENTS for test in each.tests}
    assert [each for each in named if len(each) != 2] == []
    written = {path: (PROJECT / path).read_text(encoding="utf-8") for path, _ in named}
    assert sorted(f"{path}::{name}" for path, name in named if f"def {name}(" not in written[path]) == []


def test_no_sentence_is_told_twice_of_the_same_lines() -> None:
    seen = [(each.source, each.says) for each in STATEMENTS]
    assert sorted(each for each in seen if seen.count(each) > 1) == []


def test_what_has_no_test_or_is_kept_partly_says_why() -> None:
    assert {each.state for each in STATEMENTS} <= {KEPT, PARTLY}
    assert [each.source for each in STATEMENTS if not each.why and (not each.tests or each.state == PARTLY)] == []


def test_the_page_is_what_the_file_says() -> None:
    assert PAGE.read_text(encoding="utf-8") == page(), "write it anew: python3 -m tests.traceability"
