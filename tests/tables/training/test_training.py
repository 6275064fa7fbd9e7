"""The training table: a dealt round, acted step by step, settled and corrected."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
from django.test import Client

from jackpot.refusals import NotUnderstood
from tables.games.uth.procedure import procedures
from tables.training.pages.training_felt import bank_cards, board, choices, felt_seats, settle_form
from tables.training.pages.training_round import SETTLES, Practice, given_of, new_practice, practice_of
from tests.builders import a_person

WORDS = {"do": "begin", "shuffler": "shoe", "bank": "player_dealer", "players": "2"}
EVERY = [(shuffler, bank) for shuffler in procedures().shufflers for bank in procedures().banks]


def practice(shuffler: str = "hand_held", bank: str = "house", seed: int = 11) -> Practice:
    return new_practice(shuffler, bank, "3", seed)


def on(one: Practice) -> Practice:
    """The due act, done right."""
    assert one.due is not None
    seat = one.due.seat
    if seat is None:
        return one.choose(one.due.step.key)
    named = one if one.armed else one.choose(one.due.step.key)
    touched = named.touch(seat)
    if touched.settling is None:
        return touched
    return touched.settled({decision.wager: decision.net for decision in touched.seat_result(seat).decisions})


def until(key: str, one: Practice) -> Practice:
    while one.due is not None and one.due.step.key != key:
        one = on(one)
    return one


@pytest.mark.parametrize(("shuffler", "bank"), EVERY)
@pytest.mark.parametrize("seed", range(6))
def test_whoever_acts_rightly_ends_the_round_with_every_point(shuffler: str, bank: str, seed: int) -> None:
    one = practice(shuffler, bank, seed)
    while one.due is not None:
        one = on(practice_of(one.plain()))
        assert one.remark is None or one.remark["right"]
    right, of = one.score
    assert right == of > len(one.walk.dues)


def test_a_step_too_early_is_caught_with_what_was_due_and_why() -> None:
    one = practice().choose("flop")
    assert one.remark is not None
    assert one.remark["why"].startswith("Too early. First: Bets the same on ante and blind")
    assert (one.score, one.walk.done) == ((0, 1), 0)


def test_the_right_step_at_the_wrong_seat_is_caught() -> None:
    one = practice().choose("bets").touch(6)
    assert one.remark is not None
    assert one.remark["why"].startswith("Right step, wrong seat: seat 1 is next.")
    assert one.armed == "bets"


def test_a_seat_touched_before_any_step_is_told_so() -> None:
    one = practice().touch(1)
    assert one.remark == {"right": False, "why": "Name the step first, then touch the seat.", "lines": []}


def test_a_step_round_the_seats_is_named_once() -> None:
    one = practice().choose("bets")
    for seat in (1, 3):
        one = one.touch(seat)
        assert one.armed == "bets"
    assert one.touch(6).armed == ""


def test_a_wrong_settlement_is_corrected_wager_by_wager() -> None:
    one = until(SETTLES, practice())
    assert one.due is not None
    seat = one.due.seat
    asked = one.choose(SETTLES).touch(seat or 0)
    decisions = asked.seat_result(asked.settling or 0).decisions
    wrong = asked.settled({decision.wager: decision.net + 1 for decision in decisions})
    assert wrong.remark is not None
    assert [line["right"] for line in wrong.remark["lines"]] == [False] * len(decisions)
    assert all(line["why"].endswith(".") for line in wrong.remark["lines"])
    assert wrong.score == (one.score[0] + 1, one.score[1] + 1 + len(decisions))


def test_what_is_not_said_is_wrong() -> None:
    one = until(SETTLES, practice())
    asked = one.choose(SETTLES).touch((one.due and one.due.seat) or 0)
    assert asked.settled({}).wagers[0] == 0


def test_cards_lie_closed_until_their_step() -> None:
    one = practice()
    assert (board(one), bank_cards(one)) == ([], [])
    one = until("flop", one)
    assert board(one) == []
    one = on(one)
    assert board(one) == list(one.played.board[:3])
    one = until("show_bank", one)
    assert (board(one), bank_cards(one)) == (list(one.played.board), ["", ""])
    assert all(card == "" for seat in felt_seats(one) for card in seat.cards)
    assert bank_cards(on(one)) == list(one.played.dealer)


def test_a_board_that_comes_first_lies_face_down() -> None:
    one = on(until("spread_board", practice("board_first")))
    assert board(one) == [""] * 5
    assert board(on(until("flop", one)))[3:] == ["", ""]


def test_a_shoe_gives_one_card_and_then_the_other() -> None:
    one = until("bank_first", practice("shoe"))
    assert [len(seat.cards) for seat in felt_seats(one) if seat.taken] == [1, 1, 1]
    assert [len(bank_cards(on(one))), len(bank_cards(on(until("bank_cards", one))))] == [1, 2]


def test_the_seat_that_is_settled_shows_its_cards_and_its_stakes() -> None:
    one = until(SETTLES, practice())
    asked = one.choose(SETTLES).touch((one.due and one.due.seat) or 0)
    (shown,) = [seat for seat in felt_seats(asked) if "" not in seat.cards and seat.cards]
    assert shown.number == asked.settling
    assert [wager for wager, _, _ in settle_form(asked)][:2] == ["ante", "play"]
    assert settle_form(one) == []


def test_the_choices_hold_the_due_step_and_others_in_no_telling_order() -> None:
    places = set()
    one = practice()
    while one.due is not None:
        offered = [choice.key for choice in choices(one)]
        assert len(set(offered)) == len(offered) == 5
        places.add(offered.index(one.due.step.key))
        one = on(one)
    assert places == {0, 1, 2, 3, 4}
    assert choices(one) == []


@pytest.mark.parametrize(
    ("typed", "net"),
    [
        ({"said_ante": "take"}, Fraction(-10)),
        ({"said_ante": "push"}, Fraction(0)),
        ({"said_ante": "pay"}, Fraction(10)),
        ({"said_ante": "pay", "amount_ante": "$1,000.50"}, Fraction(2001, 2)),
        ({"said_ante": "take", "amount_ante": "4"}, Fraction(-4)),
        ({}, None),
    ],
)
def test_take_push_and_pay_are_read_with_the_amount(typed: dict[str, str], net: Fraction | None) -> None:
    assert given_of(typed, {"ante": Fraction(10)}) == {"ante": net}


def test_the_progressive_is_paid_as_an_award_for_its_chip_is_gone() -> None:
    stakes = {"progressive": Fraction(1)}
    assert given_of({"said_progressive": "pay", "amount_progressive": "10"}, stakes) == {"progressive": Fraction(9)}
    assert given_of({"said_progressive": "take"}, stakes) == {"progressive": Fraction(-1)}
    one = until(SETTLES, practice())  # seat 3 holds a full house and has a chip on the sensor
    asked = one.choose(SETTLES).touch(6).settled({}).touch(3).settled({"progressive": Fraction(9)})
    assert asked.remark is not None
    line = next(line for line in asked.remark["lines"] if line["wager"] == "progressive")
    assert (line["right"], line["why"].endswith("The award is $10; the wager is not returned.")) == (True, True)


def test_an_amount_that_is_none_gets_a_sentence() -> None:
    with pytest.raises(NotUnderstood, match="“lots” is not an amount"):
        given_of({"said_ante": "pay", "amount_ante": "lots"}, {"ante": Fraction(10)})


@pytest.mark.parametrize(
    "wrong", [("dice", "house", "3"), ("shoe", "nobody", "3"), ("shoe", "house", "9"), ("shoe", "house", "²")]
)
def test_a_round_that_no_book_has_is_refused(wrong: Any) -> None:
    with pytest.raises(NotUnderstood):
        new_practice(*wrong)


@pytest.fixture
def dealer(db: None) -> Client:
    browser = Client()
    browser.force_login(a_person("dealer", may=("see", "deal")))
    return browser


def test_a_round_is_kept_in_the_session(dealer: Client) -> None:
    assert "Deal a round" in dealer.get("/train/").content.decode()
    assert dealer.post("/train/", WORDS).headers["Location"] == "/train/"
    dealer.post("/train/", {"do": "choose", "key": "flop"})
    page = dealer.get("/train/").content.decode()
    assert "Too early." in page
    assert "<strong>0</strong> of 1 right" in page


def test_a_program_of_the_page_hears_only_the_table(dealer: Client) -> None:
    part = dealer.post("/train/", WORDS, headers={"HX-Request": "true"}).content.decode()
    assert "What comes next?" in part
    assert "<html" not in part


def test_a_finished_round_counts_once_and_the_next_begins(dealer: Client) -> None:
    dealer.post("/train/", WORDS)
    session = dealer.session
    one = practice_of(session["training"]["round"])
    while one.due is not None and one.due.step.key != "pass_bank":
        one = on(one)
    session["training"] = {**session["training"], "round": one.plain()}
    session.save()
    dealer.post("/train/", {"do": "choose", "key": "pass_bank"})
    dealer.post("/train/", {"do": "choose", "key": "pass_bank"})
    right, of, rounds = dealer.session["training"]["total"]
    assert (right, rounds) == (of, 1)
    dealer.post("/train/", WORDS)
    assert dealer.session["training"]["total"][2] == 1


@pytest.mark.parametrize(
    "words",
    [
        {}, {"do": "choose"}, {"do": "seat", "seat": "²"}, {"do": "seat"}, {"do": "settle"},
        {"do": "begin", "players": "x"}, {"do": "choose", "key": "no_such_step"},
    ],
)  # fmt: skip
def test_nothing_that_is_typed_breaks_the_table(dealer: Client, words: dict[str, str]) -> None:
    for _ in range(2):
        assert dealer.post("/train/", words).status_code in {200, 302}
        dealer.post("/train/", WORDS)
    assert dealer.get("/train/").status_code == 200


def test_an_auditor_looks_on(db: None) -> None:
    browser = Client()
    browser.force_login(a_person("auditor", may=("see", "read_books")))
    assert "Your roles look on here" in browser.get("/train/").content.decode()
    assert browser.post("/train/", WORDS).status_code == 403
