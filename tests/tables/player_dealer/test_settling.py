"""A banked hand to its end: told by its box, kept wager by wager, proven by us and by a stranger."""

from __future__ import annotations

from typing import Any

import pytest
from django.db import DatabaseError, transaction
from django.utils import timezone

from jackpot.money import Money
from jackpot.people.models import NoBadge
from jackpot.property.models.property import Property
from jackpot.refusals import AlreadyPosted, Refused
from jackpot.trail.models import Trail
from tables.floor.models.device import Device
from tables.floor.models.table import Table
from tables.floor.rules.collection import CollectionRule, FeeBasis
from tables.hits.actions.undo import void_round
from tables.player_dealer.actions.settling import tell_outcome
from tables.player_dealer.actions.telling import tell_action
from tables.player_dealer.models import BankedHand, HandSettlement, SettledWager
from tables.player_dealer.rules.told import read_action, read_outcome
from tables.rounds.actions.round import post_messages
from tables.rounds.models.round import Round
from tables.rounds.queries.prove import prove
from tables.rounds.rules.round import DeviceRequest, EndRequest, PostedAnswer, Refusal
from tables.setup.actions.collections import declare_collection
from tests.builders import a_card, a_casino, a_controller, a_person, a_table
from tests.controller import HttpController, secret_for
from tests.indoors import Indoors
from tests.jackpot.books.api_scene import signed_in
from tests.stranger import found_by_all, nothing_disagrees
from tests.tampering import tamper

pytestmark = pytest.mark.django_db
CODE = "PD-01"
BANK = {"seat": 3, "wager": "100"}
BETS = [
    {"seat": 1, "wagers": {"ante": "25", "blind": "25", "trips": "5"}},
    {"seat": 4, "wagers": {"ante": "10", "blind": "10"}},
]
RESULTS = [
    {"seat": 1, "play": "100", "due": {"ante": "25", "play": "100", "blind": "0", "trips": "15"}},
    {"seat": 4, "due": {"ante": "-10", "blind": "-10"}},
]


def a_banked_table(basis: FeeBasis = FeeBasis.ACTION, fee: str = "0") -> Table:
    table = a_table(CODE, bank="player_dealer", seats=6)
    day = table.premises.gaming_day(timezone.now())
    by_schedule = ("001", 4) if basis is FeeBasis.ACTION else ("", 0)
    declare_collection(tables=[table], rule=CollectionRule(day, basis, Money.of(fee), *by_schedule), by="tests")
    return table


def told(number: int = 1, bank: dict[str, Any] = BANK, bets: list[dict[str, Any]] = BETS) -> dict[str, Any]:
    return tell_action(table_code=CODE, told=read_action(number, bank, bets), by=NoBadge(CODE))


def settles(number: int = 1, results: list[dict[str, Any]] = RESULTS) -> dict[str, Any]:
    return tell_outcome(table_code=CODE, told=read_outcome(number, results), by=NoBadge(CODE))


def test_a_hand_is_settled_over_its_box_and_the_pit_and_the_office_see_it(indoors: Indoors) -> None:
    device = a_controller(a_banked_table())
    box = HttpController(indoors, device, secret_for(device))
    a_card(a_person("dealer"), number="600000000101", level="dealer")
    box.say(id=1, do="dealer", badge="600000000101", **{"in": True})
    box.say(id=2, do="action", round=1, bank=BANK, bets=BETS)
    _, answer = box.say(id=3, do="settle", round=1, results=RESULTS)
    assert answer["ok"], answer
    settled = answer["settled"]
    assert [settled[name] for name in ("collected", "paid", "uncovered", "bank_won")] == [
        "20.00", "120.00", "20.00", "-100.00",
    ]  # fmt: skip
    assert [(part["seat"], part["wager"], part["moved"], part["uncovered"]) for part in settled["order"]] == [
        (4, "ante", "-10.00", "0.00"), (4, "blind", "-10.00", "0.00"), (1, "ante", "25.00", "0.00"),
        (1, "play", "95.00", "5.00"), (1, "blind", "0.00", "0.00"), (1, "trips", "0.00", "15.00"),
    ]  # fmt: skip
    _, again = box.say(id=4, do="settle", round=1, results=RESULTS)
    assert (again["repeat"], again["settled"]) == (True, settled)
    _, other = box.say(id=5, do="settle", round=1, results=[RESULTS[0], {**RESULTS[1], "play": "10"}])
    assert other["code"] == "clash"
    kept = HandSettlement.objects.get()
    assert (str(kept.dealer), kept.device, kept.parts.count()) == ("Test Dealer", device, 6)
    assert Trail.objects.get(act="settle_hand").details["uncovered"] == "20.00"
    page = signed_in("run_tables", "see", username="pit").get(f"/pit/tables/{CODE}/").content.decode()
    assert "Bank collected" in page
    assert ">120.00<" in page


def test_another_hand_a_void_one_and_one_never_begun_are_not_settled() -> None:
    a_banked_table()
    with pytest.raises(Refused, match="no hand was told there"):
        settles()
    told()
    Round.objects.update(state="ended")
    told(2)
    with pytest.raises(Refused, match="its newest hand is of round 2"):
        settles(1)
    void_round(table_code=CODE, round_number=2, reason="Misdeal", by=a_person("boss"))
    with pytest.raises(Refused, match="its newest hand is of round 1"):
        settles(2)
    with pytest.raises(Refused, match=r"12\.00 on a trips of 5\.00 is 12 to 5; its table pays"):
        settles(1, [{**RESULTS[0], "due": {**RESULTS[0]["due"], "trips": "12"}}, RESULTS[1]])
    assert not HandSettlement.objects.exists()


def test_what_was_told_is_never_changed() -> None:
    a_banked_table()
    told()
    settles()
    for row in (HandSettlement, SettledWager):
        with pytest.raises(DatabaseError), transaction.atomic():
            row.objects.update(id=99)
    with pytest.raises(DatabaseError), transaction.atomic():
        SettledWager.objects.create(
            settlement=HandSettlement.objects.get(), place=9, seat=5, wager="ante", stake=5, due=-5, moved=-6
        )


def test_the_proof_counts_fee_turn_and_settlement_again() -> None:
    a_casino()
    a_banked_table()
    told()
    settles()
    Round.objects.filter(table__code=CODE).update(state="ended")
    told(2)
    assert nothing_disagrees()
    hand, settlement, part = "tables_bankedhand", "tables_handsettlement", "tables_settledwager"
    for table, was, changed, what in (
        (hand, "fee = 2", "fee = 1", "its fee"),
        (hand, "action = 75", "action = 80", "its total action"),
        (hand, "in_a_row = number", "in_a_row = 1", "which hand in a row"),
        (hand, "bank_wager = 100", "bank_wager = 101", "the digest of what was told"),
        (part, "moved = 95", "moved = 90", "what moved"),
        (settlement, "uncovered = 20", "uncovered = 1", "covered"),
    ):
        tamper(f"UPDATE {table} SET {changed} {'WHERE place = 4' if table == part else ''}")
        for found in found_by_all():
            assert any(each.startswith(f"[banked hand] {CODE}/") and what in each for each in found), (changed, found)
        tamper(f"UPDATE {table} SET {was} {'WHERE place = 4' if table == part else ''}")
        assert nothing_disagrees(), was


def test_a_hand_told_and_never_begun_is_voided_and_the_number_after_it_is_due() -> None:
    casino = a_casino()
    table = casino.tables[0]
    Table.objects.filter(pk=table.pk).update(bank="player_dealer")
    bets = [{"seat": 1, "wagers": {"ante": "25", "blind": "25"}}]
    tell_action(table_code=table.code, told=read_action(1, BANK, bets), by=NoBadge(CODE))
    assert not Round.objects.exists()
    boss = a_person("boss")
    void_round(table_code=table.code, round_number=1, reason="Nobody dealt", by=boss)
    assert Round.objects.get().state == "void"
    again = void_round(table_code=table.code, round_number=1, reason="Nobody dealt", by=boss)
    assert again["repeat"]
    with pytest.raises(AlreadyPosted, match="already voided, for another reason"):
        void_round(table_code=table.code, round_number=1, reason="Misdeal", by=boss)
    answer = tell_action(table_code=table.code, told=read_action(2, BANK, bets), by=NoBadge(CODE))
    assert answer["bank"]["in_a_row"] == 1, "it was no hand"
    assert not prove().findings


def test_two_people_on_one_spot_are_two_players_where_the_rule_set_lets_them() -> None:
    a_banked_table(FeeBasis.PLAYER, "2")
    shared = [{**BETS[0], "players": 2}, BETS[1]]
    assert told(bets=shared)["bank"]["fee"] == "6.00"
    assert BankedHand.objects.get().shared == {"1": 2}
    assert not prove().findings


def test_a_rule_set_without_back_line_wagering_refuses_them() -> None:
    a_banked_table()
    with pytest.raises(Refused, match="Seat 1 has 2 players, and rule set 001 permits no back line wagering"):
        told(bets=[{**BETS[0], "players": 2}])


def test_the_settlement_of_an_earlier_hand_is_heard_again_after_the_next_one_began() -> None:
    """Its answer was lost on the way; whoever asks again hears what was kept, and nobody else changes it."""
    a_banked_table()
    told(1)
    first = settles(1)
    end_round(1)
    told(2, bank={"seat": 3, "wager": "100"})
    again = settles(1)
    assert (again["repeat"], again["settled"]) == (True, first["settled"])
    with pytest.raises(Refused, match="was told otherwise, and it stays as it was told"):
        settles(1, [RESULTS[0], {**RESULTS[1], "play": "10"}])
    void_round(table_code=CODE, round_number=2, reason="Shuffler jam", by="supervisor")
    assert settles(1)["repeat"], "whatever became of the next hand"
    assert HandSettlement.objects.count() == 1


def test_an_earlier_hand_that_was_never_settled_is_not_settled_any_more() -> None:
    a_banked_table()
    told(1)
    end_round(1)
    told(2, bank={"seat": 3, "wager": "100"})
    with pytest.raises(Refused, match="its newest hand is of round 2"):
        settles(1)


def end_round(number: int) -> None:
    box = Device.objects.filter(table__code=CODE).first() or a_controller(Table.objects.get(code=CODE))
    Device.objects.filter(pk=box.pk).update(state="active")
    (answer,) = post_messages([DeviceRequest(CODE, box.pk, 0, EndRequest(number))])
    assert isinstance(answer, PostedAnswer), answer


@pytest.mark.parametrize("waits", [True, False])
def test_end_waits_for_what_became_of_the_hand_where_the_house_says_so(waits: bool) -> None:
    table = a_banked_table()
    Property.objects.update(end_waits_for_settling=waits)
    assert told(1)["bank"]["must_settle"] is waits
    box = a_controller(table)
    Device.objects.update(state="active")

    def end(number: int) -> object:
        (answer,) = post_messages([DeviceRequest(CODE, box.pk, 0, EndRequest(number))])
        return answer

    if not waits:
        assert isinstance(end(1), PostedAnswer)
        return
    refused = end(1)
    assert isinstance(refused, Refusal)
    assert (refused.code, refused.why) == (
        "unsettled", "Round 1 at PD-01 is not settled: tell what became of each wager first.",
    )  # fmt: skip
    settles(1)
    assert isinstance(end(1), PostedAnswer)
    told(2, bank={"seat": 3, "wager": "100"})
    void_round(table_code=CODE, round_number=2, reason="Shuffler jam", by="supervisor")
    told(3, bank={"seat": 3, "wager": "100"})
    assert isinstance(end(3), Refusal)
    settles(3)
    assert isinstance(end(3), PostedAnswer)
