"""Which software a device may run. Versions are compared by their groups of digits, then by what follows them."""

from __future__ import annotations

import enum
import re
from typing import Final

_FORM: Final = re.compile(r"^v?(\d+(?:\.\d+)*)(.*)$")


class RuleKind(enum.Enum):
    EXACT = "exact"
    MINIMUM = "minimum"
    ANY = "any"
    NONE = "none"  # no model may run but those with a rule of their own


def groups_of(version: str) -> tuple[tuple[int, ...], str] | None:
    """ "6.6 Build 520" → ((6, 6), "build 520"); None for a form we do not know."""
    found = _FORM.match(version.strip())
    if found is None:
        return None
    digits = tuple(int(group) for group in found.group(1).split("."))
    return _trimmed(digits), found.group(2).strip().lower()


def version_fits(running: str, rule: RuleKind, wanted: str) -> bool:
    """Whether a device's version obeys the rule; an unknown form never does, where a version is wanted at all."""
    if rule is RuleKind.ANY:
        return True
    if rule is RuleKind.NONE:
        return False
    mine, theirs = groups_of(running), groups_of(wanted)
    # What nobody can read is not let through as “probably newer”: it is flagged, and a person looks at it.
    if mine is None or theirs is None:
        return False
    if rule is RuleKind.EXACT:
        return mine == theirs
    return (mine[0], _suffix(mine[1])) >= (theirs[0], _suffix(theirs[1]))


def _suffix(text: str) -> tuple[int | str, ...]:
    """Numbers inside a suffix count as numbers: build 1000 is newer than build 520."""
    # Padded text, not numbers: a tuple that mixes the two cannot be compared.
    return tuple(f"{int(part):012d}" if part.isdigit() else part for part in re.findall(r"\d+|\D+", text))


def _trimmed(digits: tuple[int, ...]) -> tuple[int, ...]:
    """6.6 and 6.6.0 are the same."""
    end = len(digits)
    while end > 1 and digits[end - 1] == 0:
        end -= 1
    return digits[:end]
