from __future__ import annotations

from itertools import product

import pytest

from jackpot.terms.rules.change_life import APPROVED, LIFE, OPEN, SPOKEN, ChangeAct, ChangeState, after

EVERY_PAIR = list(product(ChangeState, ChangeAct))


@pytest.mark.parametrize(("state", "act"), EVERY_PAIR)
def test_what_is_not_listed_is_refused(state: ChangeState, act: ChangeAct) -> None:
    assert after(state, act) == LIFE.get((state, act))


def test_nobody_approves_what_was_not_previewed() -> None:
    assert after(ChangeState.DRAFT, ChangeAct.APPROVE) is None


@pytest.mark.parametrize("ended", [ChangeState.REFUSED, ChangeState.WITHDRAWN, ChangeState.REPLACED])
def test_what_ended_stays_ended(ended: ChangeState) -> None:
    assert [act for act in ChangeAct if after(ended, act)] == []


def test_every_state_has_its_word_and_is_open_or_approved_or_over() -> None:
    assert set(SPOKEN) == set(ChangeState)
    assert not OPEN & APPROVED
