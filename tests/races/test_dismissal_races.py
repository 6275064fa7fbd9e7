"""A dismissal in the instant of an act, under real threads on real PostgreSQL: whoever is first, nothing after it."""

from __future__ import annotations

import threading
from functools import partial
from typing import Any

import psycopg
import pytest
from django.db import DatabaseError, connection

from accounting.house_file.loader import load
from accounting.people_desk.actions.leaving import dismiss_everywhere
from accounting.setup_desk.actions import kind
from accounting.setup_desk.actions.setting_up import SetUpWish, set_up
from jackpot.pacing.models import PacedTries
from jackpot.people.actions.keys import sign_key_out
from jackpot.people.actions.people import block_card
from jackpot.people.actions.presence import card_with_pin
from jackpot.people.models import Card, KeyRegister, Operator
from jackpot.refusals import Refused
from jackpot.requests.models import Request
from jackpot.signing.actions import SecondPerson, sign
from jackpot.trail.models import Trail
from jackpot.wins.models import Win
from tables.floor.models.device import Device, DeviceState
from tables.floor.models.duty import TableDuty
from tables.floor.models.table import Table
from tables.gateway.actions.device import badge_in_or_out
from tables.hits.actions import hit
from tables.rounds.actions.kept_back import decide_kept_back
from tables.rounds.actions.round import post_messages
from tables.rounds.models.kept_back import KeptBack
from tables.rounds.rules.round import CoinInRequest, DeviceRequest, EndRequest
from tests.accounting.setup_desk import desk_scene
from tests.accounting.setup_desk.desk_scene import person
from tests.builders import AT_BOX, CARD_PIN, a_card, a_controller, a_jackpot, a_person, a_property, a_table
from tests.patience import until
from tests.races.test_win_races import side_by_side, tried
from tests.scenes_authority import asked
from tests.tables.hits.test_hit import ref_b

pytestmark = pytest.mark.race
TIMES = 8


def someone(number: int, level: str = "supervisor") -> tuple[Operator, str]:
    """Somebody new each time: a dismissal happens once."""
    person, card = a_person(f"someone{number}", may=("configure",)), f"60000001{number:04d}"
    a_card(person, number=card, level=level)
    return person, card


def test_a_swipe_is_done_before_the_dismissal_or_refused_after_it(fresh_database: str) -> None:
    floor, chief = ref_b(meter="4000.00", reserve="0.00"), a_person("chief", may=("people",))
    for number in range(TIMES):
        person, card = someone(number)
        PacedTries.objects.all().delete()  # a box at which so many are refused would be slowed
        floor.coin_in("1")
        floor.mark(1, "five")
        floor.confirm()
        swipe = partial(tried, hit.swipe, **floor.place(0), card=card, source=AT_BOX)
        leaves = partial(tried, dismiss_everywhere, person=person, why="a race", by=chief)
        swiped, left = side_by_side(swipe, leaves) if number % 2 else reversed(side_by_side(leaves, swipe))
        assert not isinstance(left, Refused), left
        win = Win.objects.get(round_number=floor.rounds[0])
        assert (win.state == "owed") is not isinstance(swiped, Refused), swiped
        if win.state == "owed":
            gone = Trail.objects.get(act="dismiss", subject=person.username)
            assert win.logged_at is not None
            assert win.logged_at <= gone.at
        else:
            floor.card()
        assert isinstance(tried(hit.swipe, **floor.place(0), card=card, source=AT_BOX), Refused)
        floor.say(EndRequest(floor.rounds[0]))


def test_what_a_person_asked_for_is_signed_before_the_dismissal_or_not_at_all(fresh_database: str) -> None:
    house, chief = ref_b().casino.premises, a_person("chief", may=("people",))
    for number in range(TIMES):
        signer, _ = someone(number)
        change = asked(house, executive_threshold=f"{6000 + number}.00")
        signs = partial(tried, sign, request_id=change.pk, approver=SecondPerson(signer))
        leaves = partial(tried, dismiss_everywhere, person=signer, why="a race", by=chief)
        heard, left = side_by_side(signs, leaves)
        assert not isinstance(left, Refused), left
        row = Request.objects.get(pk=change.pk)
        assert (row.state == "signed") is not isinstance(heard, Refused), heard
        if row.state == "signed":
            assert row.decided_at is not None
            assert row.decided_at <= Trail.objects.get(act="dismiss", subject=signer.username).at


def test_a_key_goes_out_before_its_card_is_blocked_and_follows_it_or_not_at_all(fresh_database: str) -> None:
    house = ref_b().casino.premises
    for number in range(TIMES):
        person, swipe = someone(number)
        card = card_with_pin(swipe=swipe, pin=CARD_PIN, pin_from_level=1)
        told = {"premises": house, "number": str(number), "operator": person, "by": "tests"}
        goes = partial(tried, sign_key_out, **told, level=Card.Level(card.level), card=card)
        side_by_side(goes, partial(block_card, card=card, why="a race", by="tests"))
        assert not KeyRegister.objects.filter(operator=person, back_at=None, level__gt=Card.Level.DEALER).exists()


def test_of_two_tables_in_one_instant_one_person_accepts_what_one_person_may(fresh_database: str) -> None:
    """The tables feed two jackpots, so nothing but the person is what both acts lock."""
    house = a_property(plausible_play=True)
    house.kept_alone = 1
    house.save()
    boxes = [
        (table, a_controller(table))
        for table in (a_table(f"UTH-{code}", a_jackpot(code, premises=house), premises=house) for code in ("A", "B"))
    ]
    for table, box in boxes:
        Device.objects.filter(pk=box.pk).update(state=DeviceState.ACTIVE)
        for number in range(1, 5 + TIMES):
            for ask in (CoinInRequest(number, "1"), EndRequest(number)):
                post_messages([DeviceRequest(table.code, box.pk, 0, ask)])
    waiting = KeptBack.objects.filter(state="waiting").order_by("number")
    for number in range(TIMES):
        one = a_person(f"one{number}", may=("run_tables",), premises=house)
        heard = side_by_side(*[
            partial(
                tried, decide_kept_back, table_code=table.code, accept=True, by=one, why="a race",
                upto=waiting.filter(table=table)[0].number,
            ) for table, _ in boxes
        ])  # fmt: skip
        assert sorted(isinstance(each, Refused) for each in heard) == [False, True], heard
    assert KeptBack.objects.filter(state="accepted").count() == TIMES


@pytest.mark.parametrize("leaving", ["ann", "bob"])
def test_a_set_up_that_is_signed_while_one_of_the_two_leaves_is_made_or_refused(
    fresh_database: str, monkeypatch: pytest.MonkeyPatch, leaving: str
) -> None:
    """The dismissal comes when both signers are held and the table's jackpots are still to be locked."""
    house = desk_scene.a_new_house()
    a_jackpot("GRAND", premises=house)
    made = {"code": "T-01", "game": "uth", "seats": 7, "wager": "1.00", "profile": "card", "jackpots": ["GRAND"]}
    roles = {"host": {"name": "Host", "may": ["see"]}}  # what always takes two
    wish = SetUpWish({"roles": roles, "tables": [made]})
    change = set_up(premises=house, wish=wish, by=person("ann")).request
    assert change is not None
    chief, left = a_person("chief", may=("people",), premises=house), list[Any]()
    leaves = threading.Thread(target=lambda: left.append(leave(person(leaving), chief)))

    def load_then(*told: Any, **named: Any) -> Any:
        leaves.start()
        until(lambda: not leaves.is_alive() or somebody_waits(fresh_database), "whoever leaves waits for a row")
        return load(*told, **named)

    monkeypatch.setattr(kind, "load", load_then)
    done = tried(sign, request_id=change.pk, approver=SecondPerson(person("bob")))
    leaves.join()
    assert not isinstance(done, BaseException), done
    assert left == [None], left
    assert Table.objects.filter(code="T-01").exists()
    assert not person(leaving).is_active


def somebody_waits(database: str) -> bool:
    """For a row that another connection of this database holds."""
    asked = "SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'"
    with psycopg.connect(database, autocommit=True) as line:
        return line.execute(asked).fetchone() is not None


def leave(person: Operator, chief: Operator) -> BaseException | None:
    try:
        dismiss_everywhere(person=person, why="a race", by=chief)
    except (Refused, DatabaseError) as why:
        return why
    finally:
        connection.close()
    return None


def test_nobody_is_badged_in_once_dismissed(fresh_database: str) -> None:
    ref_b()
    chief = a_person("chief", may=("people",))
    for number in range(TIMES):
        person, card = someone(number, "dealer")
        at_the_box = {"comes": True, "device_code": "none", "source": AT_BOX}
        comes = partial(tried, badge_in_or_out, table_code="UTH-01", badge=card, **at_the_box)
        side_by_side(comes, partial(dismiss_everywhere, person=person, why="a race", by=chief))
        assert not TableDuty.objects.filter(operator=person, ended_at=None).exists()
