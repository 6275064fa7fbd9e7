"""What a page says of the hand: its cards, the five that make it, why, and who entered or saw them."""

from __future__ import annotations

from textwrap import shorten
from typing import Final, assert_never

from jackpot.wins.models import Win
from jackpot.wins.rules.award_record import HandProof, HandRecord, OverrideRecord

SIGNS: Final = {"c": "♣", "d": "♦", "h": "♥", "s": "♠"}
LONGEST_REASON: Final = 80  # the whole reason stands at the signatures; the page stays one page
NOT_KEPT: Final = "seen at the table, not entered"


def hand_rows(win: Win) -> list[tuple[str, str]]:
    """As it was known at the approval; an envied seat is paid for the hand of another."""
    hand, override = (win.envy_of or win).record.cards, win.record.override
    if hand is None or not hand.board:
        return [("Cards", NOT_KEPT if hand is None else _seen(hand)), *_overridden(override)]
    own = faces(hand.hole) or "on the board"
    rows = [("Cards", f"{own} · board {faces(hand.board)}")]
    if hand.dealer:
        rows.append(("Dealer", faces(hand.dealer)))
    rows.append(("Verdict", f"{hand.why} Entered by {hand.by}."))
    return [*rows, *_overridden(override)]


def faces(cards: str) -> str:
    """“Jh Th” as J♥ 10♥."""
    return " ".join(card[:-1].replace("T", "10") + SIGNS[card[-1]] for card in cards.split())


def _seen(hand: HandRecord) -> str:
    match hand.proof:
        case HandProof.SEEN:
            return f"seen by {hand.by}, not entered"
        case HandProof.MISSING:
            return "not asked for by the house"
        case HandProof.IMPOSSIBLE:
            return "not entered; the marks exclude each other"
        case HandProof.PROVEN | HandProof.UNJUDGED | HandProof.ANOTHER_LINE | HandProof.NO_LINE:
            return NOT_KEPT
        case _:
            assert_never(hand.proof)


def _overridden(override: OverrideRecord | None) -> list[tuple[str, str]]:
    return [] if override is None else [("Override", f"paid all the same: {shorten(override.why, LONGEST_REASON)}")]
