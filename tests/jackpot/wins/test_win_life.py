"""The life of a win, pair by pair: what is not listed here is refused, by the rule and by the act."""

from __future__ import annotations

import itertools

import pytest

from jackpot.books.actions.post import open_books
from jackpot.books.models.entry import Entry
from jackpot.refusals import NotAllowedNow
from jackpot.wins.actions.life import move_on
from jackpot.wins.models import Win
from jackpot.wins.rules.win_life import OPEN, OVER, SPOKEN, STANDING, Act, WinState, after
from tests.tables.hits.test_hit import ref_b

# Written down a second time, by hand: a line that slips into the rule must be meant here too.
MEANT = {
    "marked": {"unmark": "unmarked", "assign": "assigned", "ask": "asked", "outrank": "outranked", "fall": "fell"},
    "asked": {"release": "marked", "reject": "rejected", "fall": "fell", "log": "logged"},
    "logged": {"move": "owed", "back_out": "backed_out"},
    "owed": {"pay": "paid", "back_out": "backed_out"},
    "paid": {"back_out": "backed_out"},
}
EVERY_PAIR = list(itertools.product(WinState, Act))


@pytest.mark.parametrize(("state", "act"), EVERY_PAIR, ids=str)
def test_every_state_takes_the_acts_that_are_meant_and_no_other(state: WinState, act: Act) -> None:
    meant = MEANT.get(state.value, {}).get(act.value)
    assert after(state, act) == (WinState(meant) if meant else None)


@pytest.mark.parametrize("state", WinState)
def test_every_state_is_open_standing_or_over_and_has_its_words(state: WinState) -> None:
    assert OPEN < STANDING
    assert (state in STANDING) != (state in OVER)
    assert SPOKEN[state]
    assert state not in OVER or state.value not in MEANT, "what is over stays over"


@pytest.mark.parametrize("state", OPEN)
def test_every_open_state_leads_out_by_some_act(state: WinState) -> None:
    reached = {state}
    for _ in WinState:
        reached |= {after(each, act) or each for each in reached for act in Act}
    assert reached & OVER


@pytest.mark.django_db
def test_what_is_not_listed_is_refused_by_the_act_and_leaves_no_entry() -> None:
    floor = ref_b()
    floor.coin_in("1")
    floor.mark(1, "five")
    win = Win.objects.get()
    for state, act in EVERY_PAIR:
        if act.value in MEANT.get(state.value, {}):
            continue
        win.state = state
        entries = Entry.objects.count()
        with open_books([win.jackpot_id]) as books, pytest.raises(NotAllowedNow, match=SPOKEN[state].split(";")[0]):
            move_on(books, win, act, "Test Supervisor")
        assert (win.state, Entry.objects.count()) == (state, entries)
