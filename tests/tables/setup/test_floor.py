"""The floor is set up and altered: what is refused, what is written down, and which locks are taken first."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import psycopg
import pytest
from django.db import OperationalError, connection, transaction

from accounting.house_file.standing import device_facts, sign_facts, table_facts
from jackpot.refusals import Refused
from jackpot.trail.models import Trail
from tables.floor.actions import state
from tables.floor.models.device import Device
from tables.floor.models.sign import Sign
from tables.floor.models.table import Table, TableState
from tables.rounds.actions.round import post_messages
from tables.rounds.rules.round import CoinInRequest, DeviceRequest, EndRequest, PostedAnswer
from tables.setup.actions import enrol, floor
from tests import builders
from tests.builders import BY


def links_of(table: Table) -> list[tuple[int, str]]:
    return list(table.links.values_list("level", "jackpot__code"))


@pytest.mark.django_db
class TestTables:
    def test_a_table_feeds_its_jackpots_in_the_order_of_their_levels(self):
        grand, mini = builders.a_jackpot("GRAND", rate="60"), builders.a_jackpot("MINI", rate="10", pay_table=PARTS)
        assert links_of(builders.a_table("T-1", mini, grand)) == [(1, "MINI"), (2, "GRAND")]

    def test_levels_change_places_between_two_rounds(self):
        grand, mini = builders.a_jackpot("GRAND", rate="60"), builders.a_jackpot("MINI", rate="10", pay_table=PARTS)
        table = builders.a_table("T-1", mini, grand)
        floor.alter_table(table=table, facts=table_facts(table), jackpots=[grand, mini], by=BY)
        assert links_of(table) == [(1, "GRAND"), (2, "MINI")]
        trail = Trail.objects.get(act="link_table")
        assert trail.details == {"before": ["MINI", "GRAND"], "after": ["GRAND", "MINI"]}

    def test_a_running_round_keeps_its_table_as_it_is(self):
        casino = builders.a_casino()
        say(casino.controller, CoinInRequest(1, "12"))
        with pytest.raises(Refused, match=r"Round 1 at UTH-01 is still open\. Press END GAME first"):
            alter(casino.table, seats=6)
        say(casino.controller, EndRequest(1))
        alter(casino.table, seats=6)
        assert Table.objects.get().seats == 6

    def test_nothing_is_written_when_nothing_differs(self):
        table = builders.a_casino().table
        before = Trail.objects.count()
        alter(table)
        assert Trail.objects.count() == before

    @pytest.mark.parametrize(
        ("facts", "why"),
        [
            ({"seats": 0}, "UTH-01 cannot have 0 seats. A table has 1 to 9."),
            ({"seats": 10}, "UTH-01 cannot have 10 seats."),
            ({"profile": "lever"}, "“lever” is no profile. Choose key or card."),
            ({"game": ""}, "UTH-01 names no game."),
            ({"wager": builders.Money.of("5.00")}, "UTH-01 takes a wager of 5.00, but GRAND counts wagers of 1.00."),
        ],
    )
    def test_what_a_table_cannot_be_is_refused_in_a_sentence(self, facts: dict[str, Any], why: str):
        table = builders.a_casino().table
        with pytest.raises(Refused, match=re.escape(why)):
            alter(table, **facts)

    def test_tables_of_another_game_do_not_share_a_jackpot(self):
        casino = builders.a_casino()
        with pytest.raises(Refused, match="plays other, but GRAND is fed by tables that play uth"):
            builders.a_table("T-9", casino.jackpot, game="other")

    def test_a_held_table_says_why(self):
        table = builders.a_casino().table
        state.set_table_state(table=table, state=TableState.HELD, why="counts differ", by="UTH-01-C")
        assert Table.objects.get().held_why == "counts differ"
        state.set_table_state(table=table, state=TableState.OPEN, by="supervisor")
        assert Table.objects.get().held_why == ""

    def test_a_code_is_given_once(self):
        table = builders.a_casino().table
        with pytest.raises(Refused, match="There is already a table UTH-01"):
            builders.a_table(table.code)

    @pytest.mark.parametrize("code", ["", "uth-1", "UTH 1", "Ü-1", "-1", "A" * 21, "A|B", "A\n"])
    def test_a_code_that_a_seal_could_not_carry_is_refused(self, code: str):
        with pytest.raises(Refused, match="is no code of a table"):
            builders.a_table(code)


@pytest.mark.django_db
class TestSignsAndDevices:
    def test_a_limit_wider_than_a_sign_is_refused_naming_the_sign(self):
        grand = builders.a_jackpot("GRAND", limit="100000.00")
        with pytest.raises(Refused, match=r"Sign STRIP shows 7 digits, but the limit of GRAND, 100000\.00, needs 8"):
            builders.a_sign("STRIP", grand, type="digits", digits=7)
        assert builders.a_sign("STRIP", grand, type="digits", digits=8).code == "STRIP"

    def test_a_sign_gets_other_meters(self):
        grand, mini = builders.a_jackpot("GRAND"), builders.a_jackpot("MINI")
        sign = builders.a_sign("WALL", grand)
        floor.alter_sign(sign=sign, facts=sign_facts(sign), jackpots=[mini, grand], by=BY)
        assert list(sign.meters.values_list("jackpot__code", flat=True)) == ["MINI", "GRAND"]

    @pytest.mark.parametrize(
        ("facts", "why"),
        [
            ({"kind": "toaster", "table": "UTH-01"}, "“toaster” is no kind"),
            ({"kind": "controller"}, "it belongs to one table and to nothing else"),
            ({"kind": "sign", "table": "UTH-01"}, "it belongs to one sign and to nothing else"),
            ({"kind": "controller", "table": "UTH-77"}, "belongs to table UTH-77, which does not exist"),
        ],
    )
    def test_a_device_has_one_place_of_its_kind(self, facts: dict[str, str], why: str):
        builders.a_casino()
        with pytest.raises(Refused, match=re.escape(why)):
            floor.register_device(code="D-1", facts=floor.DeviceFacts(**facts), by=BY)

    def test_a_moved_controller_keeps_its_secret_and_speaks_for_its_new_table_only(self):
        casino = builders.a_casino(tables=2)
        say(casino.controller, CoinInRequest(1, "1"))
        facts = replace(device_facts(casino.controller), table="UTH-02")
        floor.alter_device(device=casino.controller, facts=facts, by=BY)
        refusal = post_messages([DeviceRequest("UTH-01", casino.controller.id, 2, EndRequest(1))])[0]
        assert getattr(refusal, "code", "") == "wrong_table"


@pytest.mark.django_db
def test_a_property_rolls_its_day_at_another_hour():
    premises = builders.a_property()
    floor.alter_property(premises=premises, facts=floor.PropertyFacts("Room", day_roll_minutes=300), by=BY)
    trail = Trail.objects.get(act="alter_property")
    assert (trail.details["before"]["day_roll_minutes"], trail.details["after"]["day_roll_minutes"]) == ("360", "300")


# ---- the order of locks


@pytest.fixture
def books_held(fresh_database: str) -> Iterator[builders.Casino]:
    """Somebody else holds the jackpot's books, as a batch does; we wait for no lock longer than a moment."""
    casino = builders.a_casino(tables=1)
    builders.a_sign("WALL", casino.jackpot)
    with connection.cursor() as cursor:
        cursor.execute("SET lock_timeout = '150ms'")
    with psycopg.connect(fresh_database) as other:
        other.execute("SELECT id FROM jackpot_jackpot FOR NO KEY UPDATE")
        yield casino
    connection.close()


ACTS: dict[str, Callable[[builders.Casino], object]] = {
    "other seats": lambda casino: alter(casino.table, seats=6),
    "no jackpot": lambda casino: floor.alter_table(
        table=casino.table, facts=table_facts(casino.table), jackpots=[], by=BY
    ),
    "a new table": lambda casino: builders.a_table("T-9", casino.jackpot),
    "hold": lambda casino: state.set_table_state(table=casino.table, state=TableState.HELD, by=BY),
    "a second controller": lambda casino: builders.a_controller(casino.table, "SPARE"),
    "another serial": lambda casino: floor.alter_device(
        device=casino.controller, facts=replace(device_facts(casino.controller), serial="2"), by=BY
    ),
    "block": lambda casino: enrol.block(device=casino.controller, by=BY),
    "day roll": lambda casino: floor.alter_property(
        premises=casino.premises, facts=floor.PropertyFacts("Room", day_roll_minutes=0), by=BY
    ),
}


@pytest.mark.race
@pytest.mark.parametrize("act", ACTS.values(), ids=ACTS)
def test_whoever_changes_a_table_or_its_device_first_waits_for_the_books(
    books_held: builders.Casino, act: Callable[[builders.Casino], object]
):
    with pytest.raises(OperationalError, match="lock timeout"), transaction.atomic():
        act(books_held)


@pytest.mark.race
def test_a_sign_waits_for_nobody(books_held: builders.Casino):
    sign = Sign.objects.get()
    floor.alter_sign(
        sign=sign, facts=replace(sign_facts(sign), notice="Good luck"), jackpots=[books_held.jackpot], by=BY
    )
    assert Sign.objects.get().notice == "Good luck"


PARTS = builders.a_pay_table(code="PARTS", lines=[{"code": "flush", "name": "Flush", "part": "1/10"}])


def alter(table: Table, **changes: Any) -> None:
    jackpots = [link.jackpot for link in table.links.select_related("jackpot")]
    floor.alter_table(table=table, facts=replace(table_facts(table), **changes), jackpots=jackpots, by=BY)


def say(device: Device, ask: CoinInRequest | EndRequest) -> None:
    if device.state != "active":
        enrol.enrol(code=enrol.invite(device=device, by=BY))
        device.refresh_from_db()
    assert device.table is not None
    assert isinstance(post_messages([DeviceRequest(device.table.code, device.id, 1, ask)])[0], PostedAnswer)


@pytest.mark.django_db
def test_a_table_that_a_player_banks_feeds_no_jackpot() -> None:
    with pytest.raises(Refused, match="the house may have no interest in its game, so it feeds no jackpot"):
        builders.a_table("CAL-01", builders.a_jackpot("GRAND"), bank="player_dealer")
    assert not Table.objects.exists()
    alone = builders.a_table("CAL-01", premises=builders.a_property(), bank="player_dealer")
    assert alone.bank == "player_dealer"
