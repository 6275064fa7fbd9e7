"""What a hit needs of its cards before a card may approve it, and what stands in the way."""

from __future__ import annotations

import enum
from dataclasses import dataclass
from typing import Final, assert_never

from jackpot.property.rules.authority import Thresholds
from jackpot.terms.rules.paytable import Award, ForOne, PartOfMeter
from jackpot.wins.rules.award_record import HandProof


class Needs(enum.StrEnum):
    """How much of the hand a house wants to have seen."""

    CARDS = "cards"
    SEEN = "seen"
    NOTHING = "nothing"


HELD: Final = frozenset({HandProof.ANOTHER_LINE, HandProof.NO_LINE, HandProof.IMPOSSIBLE})
# Cards whose line the game has no rule for count as shown: they were entered, and people judged them.
ENOUGH: Final = {
    Needs.CARDS: frozenset({HandProof.PROVEN, HandProof.UNJUDGED}),
    Needs.SEEN: frozenset({HandProof.PROVEN, HandProof.UNJUDGED, HandProof.SEEN}),
    Needs.NOTHING: frozenset({HandProof.PROVEN, HandProof.UNJUDGED, HandProof.SEEN, HandProof.MISSING}),
}


@dataclass(frozen=True, slots=True)
class Obstacle:
    """Why a hit may not be approved yet: a code for programs, a sentence with the cure for people."""

    code: str
    why: str


def needs_of(award: Award, thresholds: Thresholds) -> Needs:
    """A part of the meter, and a fixed award from the card threshold up, are paid on cards alone."""
    if not thresholds.cards_required:
        return Needs.NOTHING
    match award:
        case PartOfMeter():
            return Needs.CARDS
        case ForOne(times):
            return Needs.CARDS if times >= thresholds.cards_from else Needs.SEEN
        case _:
            assert_never(award)


def obstacle(needs: Needs, proof: HandProof, whose: str, why: str) -> Obstacle | None:
    """None when the hand may be approved. Cards that were entered count, whatever the house would have needed."""
    if proof in ENOUGH[needs]:
        return None
    match proof:
        case HandProof.ANOTHER_LINE:
            return Obstacle("cards_differ", f"{whose}: {why} Change the mark to what the cards prove, or override.")
        case HandProof.NO_LINE:
            return Obstacle("cards_differ", f"{whose}: {why} Take the mark back, or override.")
        case HandProof.IMPOSSIBLE:
            return Obstacle("impossible", f"{whose}: {why} An executive and a second person decide.")
        case HandProof.MISSING | HandProof.SEEN if needs is Needs.CARDS:
            return Obstacle("cards", f"{whose}: its cards are not entered. Enter them on the hit's page first.")
        case HandProof.MISSING:
            return Obstacle("cards", f"{whose}: nobody said “cards seen”. Look at the hand and say it first.")
        case HandProof.SEEN | HandProof.PROVEN | HandProof.UNJUDGED:
            raise AssertionError("what is enough stands in no approval's way")
        case _:
            assert_never(proof)
