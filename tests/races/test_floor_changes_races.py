"""Whoever changes the floor beside a coin-in: the jackpots first, so nobody waits in a ring and nothing is missed."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

import psycopg
import pytest
from django.db import connection, transaction
from django.utils import timezone

from accounting.people_desk.actions.leaving import dismiss_everywhere
from jackpot.money import Money
from jackpot.people.models import NoBadge
from jackpot.property.models.property import Property
from jackpot.signing.actions import SecondPerson, sign
from jackpot.signing.actions.asking import put_in
from jackpot.signing.actions.kinds import kind_of
from tables.floor.actions.restored import hold_restored
from tables.floor.actions.state import set_table_state
from tables.floor.models.device import Device
from tables.floor.models.duty import TableDuty
from tables.floor.models.table import Link, Table, TableState
from tables.floor.rules.collection import CollectionRule, FeeBasis
from tables.gateway.actions.device import badge_in_or_out
from tables.player_dealer.actions.settling import tell_outcome
from tables.player_dealer.actions.telling import tell_action
from tables.player_dealer.rules.told import read_action, read_outcome
from tables.rounds.rules.round import CoinInRequest, EndRequest, PostedAnswer, Refusal
from tables.setup.actions.collections import declare_collection
from tables.setup.actions.enrol import block, enrol, invite, rotate
from tests.builders import AT_BOX, Casino, a_card, a_controller, a_jackpot, a_person, a_table
from tests.patience import PATIENCE, until
from tests.races.test_books import at_once
from tests.races.test_round_races import books_prove, opened, says

pytestmark = pytest.mark.race
CHANGED = ("tables_table", "tables_device", "tables_tableduty", "tables_restoredtable", "jackpot_operator")
DEALER = "600000000101"


def _settles(casino: Casino) -> Callable[[], object]:
    Property.objects.update(player_dealer_jackpots=True, end_waits_for_settling=True)
    table = a_table("PD-01", casino.jackpot, bank="player_dealer", seats=6)
    day = table.premises.gaming_day(timezone.now())
    declare_collection(tables=[table], rule=CollectionRule(day, FeeBasis.ACTION, Money.of("0"), "001", 4), by="tests")
    box = a_controller(table)
    enrol(code=invite(device=box, by="tests"))
    bets = [{"seat": 4, "wagers": {"ante": "10", "blind": "10"}}]
    tell_action(table_code="PD-01", told=read_action(1, {"seat": 3, "wager": "100"}, bets), by=NoBadge("PD-01"))
    assert isinstance(says(box, CoinInRequest(1, "4")), PostedAnswer)
    results = [{"seat": 4, "due": {"ante": "-10", "blind": "-10"}}]
    return lambda: tell_outcome(table_code="PD-01", told=read_outcome(1, results), by=NoBadge("PD-01"))


def _accepts(casino: Casino) -> Callable[[], object]:
    hold_restored()
    row = kind_of("accept_restored").row_of(casino.premises, {"table": "all"}, "the boxes are gone")
    put_in(row=row, by=a_person("asker", may=("adjust",)))
    signer = SecondPerson(a_person("signer", may=("sign_adjustments",)))
    return lambda: sign(request_id=row.pk, approver=signer)


def _badges_in(casino: Casino) -> Callable[[], object]:
    a_card(a_person("dealer"), number=DEALER, level="dealer")
    return lambda: badge_in_or_out(
        table_code=casino.table.code, badge=DEALER, comes=True, device_code="none", source=AT_BOX
    )


def _dismisses(casino: Casino) -> Callable[[], object]:
    dealer, chief = a_person("dealer"), a_person("chief", may=("people",))
    TableDuty.objects.create(table=casino.table, operator=dealer, began_at=timezone.now())
    return lambda: dismiss_everywhere(person=dealer, why="a race", by=chief)


ACTS: dict[str, Callable[[Casino], Callable[[], object]]] = {
    "a hand is settled": _settles,
    "tables are accepted after a restore": _accepts,
    "a dealer badges in": _badges_in,
    "a dealer is dismissed": _dismisses,
    "a table is closed": lambda casino: lambda: _closes(casino.table),
    "a box is blocked": lambda casino: lambda: block(device=casino.controller, by="tests"),
    "a secret is replaced": lambda casino: lambda: rotate(device=casino.controller, by="tests"),
}


def _closes(table: Table) -> None:
    set_table_state(table=Table.objects.get(pk=table.pk), state=TableState.CLOSED, by="tests")


@pytest.mark.parametrize("act", ACTS)
def test_whoever_changes_the_floor_waits_for_its_jackpots_with_empty_hands(fresh_database: str, act: str) -> None:
    """Else whoever has the jackpots and needs a row of the floor waits for it, and it for them: a deadlock."""
    assert waits_with_empty_hands(fresh_database, ACTS[act](opened()), CHANGED)


def waits_with_empty_hands(database: str, changes: Callable[[], object], rows: Sequence[str]) -> bool:
    """Whether an act that waits for jackpots holds none of these meanwhile, and is done when they are free."""
    met: list[BaseException] = []
    with psycopg.connect(database) as other:
        other.execute("SELECT FROM jackpot_jackpot FOR NO KEY UPDATE")
        thread = threading.Thread(target=lambda: met.extend(at_once(lambda _: changes() and None, 1)))
        thread.start()
        until(somebody_waits, "it waits for the jackpots")
        for table in rows:
            other.execute(f"SELECT FROM {table} FOR NO KEY UPDATE NOWAIT".encode())
    thread.join(PATIENCE)
    return met == []


@contextmanager
def undecided(change: Callable[[], object]) -> Iterator[None]:
    """Somebody else's change, made and not committed before this is left."""
    made, go_on = threading.Event(), threading.Event()

    def run() -> None:
        with transaction.atomic():
            change()
            made.set()
            go_on.wait(PATIENCE)
        connection.close()

    thread = threading.Thread(target=run)
    thread.start()
    assert made.wait(PATIENCE)
    try:
        yield
    finally:
        go_on.set()
        thread.join(PATIENCE)


@pytest.mark.parametrize("stop", ["closed", "blocked"])
def test_what_stops_a_table_while_its_first_jackpot_is_linked_is_met(fresh_database: str, stop: str) -> None:
    """It feeds nothing yet, so whoever stops it finds no jackpot to lock, and none at which the change is counted."""
    opened()
    table = a_table("UTH-02", premises=Property.objects.get())
    box = a_controller(table)
    enrol(code=invite(device=box, by="tests"))
    grand = a_jackpot("SECOND")

    def stops() -> object:
        return _closes(table) if stop == "closed" else block(device=Device.objects.get(pk=box.pk), by="tests")

    linking = threading.Thread(
        target=lambda: at_once(lambda _: Link.objects.create(table=table, jackpot=grand, level=1) and None, 1)
    )
    with undecided(stops):
        linking.start()
        until(lambda: Link.objects.filter(table=table).exists() or somebody_waits(), "it is linked, or it waits")
        numbers = [1, 2] if Link.objects.filter(table=table).exists() else []
        for number in numbers:
            says(box, CoinInRequest(number, "12"))
            says(box, EndRequest(number))
    linking.join(PATIENCE)
    heard = says(box, CoinInRequest(len(numbers) + 1, "12"))
    assert isinstance(heard, Refusal), f"counted although it is {stop}"
    assert heard.code == stop
    assert books_prove()


def somebody_waits() -> bool:
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'"
        )
        return bool(cursor.fetchone()[0])
