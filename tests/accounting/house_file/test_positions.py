"""Where a key of a casino file stands."""

from __future__ import annotations

import tomllib
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from accounting.house_file.demo import EMERALD
from accounting.house_file.positions import Path, Positions

TEXT = '''# a remark with = and [brackets]
format = 1
[property]
code = "E = [1"  # not a list ] }
address = """
1 Street = [x]
"""
[roles."count team"]
may = ["a", "b",
  "c"]  # three
[[tables]]
code = "A"
[[tables]]
code = "B"
when = 2026-01-01 10:00:00
links = [{ a = 1 },
  { b = { c = 2.5 } }]
[tables.take_over]
x.y = 'it''s'
'''.replace("'it''s'", "'its'")


@pytest.mark.parametrize(
    ("path", "line"),
    [
        (("format",), 2),
        (("property", "code"), 4),
        (("property", "address"), 5),
        (("roles", "count team"), 8),
        (("roles", "count team", "may", 2), 10),
        (("tables", 0, "code"), 12),
        (("tables", 1), 13),
        (("tables", 1, "links", 0, "a"), 16),
        (("tables", 1, "links", 1, "b", "c"), 17),
        (("tables", 1, "take_over"), 18),
        (("tables", 1, "take_over", "x", "y"), 19),
        (("tables", 1, "no such key"), 13),
        (("nowhere",), 1),
    ],
)
def test_every_key_has_the_line_it_stands_in(path: Path, line: int):
    tomllib.loads(TEXT)
    assert Positions(TEXT).line_of(path) == line


def paths_of(value: Any, path: Path = ()) -> list[Path]:
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [path, *(found for key, one in inner for found in paths_of(one, (*path, key)))]


def test_no_key_of_the_demo_file_is_missed():
    text = EMERALD.read_text()
    known = Positions(text).lines()
    missed = [path for path in paths_of(tomllib.loads(text))[1:] if path not in known and path != ("roles",)]
    assert missed == []


@given(st.lists(st.text("ab=[]{},.#'\\\"", max_size=6), min_size=1, max_size=5))
def test_no_text_in_quotes_is_taken_for_a_bracket(texts: list[str]):
    quoted = ['"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"' for text in texts]
    text = "".join(f"key{place} = [{one}]\n" for place, one in enumerate(quoted))
    tomllib.loads(text)
    positions = Positions(text)
    assert [positions.line_of((f"key{place}",)) for place in range(len(texts))] == list(range(1, len(texts) + 1))


def test_a_quoted_key_keeps_its_dot_and_its_escapes():
    text = 'roles.see = 1\n"a.b" = 2\n"\\u0061\\"c".d = [\n  # a remark\n  3,\n]\n'
    assert tomllib.loads(text) == {"roles": {"see": 1}, "a.b": 2, 'a"c': {"d": [3]}}
    positions = Positions(text)
    assert [positions.line_of(path) for path in (("roles", "see"), ("a.b",), ('a"c', "d"), ('a"c', "d", 0))] == [
        1, 2, 3, 5,
    ]  # fmt: skip
