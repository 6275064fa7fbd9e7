"""Spells a house as a casino file: TOML that people read and change, and that our own reader understands."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from datetime import date
from typing import Any, Final

_BARE: Final = re.compile(r"[A-Za-z0-9_-]+")


def toml_text(content: Mapping[str, Any]) -> str:
    """Plain values first, then every section; lists of sections one below the other. What is None is left out."""
    return "\n".join(_lines(content, ())).strip("\n") + "\n"


def _lines(content: Mapping[str, Any], path: tuple[str, ...]) -> Iterator[str]:
    content = _without_none(content)
    for key, value in content.items():
        if not _is_section(value) and not (not path and _is_list_of_sections(value)):
            yield f"{_key(key)} = {_value(value)}"
    for key, value in content.items():
        below = (*path, key)
        name = ".".join(map(_key, below))
        if _is_section(value):
            yield from ("", f"[{name}]", *_lines(value, below))
        elif not path and _is_list_of_sections(value):
            for one in value:
                yield from ("", f"[[{name}]]", *_lines(one, below))


def _without_none(content: Mapping[str, Any]) -> Mapping[str, Any]:
    return {key: value for key, value in content.items() if value is not None}


def _is_section(value: object) -> bool:
    return isinstance(value, Mapping)


def _is_list_of_sections(value: object) -> bool:
    return isinstance(value, list | tuple) and bool(value) and all(_is_section(one) for one in value)


def _key(key: str) -> str:
    return key if _BARE.fullmatch(key) else _text(key)


def _value(value: object) -> str:
    match value:
        # Before `int`, for in Python a bool is one.
        case bool():
            return "true" if value else "false"
        case int():
            return str(value)
        case str():
            return _text(value)
        case date():
            return value.isoformat()
        case list() | tuple() if _is_list_of_sections(value):
            return "[\n" + "".join(f"  {_value(one)},\n" for one in value) + "]"
        case list() | tuple():
            return f"[{', '.join(map(_value, value))}]"
        case Mapping():
            return "{ " + ", ".join(f"{_key(key)} = {_value(one)}" for key, one in _without_none(value).items()) + " }"
        case _:
            raise TypeError(f"a casino file has no way to write {value!r}")


def _text(text: str) -> str:
    """JSON's escapes are TOML's, but for the one control character that JSON lets stand."""
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")
