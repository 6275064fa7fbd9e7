"""Play before and after a hit of the whole meter."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from django.utils import timezone

from jackpot.wins.queries import play_around as asking
from jackpot.wins.queries.play_around import play_around
from jackpot.wins.rules.play_around import PlayPace, change_of_pace, spans_around
from tables.rounds.actions.round import post_messages
from tables.rounds.rules.round import CoinInRequest, DeviceRequest, EndRequest, PostedAnswer
from tests.scenes_wins import WinFloor, backed_out

HIT = datetime(2026, 11, 10, 3, tzinfo=UTC)
DAY = timedelta(days=1)


def test_neither_side_reaches_over_another_hit_the_beginning_or_now() -> None:
    before, after = spans_around(hit=HIT, first=HIT - 30 * DAY, before=None, after=None, now=HIT + 30 * DAY)
    assert (before.begins, after.ends) == (HIT - 7 * DAY, HIT + 7 * DAY)
    before, after = spans_around(hit=HIT, first=HIT - 3 * DAY, before=None, after=None, now=HIT + DAY)
    assert (before.begins, after.ends) == (HIT - 3 * DAY, HIT + DAY)
    before, after = spans_around(
        hit=HIT, first=HIT - 30 * DAY, before=HIT - 2 * DAY, after=HIT + DAY, now=HIT + 5 * DAY
    )
    assert (before.lasts, after.lasts) == (2 * DAY, DAY)


def test_a_pace_is_told_an_hour_and_a_change_only_of_days() -> None:
    assert PlayPace(2400, DAY).an_hour == 100
    assert PlayPace(0, timedelta(0)).an_hour is None
    assert PlayPace(25, timedelta(hours=10)).whole_an_hour == 3, "half a chip and more is one"
    assert change_of_pace(PlayPace(2400, DAY), PlayPace(1800, DAY)) == -25
    assert change_of_pace(PlayPace(4800, 2 * DAY), PlayPace(3600, DAY)) == 50
    assert change_of_pace(PlayPace(2400, DAY), PlayPace(100, timedelta(hours=23))) is None
    assert change_of_pace(PlayPace(0, DAY), PlayPace(100, DAY)) is None


def play(floor: WinFloor, seats: str) -> None:
    floor.rounds[0] += 1
    code, device = floor.casino.tables[0].code, floor.casino.controllers[0].id
    for sequence, ask in enumerate([CoinInRequest(floor.rounds[0], seats), EndRequest(floor.rounds[0])], 1):
        assert isinstance(post_messages([DeviceRequest(code, device, sequence, ask)])[0], PostedAnswer)


@pytest.mark.django_db
def test_a_hit_stands_between_what_was_played_before_and_after_it() -> None:
    floor = WinFloor()
    play(floor, "12345")
    floor.won({3: "five"})
    first = floor.won({2: "royal"}, seats="27")[0]
    play(floor, "123")
    second = floor.royal()
    play(floor, "1234567")
    newest, oldest = play_around(first.jackpot, now=timezone.now(), newest=9)
    assert [newest.win.pk, oldest.win.pk] == [second.pk, first.pk], "a part of the meter resets nothing"
    assert (oldest.before.chips, oldest.after.chips) == (5 + 1 + 2, 3 + 1)
    assert (newest.before.chips, newest.after.chips) == (3 + 1, 7)
    assert oldest.began_at > newest.began_at, "the first reset brought the reserve that was taken over"
    assert str(oldest.from_reserve) == "617.60"
    assert oldest.change is None, "minutes are no measure"
    (only,) = play_around(first.jackpot, now=timezone.now(), newest=1)
    assert (only.win.pk, only.before.chips) == (second.pk, 4)


@pytest.mark.django_db
def test_a_hit_that_was_backed_out_never_was_one() -> None:
    floor = WinFloor()
    play(floor, "12")
    win = floor.royal()
    assert len(play_around(win.jackpot, now=timezone.now(), newest=3)) == 1
    backed_out(win)
    assert play_around(win.jackpot, now=timezone.now(), newest=3) == []


@pytest.mark.django_db
def test_where_terms_changed_within_chips_are_counted_version_by_version(monkeypatch: pytest.MonkeyPatch) -> None:
    floor = WinFloor()
    play(floor, "12345")
    win = floor.royal()
    play(floor, "123")
    usual = play_around(win.jackpot, now=timezone.now(), newest=1)[0]
    monkeypatch.setattr(asking, "_plain_chips", lambda *_: None)
    again = play_around(win.jackpot, now=timezone.now(), newest=1)[0]
    assert (again.before.chips, again.after.chips) == (usual.before.chips, usual.after.chips) == (6, 3)
