"""The life of a request of two people, pair by pair: whatever is asked for goes only these ways."""

from __future__ import annotations

from itertools import product

import pytest

from jackpot.requests.rules.life import APPROVED, ENDED, OPEN, SPOKEN, RequestAct, RequestState, state_after
from jackpot.requests.rules.wire import ADJUSTMENT_STATES, AUTHORITY_STATES, TERMS_STATES, States, wire_state

GOES = {
    ("asked", "preview"): "previewed", ("asked", "refuse"): "refused", ("asked", "withdraw"): "withdrawn",
    ("previewed", "sign"): "signed", ("previewed", "refuse"): "refused", ("previewed", "withdraw"): "withdrawn",
    ("signed", "withdraw"): "withdrawn", ("signed", "replace"): "replaced", ("signed", "count"): "in_force",
    ("in_force", "back_out"): "signed",
}  # fmt: skip


@pytest.mark.parametrize(("state", "act"), list(product(RequestState, RequestAct)))
def test_a_request_goes_only_the_listed_ways(state: RequestState, act: RequestAct) -> None:
    assert state_after(state, act) == GOES.get((state.value, act.value))


@pytest.mark.parametrize("ended", sorted(ENDED))
def test_what_ended_stays_ended(ended: RequestState) -> None:
    assert [act for act in RequestAct if state_after(ended, act)] == []


def test_every_state_has_its_word_and_is_open_or_approved_or_over() -> None:
    assert set(SPOKEN) == set(RequestState)
    assert not OPEN & APPROVED
    assert set(RequestState) == OPEN | APPROVED | ENDED


@pytest.mark.parametrize("states", [ADJUSTMENT_STATES, TERMS_STATES, AUTHORITY_STATES])
def test_programs_hear_one_word_of_every_state_a_request_of_that_kind_can_be_in(states: States) -> None:
    known = [state for each in states.values() for state in each]
    assert len(known) == len(set(known))
    assert {wire_state(states, state) for state in known} == set(states)
    assert set(known) >= OPEN
