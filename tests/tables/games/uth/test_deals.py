"""Deals that exist and deals that do not."""

import pytest

from jackpot.laboratory.outcomes import Witness
from tables.games.cards import parse_cards
from tables.games.game import TableCards
from tables.games.uth.deals import find_witnesses, prove_exclusions
from tests.tables.games.uth.scene import GAME, table


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
