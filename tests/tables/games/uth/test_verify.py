"""Seven cards, the line they win, and why."""

import pytest

from tables.games.cards import CardTwice, WrongNumberOfCards
from tables.games.game import NotInThisGame
from tests.tables.games.looked_at import judged
from tests.tables.games.uth.scene import GAME, deal, table

PROGRESSIVE = table("progressive", "PT01")


def line_of(cards: str) -> str | None:
    """Hole cards first, then flop, turn and river."""
    verdict = judged(GAME, PROGRESSIVE, cards)
    return verdict.line and verdict.line.hand


@pytest.mark.parametrize(
    ("cards", "line"),
    [
        ("Jh Th Ah Kh Qh As Kd", "royal_first_5"),
        ("Jh Th Ah Kh 2c Qh Kd", "royal_first_7"),
        ("Jh 2c Ah Kh Qh Th Kd", "royal_first_7"),
        ("Jh Th 2c 3c Ah Kh Qh", "royal_first_7"),
        ("2c 3c Ah Kh Qh Jh Th", "royal_community"),
        ("9h 9c Ah Kh Qh Jh Th", "royal_community"),
        ("9h 2c Kh Qh Jh Th 3d", "straight_flush"),
        ("2c 3c 5h 6h 7h 8h 9h", "straight_flush"),
        ("9h 9c 9d 9s 2c 3d 4h", "four_of_a_kind"),
        ("Ac 7c Ah Kh Qh As Kd", "full_house"),
        ("2h 3c Ah Kh Qh Jh 9h", None),
        ("2c 3d Ah Kc Qh Jd Th", None),
    ],
)
def test_the_progressive_line_follows_from_where_the_cards_lie(cards: str, line: str | None) -> None:
    assert line_of(cards) == line


def test_a_royal_over_seven_cards_says_which_hole_card_it_used_and_what_was_missing() -> None:
    verdict = judged(GAME, PROGRESSIVE, "Js 2c As Ks Qs Ts 3d")
    assert verdict.why == "Royal flush, first 7 cards: uses Js; the flop alone was not enough: 5 % (As Ks Qs Js Ts)."


def test_a_board_hand_says_that_every_coin_in_seat_wins() -> None:
    why = judged(GAME, PROGRESSIVE, "2c 3c Ah Kh Qh Jh Th").why
    assert "all five lie on the board, so every seat with a coin-in wins it: 3,000 for 1" in why


def test_a_full_house_names_its_five_cards() -> None:
    verdict = judged(GAME, PROGRESSIVE, "Ac 7c Ah Kh Qh As Kd")
    assert verdict.why == "Full house, aces over kings (Ah As Ac Kh Kd), uses Ac: 10 for 1."
    assert " ".join(map(str, verdict.cards)) == "Ah As Ac Kh Kd"


def test_a_hole_card_that_changes_nothing_is_not_named() -> None:
    verdict = judged(GAME, PROGRESSIVE, "Kc 2c Ah As Ad Kh Kd")
    assert "all five on the board" in verdict.why


def test_a_hand_that_wins_no_line_says_what_the_lowest_is() -> None:
    verdict = judged(GAME, PROGRESSIVE, "2h 3c Ah Kh Qh Jh 9h")
    assert (verdict.wins, verdict.why) == (
        False,
        "Flush, ace high (Ah Kh Qh Jh 9h) wins no line; the lowest is full house.",
    )


def test_two_seats_of_one_round_are_judged_on_the_same_board() -> None:
    lying = deal("Ah Kh Qh As Kd", seat3="Jh Th", seat6="Ac 7c")
    lines = [GAME.verify(PROGRESSIVE, lying, number).line for number in (3, 6)]
    assert [line and line.hand for line in lines] == ["royal_first_5", "full_house"]


@pytest.mark.parametrize(
    ("board", "player", "dealer", "sentence"),
    [
        (
            "8h 9h 9s Th 2c", "6h 7h", "9c 9d",
            "beats the dealer's four of a kind, nines (9h 9s 9c 9d Th); the beaten hand is four of a kind: 500 to 1.",
        ),
        ("6c 6d 9h 2s 3h", "6h 8d", "6s Kd", "the beaten hand is three of a kind: 9 to 1."),
        ("5c 6d 7h 8s 9c", "2d 2h", "Kc Qd", "a tie beats nobody and the bet loses."),
        ("Kc 7c 2c Kd 7h", "Ac 9c", "Ad Jd", "two pair beaten is less than three of a kind and wins no line."),
    ],
)  # fmt: skip
def test_the_bad_beat_names_who_beat_whom(board: str, player: str, dealer: str, sentence: str) -> None:
    verdict = GAME.verify(table("bad_beat", "BBB-02"), deal(board, dealer, seat1=player), 1)
    assert sentence in verdict.why


@pytest.mark.parametrize(
    ("code", "hole", "line"),
    [
        ("PT1", "Ac Ad", "aces"),
        ("PT1", "Ah Kh", "ace_king_suited"),
        ("PT1", "Qd Ad", "ace_queen_jack_suited"),
        ("PT1", "As Kh", "ace_king_offsuit"),
        ("PT1", "Qc Qd", "high_pair"),
        ("PT1", "As Jh", "ace_queen_jack_offsuit"),
        ("PT1", "Tc Td", "low_pair"),
        ("PT1", "Kc Qc", None),
        ("PT3", "Ah Ad", "aces"),
        ("PT4", "Ah Ad", "red_aces"),
        ("PT4", "Ac As", "aces"),
        ("PT4", "Ad Td", None),
        ("PT5", "Jc Ac", "ace_face_suited"),
        ("PT6", "Jc Ad", "ace_face"),
        ("PT6", "2c 2d", "pair"),
    ],
)
def test_the_pairs_bet_looks_at_the_two_hole_cards(code: str, hole: str, line: str | None) -> None:
    verdict = GAME.verify(table("pairs", code), deal("7h 8s 9c 3d 4h", seat1=hole), 1)
    assert (verdict.line and verdict.line.hand) == line


def test_aces_on_both_sides_pay_the_top_line_of_table_two() -> None:
    verdict = GAME.verify(table("pairs", "PT2"), deal("7h 8s 9c 3d 4h", "Ac As", seat1="Ah Ad"), 1)
    assert verdict.why == "Player A-A and dealer A-A (Ah Ad against Ac As): 1,000 to 1."


def test_aces_on_table_two_cannot_be_judged_without_the_dealers_cards() -> None:
    with pytest.raises(NotInThisGame, match="dealer's two cards are needed: aces on both sides"):
        GAME.verify(table("pairs", "PT2"), deal("7h 8s 9c 3d 4h", seat1="Ah Ad"), 1)


def test_a_bad_beat_cannot_be_judged_without_the_dealers_cards() -> None:
    with pytest.raises(NotInThisGame, match="dealer's two cards are needed"):
        GAME.verify(table("bad_beat", "BBB-02"), deal("7h 8s 9c 3d 4h", seat1="Ah Ad"), 1)


def test_a_card_both_at_a_seat_and_on_the_board_is_refused() -> None:
    with pytest.raises(CardTwice, match="in the board and in seat 3"):
        deal("Ah Kh Qh As Kd", seat3="Ah Th")


def test_a_short_board_is_refused() -> None:
    with pytest.raises(WrongNumberOfCards, match="The board has 3 cards; it needs 5"):
        GAME.verify(PROGRESSIVE, deal("Ah Kh Qh", seat3="Jh Th"), 3)


def test_a_seat_with_one_card_is_refused() -> None:
    with pytest.raises(WrongNumberOfCards, match="Seat 3 has 1 card;"):
        GAME.verify(PROGRESSIVE, deal("Ah Kh Qh As Kd", seat3="Jh"), 3)


def test_a_seat_without_cards_is_refused() -> None:
    with pytest.raises(NotInThisGame, match="Seat 4 has no cards"):
        GAME.verify(PROGRESSIVE, deal("Ah Kh Qh As Kd", seat3="Jh Th"), 4)


def test_a_pay_table_that_is_not_there_is_refused_with_those_that_are() -> None:
    with pytest.raises(NotInThisGame, match=r"has no trips table UTH-09; it has UTH-01, UTH-02, UTH-03, UTH-04"):
        table("trips", "UTH-09")
