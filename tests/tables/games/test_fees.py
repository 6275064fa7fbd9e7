"""Collection fees by whole dollars."""

from fractions import Fraction

import pytest

from tables.games.fees import Bracket, NoFee, Schedule, total_action

STEPS = tuple(Bracket(start, fee) for start, fee in ((5, 1), (51, 2), (101, 3), (201, 6), (301, 9)))
SCHEDULE = Schedule("small", 1, STEPS, per_spot=(5, 300))


@pytest.mark.parametrize(
    ("action", "fee"), [(5, 1), (50, 1), (51, 2), (100, 2), (101, 3), (200, 3), (201, 6), (300, 6), (301, 9), (9000, 9)]
)
def test_the_fee_changes_at_the_first_dollar_of_a_bracket(action: int, fee: int) -> None:
    assert SCHEDULE.fee(action) == fee


def test_whole_dollars_may_come_as_text() -> None:
    assert SCHEDULE.fee("51.00") == 2


def test_half_a_dollar_lies_between_brackets_and_is_refused() -> None:
    with pytest.raises(NoFee, match=r"count whole dollars; \$49\.50 is none"):
        SCHEDULE.fee("49.50")


@pytest.mark.parametrize("action", ["a lot", None, "1/0"])
def test_what_is_no_amount_is_refused(action: str) -> None:
    with pytest.raises(NoFee, match=r"is not an amount|Write the total action as text"):
        SCHEDULE.fee(action)


def test_less_than_the_first_bracket_has_no_fee() -> None:
    with pytest.raises(NoFee, match=r"starts at \$5; there is no fee for a total action of \$4"):
        SCHEDULE.fee(4)


@pytest.mark.parametrize("action", [0, -10])
def test_no_wager_has_no_fee(action: int) -> None:
    with pytest.raises(NoFee, match="no wager was made"):
        SCHEDULE.fee(action)


def test_brackets_that_do_not_rise_are_refused() -> None:
    with pytest.raises(NoFee, match="rise from at least 1 dollar"):
        Schedule("small", 2, (Bracket(50, 1), Bracket(5, 2)))


def test_the_schedule_prints_as_it_is_posted() -> None:
    assert SCHEDULE.printed() == [
        ("$5 – $50", "$1"),
        ("$51 – $100", "$2"),
        ("$101 – $200", "$3"),
        ("$201 – $300", "$6"),
        ("$301+", "$9"),
    ]


def test_later_wagers_do_not_count() -> None:
    seats = [{"ante": Fraction(10), "blind": Fraction(10), "play": Fraction(40)}, {"ante": Fraction(5)}]
    assert total_action(seats, ("ante", "blind", "trips")) == 25
