"""Codes of many things, who must sign, and the way to the first round: without a database."""

from __future__ import annotations

from dataclasses import dataclass, fields, replace

import pytest

from accounting.house_file.change_kind import ChangeKind
from accounting.setup_desk.rules.code_series import codes_in
from accounting.setup_desk.rules.house_steps import HouseFacts, steps_of
from accounting.setup_desk.rules.part_fields import NotAValue
from accounting.setup_desk.rules.part_kinds import PARTS, SWITCHES
from accounting.setup_desk.rules.two_people import HouseAge, takes_two
from jackpot.terms.rules.policy import CHOICES
from jackpot.terms.rules.switch_words import SWITCH_WORDS
from tables.setup.actions.floor import TableDescription

EMPTY, OPENED, PLAYING = HouseAge(False, False), HouseAge(True, False), HouseAge(True, True)
FACTS = HouseFacts(
    premises="New", administrators=["ann", "bob"], unmanned=[], shifts="", tax="", printers=[], jackpots=["GRAND"],
    openings_waiting=0, tables=["T-1"], tables_feeding_none=[], jackpots_unshown=[], signs=["W"],
    tables_without_device=[], devices_waiting=[], rounds=1,
)  # fmt: skip
PACE = [field.name for field in fields(TableDescription) if field.name.startswith("most_")]  # of what is kept back


@dataclass(frozen=True)
class Change:
    kind: ChangeKind
    new: bool = True
    facts: tuple[str, ...] = ()

    def alters(self, *facts: str) -> bool:
        return self.new or not set(facts).isdisjoint(self.facts)


@pytest.mark.parametrize(
    ("typed", "codes"),
    [
        ("T-01…T-03", ["T-01", "T-02", "T-03"]),
        ("t-8..10", ["T-8", "T-9", "T-10"]),
        ("T-1 to T-2, BAR", ["T-1", "T-2", "BAR"]),
        ("UTH-04", ["UTH-04"]),
    ],
)
def test_a_series_of_codes_is_read_as_people_write_it(typed: str, codes: list[str]) -> None:
    assert codes_in(typed) == codes


@pytest.mark.parametrize(
    ("typed", "why"),
    [
        ("T-09…T-01", "no row"),
        ("T-1…B-4", "Both ends begin alike"),
        ("T-1…T-900", "no row"),
        ("T-1, T-1", "stands twice"),
        ("A-1…A-150, B-1…B-150", "too many"),
    ],
)
def test_what_is_no_series_is_refused(typed: str, why: str) -> None:
    with pytest.raises(NotAValue, match=why):
        codes_in(typed)


@pytest.mark.parametrize(
    ("change", "ages"),
    [
        (Change(ChangeKind.PERSON), (EMPTY, OPENED, PLAYING)),
        (Change(ChangeKind.ROLE, new=False), (EMPTY, OPENED, PLAYING)),
        (Change(ChangeKind.JACKPOT), (EMPTY, OPENED, PLAYING)),
        (Change(ChangeKind.JACKPOT, new=False, facts=("name",)), ()),
        (Change(ChangeKind.TAX), (OPENED, PLAYING)),
        (Change(ChangeKind.PROPERTY, new=False), (OPENED, PLAYING)),
        (Change(ChangeKind.TABLE), (PLAYING,)),
        (Change(ChangeKind.TABLE, new=False, facts=("jackpots",)), (PLAYING,)),
        (Change(ChangeKind.TABLE, new=False, facts=("name",)), ()),
        *((Change(ChangeKind.TABLE, new=False, facts=(fact,)), (PLAYING,)) for fact in PACE),
        (Change(ChangeKind.SIGN), ()),
        (Change(ChangeKind.DEVICE), ()),
        (Change(ChangeKind.PRINTER), (PLAYING,)),
        (Change(ChangeKind.PRINTER, new=False, facts=("address",)), (PLAYING,)),
    ],
)
def test_who_must_sign_follows_from_what_changes_and_how_far_the_house_is(
    change: Change, ages: tuple[HouseAge, ...]
) -> None:
    assert tuple(age for age in (EMPTY, OPENED, PLAYING) if takes_two(change, age)) == ages


@pytest.mark.parametrize(
    ("changed", "step", "state", "words"),
    [
        ({}, "round", "done", "live"),
        ({"administrators": ["ann"]}, "people", "missing", "Only ann gives roles"),
        ({"unmanned": ["deals"]}, "people", "can wait", "Nobody yet deals"),
        ({"jackpots": [], "openings_waiting": 1}, "jackpots", "missing", "wait for a second person"),
        ({"tables": [], "rounds": 0}, "links", "missing", "no table yet"),
        ({"tables_feeding_none": list("ABCDEF")}, "links", "missing", "A, B, C, D and 2 more"),
        ({"jackpots_unshown": ["GRAND"]}, "signs", "can wait", "GRAND: shown nowhere"),
        ({"tables_without_device": ["T-1"]}, "devices", "missing", "no controller"),
        ({"devices_waiting": ["T-1-C"]}, "devices", "missing", "not enrolled yet"),
        ({"rounds": 0}, "round", "missing", "No round was counted yet"),
    ],
)
def test_a_step_says_what_is_missing_and_its_cure(
    changed: dict[str, object], step: str, state: str, words: str
) -> None:
    found = {each.code: each for each in steps_of(replace(FACTS, **changed))}[step]
    assert found.state == state
    assert words in found.words


def test_the_form_of_a_jackpot_offers_every_switch_under_its_own_words() -> None:
    """A switch that rule books differ on and that no form names would need a shell."""
    fields = {field.name: field for field in PARTS["jackpots"].fields}
    assert set(SWITCHES.values()) == set(CHOICES)
    for name, switch in SWITCHES.items():
        assert (fields[name].options, fields[name].start) == (switch, CHOICES[switch][0])
        assert set(SWITCH_WORDS[switch][1]) == set(CHOICES[switch])
    assert "repay_rate" in fields, "what repays a house advance belongs to a meter that begins anew"
