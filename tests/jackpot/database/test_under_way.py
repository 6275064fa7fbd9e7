"""When nothing is confirmed any more: several wait for long, and nobody was answered since they began."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import ExitStack

import pytest

from jackpot.database import under_way
from jackpot.database.under_way import HANGS_AFTER, TOGETHER, TRIES_AGAIN_AFTER, CommitsUnderWay


@pytest.fixture
def passes(monkeypatch: pytest.MonkeyPatch) -> Callable[[float], None]:
    """A clock that goes on by so many seconds."""
    now = [1000.0]
    monkeypatch.setattr(under_way.time, "monotonic", lambda: now[0])
    return lambda seconds: now.__setitem__(0, now[0] + seconds)


def test_several_that_wait_while_nothing_is_confirmed_hang(passes: Callable[[float], None]) -> None:
    commits = CommitsUnderWay()
    with ExitStack() as waiting:
        for _ in range(TOGETHER):
            assert commits.hang_for() == 0.0
            waiting.enter_context(commits.one(confirms=True))
            passes(1)
        assert commits.hang_for() == 0.0, "not for long"
        passes(HANGS_AFTER)
        assert commits.hang_for() == pytest.approx(HANGS_AFTER + TOGETHER)
        passes(TRIES_AGAIN_AFTER)
        assert commits.hang_for() == 0.0, "one tries whether it still is so"
        with commits.one(confirms=True):
            assert commits.hang_for() > 0.0, "and one only"
    assert commits.hang_for() == 0.0


def test_lines_that_hang_while_others_are_confirmed_say_nothing(passes: Callable[[float], None]) -> None:
    commits = CommitsUnderWay()
    with ExitStack() as waiting:
        for _ in range(TOGETHER):
            waiting.enter_context(commits.one(confirms=False))
        passes(HANGS_AFTER)
        with commits.one(confirms=False):
            passes(1)
        assert commits.hang_for() > 0.0, "what only read ends without a standby"
        with commits.one(confirms=True):
            passes(1)
        assert commits.hang_for() == 0.0


def test_what_ended_in_an_error_confirmed_nothing(passes: Callable[[float], None]) -> None:
    commits = CommitsUnderWay()
    with ExitStack() as waiting:
        for _ in range(TOGETHER):
            waiting.enter_context(commits.one(confirms=False))
        passes(HANGS_AFTER)
        with pytest.raises(RuntimeError), commits.one(confirms=True):
            raise RuntimeError
        assert commits.hang_for() > 0.0
