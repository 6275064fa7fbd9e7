"""The steps of a round, walked through."""

import re
from dataclasses import replace
from itertools import groupby
from pathlib import Path

import pytest

from tables.games.packs import PackRefused
from tables.games.procedure import (
    NoSuchProcedure,
    ProcedureStep,
    ProcedureWalk,
    Scene,
    begin,
    load_glossary,
    load_procedures,
)
from tables.games.uth.procedure import PACKS, glossary, procedures

BOOK = procedures()
HOUSE = Scene("hand_held", "house", (2, 5))
PLAYER_BANKS = Scene("shoe", "player_dealer", (1, 2, 5), player_dealer=4, table_seats=6)


def keys(scene: Scene) -> list[str]:
    return list(dict.fromkeys(due.step.key for due in begin(BOOK, scene).dues))


def due_at(seat: int, scene: Scene) -> list[str]:
    """What is done at one seat once the hand that banks lies open."""
    dues = begin(BOOK, scene).dues
    opened = next(place for place, due in enumerate(dues) if due.step.key == "qualify")
    return [due.step.key for due in dues[opened:] if due.seat == seat]


def step(key: str, scene: Scene) -> ProcedureStep:
    return next(due.step for due in begin(BOOK, scene).dues if due.step.key == key)


def seats_of(key: str, scene: Scene) -> list[int | None]:
    return [due.seat for due in begin(BOOK, scene).dues if due.step.key == key]


def walked_to(key: str, scene: Scene = HOUSE) -> ProcedureWalk:
    walk = begin(BOOK, scene)
    while walk.next and walk.next.step.key != key:
        walk = walk.act(walk.next.step.key, walk.next.seat)
    return walk


@pytest.mark.parametrize("bank", ["house", "player_dealer"])
@pytest.mark.parametrize("shuffler", ["hand_held", "board_first", "shoe", "hands"])
def test_every_shuffler_and_bank_can_be_walked_to_its_end(shuffler: str, bank: str) -> None:
    scene = Scene(shuffler, bank, (1, 3), player_dealer=2 if bank == "player_dealer" else None)
    walk = begin(BOOK, scene)
    while walk.next:
        walk = walk.act(walk.next.step.key, walk.next.seat)
    right, acts = walk.score
    assert right == acts == len(walk.dues) > 10


@pytest.mark.parametrize(
    ("shuffler", "dealing"),
    [
        ("hand_held", ["deal_two", "bank_cards"]),
        ("board_first", ["spread_board", "deal_two", "bank_cards", "green_button"]),
        ("shoe", ["deal_first", "bank_first", "deal_second", "bank_cards", "board_down"]),
        ("hands", ["deal_two", "bank_cards", "board_down", "discard_rest"]),
    ],
)
def test_each_shuffler_has_its_own_way_to_deal(shuffler: str, dealing: list[str]) -> None:
    walked = keys(Scene(shuffler, "house", (1,)))
    assert [key for key in walked if "deal_" in key or key in dealing] == dealing


def test_the_house_settles_from_right_to_left() -> None:
    assert seats_of("settle_seat", HOUSE) == [5, 2]


def test_a_player_dealer_settles_from_its_left() -> None:
    assert seats_of("settle_won", PLAYER_BANKS) == [5, 1, 2]


def test_a_dealer_without_a_pair_refunds_the_antes_before_settling() -> None:
    scene = Scene("hand_held", "house", (2, 3, 5), folded=frozenset({3}), dealer_fails=True)
    walked = keys(scene)
    assert walked.index("show_bank") < walked.index("refund_antes") < walked.index("settle_seat")
    assert seats_of("refund_antes", scene) == [5, 2]


@pytest.mark.parametrize("bank", ["house", "player_dealer"])
def test_a_folded_seat_without_a_living_bet_is_done_before_the_dealers_cards_are_shown(bank: str) -> None:
    scene = Scene("hands", bank, (1, 2), player_dealer=3 if bank != "house" else None, folded=frozenset({2}))
    walked = keys(scene)
    assert walked.index("rack_folded") < walked.index("show_bank")
    assert (seats_of("rack_folded", scene), due_at(2, scene)) == ([2], [])


@pytest.mark.parametrize("bank", ["house", "player_dealer"])
def test_a_folded_seat_with_a_living_bet_is_settled_in_its_turn_at_the_showdown(bank: str) -> None:
    dealer = 4 if bank != "house" else None
    scene = Scene("hands", bank, (1, 2, 5), player_dealer=dealer, folded=frozenset({2}), tucked=frozenset({2}))
    assert due_at(2, scene) == ["settle_folded", "rack_cards"]
    assert seats_of("rack_cards", scene) == ([5, 2, 1] if bank == "house" else [5, 1, 2])
    assert "rack_folded" not in keys(scene)


def test_a_player_bank_that_fails_is_another_walk_than_one_that_qualifies() -> None:
    fails = replace(PLAYER_BANKS, dealer_fails=True)
    assert due_at(5, fails) == ["expose_seat", "push_ante", "settle_won", "rack_cards"]
    assert due_at(5, PLAYER_BANKS) == ["work_area", "settle_won", "rack_cards"]
    folded = replace(fails, folded=frozenset({5}))
    assert due_at(5, folded) == [], "only who did not fold gets the ante back"


def test_with_a_player_bank_a_hand_that_wins_loses_or_ties_has_its_own_step() -> None:
    scene = replace(PLAYER_BANKS, lost=frozenset({1}), tied=frozenset({2}))
    assert [due_at(seat, scene)[1] for seat in (5, 1, 2)] == ["settle_won", "settle_lost", "settle_tied"]
    assert "play, ante and blind, in this order" in step("settle_lost", scene).text
    assert {"001:129", "003:318"} <= set(step("settle_lost", scene).source)


@pytest.mark.parametrize("bank", ["house", "player_dealer"])
def test_every_seat_is_racked_before_the_next_one_is_settled(bank: str) -> None:
    scene = HOUSE if bank == "house" else PLAYER_BANKS
    turns = [due.seat for due in begin(BOOK, scene).dues if due.step.turn == "seat"]
    assert [seat for seat, _ in groupby(turns)] == list(dict.fromkeys(turns))
    assert all(due_at(seat, scene)[-1] == "rack_cards" for seat in scene.seats)


PRIZES = Scene("hand_held", "house", (2, 3, 6), progressive=True, hits=frozenset({3, 6}))


@pytest.mark.parametrize(
    ("profile", "lock", "marked"),
    [
        ("card", "START GAME", ["confirm", "swipe_card", "win_page", "pay_hit", "rack_winner"]),
        ("key", "COIN IN", ["turn_to_jph", "press_jpot", "win_page", "pay_hit", "rack_winner", "turn_to_run"]),
    ],
)
def test_a_hit_is_marked_verified_recorded_and_paid_by_each_controller(
    profile: str, lock: str, marked: list[str]
) -> None:
    scene = replace(PRIZES, profile=profile)
    walked = keys(scene)
    assert lock in step("lock", scene).text
    assert walked[walked.index("call_supervisor") :] == ["call_supervisor", "verify_hit", *marked, "game_over"]
    assert walked.index("mark_hit") < walked.index("call_supervisor")
    assert ("Selects the spot" in step("mark_hit", scene).text) == (profile == "card")


def test_of_several_prizes_the_one_farthest_to_the_right_is_paid_first() -> None:
    assert (seats_of("mark_hit", PRIZES), seats_of("pay_hit", PRIZES)) == ([6, 3], [6, 3])
    assert due_at(3, PRIZES) == ["settle_seat", "mark_hit", "pay_hit", "rack_winner"]
    assert due_at(2, PRIZES) == ["settle_seat", "rack_cards"]


def test_without_a_hit_nobody_is_called() -> None:
    assert not {"mark_hit", "call_supervisor", "pay_hit"} & set(keys(replace(PRIZES, hits=frozenset())))


def test_the_caution_is_said_when_the_bank_shows() -> None:
    assert "no automatic win" in step("qualify", HOUSE).why
    assert "002:68" in step("qualify", HOUSE).source


def test_the_player_bank_need_not_cover_all_and_its_decks_go_in_turn() -> None:
    assert "need not cover" in step("bank_wager", PLAYER_BANKS).text
    assert keys(PLAYER_BANKS)[0] == "swap_decks"
    assert "swap_decks" not in keys(HOUSE)


def test_folded_cards_are_spread_one_by_one() -> None:
    scene = replace(PLAYER_BANKS, folded=frozenset({2}))
    assert "one by one, face down" in step("rack_folded", scene).text


def test_the_shufflers_are_called_what_stands_on_them() -> None:
    assert {name for machine in BOOK.machines for name in machine.names} >= {"Deck Mate", "ACE", "iDeal", "Card shoe"}
    assert BOOK.shufflers["board_first"] == "ACE or iDeal: gives the five community cards first"
    assert all(re.fullmatch(r"00[1-4]:\d{1,3}", line) for machine in BOOK.machines for line in machine.source)


def test_the_progressive_is_locked_before_the_cards() -> None:
    walked = keys(Scene("hand_held", "house", (1,), progressive=True))
    assert walked[:6] == ["take_deck", "bets", "progressive_chips", "lock", "take_chips", "deal_two"]
    assert walked[-1] == "game_over"


def test_the_collection_is_taken_of_what_lies_there_at_the_call_and_before_the_cards() -> None:
    """[001:75, 193] After every wager and before the cards; the console tells the fee when no more bets are taken."""
    walked = keys(PLAYER_BANKS)
    assert walked[1:6] == ["bank_wager", "bets", "no_more_bets", "collection", "deal_first"]


def test_a_step_too_early_is_caught_with_what_comes_first() -> None:
    walk = walked_to("first_decision").act("flop")
    assert walk.remarks[-1].why == (
        "Too early. First: Checks, or plays three or four times the ante. "
        "Before the flop the play wager may be three or four antes, once and for good."
    )
    assert walk.next == walked_to("first_decision").next


def test_a_seat_out_of_turn_is_caught_with_the_seat_that_is_next() -> None:
    walk = walked_to("settle_seat").act("settle_seat", 2)
    assert walk.remarks[-1].why.startswith("Right step, wrong seat: seat 5 is next.")


def test_a_step_that_is_done_is_not_done_again() -> None:
    assert walked_to("flop").act("deal_two", 2).remarks[-1].why.startswith("That is done already.")


def test_a_step_of_another_shuffler_is_no_step() -> None:
    assert walked_to("deal_two").act("green_button").remarks[-1].why.startswith("That is no step of this round.")


def test_the_score_counts_right_acts_and_all_acts() -> None:
    assert begin(BOOK, HOUSE).act("flop").act("take_deck").score == (1, 2)


def test_a_finished_round_takes_no_more_acts() -> None:
    walk = walked_to("nothing")
    assert walk.finished
    with pytest.raises(NoSuchProcedure, match="The round is over"):
        walk.act("flop")


@pytest.mark.parametrize(
    ("scene", "sentence"),
    [
        (Scene("wheel", "house", (1,)), "There is no shuffler wheel here; there is hand_held"),
        (Scene("shoe", "casino", (1,)), "There is no bank casino here"),
        (Scene("shoe", "house", (1,), profile="wheel"), "no controller profile wheel here; there is card, key"),
        (Scene("shoe", "house", (1,), tucked=frozenset({1})), "Seat 1 is not among the seats that play, or lives on"),
        (Scene("shoe", "house", (1,), hits=frozenset({2})), "Seat 2 is not among"),
        (Scene("shoe", "house", ()), "needs a player at least"),
        (Scene("shoe", "house", (8,)), "no seat 8; this table has seats 1 to 7"),
        (Scene("shoe", "player_dealer", (1,)), "Say which seat banks"),
        (Scene("shoe", "house", (1,), player_dealer=2), "Say which seat banks"),
        (Scene("shoe", "player_dealer", (1, 2), player_dealer=2), "Seat 2 banks the round"),
    ],
)
def test_an_impossible_round_is_refused(scene: Scene, sentence: str) -> None:
    with pytest.raises(NoSuchProcedure, match=sentence):
        begin(BOOK, scene)


def test_every_step_and_irregularity_says_where_it_is_printed() -> None:
    for one in (*BOOK.steps, *BOOK.irregularities):
        assert one.source
        assert all(re.fullmatch(r"00[1-4]:\d{1,3}", line) for line in one.source), one.key


def test_a_shuffler_malfunction_voids_all_hands() -> None:
    failure = next(one for one in BOOK.irregularities if one.key == "shuffler_malfunction")
    assert failure.cure.startswith("All hands are void")


def test_the_glossary_explains_every_printed_word() -> None:
    words = {word: meaning for word, meaning, _ in glossary()}
    assert "where the house lets them" in words["Fold"], "the bad beat and the progressive live on by switch"
    assert set(words) >= {"Ante", "Blind", "Check", "Fold", "Play", "Player-dealer", "Poker value", "Round", "Trips"}


@pytest.mark.parametrize(
    ("old", "new", "sentence"),
    [
        ('key = "set_mode"\n', "", "an entry is wrong or missing: .*'key'"),
        ('shuffler = ["board_first"]', 'shuffler = ["wheel"]', "for the shuffler wheel, which the pack does not have"),
        ('order = "clockwise"', 'order = "anyhow"', "has the order 'anyhow'; it is one of once, clockwise"),
        (
            'turn = "fold"\nbank = ["player_dealer"]\nwhen = "tucked"\norder = "clockwise"',
            'turn = "fold"\nbank = ["player_dealer"]\nwhen = "tucked"\norder = "right_to_left"',
            "share a turn",
        ),
        ('who = "dealer"\n', 'who = "dealer"\nwhom = "all"\n', "unknown entry whom"),
    ],
)
def test_a_wrong_procedure_is_refused_whole(tmp_path: Path, old: str, new: str, sentence: str) -> None:
    pack = tmp_path / "procedure.toml"
    pack.write_text((PACKS / "procedure.toml").read_text(encoding="utf-8").replace(old, new, 1), encoding="utf-8")
    with pytest.raises(PackRefused, match=sentence):
        load_procedures(pack)


def test_a_term_without_a_meaning_is_refused(tmp_path: Path) -> None:
    pack = tmp_path / "glossary.toml"
    pack.write_text('[[term]]\nword = "Ante"\nsource = "003:465"\n', encoding="utf-8")
    with pytest.raises(PackRefused, match="a term lacks 'meaning'"):
        load_glossary(pack)
