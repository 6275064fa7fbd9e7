"""The steps of a round, walked through."""

import re
from pathlib import Path

import pytest

from tables.games.packs import PackRefused
from tables.games.procedure import NoSuchProcedure, ProcedureWalk, Scene, begin, load_glossary, load_procedures
from tables.games.uth.procedure import PACKS, glossary, procedures

BOOK = procedures()
HOUSE = Scene("hand_held", "house", (2, 5))
PLAYER_BANKS = Scene("shoe", "player_dealer", (1, 2, 5), player_dealer=4, table_seats=6)


def keys(scene: Scene) -> list[str]:
    return list(dict.fromkeys(due.step.key for due in begin(BOOK, scene).dues))


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
    assert seats_of("settle_seat", PLAYER_BANKS) == [5, 1, 2]


def test_a_dealer_without_a_pair_refunds_the_antes_before_settling() -> None:
    scene = Scene("hand_held", "house", (2, 3, 5), folded=frozenset({3}), dealer_fails=True)
    walked = keys(scene)
    assert walked.index("show_bank") < walked.index("refund_antes") < walked.index("settle_seat")
    assert seats_of("refund_antes", scene) == [5, 2]


def test_a_folded_seat_is_taken_up_before_the_dealers_cards_are_shown() -> None:
    scene = Scene("hands", "player_dealer", (1, 2), player_dealer=3, folded=frozenset({2}))
    walked = keys(scene)
    assert walked.index("folded_cards") < walked.index("show_bank")
    assert (seats_of("folded_cards", scene), seats_of("settle_seat", scene)) == ([2], [1])


def test_the_progressive_is_locked_before_the_cards() -> None:
    walked = keys(Scene("hand_held", "house", (1,), progressive=True))
    assert walked[:5] == ["bets", "progressive_chips", "lock", "take_chips", "deal_two"]
    assert walked[-1] == "game_over"


def test_the_collection_is_taken_before_the_call_and_the_cards() -> None:
    walked = keys(PLAYER_BANKS)
    assert walked[:5] == ["bank_wager", "bets", "collection", "no_more_bets", "deal_first"]


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
    assert begin(BOOK, HOUSE).act("flop").act("bets", 2).score == (1, 2)


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
    words = {word for word, _, _ in glossary()}
    assert words >= {"Ante", "Blind", "Check", "Fold", "Play", "Player-dealer", "Poker value", "Round", "Trips"}


@pytest.mark.parametrize(
    ("old", "new", "sentence"),
    [
        ('key = "set_mode"\n', "", "an entry is wrong or missing: 'key'"),
        ('shuffler = ["board_first"]', 'shuffler = ["wheel"]', "for the shuffler wheel, which the pack does not have"),
        ('order = "clockwise"', 'order = "anyhow"', "has the order 'anyhow'; it is one of once, clockwise"),
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
