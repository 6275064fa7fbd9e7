"""The three proofs of the same books: from the database, from an export, and by the verifier that a stranger holds."""

from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path

import orjson

from jackpot.proof.rules.findings import Promise
from tables.rounds.queries.prove import prove
from tables.rounds.queries.prove_file import export, prove_file

VERIFIER = Path(__file__).parents[1] / "deploy" / "verify_books.py"


def exported(folder: Path) -> Path:
    path = folder / "books.jsonl"
    path.write_bytes(b"".join(orjson.dumps(line) + b"\n" for line in export()))
    return path


def said_by_a_stranger(path: Path) -> str:
    command = [sys.executable, "-I", str(VERIFIER), str(path)]
    told = subprocess.run(command, capture_output=True, text=True, check=False)
    assert not told.stderr, told.stderr
    return told.stdout


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
