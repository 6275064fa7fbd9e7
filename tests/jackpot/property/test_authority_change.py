"""Other authority as plain values: what is stricter, when it counts, and what a hit between two rules needs."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jackpot.money import Money
from jackpot.property.rules.authority import Thresholds, judging, needed, thresholds_of
from jackpot.property.rules.authority_change import (
    SETTINGS,
    AuthorityRefused,
    Step,
    differences,
    in_force,
    is_stricter,
    read,
    sign,
    spoken,
    waiting,
)

FIRST: dict[str, Any] = {
    "executive_threshold": "5000.00", "dual_threshold": None, "pin_from_level": 3, "cards_required": True,
    "cards_from_multiple": 1000, "marker_may_verify": False, "verifier_may_pay": False,
    "both_need_level": False, "old_rounds_need_two": True, "unseen_sum": None, "unseen_count": None, "kept_alone": 60,
    "cheque_from": None,
    "own_executive": {}, "own_dual": {}, "supervisor_witness": None, "executive_witness": None,
    "second_person_witness": None, "surveillance_witness": None, "regulator_witness": None,
}  # fmt: skip
EVENING, TODAY, TOMORROW = datetime(2027, 3, 10, 22, tzinfo=UTC), date(2027, 3, 10), date(2027, 3, 11)
MORNING = datetime(2027, 3, 11, 6, tzinfo=UTC)


@pytest.mark.parametrize(
    ("setting", "strict", "loose"),
    [
        ("executive_threshold", "4999.99", "5000.00"),
        ("dual_threshold", "10000.00", None),
        ("dual_threshold", "9999.00", "10000.00"),
        ("pin_from_level", 2, 3),
        ("cards_required", True, False),
        ("cards_from_multiple", 999, 1000),
        ("marker_may_verify", False, True),
        ("verifier_may_pay", False, True),
        ("both_need_level", True, False),
        ("old_rounds_need_two", True, False),
    ],
)
def test_each_setting_has_a_stricter_side(setting: str, strict: Any, loose: Any) -> None:
    assert is_stricter(setting, loose, strict)
    assert not is_stricter(setting, strict, loose)


def signed(steps: list[Step], number: int, moment: datetime, day: date, **wished: Any) -> list[Step]:
    values = in_force(FIRST, steps, moment, day)
    return sign(steps, differences(values, wished), change=number, moment=moment, day=day).steps


def test_stricter_counts_at_once_and_the_rest_from_the_next_gaming_day() -> None:
    """A mixed change is split, setting by setting."""
    steps = signed([], 1, EVENING, TODAY, executive_threshold="7500.00", pin_from_level=2)
    tonight = in_force(FIRST, steps, EVENING, TODAY)
    assert (tonight["executive_threshold"], tonight["pin_from_level"]) == ("5000.00", 2)
    just_before = in_force(FIRST, steps, MORNING - timedelta(microseconds=1), TODAY)
    assert just_before["executive_threshold"] == "5000.00"
    assert in_force(FIRST, steps, MORNING, TOMORROW)["executive_threshold"] == "7500.00"
    assert [step.setting for step in waiting(steps, EVENING, TODAY)] == ["executive_threshold"]


def test_a_later_word_on_a_setting_takes_the_place_of_what_waits() -> None:
    waits = signed([], 1, EVENING, TODAY, executive_threshold="7500.00", marker_may_verify=True)
    lowered = sign(waits, differences(FIRST, {"executive_threshold": "4000.00"}), change=2, moment=EVENING, day=TODAY)
    assert [(step.change, step.setting) for step in lowered.replaced] == [(1, "executive_threshold")]
    tomorrow = in_force(FIRST, lowered.steps, MORNING, TOMORROW)
    assert (tomorrow["executive_threshold"], tomorrow["marker_may_verify"]) == ("4000.00", True)


def test_the_past_stays_what_it_was() -> None:
    steps = signed([], 1, EVENING, TODAY, executive_threshold="7500.00")
    later = datetime(2027, 4, 1, 12, tzinfo=UTC)
    steps = signed(steps, 2, later, later.date(), executive_threshold="3000.00")
    seen = [
        in_force(FIRST, steps, moment, moment.date())["executive_threshold"]
        for moment in (EVENING, MORNING, later - timedelta(seconds=1), later)
    ]
    assert seen == ["5000.00", "7500.00", "7500.00", "3000.00"]


@given(st.lists(st.tuples(st.integers(1, 90), st.integers(0, 3)), max_size=12))
def test_nobody_is_ever_let_further_on_the_day_of_a_signature(words: list[tuple[int, int]]) -> None:
    """Whatever is signed in whatever order: the threshold in force never rises within a gaming day."""
    steps: list[Step] = []
    day, moment = TODAY, EVENING
    for number, (hundreds, days) in enumerate(words, start=1):
        before = in_force(FIRST, steps, moment, day)["executive_threshold"]
        steps = signed(steps, number, moment, day, executive_threshold=f"{hundreds}00.00")
        assert Money.of(in_force(FIRST, steps, moment, day)["executive_threshold"]) <= Money.of(before)
        day, moment = day + timedelta(days=days), moment + timedelta(days=days, seconds=1)


def test_a_step_is_kept_and_read_again_as_it_was() -> None:
    for step in (Step(1, "dual_threshold", None, EVENING, TOMORROW), Step(2, "pin_from_level", 2, EVENING)):
        assert Step.of(step.plain()) == step


@pytest.mark.parametrize(("total", "level"), [("4999.99", 2), ("5000.00", 3), ("7499.99", 3), ("7500.00", 3)])
@pytest.mark.parametrize("raised", [True, False], ids=["raised since the coin-in", "lowered since the coin-in"])
def test_v12_a_hit_between_two_rules_needs_the_stricter_threshold(total: str, level: int, raised: bool) -> None:
    low, high = Thresholds(executive=Money.of(5000)), Thresholds(executive=Money.of(7500))
    judged = judging(low, high) if raised else judging(high, low)
    assert needed(Money.of(total), judged).level == level


def test_how_people_act_is_the_swipes_alone() -> None:
    then = Thresholds(pin_from_level=2, marker_may_verify=True, dual=Money.of(100), cards_required=False, cards_from=5)
    now = Thresholds(pin_from_level=3, verifier_may_pay=True)
    judged = judging(then, now)
    assert (judged.pin_from_level, judged.marker_may_verify, judged.verifier_may_pay) == (3, False, True)
    assert (judged.dual, judged.cards_required, judged.cards_from) == (Money.of(100), True, 5)
    assert judging(now, then).dual == Money.of(100)
    both, one = Thresholds(both_need_level=True), Thresholds()
    assert (judging(both, one).both_need_level, judging(one, both).both_need_level) == (True, True)


@pytest.mark.parametrize(
    ("setting", "given_value", "kept"),
    [
        ("executive_threshold", " 7,500 ", "7500.00"),
        ("dual_threshold", "", None),
        ("dual_threshold", "never", None),
        ("pin_from_level", "supervisor", 2),
        ("pin_from_level", "1", 1),
        ("cards_from_multiple", "1,000", 1000),
        ("marker_may_verify", "yes", True),
        ("cards_required", False, False),
    ],
)
def test_a_value_is_read_as_people_write_it(setting: str, given_value: Any, kept: Any) -> None:
    assert read(setting, given_value) == kept


@pytest.mark.parametrize(
    ("setting", "given_value"),
    [
        ("executive_threshold", ""), ("executive_threshold", "0"), ("executive_threshold", "5.001"),
        ("executive_threshold", "a lot"), ("executive_threshold", None), ("executive_threshold", "1000000000"),
        ("dual_threshold", "-1"), ("pin_from_level", "4"), ("pin_from_level", "boss"), ("pin_from_level", True),
        ("pin_from_level", None), ("pin_from_level", [2]), ("cards_from_multiple", "0"),
        ("cards_from_multiple", "1000001"), ("cards_from_multiple", "1.5"),
        ("marker_may_verify", "perhaps"), ("marker_may_verify", 1.5), ("marker_may_verify", None),
        ("marker_may_verify", {"yes": 1}), ("meter", "5.00"),
    ],
)  # fmt: skip
def test_what_a_setting_cannot_take_is_refused_in_a_sentence(setting: str, given_value: Any) -> None:
    with pytest.raises(AuthorityRefused, match=r"\.$"):
        read(setting, given_value)


def test_every_setting_has_its_words_and_makes_thresholds() -> None:
    assert set(FIRST) == set(SETTINGS)
    assert thresholds_of(FIRST) == Thresholds()
    told = [spoken(name, value) for name, value in FIRST.items()]
    assert told[:9] == ["5,000.00", "never", "executive", "yes", "1,000 ×", "no", "no", "no", "yes"]
    assert told[9:] == ["never", "never", "60", *["never"] * 8]
    changed = differences(FIRST, {"executive_threshold": "7500.00"})
    assert str(changed[0]) == "executive threshold 5,000.00 → 7,500.00"
