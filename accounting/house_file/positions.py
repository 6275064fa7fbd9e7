"""Where each key of a TOML file stands, so that a refusal can name the line.

tomllib gives lines for wrong syntax only; this index is asked about files that tomllib has already accepted.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from typing import Final

Path = tuple[str | int, ...]

_TOKEN: Final = re.compile(
    r"""
    (?P<text>\"\"\".*?\"\"\"\"{0,2}|'''.*?''''{0,2}|"(?:\\.|[^"\\\n])*"|'[^'\n]*')
    |(?P<comment>\#[^\n]*)
    |(?P<line>\n)
    |(?P<mark>[\[\]{}=,.])
    |(?P<blank>[ \t\r]+)
    |(?P<word>[^\s\[\]{}=,.\#"']+)
    """,
    re.VERBOSE | re.DOTALL,
)


class NoPlace:
    """What was typed on a form or sent by a program: the sentence itself must name the field."""

    def line_of(self, path: Path) -> int:  # noqa: ARG002  there are no lines
        return 0

    def column_of(self, path: Path) -> str:  # noqa: ARG002  there are no columns
        return ""


class Positions:
    """The line of every key path; a path without a key of its own has the line of what holds it."""

    def __init__(self, text: str) -> None:
        self._lines: dict[Path, int] = {}
        self._header: Path = ()
        self._counts: dict[Path, int] = {}
        _Walk(self, text).walk()

    def line_of(self, path: Path) -> int:
        for length in range(len(path), 0, -1):
            if path[:length] in self._lines:
                return self._lines[path[:length]]
        return 1

    def column_of(self, path: Path) -> str:  # noqa: ARG002  a key of a file is found by its line
        return ""

    def lines(self) -> Mapping[Path, int]:
        return self._lines

    def open_table(self, keys: Path, line: int) -> None:
        self._header = self._resolved(keys)
        self._lines.setdefault(self._header, line)

    def open_element(self, keys: Path, line: int) -> None:
        """[[tables]]: one more element of a list of tables."""
        whole = (*self._resolved(keys[:-1]), keys[-1])
        self._counts[whole] = self._counts.get(whole, -1) + 1
        self._lines.setdefault(whole, line)
        self._header = (*whole, self._counts[whole])
        self._lines[self._header] = line

    def note(self, keys: Path, line: int) -> None:
        """A key and the parts of a dotted one."""
        for length in range(1, len(keys) + 1):
            self._lines.setdefault((*self._header, *keys[:length]), line)

    def _resolved(self, keys: Path) -> Path:
        """[jackpots.take_over] speaks of the last element of [[jackpots]]."""
        path: Path = ()
        for key in keys:
            path = (*path, key)
            if path in self._counts:
                path = (*path, self._counts[path])
        return path


class _Walk:
    """One pass over the tokens, statement by statement."""

    def __init__(self, positions: Positions, text: str) -> None:
        self._positions = positions
        self._tokens: list[tuple[str, str, int]] = []
        line = 1
        for match in _TOKEN.finditer(text):
            kind, said = str(match.lastgroup), match.group()
            if kind not in ("comment", "blank"):
                self._tokens.append((kind, said, line))
            line += said.count("\n")
        self._next = 0

    def walk(self) -> None:
        while self._next < len(self._tokens):
            kind, said, line = self._tokens[self._next]
            if kind == "line":
                self._next += 1
            elif said == "[" and kind == "mark":
                self._open(line)
            else:
                self._assign((), line)

    def _open(self, line: int) -> None:
        brackets = self._skip("[")
        keys = self._keys()
        self._skip("]")
        if brackets == 2:
            self._positions.open_element(keys, line)
        else:
            self._positions.open_table(keys, line)

    def _assign(self, inside: Path, line: int) -> None:
        keys = (*inside, *self._keys())
        self._positions.note(keys, line)
        self._skip("=")
        self._value(keys)

    def _value(self, path: Path) -> None:
        said = self._token_text()
        if said == "[":
            self._list(path)
        elif said == "{":
            self._inline(path)
        else:
            while self._next < len(self._tokens) and self._token_text() not in (",", "]", "}", "\n"):
                self._next += 1

    def _list(self, path: Path) -> None:
        self._next += 1
        place = 0
        while self._token_text() != "]":
            if self._token_text() in ("\n", ","):
                place += self._token_text() == ","
                self._next += 1
                continue
            self._positions.note((*path, place), self._line())
            self._value((*path, place))
        self._next += 1

    def _inline(self, path: Path) -> None:
        self._next += 1
        while self._token_text() != "}":
            if self._token_text() in ("\n", ","):
                self._next += 1
                continue
            self._assign(path, self._line())
        self._next += 1

    def _keys(self) -> Path:
        """A quoted key is read by tomllib, which knows its escapes."""
        keys: list[str | int] = []
        while self._next < len(self._tokens) and self._token_text() not in ("=", "]"):
            kind, said, _ = self._tokens[self._next]
            if kind in ("text", "word"):
                keys.append(next(iter(tomllib.loads(f"{said} = 0"))) if kind == "text" else said)
            self._next += 1
        return tuple(keys)

    def _skip(self, mark: str) -> int:
        count = 0
        while self._next < len(self._tokens) and self._token_text() == mark:
            self._next += 1
            count += 1
        return count

    def _token_text(self) -> str:
        """A quoted text never equals a mark: its quotes are part of what was said."""
        return self._tokens[self._next][1]

    def _line(self) -> int:
        return self._tokens[self._next][2]
