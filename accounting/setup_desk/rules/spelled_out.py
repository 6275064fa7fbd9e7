"""What a second person signs, spelled out: every term of an opening and of a dated rule, not only that there is one."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import Any, Final

from accounting.house_file.change_kind import ChangeKind
from accounting.house_file.named import limits_named, notice_named, schedule_named
from jackpot.terms.rules.switch_words import SWITCH_WORDS

SPELLED: Final[Mapping[str, ChangeKind]] = {
    "jackpots": ChangeKind.JACKPOT, "shifts": ChangeKind.SHIFTS, "tax": ChangeKind.TAX,
    "unclaimed": ChangeKind.UNCLAIMED, "notices": ChangeKind.NOTICE, "collections": ChangeKind.COLLECTION,
    "schedules": ChangeKind.SCHEDULE, "limits": ChangeKind.LIMITS, "components": ChangeKind.COMPONENT,
}  # fmt: skip
_UNSAID: Final = frozenset({"code", "from", "signed_by"})


def spelled_out(content: Mapping[str, Any], subjects: Collection[str]) -> list[tuple[str, str]]:
    """Name and value of all that the new parts among these subjects say; what stands already is left out."""
    return [
        (f"{subject}: {name}", value)
        for key in SPELLED
        for part in content.get(key, ())
        for subject in [f"{SPELLED[key]} {_named(key, part)}"]
        if subject in subjects
        for name, value in _facts(part)
    ]


def _named(key: str, part: Mapping[str, Any]) -> str:
    """What the loader calls it: by its code, its first day and what tells it from others of that day, or its kind."""
    match key:
        case "notices":
            return notice_named(part["from"], part["about"], part["to"])
        case "schedules":
            return schedule_named(part["from"], part["set"], part.get("option", 0))
        case "limits":
            return limits_named(part["from"], part["sheet"], part.get("wager", ""))
        case "components":
            return f"{part['kind']} {part.get('model', '')}".strip()
        case "jackpots":
            return str(part["code"])
        case _:
            return str(part["from"])


def _facts(part: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    for name, value in part.items():
        if name in _UNSAID:
            continue
        if name == "policy":
            yield from _switches(value)
        elif isinstance(value, Mapping):
            for inner, each in value.items():
                yield f"{name} {inner}".replace("_", " "), _spoken(each)
        else:
            yield name.replace("_", " "), _spoken(value)


def _switches(policy: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """As the form of the opening says them."""
    for switch, value in policy.items():
        decides, means = SWITCH_WORDS[switch]
        yield f"{decides[0].lower()}{decides[1:]}", means[value]


def _spoken(value: Any) -> str:
    match value:
        case bool():
            return "yes" if value else "no"
        case Mapping():
            return ", ".join(f"{name.replace('_', ' ')} {_spoken(each)}" for name, each in value.items())
        case list():
            return "; ".join(_spoken(each) for each in value)
        case _:
            return str(value)
