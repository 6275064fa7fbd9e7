"""Two do the same in one instant: each looked first, one counts, and the other hears a sentence and no fault."""

from __future__ import annotations

import threading
from collections.abc import Callable
from datetime import date
from typing import Any

import pytest
from django.db import IntegrityError, connection, transaction

from accounting.reports.actions.saving import ReportWish, save_report
from accounting.reports.models import SavedReport
from accounting.reports.queries.catalogue import REPORTS
from jackpot.money import Money
from jackpot.property.models.property import Property
from jackpot.trail.models import Trail
from jackpot.web.rules.same_moment import same_moment
from tables.floor.models.device import Device
from tables.floor.models.table import Table
from tables.floor.rules.collection import CollectionRule, FeeBasis
from tables.floor.rules.limit_sheets import LimitSheet
from tables.floor.rules.schedules import ScheduleStanding
from tables.games.fees import ScheduleStatus
from tables.setup.actions.collections import declare_collection
from tables.setup.actions.floor import DeviceFacts, register_device
from tables.setup.actions.limit_sheets import enter_limits
from tables.setup.actions.schedules import note_schedule
from tests.builders import a_jackpot, a_person, a_property, a_sign, a_table
from tests.jackpot.books.api_scene import signed_in
from tests.patience import PATIENCE, until
from tests.races.test_books import at_once
from tests.races.test_floor_changes_races import somebody_waits, undecided

pytestmark = pytest.mark.race
SAID = "Somebody did the same in this moment, and that counted; nothing of yours was kept. Look, then try again."


def meanwhile(first: Callable[[], object], second: Callable[[], Any]) -> Any:
    """What the second hears, whose look at what stands was before the first one's commit."""
    heard: list[Any] = []
    thread = threading.Thread(target=lambda: heard.extend(at_once(lambda _: heard.append(second()), 1)))
    with undecided(first):
        thread.start()
        until(somebody_waits, "it waits for the first one's key")
    thread.join(PATIENCE)
    return heard[0]


def a_picture() -> Callable[[], object]:
    return _device(a_property())


def test_a_program_that_was_second_hears_409_and_its_cure(fresh_database: str, caplog: Any) -> None:
    first = a_picture()
    client = signed_in("service")
    client.raise_request_exception = False
    words = {"code": "D-1", "kind": "sign", "sign": "SIGN-1"}
    answer = meanwhile(first, lambda: client.post("/api/v1/devices/", words, content_type="application/json"))
    assert (answer.status_code, answer.json()) == (409, {"ok": False, "code": "same_moment", "why": SAID})
    assert "same_moment" in caplog.text
    assert "unique constraint" in caplog.text
    assert Device.objects.filter(code="D-1").count() == 1
    again = client.post("/api/v1/devices/", words, content_type="application/json")
    assert (again.status_code, again.json()["code"]) == (409, "exists")


def test_a_person_on_a_page_who_was_second_reads_the_same_sentence(fresh_database: str) -> None:
    house, client = a_property(), signed_in("read_books", "see")
    client.raise_request_exception = False
    wish, wins, by = ReportWish("For the ledger", {}), REPORTS["wins"], a_person("first")
    words = {"name": "For the ledger", "period": "yesterday"}
    answer = meanwhile(
        lambda: save_report(report=wins, wish=wish, house=house, by=by, today=date(2026, 1, 1)),
        lambda: client.post("/office/reports/wins/save/", words),
    )
    page = answer.content.decode()
    assert (answer.status_code, SAID in page, "Somebody was first" in page) == (409, True, True)
    assert SavedReport.objects.count() == 1
    assert list(Trail.objects.filter(act="refused").values_list("actor", "why")) == [("Test Reader", SAID)]


@pytest.mark.parametrize("act", ["collection", "limits", "schedule", "table", "sign", "device"])
def test_every_act_of_setting_up_that_looks_first_is_refused_by_the_key_alone(fresh_database: str, act: str) -> None:
    """Nobody's look saw the other: what is left is one row, and the sentence that pages and programs hear."""
    does = ACTS[act](a_property())
    heard: list[BaseException] = []
    second = threading.Thread(target=lambda: heard.extend(at_once(lambda _: does() and None, 1)))
    with undecided(does):
        second.start()
        until(somebody_waits, "it waits for the first one's key")
    second.join(PATIENCE)
    assert [str(same_moment(each)) for each in heard] == [SAID]


def _collects(premises: Property) -> Callable[[], object]:
    table = a_table("PD-01", premises=premises, bank="player_dealer")
    rule = CollectionRule(date(2099, 1, 1), FeeBasis.HAND, Money.of("2"))
    return lambda: declare_collection(tables=[table], rule=rule, by="tests")


def _limits(premises: Property) -> Callable[[], object]:
    sheet = LimitSheet(date(2099, 1, 1), "A", "uth", "the letter", 1, 5)
    return lambda: enter_limits(premises=premises, sheet=sheet, by="tests")


def _schedules(premises: Property) -> Callable[[], object]:
    standing = ScheduleStanding(date(2099, 1, 1), "uth", "001", 4, ScheduleStatus("approved"), "letter")
    return lambda: note_schedule(premises=premises, standing=standing, by="tests")


def _sign(premises: Property) -> Callable[[], object]:
    """Shown by nobody's locks: each of them waits for its own jackpot."""
    shown = iter([a_jackpot(code, premises=premises) for code in ("GRAND", "MINI")])
    return lambda: a_sign("SIGN-9", next(shown))


def _device(premises: Property) -> Callable[[], object]:
    sign = a_sign("SIGN-1", a_jackpot("GRAND", premises=premises))
    return lambda: register_device(code="D-1", facts=DeviceFacts(kind="sign", sign=sign.code), by="tests")


ACTS: dict[str, Callable[[Property], Callable[[], object]]] = {
    "collection": _collects,
    "limits": _limits,
    "schedule": _schedules,
    "table": lambda premises: lambda: a_table("UTH-09", premises=premises),
    "sign": _sign,
    "device": _device,
}


def _makes(**facts: Any) -> None:
    Table.objects.create(**facts)
    connection.check_constraints()  # keys of other tables are asked at the end of a transaction


@pytest.mark.django_db
@pytest.mark.parametrize("broken", ["a drawn number", "no such house", "no empty place"])
def test_every_other_broken_rule_stays_a_fault_of_ours(broken: str) -> None:
    table = a_table("UTH-01", premises=a_property())
    changed = {"a drawn number": {"id": table.pk, "code": "UTH-02"}, "no such house": {"premises_id": 99}}
    facts: dict[str, Any] = {"premises_id": table.premises_id, "wager": "1.00", "game": "uth", "code": "UTH-02"}
    with pytest.raises(IntegrityError) as met, transaction.atomic():
        _makes(**{**facts, **changed.get(broken, {"code": None})})
    assert same_moment(met.value) is None
