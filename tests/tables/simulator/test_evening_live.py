"""The simulator against the living server: what it reckons is what the books hold."""

from __future__ import annotations

import asyncio
import re
import threading
from collections.abc import Callable
from dataclasses import replace
from io import StringIO
from typing import Any

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError
from django.db import connections

from accounting.days.rules.equation import EquationPart
from accounting.house_file import demo_books, demo_floor
from accounting.house_file.demo_books import Settled
from jackpot.books.models.entry import Entry
from jackpot.books.models.jackpot import Jackpot
from jackpot.money import Money
from jackpot.people.actions.people import block_card
from jackpot.people.actions.presence import card_numbered
from jackpot.people.models import KeyRegister
from jackpot.wins.models import Win
from tables.floor.actions.state import set_table_state
from tables.floor.models.device import Device
from tables.floor.models.duty import TableDuty
from tables.floor.models.table import Table, TableState
from tables.floor.rules.wagers import FurtherWagerFacts
from tables.gateway.actions.device import badge_in_or_out
from tables.player_dealer.models import BankedHand, HandSettlement
from tables.rounds.actions.round import post_messages
from tables.rounds.models.further import FurtherCoinIn
from tables.rounds.models.round import Round
from tables.rounds.queries.prove import prove
from tables.rounds.rules.round import CoinInRequest, DeviceRequest, EndRequest
from tables.simulator.evening import Evening, EveningReport, play
from tables.simulator.hits import TableAward
from tables.simulator.pace import Pace
from tables.simulator.script import Crowd
from tests import builders
from tests.builders import AT_BOX
from tests.controller import HttpController, SocketController, secret_for


def a_demo(*, tables: int = 3, **jackpot: Any) -> builders.Casino:
    return builders.a_casino(tables=tables, premises=builders.a_property(demo=True), **jackpot)


def an_evening(url: str, *, over_http: bool = False, rounds: int = 12, seed: int = 7) -> tuple[EveningReport, Settled]:
    seated = list(demo_floor.controllers(url, None))
    opened = demo_books.stood(one.table for one in seated)
    report = asyncio.run(play(Evening(url, seated, rounds, Crowd(2, 6), seed=seed, over_http=over_http)))
    return report, demo_books.settled(opened, report)


def a_show(
    url: str, *, rounds: int = 9, over_http: bool = False, seed: int = 7, **changed: Any
) -> tuple[EveningReport, Settled]:
    seated = list(demo_floor.controllers(url, None))
    tables = [one.table for one in seated]
    staff = replace(demo_floor.staff(show=True), **changed)
    evening = Evening(url, seated, rounds, Crowd(3, 6), seed=seed, staff=staff, over_http=over_http)
    opened = demo_books.stood(tables)
    with demo_floor.keys_out(tables):
        report = asyncio.run(play(evening))
    return report, demo_books.settled(opened, report)


@pytest.mark.parametrize("over_http", [False, True], ids=["websocket", "http"])
def test_an_evening_reconciles_to_the_cent(live: Any, over_http: bool):
    a_demo()
    report, settled = an_evening(live.url, over_http=over_http)
    assert report.troubles == []
    assert settled.agrees
    assert Jackpot.objects.get().meter_money == Money.of("10000.00") + Money.of("0.70") * report.chips
    assert report.rounds == Round.objects.filter(state="ended").count() == 36


def test_the_same_seed_plays_the_same_seats_over_either_door(live: Any):
    a_demo(tables=2)
    an_evening(live.url, rounds=6)
    an_evening(live.url, rounds=6, over_http=True)
    seats = [list(table.rounds.order_by("number").values_list("seats", flat=True)) for table in demo_tables()]
    assert [one[:6] == one[6:] for one in seats] == [True, True]
    assert seats[0] != seats[1]


def test_two_levels_and_a_limit_reconcile_too(live: Any):
    premises = builders.a_property(demo=True)
    small = builders.a_pay_table(code="M", lines=[{"code": "flush", "name": "Flush", "part": "1"}])
    told = {"rate": "10", "reserve_rate": "0", "seed": "100.00", "limit": "102.00", "pay_table": small}
    levels = [
        builders.a_jackpot("GRAND", premises=premises, rate="60"),
        builders.a_jackpot("MINI", premises=premises, meter="100.00", **told),
    ]
    builders.a_casino(tables=2, jackpots=levels, premises=premises)
    _, settled = an_evening(live.url, rounds=10)
    assert settled.agrees
    mini = {each.jackpot: each for each in settled.equations}["MINI"]
    assert mini.reckoned.meter == Money.of("102").units
    assert mini.lines[EquationPart.OVERFLOW_TAKEN].meter < 0


def test_a_table_of_two_wagers_and_one_that_a_player_banks_play_an_evening(live: Any):
    """Further chips are bet and reconcile; the banked table tells action and outcome, and END waits for it."""
    premises = builders.a_property(demo=True, end_waits_for_settling=True)
    casino = builders.a_casino(tables=1, premises=premises)
    mega = builders.a_jackpot("MEGA", premises=premises, wager="5.00")
    further = (FurtherWagerFacts("MEGA", Money.of("5.00"), ("MEGA",), "Mega Royal"),)
    two = builders.a_table("UTH-09", casino.jackpot, premises=premises, further=further)
    banked = builders.a_table("PD-01", premises=premises, bank="player_dealer", seats=6)
    for table in (two, banked):
        builders.a_controller(table)
    report, settled = an_evening(live.url, rounds=8)
    assert report.troubles == []
    assert settled.agrees, settled
    mega.refresh_from_db()
    played = FurtherCoinIn.objects.filter(table=two)
    assert played.count() >= 3
    assert mega.meter_money == Money.of("10000.00") + Money.of("3.50") * sum(len(each.seats) for each in played)
    hands = BankedHand.objects.filter(table=banked)
    assert (hands.count(), HandSettlement.objects.count()) == (8, 8)
    assert {hand.in_a_row for hand in hands} == {1, 2}
    assert Round.objects.filter(table=banked, state="ended").count() == 8


def test_what_was_acknowledged_and_is_not_in_the_books_is_named(live: Any):
    a_demo(tables=1)
    seated = list(demo_floor.controllers(live.url, None))
    opened = demo_books.stood(["UTH-01"])
    report = asyncio.run(play(Evening(live.url, seated, 2, Crowd(2, 6))))
    report.tallies["UTH-01"].counted[3] = 5
    report.tallies["UTH-01"].wins[1] = TableAward(1, "GRAND", "10.00", 1)
    settled = demo_books.settled(opened, report)
    assert settled.missing == [
        "UTH-01 was told that round 3 counts 5 chips; the books have no round.",
        "Slip 1 of 10.00 on GRAND is not awarded so in the books.",
    ]
    assert not settled.agrees


def test_a_table_held_meanwhile_is_named(live: Any, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("tables.simulator.table.PATIENCE", 0.2)
    casino = a_demo(tables=2)
    seated = list(demo_floor.controllers(live.url, None))
    set_table_state(table=casino.table, state=TableState.HELD, why="a look", by="tests")
    report = asyncio.run(play(Evening(live.url, seated, 3, Crowd(2, 6))))
    assert report.troubles == ["UTH-01: UTH-01 is held: a look. A supervisor releases it on the pit page."]
    assert report.rounds == 3


class Meanwhile:
    """Somebody who does something once the first rounds are played."""

    def __init__(self, does: Callable[[], object]) -> None:
        self._does, self._done = does, False

    def watch(self, rounds: int, _: int) -> None:
        if rounds >= 4 and not self._done:
            self._done = True
            thread = threading.Thread(target=self._do)
            thread.start()
            thread.join()

    def _do(self) -> None:
        self._does()
        connections.close_all()


def test_a_table_taken_over_by_another_controller_is_left_to_it_and_the_others_play_on(live: Any):
    casino = a_demo(tables=2)
    seated = list(demo_floor.controllers(live.url, None))
    facts = builders.floor.DeviceFacts(table="UTH-01", version="2.0.0")
    device = builders.floor.register_device(code="OTHER", facts=facts, by="tests")
    secret, said = secret_for(device), list[str]()
    opened = demo_books.stood(["UTH-01", "UTH-02"])

    def take_over() -> None:
        SocketController(live, device, secret).close()

    evening = Evening(live.url, seated, 40, Crowd(2, 6), pace=Pace(2000), tell=said.append)
    report = asyncio.run(play(evening, Meanwhile(take_over).watch))
    assert report.troubles == []
    assert [sentence.partition(" after ")[0] for sentence in report.left] == ["UTH-01 was taken over"]
    assert said == report.left
    assert report.tallies["UTH-02"].rounds == 40
    assert casino.table.rounds.count() < 40
    assert demo_books.settled(opened, report).agrees


def test_over_http_a_table_is_left_to_the_dealer_who_badges_in_there(live: Any):
    builders.emerald()
    seated = [one for one in demo_floor.controllers(live.url, 2) if one.table == "UTH-01"]
    opened = demo_books.stood(["UTH-01"])

    def badge_in_and_start() -> None:
        badge_in_or_out(
            table_code="UTH-01", badge="6000000000000110", comes=True, device_code="UTH-01-CONSOLE", source=AT_BOX
        )
        number = Round.objects.filter(table__code="UTH-01").count()
        device = Device.objects.get(code="UTH-01-C").id
        for ask in (EndRequest(number), CoinInRequest(number + 1, "1234567", "1111111")):
            post_messages([DeviceRequest("UTH-01", device, 0, ask)])

    evening = Evening(live.url, seated, 60, Crowd(2, 5), over_http=True, pace=Pace(2000))
    report = asyncio.run(play(evening, Meanwhile(badge_in_and_start).watch))
    assert Round.objects.get(seats="1234567").state == "open"
    assert (report.troubles, len(report.left)) == ([], 1)
    assert demo_books.settled(opened, report).agrees


def test_the_whole_demo_casino_plays_from_the_command_line(live: Any):
    builders.emerald()
    said = StringIO()
    call_command("simulate", "--rounds", "4", "--url", live.url, "--seats", "5", stdout=said)
    lines = said.getvalue().splitlines()
    assert lines[0].startswith("Playing UTH-01, UTH-02,")
    assert lines[-5] == "Reconciled: every meter and reserve stands exactly where rounds and wins put it."
    assert len([line for line in lines if re.match(r"  difference to the books +0\.00 +0\.00$", line)]) == 3
    assert [line.partition(":")[0] for line in lines[-4:]] == ["GRAND", "ROYAL", "MINI", "TOUR"]
    assert Entry.objects.filter(kind="coin_in").exists()
    assert {round_.dealer_id is None for round_ in Round.objects.all()} == {False}
    assert TableDuty.objects.filter(ended_at=None).count() == 0


@pytest.mark.parametrize("over_http", [False, True], ids=["websocket", "http"])
def test_a_show_of_rare_hands_over_both_profiles_reconciles_and_proves(live: Any, over_http: bool):
    builders.emerald()
    report, settled = a_show(live.url, over_http=over_http)
    assert report.troubles == []
    assert settled.agrees, [sheet.differences for sheet in settled.sheets]
    won = Win.objects.filter(state__in=["owed", "paid"])
    assert len(report.wins) == won.count() > 10
    assert len(report.paid) == Win.objects.filter(state="paid").count() > 5
    assert {win.line for win in won} >= {"full_house", "four_of_a_kind"}
    assert {table.profile for table in Table.objects.filter(code__in=won.values("table_code"))} == {"card", "key"}
    assert set(Win.objects.values_list("state", flat=True)) <= {"owed", "paid", "unmarked", "rejected", "fell"}
    assert KeyRegister.objects.filter(back_at=None).count() == 0
    assert prove().holds


def test_a_blocked_card_gives_way_to_the_next_persons(live: Any):
    builders.emerald()
    card = card_numbered("6000000000000201")
    assert card is not None
    block_card(card=card, why="lost", by="tests")
    report, settled = a_show(live.url, rounds=3)
    assert report.troubles == []
    assert settled.agrees


def test_an_evening_that_ended_in_the_middle_of_a_hit_is_finished_by_the_next(live: Any):
    builders.emerald()
    for code, seat in (("UTH-01", 2), ("UTH-02", 3), ("UTH-03", 4)):
        device = Device.objects.get(table__code=code, kind="controller")
        wire = HttpController(live, device, secret_for(device))
        wire.say(do="coin_in", round=1, seats=[2, 3, 4])
        wire.say(do="mark", round=1, seat=seat, hand="full_house")
        wire.say(do="confirm", round=1)
    report, settled = a_show(live.url, rounds=2)
    assert report.troubles == []
    assert settled.agrees
    assert Round.objects.exclude(state__in=["ended", "void"]).count() == 0
    assert prove().holds


@pytest.mark.django_db
class TestRefused:
    def test_no_simulated_chip_falls_in_a_real_casino(self):
        builders.a_casino()
        with pytest.raises(CommandError, match="was not made by a demo file"):
            call_command("simulate", "--rounds", "1", "--url", "http://127.0.0.1:1")
        assert not Entry.objects.filter(kind="coin_in").exists()

    def test_more_tables_than_the_demo_has(self):
        a_demo(tables=2)
        with pytest.raises(CommandError, match="The demo has 2 open tables, not 3"):
            call_command("simulate", "--rounds", "1", "--tables", "3")

    def test_a_server_that_does_not_answer(self, monkeypatch: pytest.MonkeyPatch):
        monkeypatch.setattr("config.management.commands.simulate.SERVER_COMES_UP_WITHIN", 0)
        a_demo(tables=1)
        with pytest.raises(CommandError, match=r"No Fairmeter answers at http://127\.0\.0\.1:1 .*manage\.py up"):
            call_command("simulate", "--rounds", "1", "--url", "http://127.0.0.1:1")

    @pytest.mark.parametrize(
        "wrong",
        ["--rounds 0", "--hours 0", "--speed -1", "--speed nan", "--seats 0", "--tables x", "--rounds 1 --hours 1"],
    )
    def test_what_cannot_be_meant(self, wrong: str):
        with pytest.raises(CommandError):
            call_command("simulate", *wrong.split())


def demo_tables() -> list[Any]:
    return demo_floor.tables_to_play(None)
