"""Lamps and the sentence beside the keys."""

from __future__ import annotations

from typing import Any

import pytest

from tables.hits.rules.lamps import lamps, notice


@pytest.mark.parametrize(
    ("counted", "winners", "spots", "shown"),
    [
        (None, (), "", ["off", "off", "off"]),
        (None, (), "101", ["chip", "off", "chip"]),
        (None, (), "1x", ["chip", "fault", "off"]),
        ("13", (), "000", ["counted", "off", "counted"]),
        ("13", (), "111", ["counted", "off", "counted"]),
        ("13", (3,), "x0x", ["fault", "off", "winner"]),
        ("", (), "100", ["off", "off", "off"]),
    ],
)
def test_a_winner_is_shown_before_a_fault_a_fault_before_a_counted_chip(
    counted: str | None, winners: tuple[int, ...], spots: str, shown: list[str]
) -> None:
    assert lamps(3, counted, winners, spots) == shown


def hit(state: str, seat: int | None = 2) -> dict[str, Any]:
    return {"state": state, "seat": seat, "name": "Royal flush"}


@pytest.mark.parametrize(
    ("hits", "parked", "key", "said"),
    [
        ([], [], "", ""),
        ([hit("marked")], [], "", ""),
        ([hit("marked", None)], [], "", "A key is lit. Say on the pit page which seats hold the hand."),
        ([hit("asked")], [], "", "Royal flush at seat 2: waiting for approval, here or on the pit page."),
        ([hit("logged")], [], "17", "The win is logged. Turn key 17 to RUN: then the meter moves."),
        ([], [], "17", "Key 17 stands at JPH. Turn the key to RUN."),
        ([hit("owed")], [], "", "The meter has moved. Pay by the win page, then end the round."),
        ([], [hit("asked", 4)], "", "Royal flush at seat 4: open at the pit."),
    ],
)
def test_the_notice_says_what_the_table_waits_for(hits: Any, parked: Any, key: str, said: str) -> None:
    assert notice(hits, parked, key) == said
