from __future__ import annotations

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from accounting.paper.rules.copies import FILE_COPY, CopyKind, CopyStamp, NoSuchCopy, next_copy
from jackpot.wins.rules.win_life import WinState

AT = datetime(2026, 11, 18, 14, 3, tzinfo=UTC)
PRINTABLE = [WinState.LOGGED, WinState.OWED, WinState.PAID]


def printed(state: WinState, earlier: list[CopyStamp], reason: str = "") -> CopyStamp:
    return next_copy(state, earlier, reason=reason, by="Test Cage", at=AT)


@pytest.mark.parametrize("state", PRINTABLE)
def test_the_first_print_is_the_original_and_needs_no_reason(state: WinState) -> None:
    assert printed(state, []).word == "ORIGINAL"


def test_the_second_print_needs_a_reason_and_says_who_has_the_original() -> None:
    original = printed(WinState.OWED, [])
    with pytest.raises(NoSuchCopy, match=r"ORIGINAL was printed by Test Cage on 18 Nov 2026 at 14:03"):
        printed(WinState.OWED, [original], "  ")
    assert printed(WinState.OWED, [original], "printer jam").word == "REPRINT 1"


def test_a_backed_out_win_prints_void_with_the_next_number_and_nothing_else_any_more() -> None:
    original = printed(WinState.PAID, [])
    void = printed(WinState.BACKED_OUT, [original])
    assert (void.word, void.number) == ("VOID", 1)
    with pytest.raises(NoSuchCopy, match="VOID was printed"):
        printed(WinState.BACKED_OUT, [original, void])


@pytest.mark.parametrize("state", sorted(set(WinState) - {*PRINTABLE, WinState.BACKED_OUT}))
def test_what_is_not_approved_has_no_page(state: WinState) -> None:
    with pytest.raises(NoSuchCopy, match="no page until it is approved"):
        printed(state, [])


@given(st.lists(st.sampled_from([*PRINTABLE, WinState.BACKED_OUT]), min_size=1, max_size=12))
def test_there_is_always_at_most_one_original_and_no_number_comes_twice(states: list[WinState]) -> None:
    marks: list[CopyStamp] = []
    for state in states:
        marks.append(printed(state, marks, "a reason"))
    assert sum(mark.kind == CopyKind.ORIGINAL for mark in marks) <= 1
    assert len({mark.number for mark in marks}) == len(marks)
    assert all((mark.number == 0) == (mark.kind == CopyKind.ORIGINAL) for mark in marks)


def test_a_file_copy_has_no_number() -> None:
    assert (FILE_COPY.word, FILE_COPY.number) == ("FILE COPY", None)
