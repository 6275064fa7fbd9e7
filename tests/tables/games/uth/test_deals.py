"""Deals that exist and deals that do not."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import pytest

from jackpot.laboratory.outcomes import Witness
from tables.games.cards import parse_cards
from tables.games.game import Exclusion, TableCards
from tables.games.uth.boards import batches
from tables.games.uth.deals import PROGRESSIVE_ROWS, find_witnesses, held_by_card, rows_held
from tests.tables.games.uth.scene import GAME, table

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


def prove_exclusions() -> tuple[Exclusion, ...]:
    """Looks, on every board, for two hole pairs without a common card that hold the two rows; what no board offers
    is excluded. A board hand belongs to every seat, so it excludes all other rows."""
    open_pairs = set(_pairs_of(PROGRESSIVE_ROWS))
    for batch in batches():
        held = rows_held(batch)
        for pair in list(open_pairs):
            if _meet(held[pair[0]], held[pair[1]]):
                open_pairs.discard(pair)
    return tuple(Exclusion(*pair) for pair in _pairs_of(PROGRESSIVE_ROWS) if pair in open_pairs)


def _pairs_of(rows: Sequence[str]) -> list[tuple[str, str]]:
    return [(one, other) for place, one in enumerate(rows) for other in rows[place:]]


def _meet(one: NDArray[np.bool_], other: NDArray[np.bool_]) -> bool:
    """Whether on some board two different seats can hold the two: all pairs, less those that share a card."""
    both = one.any(axis=1) & other.any(axis=1)
    if not both.any():
        return False
    mine, theirs = one[both], other[both]
    sharing = (held_by_card(mine) * held_by_card(theirs)).sum(axis=1)
    same = (mine & theirs).sum(axis=1)
    return bool((mine.sum(axis=1) * theirs.sum(axis=1) - sharing + same > 0).any())


@pytest.fixture(scope="module")
def witnesses() -> dict[int, tuple[Witness, ...]]:
    return find_witnesses(7)


def test_the_exclusions_of_the_pack_are_those_that_every_board_proves() -> None:
    assert prove_exclusions() == GAME.exclusions


def test_the_worst_deals_exist_and_hold_the_rows_they_claim(witnesses: dict[int, tuple[Witness, ...]]) -> None:
    assert sorted(witnesses) == list(range(1, 8))
    for deals in witnesses.values():
        for deal in deals:
            hands = {seat: parse_cards(cards) for seat, (cards, _) in enumerate(deal.seats, start=1)}
            lying = TableCards(parse_cards(deal.board), hands)
            lines = [GAME.verify(table("progressive", "PT01"), lying, seat).line for seat in hands]
            assert [line and line.hand for line in lines] == [row for _, row in deal.seats]


def test_with_two_seats_a_royal_on_the_flop_can_meet_a_straight_flush(
    witnesses: dict[int, tuple[Witness, ...]],
) -> None:
    assert {deal.rows for deal in witnesses[2]} == {
        ("royal_first_5", "straight_flush"),
        ("royal_community", "royal_community"),
    }
