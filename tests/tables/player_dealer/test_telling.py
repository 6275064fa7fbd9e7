"""A hand that a player banks, told before the deal: kept once with its fee, and begun."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
import time_machine
from django.db import DatabaseError, transaction
from django.utils import timezone

from accounting.days.queries.fees import fees_between
from jackpot.money import ZERO, Money
from jackpot.people.models import NoBadge
from jackpot.refusals import Refused
from jackpot.trail.models import Trail
from tables.floor.models.table import Table, TableState
from tables.floor.rules.collection import CollectionRule, FeeBasis
from tables.floor.rules.schedules import ScheduleStanding
from tables.games.fees import ScheduleStatus
from tables.gateway.actions.greeting import table_facts
from tables.hits.actions.undo import void_round
from tables.player_dealer.actions.telling import tell_action
from tables.player_dealer.models import BankedHand, SpotWager
from tables.player_dealer.queries.bank import bank_plain
from tables.player_dealer.rules.told import read_action
from tables.rounds.models.round import Round, RoundState
from tables.rounds.queries.prove import prove
from tables.setup.actions.collections import declare_collection
from tables.setup.actions.schedules import note_schedule
from tests.builders import a_card, a_person, a_property, a_table
from tests.jackpot.books.api_scene import signed_in
from tests.tampering import tamper

pytestmark = pytest.mark.django_db
CODE = "PD-01"


def banked_table(**facts: Any) -> Table:
    return a_table(CODE, bank="player_dealer", seats=6, deck_colours=("red", "blue"), **facts)


def takes(table: Table, *, option: int = 4, rule_set: str = "001", days: int = 0) -> None:
    today = table.premises.gaming_day(timezone.now()) + timedelta(days=days)
    rule = CollectionRule(today, FeeBasis.ACTION, ZERO, rule_set, option)
    declare_collection(tables=[table], rule=rule, by="tests")


def tells(number: int, banker: int, *seats: int, ante: int = 25, **more: int) -> dict[str, Any]:
    wagers = {"ante": ante, "blind": ante, **more}
    told = read_action(number, {"seat": banker, "wager": "500"}, [{"seat": seat, "wagers": wagers} for seat in seats])
    return tell_action(table_code=CODE, told=told, by=NoBadge(CODE))


def ends(number: int) -> None:
    Round.objects.filter(table__code=CODE, number=number).update(state=RoundState.ENDED, ended_at=timezone.now())


def test_a_told_hand_begins_its_round_and_says_fee_button_and_who_is_next() -> None:
    takes(banked_table())
    answer = tells(1, 3, 1, 4, trips=5)
    assert answer["bank"] == {
        "round": 1, "seat": 3, "in_a_row": 1, "next_seat": 3, "wager": "500.00", "action": "110.00", "fee": "3.00",
        "bets": [{"seat": seat, "wagers": {"ante": "25.00", "blind": "25.00", "trips": "5.00"}} for seat in (1, 4)],
        "settled": False, "must_settle": False,
    }  # fmt: skip
    round_ = Round.objects.get(table__code=CODE)
    assert (round_.number, round_.state, round_.seats, round_.deck_colour) == (1, "open", "", "blue")
    reader = signed_in("see")
    assert reader.get("/api/v1/rounds/PD-01/1/").json()["deck_colour"] == "blue", "the API tells what the page shows"
    assert reader.get("/api/v1/tables/PD-01/").json()["deck_colours"] == table_facts(round_.table)["deck_colours"]
    assert "deck_colours" not in table_facts(a_table("UTH-02", premises=round_.table.premises)), "where there are none"
    line = Trail.objects.get(act="tell_action")
    assert (line.object_key, line.details["fee"], line.details["by"]) == (
        "PD-01/1", "3.00", "rule set 001, option 4",
    )  # fmt: skip
    assert not prove().findings


def test_the_same_again_is_heard_and_anything_else_clashes() -> None:
    takes(banked_table())
    first = tells(1, 3, 1)
    again = tells(1, 3, 1)
    assert (first["repeat"], again["repeat"]) == (False, True)
    assert first["bank"] == again["bank"]
    with pytest.raises(Refused, match=r"was told otherwise\. If it was told wrong, a supervisor voids the round"):
        tells(1, 3, 1, ante=30)
    assert (BankedHand.objects.count(), SpotWager.objects.count()) == (1, 2)


def test_two_hands_in_a_row_then_the_bank_moves_on_and_a_voided_hand_is_none() -> None:
    takes(banked_table())
    for number in (1, 2):
        tells(number, 3, 1, 4)
        ends(number)
    with pytest.raises(Refused, match="Seat 3 has banked two hands in a row"):
        tells(3, 3, 1, 4)
    told = tells(3, 1, 3, 4)
    assert (told["bank"]["in_a_row"], BankedHand.objects.get(number=3).passed) == (1, "4")
    supervisor = a_person("supervisor", may=("approve", "verify"))
    card = a_card(supervisor, level="supervisor")
    void_round(table_code=CODE, round_number=3, reason="Shuffler malfunction", by=supervisor, cards=[card])
    standing = bank_plain(Table.objects.get(code=CODE))
    assert standing is not None
    assert (standing["seat"], standing["in_a_row"], standing["next_seat"]) == (3, 2, 4)
    with pytest.raises(Refused, match="Seat 3 has banked two hands in a row"):
        tells(4, 3, 1, 4)


def test_the_drop_is_due_exactly_by_the_hands_that_were_told_and_were_not_voided() -> None:
    table = banked_table()
    takes(table)
    for number, banker in ((1, 3), (2, 3), (3, 4)):
        tells(number, banker, 1, 6, ante=10 * number)
        ends(number)
    supervisor = a_person("supervisor", may=("approve", "verify"))
    card = a_card(supervisor, level="supervisor")
    void_round(table_code=CODE, round_number=2, reason="Misdeal", by=supervisor, cards=[card])
    today = table.premises.gaming_day(timezone.now())
    (fees,) = fees_between(table.premises, today, today)
    assert (str(fees.due), fees.played.hands, fees.played.told) == ("4.00", 2, 2)
    assert fees.words == "rule set 001, option 4. The action of 2 was told before the deal."


def test_a_hand_told_before_the_days_end_and_begun_after_it_is_of_the_day_of_its_round() -> None:
    house = a_property()
    table = banked_table(premises=house)
    takes(table, days=-1)
    today = house.gaming_day(timezone.now())
    with time_machine.travel(house.day_begins(today) - timedelta(seconds=2), tick=False):
        tells(1, 3, 1, 6)
    told = BankedHand.objects.get()
    tamper("UPDATE tables_round SET gaming_day = %s", [today])  # as where a coin-in begins it, seconds later
    fees = {each.day: each.played for each in fees_between(house, today - timedelta(days=1), today)}
    assert told.gaming_day == today - timedelta(days=1)
    assert list(fees) == [today]
    assert (fees[today].hands, fees[today].told, fees[today].untold.hands) == (1, 1, 0)


@pytest.mark.parametrize(
    ("bets", "why"),
    [
        ({"ante": 25, "blind": 20}, "Seat 1: Ante and blind must be equal"),
        ({"ante": 25, "blind": 25, "bad_beat": 5}, "Seat 1: The bad beat wager needs a trips wager beside it"),
        ({"ante": 25, "blind": 25, "progressive": 1}, "A jackpot cannot hang on a player-dealer table"),
        ({"ante": 25, "blind": 25, "play": 75}, "The play wager follows from what the player does"),
        ({"ante": 25, "blind": 25, "pairs": 5}, "Seat 1: rule set 001 knows no pairs wager"),
        ({"ante": "1.25", "blind": "1.25", "trips": "1.00"}, "count whole dollars"),
    ],
)
def test_bets_that_the_game_or_the_rule_set_does_not_know_are_refused(bets: dict[str, Any], why: str) -> None:
    takes(banked_table())
    told = read_action(1, {"seat": 3, "wager": "500"}, [{"seat": 1, "wagers": bets}])
    with pytest.raises(Refused, match=why):
        tell_action(table_code=CODE, told=told, by=NoBadge(CODE))
    assert not BankedHand.objects.exists()
    assert not Round.objects.exists()


def test_a_withdrawn_schedule_stops_the_table_on_its_day() -> None:
    table = banked_table()
    takes(table)
    today = table.premises.gaming_day(timezone.now())
    letter = ScheduleStanding(today, "uth", "001", 4, ScheduleStatus.WITHDRAWN, "letter 7")
    note_schedule(premises=table.premises, standing=letter, by="tests")
    with pytest.raises(Refused, match=r"PD-01: Rule set 001, option 4, is withdrawn from .* \(letter 7\)"):
        tells(1, 3, 1)


def test_only_a_table_that_a_player_banks_hears_it_in_its_turn_and_open() -> None:
    a_table("UTH-09")
    told = read_action(1, {"seat": 3, "wager": "500"}, [{"seat": 1, "wagers": {"ante": 5, "blind": 5}}])
    with pytest.raises(Refused, match="At UTH-09 the house banks"):
        tell_action(table_code="UTH-09", told=told, by=NoBadge("UTH-09"))
    table = banked_table()
    with pytest.raises(Refused, match="The next round at PD-01 is 1, not 2"):
        tells(2, 3, 1)
    tells(1, 3, 1)
    with pytest.raises(Refused, match="Round 1 at PD-01 is still open"):
        tells(2, 3, 1)
    ends(1)
    Table.objects.filter(pk=table.pk).update(state=TableState.CLOSED)
    with pytest.raises(Refused, match="PD-01 is closed"):
        tells(2, 3, 1)


def test_what_was_told_is_never_changed() -> None:
    takes(banked_table())
    tells(1, 3, 1)
    for rows, change in ((BankedHand.objects.all(), {"fee": 0}), (SpotWager.objects.all(), {"amount": 1})):
        with pytest.raises(DatabaseError), transaction.atomic():
            rows.update(**change)


def test_hello_tells_the_bank_only_where_a_player_banks() -> None:
    table = banked_table()
    assert table_facts(table)["bank"]["seat"] is None
    tells(1, 3, 1)
    assert table_facts(table)["bank"]["fee"] == str(Money.of(0))
    assert "bank" not in table_facts(a_table("UTH-09"))
