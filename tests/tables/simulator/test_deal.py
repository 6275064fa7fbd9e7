"""Fifty-two real cards, a shared board, and the same evening from the same seed."""

from __future__ import annotations

from itertools import islice
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tables.games.cards import DECK as REAL_DECK
from tables.games.cards import parse_cards
from tables.simulator.deal import DECK, SimulatedDeal, deal
from tables.simulator.script import Crowd, NoSuchCrowd, PlannedRound, planned_rounds


def first_rounds(count: int, *, seed: int = 1, table: str = "UTH-01", crowd: str = "2-6") -> list[PlannedRound]:
    return list(islice(planned_rounds(seed, table, 7, Crowd.of(crowd)), count))


def whole_deck(dealt: SimulatedDeal) -> list[str]:
    held = [card for hand in dealt.hands.values() for card in hand]
    return sorted([*held, *dealt.dealer, *dealt.board, *dealt.stub])


@given(st.integers(), st.sets(st.integers(1, 9)))
def test_every_round_deals_one_whole_deck(seed: int, seats: set[int]):
    dealt = deal(Random(seed), sorted(seats))
    assert whole_deck(dealt) == sorted(DECK)
    assert set(dealt.hands) == seats
    assert {len(hand) for hand in dealt.hands.values()} <= {2}
    assert (len(dealt.board), len(dealt.dealer)) == (5, 2)


def test_the_deck_is_the_one_the_house_knows():
    assert sorted(parse_cards(list(DECK))) == sorted(REAL_DECK)


def test_seven_players_share_one_board():
    dealt = deal(Random(1), range(1, 8))
    held = [*dealt.dealer, *(card for hand in dealt.hands.values() for card in hand)]
    assert len(held) == 16
    assert not set(held) & set(dealt.board)


def test_a_deal_reads_as_dealers_read_it():
    dealt = deal(Random(1), [2])
    assert (
        str(dealt) == f"board {' '.join(dealt.board)}  dealer {' '.join(dealt.dealer)}  2: {' '.join(dealt.hands[2])}"
    )


def test_the_same_seed_plays_the_same_rounds():
    assert first_rounds(50) == first_rounds(50)


def test_another_seed_or_another_table_plays_others():
    assert first_rounds(5) != first_rounds(5, seed=2)
    assert first_rounds(5) != first_rounds(5, table="UTH-02")


def test_only_who_sits_has_a_chip_and_cards():
    for planned in first_rounds(300, crowd="3-5"):
        assert 3 <= len(planned.deal.hands) <= 5
        assert set(planned.chips) <= set(planned.deal.hands)


def test_players_come_and_go():
    assert len({tuple(planned.deal.hands) for planned in first_rounds(300)}) > 5


def test_the_sensor_map_has_one_character_a_seat():
    planned = next(planned for planned in first_rounds(50) if planned.chips)
    spots = planned.spots(7)
    assert [seat for seat, spot in enumerate(spots, 1) if spot == "1"] == list(planned.chips)
    assert len(spots) == 7


@pytest.mark.parametrize(("text", "crowd"), [("5", Crowd(5, 5)), ("2-6", Crowd(2, 6)), ("1-9", Crowd(1, 9))])
def test_a_crowd_is_a_number_or_two(text: str, crowd: Crowd):
    assert Crowd.of(text) == crowd


@pytest.mark.parametrize("text", ["", "0", "6-2", "2-", "a", "10", "1-10", "-3", "2-3-4"])
def test_what_is_no_crowd_is_refused(text: str):
    with pytest.raises(NoSuchCrowd, match="Write 5, or 2-6"):
        Crowd.of(text)
