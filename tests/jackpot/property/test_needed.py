"""How many words an act needs and of which level, whatever was given already."""

from __future__ import annotations

import pytest

from jackpot.property.rules.authority import EXECUTIVE, SUPERVISOR, Needed

DEALER = SUPERVISOR - 1


@pytest.mark.parametrize(("need", "least"), [
    (Needed(EXECUTIVE), EXECUTIVE), (Needed(SUPERVISOR), SUPERVISOR), (Needed(EXECUTIVE, 2), SUPERVISOR),
    (Needed(EXECUTIVE, 2, both=True), EXECUTIVE), (Needed(EXECUTIVE, 1, both=True), EXECUTIVE),
])  # fmt: skip
def test_of_two_people_one_has_the_level_or_both_by_the_switch(need: Needed, least: int) -> None:
    assert need.least == least


@pytest.mark.parametrize(("given", "still"), [
    ([], SUPERVISOR), ([SUPERVISOR], EXECUTIVE), ([EXECUTIVE], SUPERVISOR), ([DEALER], SUPERVISOR),
    ([DEALER, EXECUTIVE], SUPERVISOR), ([SUPERVISOR, EXECUTIVE], SUPERVISOR), ([EXECUTIVE, SUPERVISOR], SUPERVISOR),
])  # fmt: skip
def test_the_last_of_two_words_brings_the_level_that_is_lacking(given: list[int], still: int) -> None:
    assert Needed(EXECUTIVE, 2).still(given) == still


@pytest.mark.parametrize(("given", "met"), [
    ([], False), ([EXECUTIVE], False), ([SUPERVISOR, SUPERVISOR], False), ([SUPERVISOR, EXECUTIVE], True),
    ([DEALER, EXECUTIVE], False), ([EXECUTIVE, EXECUTIVE], True),
])  # fmt: skip
def test_two_words_are_enough_when_one_has_the_level(given: list[int], met: bool) -> None:
    assert Needed(EXECUTIVE, 2).met(given) is met
    assert Needed(EXECUTIVE, 2, both=True).met(given) is (given == [EXECUTIVE, EXECUTIVE])


def test_one_word_is_enough_where_one_is_needed() -> None:
    assert Needed(SUPERVISOR).met([SUPERVISOR])
    assert not Needed(EXECUTIVE).met([SUPERVISOR])
    assert Needed(EXECUTIVE).still([]) == EXECUTIVE


@pytest.mark.parametrize(("need", "alone"), [
    (Needed(SUPERVISOR), [SUPERVISOR, EXECUTIVE]), (Needed(EXECUTIVE), []), (Needed(SUPERVISOR, 2), []),
    (Needed(EXECUTIVE, 2), []),
])  # fmt: skip
def test_a_key_approves_by_itself_only_what_one_supervisor_approves(need: Needed, alone: list[int]) -> None:
    assert [level for level in (DEALER, SUPERVISOR, EXECUTIVE) if need.by_key(level)] == alone
