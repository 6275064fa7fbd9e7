"""Witness hands: cards that prove the lines marked at a round, entered as a supervisor would."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from jackpot.wins.models import Win
from jackpot.wins.rules.award_record import HandRecord
from jackpot.wins.rules.round_ref import RoundRef
from tables.hits.actions.hand_entry import EnteredCards, enter_cards
from tables.hits.models.cards import RoundCards
from tables.hits.queries.hand_verdict import waiting_hits

# On each board, the holes that make a line of the progressive; the tests of the games prove the pack itself.
WITNESSES: Final[Mapping[str, Mapping[str, Sequence[str]]]] = {
    "Ah Kh Qh As Kd": {
        "royal_first_5": ["Jh Th"],
        "four_of_a_kind": ["Ac Ad", "Kc Ks"],
        "full_house": ["Ac 7c", "Kc 7d", "Ad 6c", "Ks 6d"],
    },
    "Ah Kh As Qh Kd": {
        "royal_first_7": ["Jh Th"],
        "four_of_a_kind": ["Ac Ad", "Kc Ks"],
        "full_house": ["Ac 7c", "Kc 7d", "Ad 6c", "Ks 6d"],
    },
    "9h Th Jh 2c 2d": {
        "straight_flush": ["7h 8h", "Qh Kh"],
        "four_of_a_kind": ["2h 2s"],
        "full_house": ["2h 9c", "2s Tc", "Jc Js", "9d 9s"],
    },
    "9h Th Jh Qh 2c": {"royal_first_7": ["Ah Kh"], "straight_flush": ["8h 3c", "Kh 3d"]},
    "2c 2d 2h 9h Tc": {"full_house": [f"{rank}s {rank}d" for rank in "345678JQK"], "four_of_a_kind": ["2s 3c"]},
    "5h 6h 7h 8h 9h": {"straight_flush": [f"{rank}s {rank}d" for rank in "23456789A"]},
    "Th Jh Qh Kh Ah": {"royal_community": ["2c 2d", "3c 3d", "4c 4d", "5c 5d", "6c 6d", "7c 7d", "8c 8d", "9c 9d"]},
}
ANY: Final = ["2s 3s", "4s 5s", "6s 7s", "8s 9s", "3c 4c", "5c 6c", "3d 4d", "5d 6d", "7d 8d"]
KNOWN: Final = frozenset(line for lines in WITNESSES.values() for line in lines)


class NoSuchDeal(AssertionError):
    """No witness board holds these hands together; choose other ones, or add a board."""


def with_cards(table_code: str, round_number: int, by: str = "Test Supervisor") -> dict[str, Any]:
    """Enters cards that prove every hit of the round that still waits; a line no game knows gets any cards.

    What earlier hits of the round showed, which wait no more, is taken back: its cards may be needed elsewhere.
    """
    wins = waiting_hits(RoundRef(table_code, round_number))
    board, seats = witness({win.seat: win.line for win in wins})
    before = RoundCards.objects.filter(table__code=table_code, number=round_number).last()
    gone = {int(seat): "" for seat in (before.seats if before else {}) if int(seat) not in seats}
    return enter_cards(
        table_code=table_code, round_number=round_number, entered=EnteredCards(board, gone | seats), by=by
    )


def hand_of(win: Win) -> HandRecord:
    """The hand as the win's page prints it."""
    hand = win.record.cards
    assert hand is not None
    return hand


def witness(marks: Mapping[int, str]) -> tuple[str, dict[int, str]]:
    """A board and the hole cards of each seat that make these lines."""
    for board, lines in WITNESSES.items():
        for dealt in _dealt(dict(marks), lines, set(board.split())):
            return board, dealt
    raise NoSuchDeal(f"{dict(marks)}")


def _dealt(marks: dict[int, str], lines: Mapping[str, Sequence[str]], used: set[str]) -> Iterator[dict[int, str]]:
    if not marks:
        yield {}
        return
    seat, *others = sorted(marks, key=lambda seat: marks[seat] not in KNOWN)
    offered = lines.get(marks[seat], []) if marks[seat] in KNOWN else ANY
    for hole in offered:
        cards = set(hole.split())
        if not cards & used:
            rest = {other: marks[other] for other in others}
            for dealt in _dealt(rest, lines, used | cards):
                yield {seat: hole, **dealt}
