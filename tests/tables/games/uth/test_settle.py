"""A whole round settled."""

from fractions import Fraction

import pytest

from tables.games.cards import CardTwice, WrongNumberOfCards
from tables.games.game import NotInThisGame
from tables.games.limits import BetRefused
from tables.games.uth.rules import Action, HouseRules, refuse_bets
from tests.tables.games.uth.scene import HOUSE, TABLES, dealt, money, seat, settled, table

Nets = dict[str, Fraction]
QUIET = "Ah 7c 2d 9s 4h"
FIVE_NINE = "5c 6d 7h 8s 9c"


def nets(board: str, player: str, dealer: str, action: Action, rules: HouseRules = HOUSE, **wagers: int) -> Nets:
    played = dealt(board, dealer, seat(1, player, action, **wagers), meter="25000.00")
    return dict(settled(played, rules).seat(1).nets)


def test_a_raise_of_four_wins_even_money_and_the_blind_pushes_below_a_straight() -> None:
    assert nets(QUIET, "As Kd", "Qc Qd", "4x", trips=5) == money(ante=10, play=40, blind=0, trips=-5)


def test_a_dealer_without_a_pair_returns_the_ante_and_nothing_else() -> None:
    assert nets("2c 5d 7h 9s 3d", "Qd Jh", "Ac Kh", "1x") == money(ante=0, play=-10, blind=-10)


def test_a_tie_returns_the_base_wagers_pays_trips_and_takes_the_bad_beat() -> None:
    assert nets(FIVE_NINE, "2d 2h", "Kc Qd", "1x", trips=5, bad_beat=5) == money(
        ante=0, play=0, blind=0, trips=25, bad_beat=-5
    )


def test_a_flush_pays_the_blind_three_to_two_to_the_half_dollar() -> None:
    won = nets("Kc 7c 2c Kd 7h", "Ac 9c", "Ad Jd", "4x", ante=5, blind=5)
    assert won["blind"] == Fraction(15, 2)


def test_a_folded_three_of_a_kind_still_wins_trips() -> None:
    assert nets("8c 8d 8h Ks Qd", "2c 3d", "Kd Jc", "fold", trips=5) == money(ante=-10, blind=-10, trips=15)


def test_a_progressive_wager_is_not_returned() -> None:
    assert nets("Qs Js Ts 2c 3d", "As Ks", "Qd Qh", "4x", progressive=1)["progressive"] == 24_999


def test_the_reason_names_both_hands_with_their_cards() -> None:
    result = settled(dealt(QUIET, "Qc Qd", seat(1, "As Kd", "4x")))
    assert result.seat(1).decisions[0].reason == (
        "Pair of aces (Ah As Kd 9s 7c) beats the dealer's Pair of queens (Qc Qd Ah 9s 7c): the ante pays 1 to 1, $10."
    )


@pytest.mark.parametrize(("switch", "net"), [("live", 45), ("dead", -5)])
def test_switch_a_folded_bad_beat_lives_or_dies(switch: str, net: int) -> None:
    rules = HouseRules(bad_beat_after_fold=switch)  # type: ignore[arg-type]
    assert nets("8c 8d 8h Ks Qd", "2c 3d", "Kd Jc", "fold", rules, trips=5, bad_beat=5)["bad_beat"] == net


@pytest.mark.parametrize(("switch", "net"), [("live", 249), ("dead", -1)])
def test_switch_a_folded_progressive_lives_or_dies(switch: str, net: int) -> None:
    rules = HouseRules(progressive_after_fold=switch)  # type: ignore[arg-type]
    assert nets("5h 6h 7h 8h 9h", "2c 2d", "Ac Ad", "fold", rules, progressive=1)["progressive"] == net


@pytest.mark.parametrize(("switch", "net"), [("lost", -10), ("returned", 0)])
def test_switch_a_folded_ante_when_the_dealer_does_not_qualify(switch: str, net: int) -> None:
    rules = HouseRules(folded_ante_when_dealer_fails=switch)  # type: ignore[arg-type]
    assert nets("2c 5d 7h 9s 3d", "Qd Jh", "Ac Kh", "fold", rules)["ante"] == net


@pytest.mark.parametrize(
    ("order", "seats"), [("right_to_left", [6, 3, 1]), ("clockwise", [1, 3, 6]), ((3, 6, 1, 2), [3, 6, 1])]
)
def test_switch_the_settling_order(order: object, seats: list[int]) -> None:
    played = dealt(QUIET, "Qc Qd", *(seat(n, c, "1x") for n, c in ((1, "As Kd"), (3, "Ks Kc"), (6, "Js Jd"))))
    result = settled(played, HouseRules(settling_order=order))  # type: ignore[arg-type]
    assert [seat.seat for seat in result.seats] == seats


@pytest.mark.parametrize(
    ("order", "wagers"),
    [("ante_play_blind", ["ante", "play", "blind"]), ("play_ante_blind", ["play", "ante", "blind"])],
)
def test_switch_the_order_in_which_losing_wagers_are_taken(order: str, wagers: list[str]) -> None:
    played = dealt(QUIET, "Ac Ad", seat(1, "Ks Kd", "1x"))
    result = settled(played, HouseRules(losers_order=order))  # type: ignore[arg-type]
    assert [decision.wager for decision in result.seat(1).decisions] == wagers


def test_a_fixed_award_from_the_meter_lowers_the_part_that_follows_it() -> None:
    played = dealt(
        "Ah Kh Qh As Kd", "2c 2d",
        seat(3, "Jh Th", "4x", progressive=1), seat(6, "Ac 7c", "4x", progressive=1), meter="20000.00",
    )  # fmt: skip
    result = settled(played, HouseRules(fixed_awards_from="meter"))
    assert [(seat.seat, seat.net("progressive")) for seat in result.seats] == [(6, 9), (3, 19_989)]


def test_a_part_of_a_meter_that_is_not_given_cannot_be_settled() -> None:
    with pytest.raises(NotInThisGame, match="give the meter to settle it"):
        settled(dealt("Ah Kh Qh As Kd", "2c 2d", seat(3, "Jh Th", "4x", progressive=1)))


def test_the_player_dealer_pays_as_far_as_its_wager_reaches() -> None:
    played = dealt("5s 6d 7h Kc Kd", "Ks Qh", seat(2, "8c 9c", "1x", trips=5), bank=(1, 30))
    result = settled(played)
    assert result.seat(2).nets == money(ante=10, play=10, blind=10, trips=0)
    assert result.player_dealer_net == -30


def test_the_uncovered_part_of_a_wager_is_said_to_be_returned() -> None:
    played = dealt(QUIET, "Ac Ad", seat(2, "Ks Kd", "4x"), bank=(1, 45))
    play = settled(played).seat(2).decisions[1]
    assert (play.net, play.uncovered, play.outcome) == (-35, 5, "lost")
    assert play.reason.endswith("does not reach further: the uncovered part is returned.")


@pytest.mark.parametrize(("model", "trips", "bank"), [("net", 15, 5), ("gross", 0, 20)])
def test_switch_the_coverage_model(model: str, trips: int, bank: int) -> None:
    played = dealt("8c 8d 8h Ks Qd", "Ah Jc", seat(2, "2c 3d", "fold", trips=5), bank=(1, 20))
    result = settled(played, HouseRules(model=model))  # type: ignore[arg-type]
    assert (result.seat(2).net("trips"), result.player_dealer_net) == (trips, bank)


def test_action_starts_at_the_left_of_the_player_dealer() -> None:
    seats = (seat(1, "As Kd", "1x"), seat(3, "Ks Kc", "1x"), seat(6, "Js Jd", "1x"))
    result = settled(dealt(QUIET, "Qc Qd", *seats, bank=(4, 500)), HouseRules(seats=6))
    assert [seat.seat for seat in result.seats] == [6, 1, 3]


def test_a_jackpot_on_a_player_dealer_table_is_refused() -> None:
    with pytest.raises(BetRefused, match="jackpot cannot hang on a player-dealer table"):
        settled(dealt(QUIET, "Qc Qd", seat(2, "As Kd", "1x", progressive=1), bank=(1, 100)))


@pytest.mark.parametrize(
    ("wagers", "sentence"),
    [
        ({"blind": 5}, r"Ante and blind must be equal and stand both: the ante is \$10, the blind \$5"),
        ({"trips": 0}, "trips of .0 is no wager"),
        ({"play": 10}, "play wager follows from what the player does"),
        ({"insurance": 5}, "There is no wager insurance"),
    ],
)
def test_wagers_that_cannot_be_settled_are_refused(wagers: dict[str, int], sentence: str) -> None:
    with pytest.raises(BetRefused, match=sentence):
        settled(dealt(QUIET, "Qc Qd", seat(1, "As Kd", "1x", **wagers)))


def test_a_side_bet_without_a_pay_table_is_refused() -> None:
    with pytest.raises(BetRefused, match="no trips pay table in force"):
        refuse_bets(money(ante=10, blind=10, trips=5), {}, HouseRules())


def test_a_fifth_game_is_refused_before_the_deal() -> None:
    five = money(ante=10, blind=10, trips=5, bad_beat=5, pairs=5, progressive=1)
    with pytest.raises(BetRefused, match="That is 5 games"):
        refuse_bets(five, TABLES, HouseRules())


@pytest.mark.parametrize(("code", "switch"), [("BBB-CA", "as_printed"), ("BBB-02", "ante_blind")])
def test_switch_a_bad_beat_may_stand_without_trips(code: str, switch: str) -> None:
    rules = HouseRules(bad_beat_needs=switch)  # type: ignore[arg-type]
    refuse_bets(money(ante=10, blind=10, bad_beat=5), TABLES | {"bad_beat": table("bad_beat", code)}, rules)


@pytest.mark.parametrize(("code", "switch"), [("BBB-02", "as_printed"), ("BBB-CA", "ante_blind_trips")])
def test_switch_a_bad_beat_may_need_trips(code: str, switch: str) -> None:
    rules = HouseRules(bad_beat_needs=switch)  # type: ignore[arg-type]
    with pytest.raises(BetRefused, match="bad beat wager needs a trips wager beside it"):
        refuse_bets(money(ante=10, blind=10, bad_beat=5), TABLES | {"bad_beat": table("bad_beat", code)}, rules)


def test_a_progressive_before_a_player_dealer_is_refused_before_the_deal() -> None:
    with pytest.raises(BetRefused, match="jackpot cannot hang"):
        refuse_bets(money(ante=10, blind=10, progressive=1), TABLES, HouseRules(), player_dealer=True)


@pytest.mark.parametrize("seats", [6, 7])
def test_switch_the_number_of_seats(seats: int) -> None:
    with pytest.raises(NotInThisGame, match=f"no seat {seats + 1}; this table has seats 1 to {seats}"):
        settled(dealt(QUIET, "Qc Qd", seat(seats + 1, "As Kd", "1x")), HouseRules(seats=seats))


def test_one_card_at_two_seats_is_refused() -> None:
    with pytest.raises(CardTwice, match="king of diamonds"):
        settled(dealt(QUIET, "Qc Qd", seat(1, "As Kd", "1x"), seat(2, "Kd Kc", "1x")))


def test_an_unfinished_board_cannot_be_settled() -> None:
    with pytest.raises(WrongNumberOfCards, match="the board must lie complete with 5 cards"):
        settled(dealt("Ah 7c 2d", "Qc Qd", seat(1, "As Kd", "1x")))


def test_an_unknown_action_is_refused() -> None:
    with pytest.raises(BetRefused, match="'5x' is no action"):
        settled(dealt(QUIET, "Qc Qd", seat(1, "As Kd", "5x")))  # type: ignore[arg-type]


def test_the_bank_does_not_play_against_itself() -> None:
    with pytest.raises(NotInThisGame, match="Seat 1 banks this round"):
        settled(dealt(QUIET, "Qc Qd", seat(1, "As Kd", "1x"), bank=(1, 100)))
