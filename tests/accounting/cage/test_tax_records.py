"""The tax record at the window, as a paper, in the reports, as a file and over the API."""

from __future__ import annotations

import json
from decimal import Decimal
from typing import Any

import pytest
from django.test import Client

from accounting.paper.printing.tax_record import facts_of
from jackpot.answers.models import StoredAnswer
from jackpot.answers.pages import digest_of_form
from jackpot.canonical import digest_of_value
from jackpot.configuring.actions.house_rules import declare_tax
from jackpot.money import Money
from jackpot.payees.actions import open_record
from jackpot.payees.models import TaxRecord
from jackpot.people.models import Operator
from jackpot.property.models.property import Property
from jackpot.trail.models import Trail
from jackpot.wins.actions.receive import receive_back
from jackpot.wins.models import Win
from tests.builders import a_person
from tests.jackpot.books.api_scene import signed_in
from tests.jackpot.payees.test_payees import ADA, RULE
from tests.scenes_wins import WinFloor, backed_out
from tests.tampering import tamper_with

pytestmark = pytest.mark.django_db
KEY = {"Idempotency-Key": "pay-0001"}
TYPED = {f"payee1-{name}": value for name, value in ADA.items()}


@pytest.fixture(scope="module")
def played(around_all: None) -> None:
    """A house with slip 1 of 20,000.00, to be reported on W-2G."""
    floor = WinFloor()
    declare_tax(premises=floor.casino.premises, rule=RULE, by="tests")
    floor.won({2: "royal"})


@pytest.fixture
def cage(played: None) -> Client:
    return signed_in("pay", username="cage")


def text(answer: Any) -> str:
    return " ".join(answer.content.decode().split())


def pay(cage: Client, **more: str) -> str:
    return text(cage.post("/office/cage/1/pay/", {"method": "cash", **more}, follow=True))


def test_the_window_asks_whom_and_pays_then(cage: Client) -> None:
    asked = text(cage.get("/office/cage/1/"))
    assert "Payee, for form W-2G" in asked
    assert "Identity and form are in hand" not in asked
    assert "Write who gets it" in pay(cage)
    assert "has nine digits" in pay(cage, **{**TYPED, "payee1-document_number": "1234"})
    told = pay(cage, **TYPED)
    assert "Slip 1 is paid: $15,200.24 to the player, $4,799.76 withheld" in told
    assert "Lovelace" not in told
    assert TaxRecord.objects.get().form == "W-2G"


def test_several_share_a_slip_on_the_other_form(cage: Client) -> None:
    ben = {"payee2-name": "Ben Jonson", "payee2-address": "Westminster", "payee2-document": "passport"}
    ben |= {"payee2-document_number": "P998877", "payee2-amount": "5000.00"}
    assert "The shares come to 15000.00" in pay(cage, **TYPED, **{**ben, "payee1-amount": "10000.00"})
    pay(cage, **TYPED, **{**ben, "payee1-amount": "15,000.00"})
    assert (TaxRecord.objects.get().form, TaxRecord.objects.get().payees.count()) == ("5754", 2)


def test_the_paper_is_opened_by_a_press_and_no_list_names_anybody(cage: Client) -> None:
    pay(cage, **TYPED)
    accounts = signed_in("read_books", "payees", username="accounts")
    record = text(accounts.get("/office/wins/1/"))
    assert "Form W-2G, 1 payee." in record
    assert "Lovelace" not in record
    paper = accounts.post("/office/wins/1/tax-record/", {"why": "to be signed"})
    assert (paper.status_code, paper.content[:5]) == (200, b"%PDF-")
    assert Trail.objects.filter(act="look_at_tax_record", actor="Test Accounts", why="to be signed").count() == 1
    assert "Lovelace" not in text(accounts.get("/office/tax-records/?days=all"))
    reader = signed_in("read_books", username="books")
    assert "Open the tax record" not in text(reader.get("/office/wins/1/"))
    assert reader.post("/office/wins/1/tax-record/").status_code == 403
    assert reader.get("/office/wins/1/tax-record/").status_code == 405


def test_what_the_paper_says(cage: Client) -> None:
    pay(cage, **TYPED)
    row = TaxRecord.objects.get()
    accounts = a_person("accounts", may=("payees",))
    told = facts_of(row, open_record(row=row, by=accounts, why="x"), "Test Accounts", row.written_at)
    (payee,) = told["payees"]
    assert (told["form_name"], payee["name"], payee["number"]) == ("W-2G", "Ada Lovelace", "123456789")
    assert (payee["gross"], payee["withheld"], payee["net"]) == ("$20,000.00", "$4,799.76", "$15,200.24")


def test_the_file_for_the_tax_office_is_one_look_for_each_record(cage: Client) -> None:
    pay(cage, **TYPED)
    accounts = signed_in("read_books", "payees", username="accounts")
    content = accounts.post("/office/tax-records/file/", {"days": "all"}).content.decode()
    assert "Ada Lovelace" in content
    assert "123456789,20000.00,4799.76,15200.24,cash" in content
    assert Trail.objects.filter(act="look_at_tax_record").count() == 1
    assert Trail.objects.filter(act="export_list", details__list="tax records", details__rows=1).exists()
    page = accounts.get("/office/tax-records/?days=all").content.decode()
    form = {"days": "all", "form-key": page.rsplit('name="form-key" value="', 1)[1].split('"')[0]}
    taken = [accounts.post("/office/tax-records/file/", form).status_code for _ in range(2)]
    assert taken == [200, 200], "a file leaves its page and the form on it where they are"
    assert cage.post("/office/tax-records/file/", {"days": "all"}).status_code == 403
    assert accounts.post("/office/tax-records/file/", {"days": "??"}).status_code == 400


def test_reports_add_the_cash_of_one_person_and_day_without_a_name(cage: Client) -> None:
    pay(cage, **TYPED)
    reader = signed_in("read_books", username="books")
    (row,) = reader.get("/api/v1/reports/cash-to-one-person/?period=all").json()["results"]
    assert (row["cash"], row["above"], row["told"], row["which"]) == ("15200.24", "10000.00", "report", "1")
    answer = reader.get("/api/v1/reports/tax-records/?period=all")
    (row,) = answer.json()["results"]
    assert (row["form"], row["gross"], row["withheld"], row["net"]) == ("W-2G", "20000.00", "4799.76", "15200.24")
    assert "Lovelace" not in answer.content.decode()


@pytest.mark.parametrize(
    ("above", "told"), [("15200.23", "report"), ("15200.24", "no"), (None, "no rule")], ids=["above", "at", "none"]
)
def test_cash_is_told_above_its_limit_and_never_without_one(cage: Client, above: str | None, told: str) -> None:
    pay(cage, **TYPED)
    limit = None if above is None else Decimal(above)
    tamper_with(Property.objects.get().tax_rules.all(), currency_above=limit)
    reader = signed_in("read_books", username="books")
    (row,) = reader.get("/api/v1/reports/cash-to-one-person/?period=all").json()["results"]
    assert (row["cash"], row["above"], row["told"]) == ("15200.24", above, told)


def test_a_program_pays_with_payees_and_opens_the_record(cage: Client) -> None:
    body = json.dumps({"method": "cash", "payees": [ADA]})
    answer = cage.post("/api/v1/slips/1/pay/", body, content_type="application/json", headers=KEY)
    assert answer.status_code == 200, answer.json()
    assert answer.json()["wins"][0]["state"] == "paid"
    again = cage.post("/api/v1/slips/1/pay/", body, content_type="application/json", headers=KEY)
    assert again.json()["repeat"] is True
    accounts = signed_in("read_books", "payees", username="accounts")
    look = json.dumps({"why": "form W-2G"})
    told = accounts.post("/api/v1/slips/1/tax-record/", look, content_type="application/json").json()
    assert (told["form"], told["payees"][0]["name"], told["payees"][0]["document_number"]) == (
        "W-2G",
        ADA["name"],
        "123456789",
    )
    assert cage.post("/api/v1/slips/2/tax-record/", look, content_type="application/json").status_code == 404


def test_a_program_names_shares_in_coins_of_the_house(cage: Client) -> None:
    ben = {"name": "Ben Jonson", "address": "Westminster", "document": "passport", "document_number": "P998877"}
    shares = [{**ADA, "amount": "9999.995"}, {**ben, "amount": "10000.005"}]
    body = json.dumps({"method": "cash", "payees": shares})
    answer = cage.post("/api/v1/slips/1/pay/", body, content_type="application/json", headers=KEY)
    assert answer.status_code in (400, 422), answer.json()
    assert not TaxRecord.objects.exists()


def test_a_file_that_another_key_sealed_is_refused_and_no_look_is_told(cage: Client, settings: Any) -> None:
    pay(cage, **TYPED)
    settings.MASTER_KEY = b"x" * 32
    accounts = signed_in("read_books", "payees", username="accounts")
    answer = accounts.post("/office/tax-records/file/", {"days": "all"})
    assert answer.status_code == 403
    assert "Put the right one back" in text(answer)
    assert not Trail.objects.filter(act="look_at_tax_record", outcome="done").exists()


def test_what_is_kept_of_a_form_counts_no_number_back(cage: Client, settings: Any) -> None:
    """Whoever reads the answers and knows name and address tries the nine digits, and no digest is any of them."""
    form = {"method": "cash", "place": "1", **TYPED}
    pay(cage, **form, **{"form-key": "a" * 20})
    kept = StoredAnswer.objects.get().asked
    words = {name: [value] for name, value in form.items()}
    assert kept != digest_of_value({"to": "/office/cage/1/pay/", "words": words, "files": []})
    asked = {"to": "/office/cage/1/pay/", "words": words, "files": []}
    assert kept == digest_of_form(asked), "the same form is known again"
    settings.MASTER_KEY = b"x" * 32
    assert kept != digest_of_form(asked), "and by the key file alone"


def test_what_was_backed_out_and_came_back_is_told_beside_what_was_paid(cage: Client) -> None:
    pay(cage, **TYPED)
    backed_out(Win.objects.get(slip=1))
    payer = Operator.objects.get(username="cage")
    receive_back(slip=1, number=1, amount=Money.of("15200.24"), taker=payer, premises=payer.premises)
    reader = signed_in("read_books", "payees", username="books")
    (row,) = reader.get("/api/v1/reports/tax-records/?period=all").json()["results"]
    assert (row["net"], row["stands"], row["came_back"]) == ("15200.24", "backed out", "15200.24")
    (row,) = reader.get("/api/v1/reports/cash-to-one-person/?period=all").json()["results"]
    assert (row["cash"], row["which"], row["backed_out"], row["came_back"]) == ("15200.24", "1", "1", "15200.24")
    content = reader.post("/office/tax-records/file/", {"days": "all"}).content.decode()
    assert "15200.24,cash,backed out,15200.24" in content


def test_of_a_slip_that_stands_nothing_came_back(cage: Client) -> None:
    pay(cage, **TYPED)
    reader = signed_in("read_books", "payees", username="books")
    (row,) = reader.get("/api/v1/reports/tax-records/?period=all").json()["results"]
    assert (row["stands"], row["came_back"]) == ("paid", None)
    assert "15200.24,cash,paid,0.00" in reader.post("/office/tax-records/file/", {"days": "all"}).content.decode()
