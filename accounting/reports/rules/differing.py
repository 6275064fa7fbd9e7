"""Two sets of parameters, field by field: what is not the same, in plain words."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

NOT_SET: Final = "–"


def differing_fields(before: Mapping[str, Any], after: Mapping[str, Any]) -> Iterator[tuple[str, str, str]]:
    """Every field that differs, with its value before and after; fields of fields as “pay_table · lines · royal”."""
    for name in dict.fromkeys((*before, *after)):
        yield from _differing(name.replace("_", " "), before.get(name), after.get(name))


def _differing(name: str, before: Any, after: Any) -> Iterator[tuple[str, str, str]]:
    if before == after:
        return
    if isinstance(before, Mapping) and isinstance(after, Mapping):
        for inner, old, new in differing_fields(before, after):
            yield f"{name} · {inner}", old, new
    # By code and not by place: a line that was put on top would make all below it differ.
    elif _is_coded(before) and _is_coded(after):
        yield from _differing(name, _by_code(before), _by_code(after))
    else:
        yield name, _as_text(before), _as_text(after)


def _is_coded(value: Any) -> bool:
    """A list of things that carry a code, as the lines of a pay table do."""
    return (
        isinstance(value, list) and bool(value) and all(isinstance(each, Mapping) and "code" in each for each in value)
    )


def _by_code(things: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    return {str(thing["code"]): thing for thing in things}


def _as_text(value: Any) -> str:
    if value is None:
        return NOT_SET
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, Mapping):
        return ", ".join(f"{name.replace('_', ' ')} {_as_text(each)}" for name, each in value.items())
    if isinstance(value, list):
        return ", ".join(_as_text(each) for each in value) or NOT_SET
    return str(value)
