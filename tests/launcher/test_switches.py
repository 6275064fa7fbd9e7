"""Numbers of the environment: within their bounds, or a sentence before anything starts."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from launcher.sentences import CannotStart
from launcher.switches import idle_minutes
from launcher.up import up


@pytest.mark.parametrize(("written", "minutes"), [(None, 0), ("", 0), ("0", 0), ("10", 10), ("480", 480)])
def test_an_idle_limit_is_none_or_within_a_sign_in(written: str | None, minutes: int) -> None:
    assert idle_minutes({} if written is None else {"FAIRMETER_IDLE_MINUTES": written}) == minutes


@pytest.mark.parametrize("written", ["1", "9", "481", "1000", "-15", "ten", "15.0", "٢٠", " 15", "9" * 5000])
def test_any_other_word_is_a_sentence(written: str) -> None:
    with pytest.raises(CannotStart, match=r"FAIRMETER_IDLE_MINUTES is a whole number from 10 to 480, not “"):
        idle_minutes({"FAIRMETER_IDLE_MINUTES": written})


def test_up_says_it_before_it_makes_anything(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(os.environ, "FAIRMETER_IDLE_MINUTES", "1000")
    with pytest.raises(CannotStart, match="not “1000”"):
        up(tmp_path, ["--data", str(tmp_path / "data")])
    assert list(tmp_path.iterdir()) == []
