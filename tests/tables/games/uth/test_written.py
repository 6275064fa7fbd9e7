"""A round as doors read and write it."""

import json
from typing import Any

import pytest

from tables.games.uth.rules import HouseRules
from tables.games.uth.settle import settle
from tables.games.uth.written import read_bets, read_round, read_rules, result_plain
from tests.tables.games.uth.scene import GAME

ROUND: dict[str, Any] = {
    "board": "Kc 7c 2c Kd 7h",
    "dealer": ["Ad", "Jd"],
    "seats": [{"seat": 3, "cards": "Ac 9c", "action": "4x", "wagers": {"ante": "5.00", "blind": 5, "trips": "5"}}],
    "tables": {"blind": "UTH-03", "trips": "UTH-03"},
}


def request(**changes: Any) -> dict[str, Any]:
    return {**ROUND, **changes}


def seat(**changes: Any) -> dict[str, Any]:
    return request(seats=[{**ROUND["seats"][0], **changes}])


def test_a_written_round_is_settled_and_written_back() -> None:
    answer = json.loads(json.dumps(result_plain(settle(*read_round(GAME, ROUND)))))
    (settled,) = answer["seats"]
    nets = {decision["wager"]: decision["net"] for decision in settled["decisions"]}
    assert nets == {"ante": "5.00", "play": "20.00", "blind": "7.50", "trips": "35.00"}
    assert (settled["total"], settled["hand"]) == ("67.50", "Flush, ace high")
    assert answer["dealer"]["hand"] == "Two pair, kings and sevens"


def test_a_player_dealer_is_read_with_its_wager() -> None:
    answer = result_plain(settle(*read_round(GAME, request(player_dealer={"seat": 1, "wager": "15"}))))
    assert answer["player_dealer_net"] == "-15.00"
    assert answer["seats"][0]["decisions"][1]["uncovered"] == "10.00"


def test_switches_not_given_stand_at_their_defaults() -> None:
    assert read_rules({}) == HouseRules()


def test_a_listed_settling_order_is_read() -> None:
    assert read_rules({"settling_order": [3, 1, 2]}).settling_order == (3, 1, 2)


@pytest.mark.parametrize(
    ("rules", "sentence"),
    [
        ({"model": "half"}, "The switch model cannot be “half”; it is net, gross"),
        ({"model": ["net"]}, "The switch model cannot be"),
        ({"seats": "six"}, "The seats is a whole number from 1 to 9, not “six”"),
        ({"seats": 10**25}, "The seats is a whole number from 1 to 9"),
        ({"seats": True}, "The seats is a whole number from 1 to 9"),
        ({"most_games": 0}, "The most_games is a whole number from 1 to 9"),
        ({"most_games": -(10**5000)}, "The most_games is a whole number from 1 to 9"),
        ({"settling_order": ["a", [1]]}, "The seat of settling_order is a whole number from 1 to 9"),
        ({"settling_order": [1, 1]}, "each once"),
        ({"settling_order": []}, "each once"),
        ({"settling_order": {"1": 1}}, "The switch settling_order cannot be"),
        ({"settling_order": "random"}, "it is right_to_left, clockwise"),
        ({"colour": "red"}, "A set of rules has no entry colour"),
    ],
)
def test_a_wrong_switch_is_refused(rules: dict[str, Any], sentence: str) -> None:
    with pytest.raises(ValueError, match=sentence):
        read_rules(rules)


@pytest.mark.parametrize(
    ("plain", "sentence"),
    [
        (request(board="1h 7c 2c Kd 7h"), "“1h” is not a card"),
        (request(board="Kc 7c 2c Kd 7h 2d 3d"), "The board has 7 cards; it needs 5"),
        (request(board=None), "Write the board as text such as"),
        (request(dealer="Kc Jd"), r"king of clubs \(Kc\) is in the board and in the dealer's hand"),
        (request(seats=[]), "lists its seats, at least one"),
        (request(seats="all"), "lists its seats, at least one"),
        (request(seats=["Ac 9c"]), "“seat” is an object with named entries"),
        (request(seats=[ROUND["seats"][0]] * 10), "at least one and at most 9"),
        (request(meter="-100"), "The meter of -100.00 is too small; it is 0.00 or more"),
        (request(meter="1e3"), "exponent"),
        (request(meter=25_000.0), "Write the meter as text"),
        (request(meter="much"), "“much” is not an amount"),
        (request(tables={"trips": "UTH-9"}), "no trips table UTH-9; it has UTH-01"),
        (request(tables={"trio": "T"}), "has no bet trio"),
        (request(tables={"trips": 4}), "Write the table of trips as text"),
        (request(wheels=4), "A round has no entry wheels"),
        (
            request(player_dealer={"seat": "left", "wager": "5"}),
            "seat of the player-dealer is a whole number from 1 to 9",
        ),
        (request(player_dealer={"seat": 10**25, "wager": "5"}), "seat of the player-dealer is a whole number"),
        (request(player_dealer={"seat": 1}), "Write the player-dealer's wager as text"),
        (seat(seat=10), "The seat is a whole number from 1 to 9, not “10”"),
        (seat(seat=None), "The seat is a whole number from 1 to 9, not “nothing”"),
        (seat(cards="Ac"), "Seat 3 has 1 card; it needs 2"),
        (seat(action="raise"), "Seat 3 needs its action: fold, 1x, 2x, 3x, 4x; not “raise”"),
        (seat(action=["4x"]), "Seat 3 needs its action"),
        (seat(action=None), "not “nothing”"),
        (seat(wagers={"ante": "1000001", "blind": "1000001"}), "too large"),
        (seat(wagers={"ante": 5.5, "blind": 5.5}), "Write the ante as text such as “7.50”, not “5.5”"),
        (seat(wagers={"ante": "5.005", "blind": "5.005"}), "ante of 5.005 is not in whole cents"),
        (seat(wagers=["ante"]), "“wagers” is an object with named entries"),
        (seat(wagers={"ante": "5"}), "Ante and blind must be equal"),
    ],
)
def test_a_wrong_round_is_refused_in_a_sentence(plain: dict[str, Any], sentence: str) -> None:
    with pytest.raises(ValueError, match=sentence):
        settle(*read_round(GAME, plain))


def test_a_seat_without_its_action_is_refused_and_not_taken_for_a_fold() -> None:
    silent = {name: value for name, value in ROUND["seats"][0].items() if name != "action"}
    with pytest.raises(ValueError, match="Seat 3 needs its action"):
        read_round(GAME, request(seats=[silent]))


@pytest.mark.parametrize("word", ["yes", 1, 0, {}, [], None, "true"])
def test_whether_a_player_deals_is_true_or_false(word: Any) -> None:
    wagers = {"ante": "5", "blind": "5"}
    with pytest.raises(ValueError, match="player_dealer is true or false"):
        read_bets(GAME, {"wagers": wagers, "player_dealer": word})
    assert read_bets(GAME, {"wagers": wagers, "player_dealer": True}) == 1
