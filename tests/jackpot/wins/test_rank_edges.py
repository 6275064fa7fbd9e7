"""The order of a jackpot at its edges: what is logged, what was let pass last, what ranks alike."""

from __future__ import annotations

from typing import Any

import pytest

from jackpot.wins.rules.rank import PaidAct, StandingMark, ahead, comes_before, is_counted, passed_by, queue


def a_mark(place: str, seq: int, **more: Any) -> StandingMark:
    return StandingMark(place, seq, more.pop("frozen", seq), more.pop("part", True), **more)


@pytest.mark.parametrize("other", [{}, {"front": 9}, {"at_approval": True}])
def test_between_j_pot_and_run_everybody_else_waits(other: dict[str, Any]) -> None:
    marks = [a_mark("A", 3, **other), a_mark("B", 5, logged=True)]
    assert [turn.place for turn in queue(marks)] == ["B", "A"]
    one, second = queue(marks)
    assert comes_before(one, second)
    assert not comes_before(second, one)
    assert [turn.place for turn in ahead(marks, "A")] == ["B"]
    assert not ahead(marks, "B")


def test_one_part_that_is_logged_makes_its_round_logged() -> None:
    marks = [a_mark("A", 3), a_mark("B", 5, logged=True), a_mark("B", 6)]
    assert queue(marks)[0].logged


def test_of_two_words_for_one_round_the_last_counts() -> None:
    marks = [a_mark("A", 3, front=20), a_mark("B", 5, front=10), a_mark("B", 6, front=30)]
    assert [(turn.place, turn.front) for turn in queue(marks)] == [("B", 30), ("A", 20)]


def test_a_round_with_a_part_is_passed_whatever_else_it_holds() -> None:
    marks = [a_mark("A", 3), a_mark("A", 2, part=False), a_mark("B", 5), a_mark("C", 1, part=False)]
    assert passed_by(marks, "B", 5) == ["A"]


@pytest.mark.parametrize(("frozen", "passed"), [(4, []), (5, []), (6, ["A"])])
def test_who_counts_from_the_same_entry_already_was_not_passed(frozen: int, passed: list[str]) -> None:
    assert passed_by([a_mark("A", 3, frozen=5), a_mark("B", 4)], "B", frozen) == passed


@pytest.mark.parametrize(("mark", "counted"), [(4, False), (5, False), (6, True)])
def test_only_what_ranked_before_lowers_a_basis(mark: int, counted: bool) -> None:
    assert is_counted(PaidAct(5), mark, part=True) is counted
    assert is_counted(PaidAct(5, front=True), mark, part=True)
    assert is_counted(PaidAct(5, front=True), mark, part=False) is counted
