"""The three proofs of the same books: from the database, from an export, and by the verifier that a stranger holds."""

from __future__ import annotations

import io
import sys
import tempfile
from contextlib import redirect_stdout
from functools import cache
from pathlib import Path
from types import CodeType
from typing import Any
from unittest.mock import patch

import orjson

from jackpot.proof.rules.findings import Promise
from tables.rounds.queries.prove import prove
from tables.rounds.queries.prove_file import export, prove_file

VERIFIER = Path(__file__).parents[1] / "deploy" / "verify_books.py"


def exported(folder: Path) -> Path:
    path = folder / "books.jsonl"
    path.write_bytes(b"".join(orjson.dumps(line) + b"\n" for line in export()))
    return path


@cache
def program() -> CodeType:
    """Compiled once: of a process of its own, a tenth of a second for each file, Python reads most of the time."""
    return compile(VERIFIER.read_text(), VERIFIER, "exec")


def said_by_a_stranger(path: Path) -> str:
    """What the verifier prints, all of it begun anew for this file. That it stands alone, away from all that is ours,
    is asked where it is started as a program (`tests/jackpot/proof/test_prove.py`)."""
    alone: dict[str, Any] = {"__name__": VERIFIER.stem}
    with redirect_stdout(io.StringIO()) as told, patch.object(sys, "argv", [VERIFIER.name, str(path)]):
        exec(program(), alone)
        disagrees = alone["main"]()
    said = told.getvalue()
    assert bool(disagrees) == any(line.startswith("[") for line in said.splitlines()), said
    return said


def found_by_all() -> tuple[set[str], set[str], set[str]]:
    """What the database's proof, the file's, and the stranger name; what no file carries is asked elsewhere."""
    with tempfile.TemporaryDirectory() as folder:
        path = exported(Path(folder))
        lines = said_by_a_stranger(path).splitlines()
        ours, of_the_file = prove().findings.listed, prove_file(path).findings.listed
    ours = [each for each in ours if each.kind is not Promise.SHOWN]
    told = {f"[{each.kind}] {each}" for each in ours}, {f"[{each.kind}] {each}" for each in of_the_file}
    return *told, {line for line in lines if line.startswith("[")}


def nothing_disagrees() -> bool:
    found = found_by_all()
    assert found == (set(), set(), set()), found
    return True
