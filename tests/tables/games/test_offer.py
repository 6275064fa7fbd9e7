"""The games that a table offers, counted as the posted maximum counts them."""

from __future__ import annotations

import pytest

from tables.games.limits import BetRefused, CountGames
from tables.games.offer import OfferedGame, offered_games, posted_sentence, refuse_fifth

BASE = ("ante", "blind", "play")
ALL = ("blind/UTH-02", "trips/UTH-02", "bad_beat/BBB-01", "pairs/PT1")


@pytest.mark.parametrize(
    ("keys", "progressives", "most", "rule", "fits"),
    [
        (ALL, 0, 4, "base_is_one", True),
        (ALL, 1, 4, "base_is_one", False),
        (ALL[:3], 1, 4, "base_is_one", True),
        (ALL[:3], 2, 4, "base_is_one", False),
        (ALL, 1, 5, "base_is_one", True),
        (ALL[:2], 0, 4, "each_wager", True),
        (ALL[:2], 1, 4, "each_wager", False),
        ((), 1, 4, "base_is_one", True),
    ],
)
def test_a_fifth_game_is_refused_by_either_way_of_counting(
    keys: tuple[str, ...], progressives: int, most: int, rule: CountGames, fits: bool
) -> None:
    games = offered_games(keys)
    if fits:
        refuse_fifth(games, BASE, progressives, most, rule)
    else:
        with pytest.raises(BetRefused, match="Take one of them off the table"):
            refuse_fifth(games, BASE, progressives, most, rule)


def test_the_refusal_names_all_of_them() -> None:
    with pytest.raises(BetRefused) as why:
        refuse_fifth(offered_games(ALL), BASE, 1, 4, "base_is_one")
    assert str(why.value) == (
        "Base game, trips, bad beat, pairs, progressive: that is 5 games, and players wager on at most 4. "
        "Take one of them off the table."
    )


@pytest.mark.parametrize(
    ("keys", "why"),
    [
        (("trips",), "is no game of a table. Write bet and pay table"),
        (("trips/UTH-01", "trips/UTH-02"), "Trips is declared twice"),
        (("progressive/UTHP-01",), "A progressive is not declared here"),
    ],
)
def test_what_is_no_declaration_is_refused(keys: tuple[str, ...], why: str) -> None:
    with pytest.raises(BetRefused, match=why):
        offered_games(keys)


def test_a_declared_game_is_known_by_bet_and_pay_table() -> None:
    game = OfferedGame.of("bad_beat/BBB-01")
    assert (game.bet, game.code, game.key, game.name) == ("bad_beat", "BBB-01", "bad_beat/BBB-01", "Bad beat")
    assert posted_sentence(4) == "Players are limited to wagering on a maximum of four games."
