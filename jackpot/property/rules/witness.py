"""The table of amounts: from which sum of an act on who stands by before a window pays, and who is missing.

Whoever gave a word at the approval stood by then: an executive's word serves for a supervisor and an executive, two
people's words for a second person. Surveillance and the regulator approve nothing, so theirs is always a word of its
own.
"""

from __future__ import annotations

import enum
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from jackpot.money import Money

SUPERVISOR: Final = 2
EXECUTIVE: Final = 3


class WitnessPart(enum.StrEnum):
    """Who stands by, in the order in which a table of amounts names them."""

    SUPERVISOR = "supervisor"
    EXECUTIVE = "executive"
    SECOND_PERSON = "second_person"
    SURVEILLANCE = "surveillance"
    REGULATOR = "regulator"


WITNESS_WORDS: Final[Mapping[WitnessPart, str]] = {
    WitnessPart.SUPERVISOR: "a supervisor",
    WitnessPart.EXECUTIVE: "an executive",
    WitnessPart.SECOND_PERSON: "a second person",
    WitnessPart.SURVEILLANCE: "surveillance",
    WitnessPart.REGULATOR: "the regulator",
}
# Whose word is a card of a level; the others speak for themselves.
LEVEL_OF: Final[Mapping[WitnessPart, int]] = {
    WitnessPart.SUPERVISOR: SUPERVISOR,
    WitnessPart.EXECUTIVE: EXECUTIVE,
    WitnessPart.SECOND_PERSON: SUPERVISOR,
}

# Who else may speak has a role with this verb.
SPEAKS: Final[Mapping[WitnessPart, str]] = {WitnessPart.SURVEILLANCE: "camera", WitnessPart.REGULATOR: "attend"}


@dataclass(frozen=True, slots=True)
class WitnessNeed:
    """One line of the table that a sum has come to."""

    part: WitnessPart
    since: Money


@dataclass(frozen=True, slots=True)
class GivenWord:
    """One person's word for an act, with the level it was worth."""

    person: int
    level: int


def witnesses_needed(total: Money, table: Mapping[WitnessPart, Money]) -> list[WitnessNeed]:
    """The amount of a line itself already asks for its witness."""
    return [WitnessNeed(part, table[part]) for part in WitnessPart if part in table and total >= table[part]]


def witnesses_missing(
    needs: Sequence[WitnessNeed], approvals: Collection[GivenWord], noted: Mapping[WitnessPart, GivenWord]
) -> list[WitnessNeed]:
    """The needs that nobody has met: neither by a word of the approval nor by standing by afterwards."""
    return [need for need in needs if not _met(need.part, approvals, noted)]


def _met(part: WitnessPart, approvals: Collection[GivenWord], noted: Mapping[WitnessPart, GivenWord]) -> bool:
    if part in noted:
        return True
    if part not in LEVEL_OF:
        return False
    # Who stood by in one part was there for the others too, as far as the level reaches.
    spoke = [*approvals, *(word for each, word in noted.items() if each in LEVEL_OF)]
    if part is WitnessPart.SECOND_PERSON:
        return len({word.person for word in spoke if word.level >= SUPERVISOR}) > 1
    return any(word.level >= LEVEL_OF[part] for word in spoke)
