"""Whom a reported slip is paid to: strict reading, exact shares, sealed at rest, and no payment without its record."""

from __future__ import annotations

import base64
import hmac
from contextlib import nullcontext
from datetime import date
from typing import Any

import pytest
from cryptography.fernet import Fernet
from django.conf import settings
from django.db import IntegrityError, connection
from hypothesis import given
from hypothesis import strategies as st

from jackpot.configuring.actions.house_rules import declare_tax
from jackpot.money import Money
from jackpot.payees.actions import open_record, pay_slip
from jackpot.payees.models import Payee, TaxRecord
from jackpot.payees.rules import PayeeFacts, PayeeNumber, form_for, read_payees, shares_of
from jackpot.people.models import Operator
from jackpot.property.rules.tax import SlipSum, TaxRule, tax_on
from jackpot.refusals import Refused
from jackpot.trail.models import Trail
from jackpot.wins.actions.pay import redeem
from jackpot.wins.models import Payment, Win
from tests.builders import a_person, a_property
from tests.scenes_wins import WinFloor

RULE = TaxRule(
    date(2020, 1, 1), Money.of("600.00"), 300, Money.of("5000.00"), 240_000, form="W-2G", shared_form="5754",
    currency_above=Money.of("10000.00"),
)  # fmt: skip
ADA = {
    "name": "Ada Lovelace",
    "address": "12 St James's Square, London",
    "document": "ssn",
    "document_number": "123-45-6789",
}
BEN = {"name": "Ben Jonson", "address": "Westminster", "document": "passport", "document_number": "p 998 877"}


def of(gross: str) -> SlipSum:
    return SlipSum.of(Money.of(gross), tax_on(RULE, Money.of(gross), Money.of("1.00")))


def test_one_payee_gets_all_and_several_get_their_shares_to_the_cent() -> None:
    pays = of("20000.00")
    assert str(pays.withheld) == "4799.76"
    (one,) = shares_of(pays, read_payees([ADA]))
    assert (str(one.gross), str(one.withheld), str(one.net)) == ("20000.00", "4799.76", "15200.24")
    two = shares_of(pays, read_payees([{**ADA, "amount": "13,333.33"}, {**BEN, "amount": "6666.67"}]))
    assert [(str(each.gross), str(each.withheld)) for each in two] == [("13333.33", "3199.84"), ("6666.67", "1599.92")]
    assert sum((each.net for each in two), Money(0)) == pays.net


def shared(*amounts: str, digits: int = 2) -> list[PayeeFacts]:
    rows = [
        {**BEN, "document_number": f"P99887{place}", "amount": amount} for place, amount in enumerate(amounts, start=1)
    ]
    return read_payees(rows, digits)


def test_of_whoever_gets_two_cents_no_more_than_these_is_withheld() -> None:
    shares = shares_of(of("20000.00"), shared(*["2857.14"] * 7, "0.02"))
    assert [str(each.withheld) for each in shares] == ["685.68"] * 7 + ["0.00"]
    assert sum((each.withheld for each in shares), Money(0)) == of("20000.00").withheld


@given(st.lists(st.integers(1, 400_000), min_size=2, max_size=8))
def test_shares_add_up_and_nobody_pays_more_than_they_get(cents: list[int]) -> None:
    pays = of(f"{sum(cents) // 100}.{sum(cents) % 100:02d}")
    shares = shares_of(pays, shared(*[f"{each // 100}.{each % 100:02d}" for each in cents]))
    assert sum((each.withheld for each in shares), Money(0)) == pays.withheld
    for each in shares:
        assert Money(0) <= each.net <= each.gross
        assert each.withheld == each.withheld.shown()


def test_a_share_of_half_a_cent_is_no_sum() -> None:
    with pytest.raises(Refused, match="Payee 1"):
        shared("9999.995", "10000.005")
    with pytest.raises(Refused, match="can be paid"):
        shares_of(of("20000.00"), shared("9999.995", "10000.005", digits=8))


def test_the_form_follows_from_the_rule_and_the_number_of_winners() -> None:
    assert (form_for(of("20000.00"), 1), form_for(of("20000.00"), 2), form_for(of("599.99"), 1)) == ("W-2G", "5754", "")


@pytest.mark.parametrize(("row", "why"), [
    ({"name": ""}, "write the name"), ({"address": " "}, "write the address"),
    ({"document_number": "12"}, "4 to 30 letters"),
    ({"document_number": "12345678"}, "has nine digits"), ({"document": "library"}, "choose what the number is"),
    ({"name": "A" * 121}, "at most 120"), ({"name": "A\x00b"}, "write the name"),
])  # fmt: skip
def test_what_is_missing_of_a_payee_is_named(row: dict[str, str], why: str) -> None:
    with pytest.raises(Refused, match=why):
        read_payees([{**ADA, **row}])


@pytest.mark.parametrize(("shares", "why"), [
    (("1.00", "2.00"), "The shares come to 3.00, the slip to 20000.00"), (("20000.00", ""), "Payee 2"),
    (("20001.00", "-1.00"), "share above 0"), (("20000.00", "0.00"), "share above 0"), (("1e4", "1e4"), "Payee 1"),
])  # fmt: skip
def test_shares_that_are_not_the_slip_are_refused(shares: tuple[str, str], why: str) -> None:
    with pytest.raises(Refused, match=why):
        shares_of(of("20000.00"), read_payees([{**ADA, "amount": shares[0]}, {**BEN, "amount": shares[1]}]))


def test_an_empty_row_is_nobody_and_nine_are_too_many() -> None:
    assert len(read_payees([ADA, {"name": "", "document": "ssn"}])) == 1
    with pytest.raises(Refused, match="At most 8 people"):
        read_payees([{**ADA, "amount": "1.00"}] * 9)


def a_slip(rule: TaxRule = RULE) -> Win:
    """Slip 1 of 20,000.00."""
    floor = WinFloor()
    declare_tax(premises=floor.casino.premises, rule=rule, by="tests")
    return floor.won({2: "royal"})[0]


def who(name: str, *may: str) -> Operator:
    found = Operator.objects.filter(username=name).first()
    return found or a_person(name, may=may or ("pay",))


def paid(*rows: dict[str, Any], method: str = "cash") -> Win:
    return pay_slip(slip=1, payer=who("cage"), payees=read_payees(rows), method=method)


@pytest.mark.django_db
def test_a_reported_slip_is_not_paid_without_whom() -> None:
    a_slip()
    with pytest.raises(Refused, match=r"Slip 1 is not paid yet: it is reported on form W-2G\. Write who gets it"):
        pay_slip(slip=1, payer=who("cage"), form_seen=True)
    assert (Payment.objects.count(), Win.objects.get().state) == (0, "owed")
    paid(ADA)
    row = TaxRecord.objects.get()
    assert (row.form, row.in_cash, row.slip, row.payees.count()) == ("W-2G", True, 1, 1)


def test_the_database_takes_no_reported_payment_without_its_record(fresh_database: str) -> None:
    a_slip()
    with pytest.raises(IntegrityError, match="payment of slip 1 is reported and has no tax record"):
        redeem(slip=1, payer=who("cage"), form_seen=True)


@pytest.mark.django_db
@pytest.mark.parametrize("table", ["jackpot_datedtax", "jackpot_taxrecord", "jackpot_payee"])
def test_a_table_of_the_same_name_deceives_the_guard_of_records_neither(table: str) -> None:
    a_slip()
    redeem(slip=1, payer=who("cage"), form_seen=True)
    with connection.cursor() as cursor:
        cursor.execute(f"CREATE TEMPORARY TABLE {table} AS SELECT * FROM public.{table} LIMIT 0")
        with pytest.raises(IntegrityError, match="payment of slip 1 is reported and has no tax record"):
            cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")


@pytest.mark.django_db
def test_a_rule_without_a_form_asks_for_nobody_and_a_payee_may_be_written_all_the_same() -> None:
    a_slip(TaxRule(RULE.begins, RULE.minimum, 300))
    paid(ADA)
    assert TaxRecord.objects.get().form == ""


@pytest.mark.django_db
@pytest.mark.parametrize("ticked", [False, True])
def test_a_tick_is_sealed_as_it_was_given_though_payees_are_named(ticked: bool) -> None:
    a_slip()
    pay_slip(slip=1, payer=who("cage"), payees=read_payees([ADA]), form_seen=ticked)
    payment = Payment.objects.get()
    assert (payment.form_seen, payment.plain()["form_seen"], payment.seal) == (ticked, ticked, payment.seal_found())
    assert Trail.objects.get(act="redeem_slip").details["form_seen"] is ticked


@pytest.mark.django_db
@pytest.mark.parametrize(("ticked", "taken"), [(False, False), (True, True)])
def test_the_database_wants_a_tick_or_a_record_of_what_is_reported(ticked: bool, taken: bool) -> None:
    a_slip(TaxRule(RULE.begins, RULE.minimum, 300))
    redeem(slip=1, payer=who("cage"), form_seen=ticked, named=True)
    with connection.cursor() as cursor, nullcontext() if taken else pytest.raises(IntegrityError):
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")


@pytest.mark.django_db
def test_much_cash_is_written_down_though_it_is_not_reported_and_a_cheque_is_not() -> None:
    rule = TaxRule(RULE.begins, Money.of("30000.00"), currency_above=Money.of("19999.99"))
    a_slip(rule)
    with pytest.raises(Refused, match=r"more than 19999\.99 goes over the window in cash"):
        pay_slip(slip=1, payer=who("cage"))
    pay_slip(slip=1, payer=who("cage"), method="cheque", cheque="7")
    assert TaxRecord.objects.count() == 0


@pytest.mark.django_db
def test_nothing_of_a_person_lies_open_in_the_database_nor_in_the_trail() -> None:
    a_slip()
    paid({**ADA, "amount": "15000.00"}, {**BEN, "amount": "5000.00"})
    with connection.cursor() as cursor:
        cursor.execute("SELECT sealed, person FROM jackpot_payee ORDER BY place")
        rows = cursor.fetchall()
        cursor.execute("SELECT string_agg(t::text, ' ') FROM jackpot_trail t")
        (trail,) = cursor.fetchone()
        cursor.execute("SELECT string_agg(e::text, ' ') FROM jackpot_entry e")
        (books,) = cursor.fetchone()
    for secret in ("Lovelace", "James", "123456789", "123-45-6789", "P998877", "Jonson"):
        assert secret.encode() not in b" ".join(bytes(sealed) for sealed, _ in rows)
        assert secret not in trail + books
    key = base64.urlsafe_b64encode(hmac.digest(settings.MASTER_KEY, b"payees", "sha256"))
    assert b"Lovelace" in Fernet(key).decrypt(bytes(rows[0][0]))
    assert rows[0][1] != rows[1][1]


@pytest.mark.django_db
def test_the_same_document_is_the_same_person_however_it_is_written() -> None:
    floor = WinFloor()
    declare_tax(premises=floor.casino.premises, rule=RULE, by="tests")
    floor.won({2: "royal", 5: "royal"})
    for slip, number in ((1, "123-45-6789"), (2, "123 45 6789")):
        pay_slip(slip=slip, payer=who("cage"), payees=read_payees([{**ADA, "document_number": number}]))
    assert len(set(Payee.objects.values_list("person", flat=True))) == 1


@pytest.mark.django_db
def test_one_person_is_written_once_a_slip() -> None:
    a_slip()
    with pytest.raises(Refused, match="have the same number"):
        paid({**ADA, "amount": "15000.00"}, {**ADA, "amount": "5000.00"})
    assert Payment.objects.count() == 0


@pytest.mark.django_db
def test_a_record_is_opened_by_whom_it_concerns_and_every_look_is_told() -> None:
    a_slip()
    paid(ADA)
    row = TaxRecord.objects.get()
    for _ in range(2):
        (found,) = open_record(row=row, by=who("accounts", "payees"), why="form W-2G")
    assert found.facts == PayeeFacts(ADA["name"], ADA["address"], PayeeNumber.SSN, "123456789")
    open_record(row=row, by=who("cage"), why="to be signed")
    looks = Trail.objects.filter(act="look_at_tax_record").order_by("id")
    assert [(line.actor, line.why) for line in looks] == [
        ("Test Accounts", "form W-2G"), ("Test Accounts", "form W-2G"), ("Test Cage", "to be signed"),
    ]  # fmt: skip
    stranger = a_person("stranger", may=("payees",), premises=a_property("OTHER"))
    for nobody in (who("other-cage", "pay"), who("auditor", "read_books", "read_trail"), stranger):
        with pytest.raises(Refused, match="does not concern"):
            open_record(row=row, by=nobody, why="curious")


@pytest.mark.django_db
def test_another_key_file_opens_nothing(settings: Any) -> None:
    a_slip()
    paid(ADA)
    settings.MASTER_KEY = b"x" * 32
    with pytest.raises(Refused, match="cannot be opened: the key file of this house is not the one"):
        open_record(row=TaxRecord.objects.get(), by=who("accounts", "payees"), why="form")
