"""Where each key of a TOML file stands, so that a refusal can name the line.

tomllib gives lines for wrong syntax only; this index is asked about files that tomllib has already accepted. The
grammar is that of tree-sitter; see decision 0020.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from typing import Final

import tree_sitter_toml
from tree_sitter import Language, Node, Parser

Path = tuple[str | int, ...]

TOML: Final = Language(tree_sitter_toml.language())


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
        self._counts: dict[Path, int] = {}
        for statement in _parts(Parser(TOML).parse(text.encode()).root_node):
            if statement.type == "pair":
                self._note_pair(statement, ())
            else:
                self._open(statement)

    def line_of(self, path: Path) -> int:
        # From the whole path inwards: a key that is missing has the line of the section that lacks it.
        for length in range(len(path), 0, -1):
            if path[:length] in self._lines:
                return self._lines[path[:length]]
        return 1

    def column_of(self, path: Path) -> str:  # noqa: ARG002  a key of a file is found by its line
        return ""

    def lines(self) -> Mapping[Path, int]:
        return self._lines

    def _open(self, table: Node) -> None:
        """[property], or [[tables]]: one more element of a list of tables."""
        header, *pairs = _parts(table)
        keys, line = _keys(header), _line(table)
        path = self._resolved(keys)
        if table.type == "table_array_element":
            whole = (*self._resolved(keys[:-1]), keys[-1])
            self._lines.setdefault(whole, line)
            self._counts[whole] = self._counts.get(whole, -1) + 1
            path = (*whole, self._counts[whole])
        self._lines.setdefault(path, line)
        for pair in pairs:
            self._note_pair(pair, path)

    def _note_pair(self, pair: Node, inside: Path) -> None:
        """A key and the parts of a dotted one, then what stands in its value."""
        header, value = _parts(pair)
        keys = _keys(header)
        for length in range(1, len(keys) + 1):
            self._lines.setdefault((*inside, *keys[:length]), _line(pair))
        self._note_value(value, (*inside, *keys))

    def _note_value(self, value: Node, path: Path) -> None:
        if value.type == "inline_table":
            for pair in _parts(value):
                self._note_pair(pair, path)
        elif value.type == "array":
            for place, each in enumerate(_parts(value)):
                self._lines.setdefault((*path, place), _line(each))
                self._note_value(each, (*path, place))

    def _resolved(self, keys: Path) -> Path:
        """[jackpots.take_over] speaks of the last element of [[jackpots]]."""
        path: Path = ()
        for key in keys:
            path = (*path, key)
            if path in self._counts:
                path = (*path, self._counts[path])
        return path


def _parts(node: Node) -> list[Node]:
    return [each for each in node.named_children if each.type != "comment"]


def _line(node: Node) -> int:
    return node.start_point.row + 1


def _keys(node: Node) -> Path:
    """A quoted key is read by tomllib, which knows its escapes."""
    if node.type == "dotted_key":
        return tuple(key for each in _parts(node) for key in _keys(each))
    said = (node.text or b"").decode()
    return (next(iter(tomllib.loads(f"{said} = 0"))) if node.type == "quoted_key" else said,)
