"""Cards as people write them."""

import pytest

from tables.games.cards import DECK, CardTwice, NotACard, WrongNumberOfCards, parse_card, parse_cards, refuse_twice


def test_a_deck_has_fifty_two_different_cards_in_index_order() -> None:
    assert [card.index for card in DECK] == list(range(52))


def test_every_card_reads_back_what_it_prints() -> None:
    assert all(parse_card(str(card)) is card for card in DECK)


@pytest.mark.parametrize("written", ["Th", "10h", "th", "TH", "T♥", " Th "])
def test_the_ten_of_hearts_may_be_written_in_many_ways(written: str) -> None:
    assert parse_card(written).name == "10 of hearts"


@pytest.mark.parametrize("written", ["1h", "", "h", "Xh", "Ahh", "11h", "hA"])
def test_a_text_without_a_rank_is_refused_by_its_rank(written: str) -> None:
    with pytest.raises(NotACard, match="the rank must be one of A K Q J T 9"):
        parse_card(written)


def test_a_text_without_a_suit_is_refused_by_its_suit() -> None:
    with pytest.raises(NotACard, match=r"“Ax” is not a card: the suit must be c, d, h or s"):
        parse_card("Ax")


def test_a_number_is_no_card() -> None:
    with pytest.raises(NotACard, match="Write a card as rank and suit, for example Ah"):
        parse_card(12)  # type: ignore[arg-type]


@pytest.mark.parametrize("written", ["Ah Kh", "AhKh", "Ah,Kh", "ah-10h"])
def test_cards_in_one_text_are_told_apart(written: str) -> None:
    assert len(parse_cards(written)) == 2


def test_a_wrong_card_in_a_row_is_quoted() -> None:
    with pytest.raises(NotACard, match="“1h” is not a card"):
        parse_cards("Ah 1h")


def test_a_card_twice_is_refused() -> None:
    with pytest.raises(CardTwice, match=r"ace of hearts \(Ah\) is twice in the hand"):
        parse_cards("Ah Ah")


def test_a_card_in_two_places_is_refused_with_both() -> None:
    with pytest.raises(CardTwice, match="in seat 3 and in the board"):
        refuse_twice({"seat 3": parse_cards("Ah Kh"), "the board": parse_cards("Qh Ah")})


def test_eight_cards_are_refused_where_seven_are_due() -> None:
    with pytest.raises(WrongNumberOfCards, match="The hand has 8 cards; it needs 7"):
        parse_cards("Ah Kh Qh Jh Th 9h 8h 7h", 7)


def test_one_card_is_refused_where_two_are_due() -> None:
    with pytest.raises(WrongNumberOfCards, match="Seat 4 has 1 card; it needs 2"):
        parse_cards(["Ah"], 2, "seat 4")


@pytest.mark.parametrize("text", ["A♥", "A♥️", "a♡", "A♡️", "A♥︎", "A❤️", "Ah", "AH", "aH", " Ah "])
def test_suits_are_read_as_tablets_type_them(text: str) -> None:
    assert str(parse_card(text)) == "Ah"


def test_a_run_of_signs_with_colour_marks_is_as_many_cards() -> None:
    assert [str(card) for card in parse_cards("10♠️T♣️ A♢,k♧")] == ["Ts", "Tc", "Ad", "Kc"]


@pytest.mark.parametrize(
    ("text", "about"),
    [
        ("A★", "suit"),
        ("Ax", "suit"),
        ("1♥️", "rank"),
        ("11h", "rank"),
        ("10", "suit"),
        ("10★", "suit"),
        ("♥️", "rank"),
        ("A", "suit"),
        ("❤️", "rank"),
    ],
)
def test_the_refusal_speaks_of_what_is_wrong(text: str, about: str) -> None:
    with pytest.raises(NotACard, match=f"the {about} must be"):
        parse_card(text)
