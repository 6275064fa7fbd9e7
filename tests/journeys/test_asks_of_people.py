"""T17, T19, T22 and T23 through the doors: who may approve, what the window keeps back, who is locked out, who lied."""

from __future__ import annotations

from datetime import date
from typing import Any

import pytest
from django.db import DatabaseError, connection, transaction

from accounting.alarms.queries.finding import findings
from accounting.audit.tasks import prove_all_books
from jackpot.books.models.entry import Entry
from jackpot.books.queries import stopped_jackpots
from jackpot.configuring.actions.house_rules import declare_tax
from jackpot.money import Money
from jackpot.payees.models import TaxRecord
from jackpot.people.actions.people import block_card
from jackpot.people.models import Card, Operator
from jackpot.proof.queries import prove
from jackpot.property.models.property import Property
from jackpot.property.rules.tax import TaxRule
from jackpot.trail.actions.sealing import seal_trail
from jackpot.trail.models import Trail
from jackpot.wins.models import Payment, Win
from tests.builders import Casino, a_card, a_controller, a_jackpot, a_table
from tests.jackpot.books.api_scene import signed_in
from tests.jackpot.payees.test_payees import ADA
from tests.journeys.room import RoomIndoors
from tests.tables.hits.test_hit import EXECUTIVE, SUPERVISOR
from tests.tampering import tamper

BADGE = "600000000777"
RULE = TaxRule(
    date(2026, 1, 1), Money.of("2000.00"), 300, Money.of("5000.00"), 240_000, True, form="W-2G",
    currency_above=Money.of("10000.00"),
)  # fmt: skip


def test_t17_by_the_cent_an_executive_and_never_the_one_who_marked_it(room_indoors: RoomIndoors) -> None:
    """COMAR 36.05.03.24: 3,209.99 by a supervisor's card; 3,210.00 not, nor by the executive who marked it."""
    a, b = room_indoors.ref_b(2, "3208.59", "0.00", reserve_rate="0", seed="3209.30")
    Property.objects.update(executive_threshold="3210.00")
    a.bets(2, 6)
    a.asks(seat_6="royal")
    assert a.pays(SUPERVISOR) == [(6, "3209.99")]
    a_card(Operator.objects.get(username="executive"), number=BADGE, level="dealer")
    b.does("dealer", badge=BADGE, **{"in": True})
    b.bets(3)
    b.asks(seat_3="royal")
    assert [b.swipes(SUPERVISOR)["code"], b.swipes(EXECUTIVE)["code"]] == ["level", "same_person"]
    assert b.pays("900000000002") == [(3, "3210.00")]
    assert room_indoors.stands() == ("3209.30", "0.00")


def test_t19_the_window_withholds_of_the_winnings_and_writes_down_the_cash(room_indoors: RoomIndoors) -> None:
    """8.00 at 3,000 for 1 is 24,000.00: 24 % of 23,992.00 stay, and 18,241.92 in cash are more than 10,000.00."""
    grand = a_jackpot("GRAND", wager="8.00", meter="41234.56")
    table = a_table("UTH-01", grand, wager="8.00")
    [desk] = room_indoors.opens(Casino(grand.premises, [grand], [table], [a_controller(table)]))
    declare_tax(premises=grand.premises, rule=RULE, by="tests")
    desk.bets(2, 5)
    desk.asks(seat_5="royal_community")
    assert desk.pays() == [(5, "24000.00")]
    cage = signed_in("pay", "read_books", username="cage")

    def pays(**words: Any) -> dict[str, Any]:
        key = {"Idempotency-Key": f"pay-{len(words):08}"}
        told = {"method": "cash", **words}
        plain: dict[str, Any] = cage.post("/api/v1/slips/1/pay/", told, "application/json", headers=key).json()
        return plain

    assert "reported on form W-2G" in pays()["why"]
    assert pays(payees=[ADA])["ok"]
    row, record = Payment.objects.get(), TaxRecord.objects.get()
    assert [f"{each:.2f}" for each in (row.gross, row.taxable, row.withheld, row.net)] == [
        "24000.00", "23992.00", "5758.08", "18241.92",
    ]  # fmt: skip
    assert (record.form, record.in_cash, row.reported) == ("W-2G", True, True)
    reader = signed_in("read_books", "payees", username="books")
    [told] = reader.get("/api/v1/reports/cash-to-one-person/?period=all").json()["results"]
    assert told["cash"] == "18241.92"


def test_t22_a_locked_card_stays_locked_for_its_owner_and_every_try_is_told(room_indoors: RoomIndoors) -> None:
    """25 CFR 543.20: three wrong PINs at two tables, then the right one, then a supervisor who has left."""
    a, b = room_indoors.ref_b(2, "6543.21", "0.00")
    for desk in (a, b):
        desk.bets(1, 4)
        desk.asks(seat_4="straight_flush")
    tried = [
        desk.say(do="card", round=1, card=EXECUTIVE, pin=pin)["code"]
        for desk, pin in ((a, "000000"), (b, "999999"), (a, "274917"))
    ]
    assert tried == ["pin_wrong"] * 3
    assert [desk.swipes()["code"] for desk in (a, b)] == ["pin_wrong"] * 2
    assert [each.kind.value for each in findings(Trail.objects.latest("id").at)] == ["card locked"]
    block_card(card=Card.objects.get(operator__username="supervisor"), why="left the house", by="tests")
    assert a.swipes(SUPERVISOR)["ok"] is False
    assert not Win.objects.filter(slip__isnull=False).exists()
    lines = list(Trail.objects.filter(act="wrong_pin", outcome="refused").order_by("id"))
    assert [each.details["tried_by"] for each in lines] == ["box UTH-01-C", "box UTH-02-C", "box UTH-01-C"]
    assert lines[-1].why == "the card is locked now"
    later = Trail.objects.filter(id__gt=lines[-1].pk).values_list("act", "outcome", "details")
    assert sorted(act for act, _, _ in later if act != "card") == ["block_card", "card_refused", "card_refused"]
    assert {details["tried_by"] for act, _, details in later if act == "card_refused"} == {
        "box UTH-01-C", "box UTH-02-C",
    }  # fmt: skip


@pytest.mark.django_db
def test_t23_a_meter_a_line_and_a_slip_changed_by_their_owner_are_named_and_nothing_plays_on(
    room_indoors: RoomIndoors, settings: Any, tmp_path: Any
) -> None:
    """K.A.R. 112-104-25: the web's own role is refused; what the tables' owner changed is named, and GRAND is held."""
    settings.DATA_DIR = tmp_path
    [desk] = room_indoors.ref_b(1, "7654.32", "11.09")
    desk.plays(1, 2, 7)
    desk.bets(3)
    desk.asks(seat_3="straight_flush")
    assert desk.pays() == [(3, "765.71")]
    desk.does("end", round=2)
    while seal_trail():
        pass
    assert prove().findings.listed == []
    line = Trail.objects.order_by("id")[3].pk
    for statement in (
        "jackpot_entry SET meter = 1",
        "jackpot_trail SET why = ''",
        "jackpot_win SET amount = amount + 1",
    ):
        refused(f"UPDATE {statement}")
    for table in ("jackpot_entry", "jackpot_trail", "jackpot_win", "jackpot_jackpot"):
        refused(f"DELETE FROM {table}")
    refused("UPDATE jackpot_jackpot SET meter = meter + 1")
    tamper("UPDATE jackpot_jackpot SET meter = meter + 3.21, house = house - 3.21")
    tamper(f"UPDATE jackpot_trail SET why = 'as ever' WHERE id = {line}")
    tamper("UPDATE jackpot_win SET amount = amount + 0.01 WHERE slip = 1")
    told = " ".join(f"{each.where}: {each}" for each in prove().findings.listed)
    award = Entry.objects.get(kind="award").seq
    for named in (f"the seal of line {line} ", f"GRAND/{award}: the amount of slip 1", "GRAND: meter in the jackpot"):
        assert named in told, (named, told)
    prove_all_books()
    assert [each.code for each in stopped_jackpots()] == ["GRAND"]
    answer = desk.say(do="coin_in", round=3, seats=[1])
    assert answer["code"] == "books_differ"


def refused(statement: str) -> None:
    with connection.cursor() as cursor, pytest.raises(DatabaseError), transaction.atomic():
        cursor.execute(f"{statement}; SET CONSTRAINTS ALL IMMEDIATE")
