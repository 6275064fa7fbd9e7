"""The simulator against the living server: what it reckons is what the books hold."""

from __future__ import annotations

import asyncio
import re
from io import StringIO
from typing import Any

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError

from config.casino import demo_floor
from jackpot.models import Entry, Jackpot, KeyRegister, Win
from jackpot.money import Money
from tables.actions.prove import prove
from tables.models import Device, Round, Table, TableDuty, TableState
from tables.simulator.evening import Evening, Report, play
from tables.simulator.script import Crowd
from tests import builders
from tests.controller import HttpController, secret_for


def a_demo(*, tables: int = 3, **jackpot: Any) -> builders.Casino:
    return builders.a_casino(tables=tables, premises=builders.a_property(demo=True), **jackpot)


def an_evening(url: str, *, over_http: bool = False, rounds: int = 12, seed: int = 7) -> Report:
    seated = list(demo_floor.controllers(url, None))
    evening = Evening(url, seated, rounds, Crowd(2, 6), seed=seed, over_http=over_http)
    return asyncio.run(play(evening, demo_floor.terms_of(one.table for one in seated)))


@pytest.mark.parametrize("over_http", [False, True], ids=["websocket", "http"])
def test_an_evening_reconciles_to_the_cent(live: Any, over_http: bool):
    a_demo()
    report = an_evening(live.url, over_http=over_http)
    assert report.good
    assert [line.difference for line in report.reckoned] == [0]
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
    report = an_evening(live.url, rounds=10)
    assert report.good
    assert {line.jackpot: str(line.after) for line in report.reckoned}["MINI"] == "102.00"


def test_somebody_elses_coin_in_is_a_difference(live: Any):
    a_demo(tables=2)
    seated = list(demo_floor.controllers(live.url, None))
    terms = demo_floor.terms_of(one.table for one in seated)
    alone = Evening(live.url, seated, 3, Crowd(2, 6))
    wrong = {code: type(told)(told.per_chip * 2) for code, told in terms.items()}
    report = asyncio.run(play(alone, wrong))
    assert not report.good
    assert report.reckoned[0].difference < 0


def test_a_table_held_meanwhile_is_named(live: Any, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("tables.simulator.table.PATIENCE", 0.2)
    casino = a_demo(tables=2)
    seated = list(demo_floor.controllers(live.url, None))
    builders.floor.set_table_state(table=casino.table, state=TableState.HELD, why="a look", by="tests")
    report = asyncio.run(play(Evening(live.url, seated, 3, Crowd(2, 6)), demo_floor.terms_of(["UTH-01"])))
    assert report.troubles == ["UTH-01: UTH-01 is held: a look. A supervisor releases it on the pit page."]
    assert (report.rounds, report.good) == (3, False)


def test_the_whole_demo_casino_plays_from_the_command_line(live: Any):
    builders.emerald()
    said = StringIO()
    call_command("simulate", "--rounds", "4", "--url", live.url, "--seats", "5", stdout=said)
    lines = said.getvalue().splitlines()
    assert lines[0].startswith("Playing UTH-01, UTH-02,")
    assert lines[-4] == "Reconciled: every meter stands exactly where the acknowledged coin-ins and awards put it."
    assert len([line for line in lines if re.match(r"(GRAND|ROYAL|MINI) .* 0\.00$", line)]) == 3
    assert [line.partition(":")[0] for line in lines[-3:]] == ["GRAND", "ROYAL", "MINI"]
    assert Entry.objects.filter(kind="coin_in").exists()
    assert {round_.dealer_id is None for round_ in Round.objects.all()} == {False}
    assert TableDuty.objects.filter(ended_at=None).count() == 0


def a_show(url: str, *, rounds: int = 10, over_http: bool = False, seed: int = 7) -> Report:
    seated = list(demo_floor.controllers(url, None))
    staff = demo_floor.staff(show=True)
    evening = Evening(url, seated, rounds, Crowd(3, 6), seed=seed, staff=staff, over_http=over_http)
    with demo_floor.keys_out(one.table for one in seated):
        report = asyncio.run(play(evening, demo_floor.terms_of(one.table for one in seated)))
    return report.with_awards(demo_floor.moved_by(report.wins))


@pytest.mark.parametrize("over_http", [False, True], ids=["websocket", "http"])
def test_a_show_of_rare_hands_over_both_profiles_reconciles_and_proves(live: Any, over_http: bool):
    builders.emerald()
    report = a_show(live.url, over_http=over_http)
    assert report.troubles == []
    assert [line.difference for line in report.reckoned] == [0, 0, 0]
    won = Win.objects.filter(state="owed")
    assert len(report.wins) == won.count() > 10
    assert {win.line for win in won} >= {"full_house", "four_of_a_kind"}
    assert {table.profile for table in Table.objects.filter(code__in=won.values("table_code"))} == {"card", "key"}
    assert Win.objects.exclude(state__in=["owed", "unmarked", "rejected", "fell"]).count() == 0
    assert KeyRegister.objects.filter(back_at=None).count() == 0
    assert prove().holds


def test_an_evening_that_ended_in_the_middle_of_a_hit_is_finished_by_the_next(live: Any):
    builders.emerald()
    for code, seat in (("UTH-01", 2), ("UTH-02", 3), ("UTH-03", 4)):
        device = Device.objects.get(table__code=code, kind="controller")
        wire = HttpController(live, device, secret_for(device))
        wire.say(do="coin_in", round=1, seats=[2, 3, 4])
        wire.say(do="mark", round=1, seat=seat, hand="full_house")
        wire.say(do="confirm", round=1)
    report = a_show(live.url, rounds=2)
    assert report.troubles == []
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
