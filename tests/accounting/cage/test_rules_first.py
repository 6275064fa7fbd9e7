"""Wins of a house that declared its rule of taxes, or of unclaimed slips, before they were approved."""

from __future__ import annotations

import csv
import io
from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone

from jackpot.books.models.entry import Entry
from jackpot.books.models.jackpot import Jackpot
from jackpot.configuring.actions.house_rules import declare_tax, declare_unclaimed
from jackpot.wins.models import Payment, Win
from tests.accounting.cage.test_wins import LAPSING, THREE, taxed, text
from tests.builders import a_property
from tests.jackpot.books.api_scene import signed_in
from tests.scenes_wins import WinFloor
from tests.tampering import tamper_with

pytestmark = pytest.mark.django_db


@pytest.fixture
def taxing_cage() -> Client:
    declare_tax(premises=a_property(), rule=taxed(), by="tests")
    WinFloor().won(THREE)
    return signed_in("pay", username="cage")


def test_the_window_pays_the_net_and_asks_for_identity_and_form(taxing_cage: Client) -> None:
    cage = taxing_cage
    page = text(cage.get("/office/cage/3/"))
    assert '<dd class="figure">$19,001.33</dd>' in page
    assert "− $4,560.07" in page
    assert "Pay $14,441.26" in page
    assert "Rule from Wed 1 Jan 2020" in page
    refused = text(cage.post("/office/cage/3/pay/", {"method": "cash"}, follow=True))
    assert "Tick that identity and form are in hand." in refused
    paid = text(
        cage.post("/office/cage/3/pay/", {"method": "cash", "place": "Window 2", "form_seen": "on"}, follow=True)
    )
    assert "Slip 3 is paid: $14,441.26 to the player, $4,560.07 withheld, together $19,001.33." in paid
    books = Jackpot.objects.get()
    assert (str(books.paid), Entry.objects.filter(kind="pay").count()) == ("19001.33000000", 1)
    payment = Payment.objects.get()
    assert (str(payment.sum.net), payment.payer_name, payment.seal) == ("14441.26", "Test Cage", payment.seal_found())
    assert payment.entry_seal == bytes(Entry.objects.get(kind="pay").seal).hex()
    record = text(signed_in("read_books", username="auditor").get("/office/wins/3/"))
    assert '<dt>To the player</dt><dd class="figure">$14,441.26</dd>' in record
    assert "in hand, Test Cage" in record
    row = list(csv.DictReader(io.StringIO(cage.get("/office/wins.csv").content.decode())))[2]
    assert (row["withheld"], row["net"], row["tax_rule"], row["window"]) == (
        "4560.07", "14441.26", "2020-01-01", "Window 2",
    )  # fmt: skip


def test_a_slip_under_every_limit_is_paid_without_a_tick(taxing_cage: Client) -> None:
    cage = taxing_cage
    assert "form_seen" not in text(cage.get("/office/cage/1/"))
    assert "Slip 1 is paid: $100.00." in text(cage.post("/office/cage/1/pay/", {"method": "cash"}, follow=True))


def test_unclaimed_slips_have_age_sum_and_a_notice_and_a_lapsed_one_is_not_paid() -> None:
    declare_unclaimed(premises=a_property(), rule=LAPSING, by="tests")
    WinFloor().won(THREE)
    cage = signed_in("pay", username="cage")
    today = a_property().gaming_day(timezone.now())
    tamper_with(Win.objects.filter(slip=2), gaming_day=today - timedelta(days=91))
    tamper_with(Win.objects.filter(slip=3), gaming_day=today - timedelta(days=400))
    page = text(cage.get("/office/unclaimed/"))
    for words in ("3 slips, together $20,101.40. 1 notice due. 1 lapsed.", "400 days", "notice due", "lapsed"):
        assert words in page
    assert "Slip 3 lapsed after" in text(cage.get("/office/cage/3/"))
    assert "no window pays it any more" in text(cage.post("/office/cage/3/pay/", {"method": "cash"}, follow=True))
    told = text(cage.post("/office/wins/2/notice/", {"how": "letter 7 of today"}, follow=True))
    assert "letter 7 of today" in told
    assert "notice given" in text(cage.get("/office/unclaimed/"))
    cage.post("/office/cage/2/pay/", {"method": "cash"})
    assert "no notice is due" in text(cage.post("/office/wins/2/notice/", {"how": "x"}, follow=True))
