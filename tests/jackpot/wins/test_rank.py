"""Which hit is first, and from which entry it counts: the rules alone, and against the long way round."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from jackpot.wins.rules.rank import (
    PaidAct,
    StandingMark,
    ahead,
    comes_before,
    frozen_entry,
    is_counted,
    passed_by,
    queue,
    rank,
)


def a_mark(place: str, seq: int, *, part: bool = True, **more: int | bool | None) -> StandingMark:
    return replace(StandingMark(place, seq, seq, part), **more)  # type: ignore[arg-type]


A, B, C = a_mark("A", 10), a_mark("B", 20), a_mark("C", 30)


def order(*marks: StandingMark) -> str:
    return " ".join(str(turn.place) for turn in queue(marks))


def waits(place: str, *marks: StandingMark) -> str:
    return " ".join(str(turn.place) for turn in ahead(marks, place))


def test_rounds_come_in_the_order_of_their_earliest_part() -> None:
    assert order(C, B, A) == "A B C"
    assert order(B, C, a_mark("C", 5)) == "C B"
    assert (waits("C", A, B, C), waits("B", A, B, C), waits("A", A, B, C)) == ("A B", "A", "")


def test_v20_a_tray_hit_marked_earlier_gives_neither_rank_nor_frozen_point() -> None:
    tray = a_mark("B", 5, part=False)
    assert order(A, tray, B) == "A B"
    assert (rank([tray, B]), frozen_entry([tray, B])) == (20, 20)


def test_a_round_without_a_part_does_not_queue_and_counts_from_its_first_mark() -> None:
    fixed = [a_mark("F", 5, part=False), a_mark("F", 8, part=False)]
    assert order(*fixed, A) == "A"
    assert (waits("F", *fixed, A), waits("A", *fixed, A)) == ("", "")
    assert (rank(fixed), frozen_entry(fixed)) == (5, 5)


def test_who_is_let_pass_takes_the_front_place_and_the_last_word_is_first() -> None:
    first, second = replace(C, front=40), replace(B, front=50)
    assert order(A, B, first) == "C A B"
    assert (waits("A", A, B, first), waits("B", A, B, first), waits("C", A, B, first)) == ("C", "C A", "")
    assert order(A, second, first) == "B C A"


def test_between_j_pot_and_run_everybody_waits_also_who_was_let_pass() -> None:
    logged = replace(B, logged=True)
    assert order(A, logged, replace(C, front=40)) == "B C A"


def test_what_freezes_at_approval_waits_for_frozen_marks_and_holds_nobody_up() -> None:
    early, late = replace(A, at_approval=True), replace(C, at_approval=True)
    assert (waits("A", early, late), waits("C", early, late)) == ("", "")
    assert (waits("B", early, B, late), waits("A", early, B), waits("C", B, late)) == ("", "B", "B")
    assert waits("B", B, replace(late, front=40)) == "C"


def test_v21_a_mark_taken_back_does_not_stand_so_the_earlier_hit_is_passed() -> None:
    """B's first mark (entry 5) is dead and not told to the rule; B marked again at 20."""
    assert passed_by([A, replace(B, front=25)], "B", 20) == ["A"]
    assert passed_by([A, B, C], "C", 30) == ["A", "B"]
    assert passed_by([A, B, C], "A", 10) == []
    assert passed_by([a_mark("F", 5, part=False), B], "B", 20) == [], "a round without a part was not in the queue"


def test_a_passed_hit_counts_what_passed_it_and_a_round_without_a_part_only_what_was_earlier() -> None:
    assert is_counted(PaidAct(5), 10, part=True)
    assert not is_counted(PaidAct(20), 10, part=True)
    assert is_counted(PaidAct(20, front=True), 10, part=True)
    assert not is_counted(PaidAct(20, front=True), 10, part=False)


MARKS = st.builds(
    StandingMark,
    place=st.sampled_from("ABCDE"),
    seq=st.integers(1, 60),
    frozen=st.integers(1, 60),
    part=st.booleans(),
    front=st.none() | st.integers(61, 90),
    at_approval=st.booleans(),
)


@given(st.lists(MARKS, max_size=12, unique_by=(lambda mark: mark.seq, lambda mark: mark.front or -mark.seq)))
def test_the_queue_is_one_line_in_which_nobody_waits_for_who_waits_for_him(marks: list[StandingMark]) -> None:
    turns = queue(marks)
    assert {turn.place for turn in turns} == {mark.place for mark in marks if mark.part}
    for number, turn in enumerate(turns):
        assert all(not comes_before(later, turn) for later in turns[number:]), "who comes later is never in the way"
        assert [each.place for each in ahead(marks, turn.place)] == [
            each.place for each in turns[:number] if comes_before(each, turn)
        ]
    assert not turns or not ahead(marks, turns[0].place), "somebody can always be settled"
