"""What is judged of the floor before it is written: nobody changes it between the look and the writing."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

import pytest

from jackpot.money import Money
from jackpot.people.models import NoBadge
from jackpot.refusals import Refused
from jackpot.signing.actions import SecondPerson, sign
from tables.floor.models.device import Device
from tables.floor.models.sign import Sign
from tables.floor.models.table import Table
from tables.hits.actions.undo import void_round
from tables.player_dealer.actions.settling import tell_outcome
from tables.player_dealer.actions.telling import tell_action
from tables.player_dealer.models import HandSettlement
from tables.player_dealer.rules.told import read_action, read_outcome
from tables.rounds.models.round import Round
from tables.setup.actions.enrol import refuse_second_controller
from tables.setup.actions.floor import SignFacts, TableDescription, alter_sign, alter_table
from tests.builders import a_controller, a_jackpot, a_person, a_property, a_sign, a_table
from tests.jackpot.books.api_scene import signed_in
from tests.patience import PATIENCE, until
from tests.races.test_books import at_once
from tests.races.test_floor_changes_races import somebody_waits, undecided
from tests.scenes_configure import drafted, two_people

pytestmark = pytest.mark.race
CODE = "PD-01"


def behind(first: Callable[[], object], second: Callable[[], Any]) -> Any:
    """What the second hears, who came while the first was made and not committed."""
    heard: list[Any] = []
    thread = threading.Thread(target=lambda: heard.extend(at_once(lambda _: heard.append(second()), 1)))
    with undecided(first):
        thread.start()
        until(lambda: somebody_waits() or not thread.is_alive(), "it waits, or it is over")
    thread.join(PATIENCE)
    return heard[0]


def tells() -> dict[str, Any]:
    bets = [{"seat": 4, "wagers": {"ante": "10", "blind": "10"}}]
    return tell_action(table_code=CODE, told=read_action(1, {"seat": 3, "wager": "100"}, bets), by=NoBadge(CODE))


def settles() -> dict[str, Any]:
    results = [{"seat": 4, "due": {"ante": "-10", "blind": "-10"}}]
    return tell_outcome(table_code=CODE, told=read_outcome(1, results), by=NoBadge(CODE))


def a_banked_table() -> Table:
    """It feeds no jackpot, so its own row is its only lock."""
    return a_table(CODE, premises=a_property(), bank="player_dealer", seats=6)


def test_a_table_without_a_jackpot_is_not_altered_under_a_hand_that_begins(fresh_database: str) -> None:
    table = a_banked_table()
    facts = TableDescription(Money.of("2.00"), "uth", seats=6, bank="player_dealer")
    heard = behind(tells, lambda: alter_table(table=table, facts=facts, jackpots=[], by="tests"))
    assert isinstance(heard, Refused), "altered under a running hand"
    assert heard.code == "round_open"
    assert Table.objects.get().wager == 1


def test_a_hand_whose_round_is_being_voided_is_settled_by_nobody(fresh_database: str) -> None:
    a_banked_table()
    tells()
    boss = a_person("boss", may=("void", "deal"))
    heard = behind(lambda: void_round(table_code=CODE, round_number=1, reason="misdeal", by=boss), settles)
    assert isinstance(heard, Refused), "settled although its round is void"
    assert heard.code == "no_hand"
    assert (Round.objects.get().state, HandSettlement.objects.count()) == ("void", 0)


@pytest.mark.parametrize("act", ["hung", "altered"])
def test_a_sign_meets_the_limit_that_is_signed_in_the_same_moment(fresh_database: str, act: str) -> None:
    grand = a_jackpot("GRAND", limit="99999.00")
    strip = a_sign("STRIP", grand, digits=9)
    change = drafted(grand, limit="9999999.00")
    signer = two_people()[1]
    narrow = SignFacts(digits=7)

    def shows() -> object:
        if act == "altered":
            return alter_sign(sign=strip, facts=narrow, jackpots=[grand], by="tests")
        return a_sign("NARROW", grand, digits=7)

    heard = behind(lambda: sign(request_id=change.pk, approver=SecondPerson(signer)), shows)
    assert isinstance(heard, Refused), "too narrow for what was signed a moment ago"
    assert heard.code == "digits"
    assert not Sign.objects.filter(digits=7).exists()


def test_a_limit_meets_the_sign_that_is_hung_in_the_same_moment(fresh_database: str) -> None:
    grand = a_jackpot("GRAND", limit="99999.00")
    change = drafted(grand, limit="9999999.00")
    approver = SecondPerson(two_people()[1])
    heard = behind(lambda: a_sign("NARROW", grand, digits=7), lambda: sign(request_id=change.pk, approver=approver))
    assert isinstance(heard, Refused), "signed above what the new sign can show"
    assert heard.code == "digits"


@pytest.mark.parametrize("feeds", [True, False])
def test_two_technicians_at_once_give_a_table_one_controller(fresh_database: str, feeds: bool) -> None:
    premises = a_property()
    table = a_table("UTH-01", *([a_jackpot("GRAND", premises=premises)] if feeds else []), premises=premises)
    client = signed_in("service")
    words = {"code": "C-2", "kind": "controller", "table": "UTH-01"}

    def gives() -> object:
        refuse_second_controller(table_code="UTH-01", code="C-1")
        return a_controller(table, "C-1")

    answer = behind(gives, lambda: client.post("/api/v1/devices/", words, content_type="application/json"))
    assert (answer.status_code, answer.json()["code"]) == (403, "second_controller")
    assert list(Device.objects.values_list("code", flat=True)) == ["C-1"]
