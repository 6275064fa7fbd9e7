"""What a round can bring, as values for the laboratory."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from jackpot.laboratory.outcomes import NotAnOutcome, Outcomes
from tables.games.uth.chances import line_chances
from tables.games.uth.outcomes import count_outcomes, outcomes_of
from tests.tables.games.uth.scene import table

PROGRESSIVE = table("progressive", "PT01")


@pytest.fixture(scope="module")
def counted() -> Outcomes:
    """As they come with the program; the first test, in the profile deep, counts them."""
    return outcomes_of(PROGRESSIVE)


@pytest.mark.deep  # the count takes ten seconds
def test_what_comes_with_the_program_is_what_it_counts_itself(tmp_path: Path) -> None:
    came, counted = outcomes_of(PROGRESSIVE, tmp_path), count_outcomes(PROGRESSIVE)
    assert replace(came, together=None) == replace(counted, together=None), "what is exact is the same"
    assert came.together
    assert counted.together
    for seats, found in counted.together.items():  # what is summed in another order differs in the last digits
        assert came.together[seats] == pytest.approx(found, rel=1e-9)
    assert list(tmp_path.iterdir()) == [], "it came with the program: nothing was counted"


def test_boards_give_every_row_the_chance_that_hands_give_it(counted: Outcomes) -> None:
    assert counted.chances == line_chances(PROGRESSIVE)


def test_outcomes_survive_json(counted: Outcomes) -> None:
    assert Outcomes.from_plain(json.loads(json.dumps(counted.plain()))) == counted


def test_seats_dealt_together_keep_their_own_chances(counted: Outcomes) -> None:
    assert counted.together
    for seats, found in counted.together.items():
        means = [sum(chance * count[row] for count, chance in found.items()) for row in range(len(counted.rows))]
        assert means == pytest.approx([seats * chance for chance in counted.chances], rel=1e-6)


def test_two_seats_rarely_hold_four_of_a_kind_on_one_board(counted: Outcomes) -> None:
    assert counted.together
    quads = counted.rows.index("four_of_a_kind")
    both = sum(chance for count, chance in counted.together[2].items() if count[quads] == 2)
    on_board = 624 / 2_598_960
    assert on_board < both < on_board * 1.02


def test_a_side_bet_has_no_outcomes_for_a_meter() -> None:
    with pytest.raises(NotAnOutcome, match="is no progressive"):
        count_outcomes(table("trips", "UTH-01"))


def test_what_was_counted_once_is_read_from_the_folder(counted: Outcomes, tmp_path: Path) -> None:
    name = f"uth-outcomes-PT01-{PROGRESSIVE.digest[:16]}.json"
    before = replace(counted, together={2: {(1,) * len(counted.rows): 1.0}})  # not what came with the program
    kept = {"digest": PROGRESSIVE.digest, "answer": before.plain()}
    (tmp_path / name).write_text(json.dumps(kept), encoding="ascii")
    assert outcomes_of(PROGRESSIVE, tmp_path) == before
