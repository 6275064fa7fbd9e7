"""The equation of real books: whole days that were played, and books that somebody changed and sealed again."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date
from typing import Any

import pytest
from django.db import connection

from accounting.days.actions.snapshots import snapshot_due_days
from accounting.days.queries.events import chips_statement
from accounting.days.queries.stretch import stretch_of
from accounting.days.rules.equation import DayEquation, EquationPart
from jackpot.books.models.entry import Entry
from jackpot.books.models.jackpot import Jackpot
from jackpot.money import Money
from jackpot.property.models.property import Property
from jackpot.wins.models import Win
from tables.hits.actions.undo import recount_round, void_round
from tables.rounds.rules.round import EndRequest
from tests import databases
from tests.accounting.days.day_scene import equation_of
from tests.builders import a_casino, a_jackpot, a_pay_table, a_property
from tests.jackpot.books.api_scene import play, signed_in
from tests.reseal import damage
from tests.scenes import changed_and_restored, played
from tests.scenes_adjusting import approved, asked, done, person
from tests.tables.hits.test_hit import Floor

EAST, WEST = "Etc/GMT-12", "Etc/GMT+12"  # a whole day apart: the gaming day is the next one


def day_of(jackpot: Jackpot) -> date:
    return Entry.objects.filter(jackpot=jackpot).latest("seq").gaming_day


def closes(jackpot: Jackpot, day: date | None = None) -> DayEquation:
    found = equation_of(jackpot, day or day_of(jackpot))
    assert (found.missing, found.variance) == ((), found.variance.less(found.variance))
    return found


def line(found: DayEquation, part: EquationPart) -> tuple[str, str]:
    return str(Money(found.lines[part].meter)), str(Money(found.lines[part].reserve))


def another_day(premises: Property) -> None:
    Property.objects.filter(pk=premises.pk).update(time_zone=EAST)


@pytest.mark.django_db
def test_v17_is_reckoned_to_the_cent_from_what_was_played() -> None:
    a_property(time_zone=WEST)
    floor = Floor(2, meter="18250.00", reserve="400.00", pay_table=a_pay_table(source="meter"))
    floor.coin_ins(2849, 1)
    floor.coin_in("1")
    floor.mark(1, "royal_first_5")
    floor.confirm()
    floor.card()
    floor.say(EndRequest(1))
    voided = floor.coin_in("12345", 1)
    void_round(table_code="UTH-02", round_number=voided, reason="shuffler malfunction", by="Test Supervisor")
    floor.coin_ins(1353, 1)
    floor.coin_in("1234")
    for seat in (1, 2, 3, 4):
        floor.mark(seat, "royal_community")
    floor.confirm()
    floor.card()
    floor.say(EndRequest(2))
    floor.coin_ins(100, 1)
    done("adjust", floor.casino.jackpot, amount="15.00")
    found = closes(floor.casino.jackpot)
    assert (str(Money(found.reckoned.meter)), str(Money(found.reckoned.reserve))) == ("85.00", "5.00")
    net = Money(found.lines[EquationPart.CONTRIBUTIONS].meter + found.lines[EquationPart.VOIDED].meter)
    assert (str(net), line(found, EquationPart.AWARDS)[0]) == ("3014.90", "-32245.00")
    assert line(found, EquationPart.MADE_GOOD) == ("507.60", "-67.85")
    assert line(found, EquationPart.ADJUSTMENTS)[0] == "15.00"
    day = day_of(floor.casino.jackpot)
    another_day(floor.casino.premises)
    snapshot_due_days()
    accountant = signed_in("read_books", "close_day")
    rows = accountant.get(f"/api/v1/reports/meter-equation/?period={day}&jackpot=GRAND").json()["results"]
    shown = {row["line"]: (row["meter"], row["reserve"]) for row in rows}
    assert (shown["= Reckoned"], shown["Books"], shown["Difference"]) == (("85.00", "5.00"),) * 2 + (("0.00", "0.00"),)
    page = accountant.get(f"/office/days/{day}/").content.decode()
    assert all(figure in page for figure in ("GRAND meter", "85.00", "5.00"))


@pytest.mark.django_db
def test_a_recount_a_back_out_of_another_day_and_a_transfer_close() -> None:
    a_property(time_zone=WEST)
    floor = Floor(2, meter="19999.30", reserve="617.20", limit="20010.00")
    other = a_jackpot("MINI", meter="50.00")
    floor.coin_in("2")
    floor.mark(2, "royal_first_5")
    floor.confirm()
    floor.card()
    floor.say(EndRequest(1))
    late = floor.coin_in("12", 1)
    jackpot = floor.casino.jackpot
    first = closes(jackpot)
    another_day(floor.casino.premises)
    two: Any = {"by": person("one"), "second": person("two")}  # rounds of an earlier day take two people
    recount_round(table_code="UTH-02", round_number=late, seats="1234", spots="", **two)
    floor.say(EndRequest(late), 1)
    void_round(table_code="UTH-02", round_number=late, reason="misdeal", **two)
    approved(asked("back_out", jackpot, win=Win.objects.get(slip=1)), seen=True)
    done("transfer", jackpot, other=other, amount="30.00")
    found = closes(jackpot)
    assert day_of(jackpot) > Entry.objects.get(jackpot=jackpot, seq=1).gaming_day
    assert (found.opened, line(found, EquationPart.TRANSFERS_OUT)[0]) == (first.books, "-30.00")
    assert line(closes(other), EquationPart.TRANSFERS_IN)[0] == "30.00"
    assert closes(jackpot, Entry.objects.get(jackpot=jackpot, seq=1).gaming_day).books == first.books


@pytest.mark.django_db
def test_a_table_that_feeds_two_jackpots_closes_both_and_a_day_without_play_is_empty() -> None:
    only = a_pay_table(code="only", lines=[{"code": "mini", "name": "Mini", "part": "1/2"}])
    grand, mini = a_jackpot(rate="60"), a_jackpot("MINI", rate="10", meter="50.00", pay_table=only)
    casino = a_casino(jackpots=(grand, mini))
    play(casino.controller, 1, "123")
    play(casino.controller, 2, "12345")
    assert line(closes(grand), EquationPart.CONTRIBUTIONS) == ("4.80", "0.40")
    assert line(closes(mini), EquationPart.CONTRIBUTIONS) == ("0.80", "0.40")
    nothing = equation_of(grand, date(2030, 1, 1))
    assert (nothing.opened, nothing.reckoned) == (closes(grand).books, closes(grand).books)
    assert not stretch_of(Jackpot.objects.get(code="GRAND"), date(2001, 1, 1))


def a_played_day() -> None:
    floor = Floor(2, meter="19999.30", reserve="617.20")
    floor.coin_ins(23, 1)
    floor.coin_in("2")
    floor.mark(2, "royal_first_5")
    floor.confirm()
    floor.card()
    floor.say(EndRequest(1))
    floor.coin_ins(7, 1)
    done("adjust", floor.casino.jackpot, amount="15.00")


@pytest.fixture(scope="module")
def scene(test_server: databases.TestServer, django_db_setup: None, django_db_blocker: Any) -> Iterator[str]:
    with played(test_server, django_db_blocker, a_played_day) as name:
        yield name


@pytest.mark.parametrize(
    ("change", "off"),
    [
        ("UPDATE jackpot_entry SET meter = meter + 1, house = house - 1 WHERE seq = 2", ("1.00", "0.00")),
        ("UPDATE jackpot_entry SET reserve = reserve + 1, house = house - 1 WHERE kind = 'award'", ("0.00", "1.00")),
        ("UPDATE tables_round SET seats = '1234' WHERE number = 1 AND seats = '12345'", ("0.70", "0.05")),
        ("UPDATE tables_round SET wager = 2 WHERE number = 2 AND seats = '12345'", ("-3.50", "-0.25")),
        ("UPDATE jackpot_win SET amount = amount + 1", ("1.00", "0.00")),
        ("UPDATE jackpot_adjustment SET amount = 16", ("-1.00", "0.00")),
    ],
)  # fmt: skip
def test_one_changed_figure_is_a_variance_though_every_seal_is_whole(
    scene: str, test_server: databases.TestServer, django_db_blocker: Any, change: str, off: tuple[str, str]
) -> None:
    with changed_and_restored(test_server, django_db_blocker, scene):
        jackpot = Jackpot.objects.get()
        closes(jackpot)
        with connection.cursor() as cursor:
            cursor.execute("SET LOCAL session_replication_role = replica")
            cursor.execute("ALTER TABLE jackpot_adjustment DISABLE TRIGGER ALL")
        damage(change)
        variance = equation_of(jackpot, day_of(jackpot)).variance
        assert (str(Money(variance.meter)), str(Money(variance.reserve))) == off


def test_a_coin_in_without_its_round_is_named(
    scene: str, test_server: databases.TestServer, django_db_blocker: Any
) -> None:
    with changed_and_restored(test_server, django_db_blocker, scene):
        damage("DELETE FROM tables_roundentry WHERE seq = 2")
        jackpot = Jackpot.objects.get()
        found = equation_of(jackpot, day_of(jackpot))
        assert found.missing == ("1 coin-ins behind entry 2 have no round that names them.",)
        assert not found.agrees


@pytest.mark.django_db
@pytest.mark.parametrize("short", [True, False])
def test_the_plan_reads_the_day_by_the_key_of_the_books(short: bool) -> None:
    asked_for = {"jackpot": 1, "after": 4_000_000, "upto": 4_050_000, "singled": [], "marks": [4_000_000]}
    with connection.cursor() as cursor:
        cursor.execute("SET LOCAL enable_seqscan = off")
        cursor.execute(f"EXPLAIN {chips_statement(short=short, alone=False)}", asked_for)
        plan = "\n".join(row[0] for row in cursor.fetchall())
    assert "jackpot_entry_pkey" in plan
    assert "seq > " in plan
    if short:  # each coin-in finds its round by its key: the rounds of other days are not read
        assert "Hash" not in plan
        assert "tables_roundentry_pkey" in plan
