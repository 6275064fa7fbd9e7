"""The training table: a dealt round, acted step by step, settled and corrected."""

from __future__ import annotations

from fractions import Fraction

import pytest
from django.test import Client

from jackpot.refusals import NotUnderstood
from tables.games.uth.procedure import procedures
from tables.training.pages.training_felt import bank_cards, board, choices, felt_seats, monitor, settle_form
from tables.training.pages.training_round import Practice, given_of, new_practice, practice_of
from tests.builders import a_person

WORDS = {"do": "begin", "shuffler": "shoe", "bank": "player_dealer", "players": "2"}
SETTLES = "settle_seat"
EVERY = [(shuffler, bank) for shuffler in procedures().shufflers for bank in procedures().banks]


def practice(shuffler: str = "hand_held", bank: str = "house", seed: int = 11, **more: str) -> Practice:
    return new_practice({"shuffler": shuffler, "bank": bank, **more}, seed)


def on(one: Practice) -> Practice:
    """The due act, done right."""
    assert one.due is not None
    seat = one.due.seat
    if seat is None:
        return one.choose(one.due.step.key)
    touched = one if one.armed else one.choose(one.due.step.key)
    if touched.walk.done == one.walk.done and touched.settling is None:
        touched = touched.touch(seat)
    if touched.settling is None:
        return touched
    return touched.settled({decision.wager: decision.net for decision in touched.seat_result(seat).decisions})


def asked_at(key: str, one: Practice) -> Practice:
    """Up to the form of the first seat where this step is due."""
    one = until(key, one)
    assert one.due is not None
    named = one.choose(key)
    return named if named.settling else named.touch(one.due.seat or 0)


def said(one: Practice) -> str:
    assert one.remark is not None
    return str(one.remark["why"])


def until(key: str, one: Practice) -> Practice:
    while one.due is not None and one.due.step.key != key:
        one = on(one)
    return one


@pytest.mark.parametrize(("shuffler", "bank"), EVERY)
@pytest.mark.parametrize("seed", range(3))
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
    assert one.remark["why"].startswith("Too early. First: Takes the entire deck that the shuffler delivers")
    assert (one.score, one.walk.done) == ((0, 1), 0)


def test_the_right_step_at_the_wrong_seat_is_caught() -> None:
    one = until("bets", practice()).choose("bets").touch(6)
    assert one.remark is not None
    assert one.remark["why"].startswith("Right step, wrong seat: seat 1 is next.")
    assert one.armed == "bets"


def test_a_seat_touched_before_any_step_is_told_so() -> None:
    one = practice().touch(1)
    assert one.remark == {"right": False, "why": "Name the step first, then touch the seat.", "lines": []}


def test_a_step_round_the_seats_is_named_once() -> None:
    one = until("bets", practice()).choose("bets")
    for seat in (1, 3):
        one = one.touch(seat)
        assert one.armed == "bets"
    assert one.touch(6).armed == ""


def test_a_wrong_settlement_is_corrected_wager_by_wager() -> None:
    one = until(SETTLES, practice())
    asked = asked_at(SETTLES, practice())
    decisions = asked.seat_result(asked.settling or 0).decisions
    wrong = asked.settled({decision.wager: decision.net + 1 for decision in decisions})
    assert wrong.remark is not None
    lines = wrong.remark["lines"]
    assert [line["right"] for line in lines] == [False] * len(settle_form(asked))
    assert all(line["why"].endswith(".") for line in lines)
    assert wrong.score == (one.score[0] + 1, one.score[1] + 1 + len(lines))


def test_what_is_not_said_is_wrong() -> None:
    assert asked_at(SETTLES, practice()).settled({}).wagers[0] == 0


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
    asked = asked_at(SETTLES, practice(seed=0))
    (shown,) = [seat for seat in felt_seats(asked) if "" not in seat.cards and seat.cards]
    assert shown.number == asked.settling
    assert [wager for wager, _, _ in settle_form(asked)][:2] == ["ante", "play"]
    assert settle_form(until(SETTLES, practice(seed=0))) == []


def test_the_next_step_of_a_seats_turn_stays_with_the_seat() -> None:
    after = asked_at(SETTLES, practice(seed=4)).settled({})
    assert after.due is not None
    assert after.due.step.key == "rack_cards"
    racked = after.choose("rack_cards")
    assert (racked.walk.done, racked.armed) == (after.walk.done + 1, "")


def test_a_folded_seat_lies_tucked_until_its_bonus_bets_are_settled() -> None:
    one = practice(situation="folded_winner")
    (folded,) = [seat.seat for seat in one.played.seats if seat.action == "fold"]
    one = on(until("tuck_folded", one))
    assert said(one).endswith(f"from seat {folded}.")
    (lies,) = [seat for seat in felt_seats(one) if seat.number == folded]
    assert (lies.state, lies.cards, [name for name, _ in lies.chips][:1]) == ("folded", ["", ""], ["trips"])
    asked = asked_at("settle_folded", one)
    assert [wager for wager, _, _ in settle_form(asked)][:2] == ["trips", "bad_beat"]
    (opened,) = [seat for seat in felt_seats(asked) if seat.number == folded]
    assert len([card for card in opened.cards if card]) == 2
    (gone,) = [seat for seat in felt_seats(on(on(asked_before(asked)))) if seat.number == folded]
    assert (gone.cards, gone.chips) == ([], [])


def asked_before(asked: Practice) -> Practice:
    """The same round without the form that stands open."""
    return practice_of({**asked.plain(), "armed": "", "settling": None})


def test_the_chips_of_a_wager_lie_until_the_step_that_settles_it() -> None:
    one = until("push_ante", practice(bank="player_dealer", situation="dealer_fails"))
    assert one.due is not None
    seat = one.due.seat
    chips = [name for shown in felt_seats(one) if shown.number == seat for name, _ in shown.chips]
    assert chips[:2] == ["ante", "blind"]
    given_back = on(one)
    assert said(given_back).endswith(f"Ante back to seat {seat}.")
    assert "ante" not in [name for shown in felt_seats(given_back) if shown.number == seat for name, _ in shown.chips]


def test_how_a_hand_ends_is_not_betrayed_by_what_is_offered() -> None:
    one = until("settle_won", practice(bank="player_dealer", players="6"))
    assert {"settle_lost", "settle_tied"} < {choice.key for choice in choices(one)}
    house = until(SETTLES, practice())
    assert not {"settle_won", "settle_lost"} & {choice.key for choice in choices(house)}
    assert "mark_hit" in {choice.key for choice in choices(house)}


def test_a_losing_hand_of_a_player_bank_is_asked_play_ante_blind() -> None:
    asked = asked_at("settle_lost", practice(bank="player_dealer", players="6", seed=7))
    assert [wager for wager, _, _ in settle_form(asked)][:3] == ["play", "ante", "blind"]


@pytest.mark.parametrize("profile", ["card", "key"])
def test_several_hits_are_marked_recorded_and_paid_from_the_right(profile: str) -> None:
    one = until("win_page", practice(situation="several_hits", profile=profile))
    assert monitor(one) == []
    one = on(one)
    seats = [seat for seat, _ in monitor(one)]
    assert len(seats) > 1
    assert seats == sorted(seats, reverse=True)
    asked = asked_at("pay_hit", one)
    assert asked.settling == seats[0]
    assert [wager for wager, _, _ in settle_form(asked)] == ["progressive"]


def test_a_hit_that_is_not_marked_is_caught() -> None:
    one = until("mark_hit", practice(situation="royal")).choose("rack_cards")
    assert said(one).startswith(("Too early. First: Selects the spot", "That is no step of this round. Now: Selects"))


def test_the_chosen_situation_is_dealt() -> None:
    assert not practice(situation="dealer_fails").result.qualifies
    assert any(seat.result == "tie" for seat in practice(situation="tie", players="1").result.seats)
    short = practice(bank="player_dealer", situation="bank_short")
    assert any(one.uncovered for seat in short.result.seats for one in seat.decisions)


def test_a_full_table_plays_and_a_players_bank_keeps_its_seat() -> None:
    assert len(practice(players="7").played.seats) == 7
    with pytest.raises(NotUnderstood, match="Seat 7 banks the round: choose 6 players at most"):
        practice(bank="player_dealer", players="7")


@pytest.mark.parametrize(
    ("bank", "situation", "sentence"),
    [
        ("player_dealer", "several_hits", "is played where the house banks"),
        ("house", "bank_short", "is played where a player banks"),
        ("house", "snow", "Choose one of the situations"),
    ],
)
def test_a_situation_that_this_table_cannot_have_is_refused(bank: str, situation: str, sentence: str) -> None:
    with pytest.raises(NotUnderstood, match=sentence):
        practice(bank=bank, situation=situation)


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
    asked = asked_at("pay_hit", practice(situation="several_hits"))
    prize = next(one.net for one in asked.seat_result(asked.settling or 0).decisions if one.wager == "progressive")
    paid = asked.settled({"progressive": prize})
    assert paid.remark is not None
    (line,) = paid.remark["lines"]
    assert (line["right"], line["why"].endswith("; the wager is not returned.")) == (True, True)


def test_an_amount_that_is_none_gets_a_sentence() -> None:
    with pytest.raises(NotUnderstood, match="“lots” is not an amount"):
        given_of({"said_ante": "pay", "amount_ante": "lots"}, {"ante": Fraction(10)})


@pytest.mark.parametrize(
    "wrong",
    [{"shuffler": "dice"}, {"bank": "nobody"}, {"players": "9"}, {"players": "²"}, {"profile": "lever"}],
)
def test_a_round_that_no_book_has_is_refused(wrong: dict[str, str]) -> None:
    with pytest.raises(NotUnderstood):
        new_practice(wrong)


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


def test_the_whole_book_can_be_read_before_a_round(dealer: Client) -> None:
    page = dealer.get("/train/").content.decode()
    for words in (
        "Deck Mate",
        "ACE or iDeal",
        "A player banks. Card shoe",
        "Signals a push for the ante",
        "Presses J-POT.",
    ):
        assert words in page, words
    for key in ("dealer_fails", "tie", "bad_beat", "royal", "several_hits", "folded_winner", "bank_short"):
        assert f'value="{key}"' in page


def test_a_refused_wish_stays_on_the_form(dealer: Client) -> None:
    page = dealer.post("/train/", {**WORDS, "situation": "several_hits"}).content.decode()
    assert "is played where the house banks" in page
    assert 'value="player_dealer" checked' in page


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
