"""The book of the game at the table."""

from __future__ import annotations

import pytest

from tables.floor.models.table import Table
from tables.games.uth.procedure import procedures
from tables.rulebook.pages.help import help_for, help_with

EVERY = [(shuffler, bank) for shuffler in procedures().shufflers for bank in procedures().banks]


def test_the_book_opens_at_the_tables_own_shuffler() -> None:
    found = help_for(Table(code="UTH-01", game="uth", shuffler="board_first"))
    assert found is not None
    assert [way.title for way in found.ways] == ["The house banks. ACE or iDeal: gives the five community cards first"]
    assert any("green button" in step.text for step, _ in found.ways[0].steps)


def test_a_shuffler_that_no_book_knows_shows_them_all() -> None:
    found = help_for(Table(code="UTH-01", game="uth", shuffler="some old machine"))
    assert found is not None
    assert len(found.ways) == 4


def test_a_table_that_a_player_banks_shows_those_steps() -> None:
    found = help_for(Table(code="CAL-01", game="uth", shuffler="shoe", bank="player_dealer"))
    assert found is not None
    assert any("wager that banks the round" in step.text for step, _ in found.ways[0].steps)


def test_a_game_without_a_book_has_no_help() -> None:
    assert help_for(Table(code="X-01", game="nothing", shuffler="shoe")) is None


@pytest.mark.parametrize(("shuffler", "bank"), EVERY)
def test_every_step_names_its_printed_line(shuffler: str, bank: str) -> None:
    found = help_with("uth", [shuffler], [bank])
    (way,) = found.ways
    assert all(step.source and step.why for step, _ in way.steps)
    assert len(found.irregularities) >= 8


@pytest.mark.parametrize(("profile", "lock"), [("card", "START GAME"), ("key", "COIN IN")])
def test_the_console_shows_the_steps_of_its_own_controller(profile: str, lock: str) -> None:
    found = help_for(Table(code="UTH-01", game="uth", shuffler="shoe", profile=profile))
    assert found is not None
    locks = [step.text for step, _ in found.ways[0].steps if step.key == "lock"]
    assert [lock in text for text in locks] == [True]


def test_the_whole_book_names_the_controller_of_each_step() -> None:
    (way,) = help_with("uth", ["shoe"], ["house"]).ways
    named = {controller.split()[2] for step, controller in way.steps if step.key == "lock"}
    assert named == {"START", "COIN"}
