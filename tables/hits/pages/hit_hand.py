"""The cards of a round on the hit's page: what they prove, in groups of seats, and what is to be done next."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from jackpot.property.models.property import Property
from jackpot.property.rules.authority import Thresholds
from jackpot.wins.models import Win
from jackpot.wins.rules.award_record import HandProof
from jackpot.wins.rules.win_life import WinState
from tables.hits.queries.hand_verdict import HandVerdict, RoundHands, hands_at, judge, needs, obstacles
from tables.hits.rules.hand_check import Needs
from tables.rounds.models.round import Round

WORDS: Final[Mapping[HandProof, tuple[str, str, str]]] = {
    HandProof.PROVEN: ("ok", "✓", "Cards prove it"),
    HandProof.SEEN: ("ok", "✓", "Cards seen"),
    HandProof.UNJUDGED: ("info", "◐", "Cards entered, judged by eye"),
    HandProof.ANOTHER_LINE: ("down", "▲", "Another line"),
    HandProof.NO_LINE: ("down", "▲", "No line"),
    HandProof.IMPOSSIBLE: ("down", "▲", "Impossible together"),
}
TO_DO: Final[Mapping[Needs, tuple[str, str, str]]] = {
    Needs.CARDS: ("late", "△", "Cards to enter"),
    Needs.SEEN: ("late", "△", "“Cards seen” is enough"),
    Needs.NOTHING: ("muted", "○", "Cards not asked for"),
}
DIFFERS: Final = (HandProof.ANOTHER_LINE, HandProof.NO_LINE)
OVERRIDDEN: Final = ("info", "◆", "Override given")


@dataclass(frozen=True, slots=True)
class HandLine:
    """What is known of the hand of one seat, or of several that hold the same."""

    seats: tuple[int, ...]
    kind: str
    icon: str
    word: str
    why: str
    five: tuple[str, ...]


def hand_shown(round_: Round, wins: Sequence[Win], state: WinState | None) -> dict[str, Any]:
    """The part of the page that speaks of cards; before the approval it also says what to do next."""
    own = [win for win in wins if win.envy_of_id is None]
    if state not in (WinState.MARKED, WinState.ASKED):
        return {"lines": _grouped(_of_paper(win) for win in own if win.paper and win.record.cards), "step": ""}
    house, hands = round_.table.premises, hands_at(round_)
    judged = judge(hands, own)
    return {
        "lines": _grouped(_of_judged(each, house.thresholds) for each in judged),
        "by": hands.row.by if hands.row and hands.row.seats else "",
        "step": _step(judged, house),
        "differs": next((kind.value for kind in DIFFERS if kind in {each.proof for each in judged if each.held}), ""),
        "pad": json.dumps(_pad(hands, own)),
    }


def _step(judged: Sequence[HandVerdict], house: Property) -> str:
    """What the page offers first: `held`, `cards`, `seen`, or nothing when a card may approve."""
    codes = [each.code for each in obstacles(judged, house.thresholds)]
    if not codes:
        return ""
    if set(codes) & {"cards_differ", "impossible"}:
        return "held"
    missing = [each.win for each in judged if each.proof in (HandProof.MISSING, HandProof.SEEN)]
    return "cards" if any(needs(win, house.thresholds) is Needs.CARDS for win in missing) else "seen"


def _of_judged(judged: HandVerdict, thresholds: Thresholds) -> HandLine:
    word = OVERRIDDEN if judged.overridden else WORDS.get(judged.proof) or TO_DO[needs(judged.win, thresholds)]
    if judged.proof is HandProof.SEEN and needs(judged.win, thresholds) is Needs.CARDS:
        word = TO_DO[Needs.CARDS]
    five = judged.verdict.five if judged.verdict else ()
    return HandLine((judged.win.seat,), *word, judged.why, five)


def _of_paper(win: Win) -> HandLine:
    hand = win.record.cards
    assert hand is not None, "only what was seen at the approval is shown"
    word = OVERRIDDEN if hand.overridden else WORDS.get(hand.proof) or TO_DO[Needs.NOTHING]
    return HandLine((win.seat,), *word, hand.why, hand.five)


def _grouped(lines: Iterable[HandLine]) -> list[HandLine]:
    """Seats of which the same is known share a line: a royal on the board is one hand, not seven."""
    groups: dict[tuple[Any, ...], list[int]] = {}
    for line in lines:
        same = (line.kind, line.icon, line.word, line.why, line.five)
        seats = groups.setdefault(same, [])
        seats += [seat for seat in line.seats if seat not in seats]
    return [HandLine(tuple(sorted(seats)), *same) for same, seats in groups.items()]


def _pad(hands: RoundHands, wins: Sequence[Win]) -> dict[str, Any]:
    """What the card pad starts from."""
    row = hands.row
    names = {win.seat: win.line_name for win in wins}
    return {
        "revision": hands.revision,
        "board": row.board.split() if row else [],
        "dealer": (row.dealer.split() if row else []) if hands.needs_dealer(win.version for win in wins) else None,
        "seats": {seat: cards.split() for seat, cards in row.seats.items()} if row else {},
        "hits": [{"seat": seat, "name": name} for seat, name in sorted(names.items())],
    }
