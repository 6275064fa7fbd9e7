"""What is installed, file by file: a digest for each, one digest for all, and a list to hold them against.

A house that received a list of digests beside the program (`MANIFEST.sha256`, as sha256sum writes it) starts only as
that list says it.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final

LIST: Final = "MANIFEST.sha256"
FOLDERS: Final = ("accounting", "config", "deploy", "jackpot", "launcher", "static", "tables", "templates")
FILES: Final = ("manage.py", "requirements.txt", "pyproject.toml")
LEFT_OUT: Final = frozenset({"__pycache__", ".DS_Store"})
SHOWN: Final = 5
Manifest = Mapping[str, str]  # the path from the program's folder, and the sha-256 of what it holds


class NotAsListed(Exception):
    """The program is not the one that the list beside it names; the message names files and cure."""


def manifest(project: Path) -> dict[str, str]:
    """Every file of the program; what a start makes by itself (compiled code, data) is none."""
    return {str(path.relative_to(project)): _digest(path) for path in _files(project)}


def build_of(found: Manifest) -> str:
    """One name for all of it: the digest of the list as sha256sum would write it."""
    return hashlib.sha256(listed(found).encode()).hexdigest()


def listed(found: Manifest) -> str:
    return "".join(f"{digest}  {path}\n" for path, digest in sorted(found.items()))


def read_list(text: str) -> dict[str, str]:
    """A line that is not digest and path is refused: a list that cannot be read proves nothing."""
    told: dict[str, str] = {}
    for number, line in enumerate(text.splitlines(), 1):
        digest, blank, path = line.partition("  ")
        if not blank or len(digest) != hashlib.sha256().digest_size * 2 or not path.strip():
            raise NotAsListed(f"{LIST}, line {number} is no digest with a path. Write it as sha256sum does.")
        # So sha256sum marks what it read as binary.
        told[path.removeprefix("*")] = digest.lower()
    return told


def differing(before: Manifest, after: Manifest) -> list[str]:
    """The files that changed, came or went, in their order."""
    return sorted(path for path in before.keys() | after.keys() if before.get(path) != after.get(path))


def named(paths: list[str]) -> str:
    """The first few by name, the rest as a number."""
    more = f" and {len(paths) - SHOWN} more" if len(paths) > SHOWN else ""
    return f"{', '.join(paths[:SHOWN])}{more}"


def refuse_unlisted(project: Path) -> None:
    """Where a list stands beside the program, every file of it is there and as listed, and no other one is."""
    path = project / LIST
    if not path.exists():
        return
    wrong = differing(read_list(path.read_text(encoding="utf-8")), manifest(project))
    if wrong:
        why = f"This is not the program that {LIST} names: {named(wrong)}."
        raise NotAsListed(f"{why} Install the listed one again, or bring the list of what is installed.")


def _files(project: Path) -> Iterator[Path]:
    yield from (project / name for name in FILES if (project / name).is_file())
    for folder in FOLDERS:
        for path in sorted((project / folder).rglob("*")):
            if path.is_file() and LEFT_OUT.isdisjoint(path.relative_to(project).parts):
                yield path


def _digest(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()
