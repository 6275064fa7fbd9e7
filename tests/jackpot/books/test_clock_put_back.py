"""The server's clock was an hour ahead and is put right: the books' moments never fall, and play goes on."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import nullcontext
from datetime import datetime, timedelta
from typing import Any, Final

import pytest
from django.db import connection
from django.utils import timezone

from config.connections import pointed_at
from jackpot.books.models.entry import Entry
from tables.floor.models.device import Device, DeviceState
from tables.rounds.actions import round as round_acts
from tables.rounds.actions.round import post_messages
from tables.rounds.rules.round import CoinInRequest, DeviceRequest, EndRequest, PostedAnswer
from tests.builders import a_controller, a_jackpot, a_pay_table, a_property, a_table
from tests.databases import TestServer
from tests.jackpot.books.test_attacks import REFUSED, entry, with_row
from tests.moving_clock import MovingClock, hang_clock, moving_clock
from tests.stranger import nothing_disagrees

HOUR: Final = timedelta(hours=1)


@pytest.fixture
def clock(test_server: TestServer, django_db_setup: None, django_db_blocker: Any) -> Iterator[MovingClock]:
    """A house of its own, with real commits, whose database and program read the same movable clock."""
    name = test_server.clone(test_server.next_name())
    hang_clock(test_server, name)
    with moving_clock() as moved, django_db_blocker.unblock(), pointed_at(test_server.url(test_server.app, name)):
        yield moved
    test_server.drop(name)


class TwoTables:
    """T-1 feeds GRAND alone, T-2 GRAND and MINI; the house judges what can have been played."""

    def __init__(self) -> None:
        house = a_property(plausible_play=True)
        small = a_pay_table(lines=[{"code": "straight_flush", "name": "Straight flush", "part": "1"}])
        royal = a_pay_table(lines=[{"code": "royal_first_5", "name": "Royal flush, first 5 cards", "part": "1"}])
        grand = a_jackpot("GRAND", premises=house, rate="30", pay_table=royal)
        mini = a_jackpot("MINI", premises=house, rate="10", reserve_rate="0", pay_table=small)
        self.devices = [a_controller(a_table("T-1", grand)), a_controller(a_table("T-2", grand, mini))]
        Device.objects.update(state=DeviceState.ACTIVE)
        self.numbers = [0, 0]

    def plays(self, table: int, at: datetime | None = None) -> dict[str, Any]:
        self.numbers[table - 1] += 1
        number, device = self.numbers[table - 1], self.devices[table - 1]
        asked = (CoinInRequest(number, "12", played_at=at), EndRequest(number))
        first, second = (post_messages([DeviceRequest(f"T-{table}", device.pk, 0, each)])[0] for each in asked)
        assert isinstance(first, PostedAnswer), first
        assert isinstance(second, PostedAnswer), second
        told: dict[str, Any] = json.loads(first.answer)
        return told


def moments(code: str) -> list[datetime]:
    return list(Entry.objects.filter(jackpot__code=code).order_by("seq").values_list("occurred_at", flat=True))


def test_jackpots_that_saw_the_wrong_hour_and_those_that_did_not_play_on_together(clock: MovingClock) -> None:
    floor = TwoTables()
    floor.plays(2)
    clock.set_to(timezone.now() + HOUR)
    floor.plays(1)
    clock.set_to(timezone.now() - HOUR)
    told = floor.plays(2)
    assert set(told["meters"]) == {"GRAND", "MINI"}
    for code in ("GRAND", "MINI"):
        assert moments(code) == sorted(moments(code))
    assert moments("MINI")[-1] == moments("GRAND")[-1], "one act has one time"
    assert moments("GRAND")[-1] > timezone.now() + timedelta(minutes=59)
    assert nothing_disagrees()


def test_nothing_is_kept_back_because_the_clock_was_put_right(clock: MovingClock) -> None:
    """Whether the box tells when it played or not: for that hour the times tell nothing, the seats still do."""
    floor = TwoTables()
    clock.set_to(timezone.now() + HOUR)
    assert "kept_back" not in floor.plays(1, timezone.now())
    assert "kept_back" not in floor.plays(2)
    clock.set_to(timezone.now() - HOUR)
    for _ in range(6):
        assert "kept_back" not in floor.plays(1, timezone.now())
        assert "kept_back" not in floor.plays(2)
    clock.set_to(timezone.now() + HOUR + timedelta(minutes=30))
    told = [floor.plays(1).get("kept_back") for _ in range(5)]
    assert told[-1] == "more than 4 rounds a minute", "once the clock has caught up, it is judged as ever"


def test_the_hour_ahead_is_no_licence_to_write_any_moment(clock: MovingClock) -> None:
    floor = TwoTables()
    clock.set_to(timezone.now() + HOUR)
    floor.plays(1)
    clock.set_to(timezone.now() - HOUR)
    latest = "(SELECT max(occurred_at) FROM jackpot_entry)"
    mini = "(SELECT e.* FROM jackpot_entry e JOIN jackpot_jackpot j ON j.id = e.jackpot_id WHERE j.code = 'MINI')"
    row = "last_seq = last_seq + 1, last_at = {at}, seal = seal WHERE code = 'MINI'"
    for later, goes in (("0 seconds", True), ("1 microsecond", False), ("1 hour", False)):
        at = f"{latest} + interval '{later}'"
        late = entry("{}", mini).replace("'occurred_at', clock_timestamp()", f"'occurred_at', {at}")
        outcome = nullcontext() if goes else pytest.raises(REFUSED, match="does not go on")
        with outcome, connection.connection.transaction(force_rollback=True):
            connection.connection.execute(with_row(late, row.format(at=at)).encode())


@pytest.mark.parametrize("jump", [HOUR, -HOUR])
def test_an_act_within_which_the_clock_moves_is_begun_anew(
    clock: MovingClock, monkeypatch: pytest.MonkeyPatch, jump: timedelta
) -> None:
    """The moment was read behind the lock, the guard reads the clock at the end: between them it jumped."""
    floor = TwoTables()
    floor.plays(2)
    look, jumps = round_acts._look_up, [jump]

    def jumping(*asked: Any) -> Any:
        if jumps:
            clock.set_to(timezone.now() + jumps.pop())
        return look(*asked)

    monkeypatch.setattr(round_acts, "_look_up", jumping)
    assert set(floor.plays(2)["meters"]) == {"GRAND", "MINI"}
    assert not jumps
    assert nothing_disagrees()
