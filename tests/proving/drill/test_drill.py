"""The drill itself, very short: a sound house holds, a broken one is caught."""

from __future__ import annotations

import random

import pytest

from proving.drill.kill import Kill, Plan, drill, percentiles
from proving.drill.report import lines
from proving.house import EARLY, SOUND

SMALL = {"tables": 8, "signs": 2, "gap": 0.6}


@pytest.mark.drill
@pytest.mark.deep  # `.ci/run` plays it by `drill kill --short`
def test_two_servers_on_one_database_hold_every_gate_when_they_and_it_are_killed() -> None:
    """Both are told the same at once, and it is counted once."""
    drilled = drill(Plan(web=1, postgres=1, beside=1, doors=2, **SMALL), SOUND)
    assert [gate.against for gate in drilled.gates if not gate.holds] == []
    assert drilled.acknowledged > 100
    assert all(len(kill.recoveries) == 8 for kill in drilled.kills)
    assert "Held: 10 gates after 3 kills." in "\n".join(lines(drilled))
    repeats = sum(told.repeat for journal in drilled.journals.tables.values() for told in journal.told)
    assert 0 < repeats < drilled.acknowledged


@pytest.mark.drill
@pytest.mark.deep  # a house of its own, killed twice
def test_a_house_that_acknowledges_too_early_is_caught() -> None:
    drilled = drill(Plan(web=2, postgres=0, **SMALL), EARLY)
    assert not drilled.holds
    assert "FAILED" in list(lines(drilled))[-1]


def test_the_same_seed_kills_in_the_same_order() -> None:
    plan = Plan(web=3, postgres=2)
    assert plan.victims(random.Random(7)) == plan.victims(random.Random(7))
    assert sorted(plan.victims(random.Random(8))) == ["postgres"] * 2 + ["web"] * 3


def test_recovery_is_the_middle_and_the_longest_over_all_tables_and_kills() -> None:
    kills = [Kill("web", 0.0, (0.5, 0.7)), Kill("web", 9.0, (1.5,)), Kill("postgres", 5.0, (0.1,))]
    assert percentiles(kills, "web") == (0.7, 1.5)
    assert percentiles([], "web") is None
