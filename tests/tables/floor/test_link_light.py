from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from tables.floor.rules.link_light import LinkLight, link_light

NOW = datetime(2026, 11, 18, 12, tzinfo=UTC)


def ago(seconds: float) -> datetime:
    return NOW - timedelta(seconds=seconds)


@pytest.mark.parametrize(
    ("seconds", "light"),
    [(0, LinkLight.UP), (5, LinkLight.UP), (5.1, LinkLight.LATE), (30, LinkLight.LATE), (31, LinkLight.DOWN)],
)
def test_the_light_follows_the_last_word_of_the_controller(seconds: float, light: LinkLight) -> None:
    assert link_light([ago(seconds)], NOW) is light


def test_the_best_of_two_controllers_counts() -> None:
    assert link_light([ago(90), ago(1), None], NOW) is LinkLight.UP


def test_a_controller_never_heard_is_down_and_none_at_all_is_none() -> None:
    assert link_light([None], NOW) is LinkLight.DOWN
    assert link_light([], NOW) is LinkLight.NONE
