"""Files that somebody wrote to stop the house: refused with their line, in no time, before anybody reads them."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from accounting.house_file.bounds import beyond_bounds
from accounting.house_file.reader import read_text
from accounting.house_file.sections import CasinoRefused

OURS = [
    path for room in ("accounting", "jackpot", "tables", "docs", "tests") for path in sorted(Path(room).rglob("*.toml"))
]
ATTACKS = {
    "lists in lists": "a = " + "[" * 5000 + "]" * 5000,
    "tables in tables": "a = " + "{a=" * 5000 + "1" + "}" * 5000,
    "lists over many lines": "a = " + "[\n" * 5000 + "]" * 5000,
    "a number of 5,000 digits": "a = " + "1" * 5000,
    "a number of 50,000 digits in hexadecimal": "a = 0x" + "f" * 50_000,
    "a key of 25,000 parts": ".".join(["a"] * 25_000) + " = 1",
    "a key of quoted parts": ".".join(['"a"'] * 25_000) + " = 1",
    "a table of 25,000 parts": "[" + ".".join(["a"] * 25_000) + "]",
    "hidden behind a mark in a comment": '# """\n' + ".".join(["a"] * 25_000) + ' = 1\n# """',
    "hidden behind a comment in a text": "a = '#'\n" + ".".join(["a"] * 25_000) + " = 1",
    "a text without an end": 'a = """' + '\\"""' * 20_000,
}


@pytest.mark.parametrize("attack", ATTACKS.values(), ids=ATTACKS)
def test_a_file_that_is_an_attack_is_refused_and_costs_nothing(attack: str) -> None:
    began = time.process_time()
    with pytest.raises(CasinoRefused, match=r"casino.toml, line \d"):
        read_text(f"format = 1\n{attack}\n", "casino.toml")
    assert time.process_time() - began < 1.0


@pytest.mark.parametrize("path", OURS, ids=str)
def test_every_file_of_ours_is_within_the_bounds(path: Path) -> None:
    assert beyond_bounds(path.read_text(encoding="utf-8")) is None


@pytest.mark.parametrize(
    "kept", ["a = '..........' # " + "." * 99, 'a = """\n' + "." * 99 + '\n[[[[[[[[[[[[[[[[[[[["""', "# " + "[" * 99]
)
def test_what_stands_in_texts_and_comments_does_not_count(kept: str) -> None:
    assert beyond_bounds(kept) is None
