"""What a round can bring, as values."""

import json
from fractions import Fraction

import pytest

from jackpot.laboratory.outcomes import BoardKind, NotAnOutcome, Outcomes, independent
from tests.jackpot.laboratory.scene import KNOWN, SHARED


def test_the_hit_frequency_is_the_sum_of_the_rows() -> None:
    assert KNOWN.hit_frequency == Fraction(10_162, 363_545)


@pytest.mark.parametrize("outcomes", [KNOWN, SHARED], ids=["independent", "shared"])
def test_outcomes_survive_json(outcomes: Outcomes) -> None:
    assert Outcomes.from_plain(json.loads(json.dumps(outcomes.plain()))) == outcomes


@pytest.mark.parametrize(
    "chances", [(Fraction(1, 2),), (Fraction(2, 3), Fraction(2, 3)), (Fraction(-1, 2), Fraction(0))]
)
def test_chances_that_do_not_fit_are_refused(chances: tuple[Fraction, ...]) -> None:
    with pytest.raises(NotAnOutcome, match="Every row needs one chance"):
        independent(("A", "B"), chances)


def test_boards_that_tell_another_chance_are_refused() -> None:
    with pytest.raises(NotAnOutcome, match="must come from the same count"):
        Outcomes(("A",), (Fraction(1, 10),), (BoardKind(1, (1,)), BoardKind(1, (0,))), 10)
