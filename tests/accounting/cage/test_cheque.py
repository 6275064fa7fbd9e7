"""From a sum of the house on a slip is paid by cheque, by the rule of the day of payment (COMAR 36.05.03.23 C)."""

from __future__ import annotations

import json
import re
from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from jackpot.property.models.property import Property
from jackpot.refusals import Refused
from jackpot.wins.actions.pay import redeem
from jackpot.wins.models import Payment
from tests.builders import a_person
from tests.jackpot.books.api_scene import signed_in
from tests.scenes_wins import WinFloor

pytestmark = pytest.mark.django_db


def a_slip_of_20_000(least: str) -> Property:
    floor = WinFloor()
    floor.royal()
    house = floor.casino.premises
    house.cheque_from = least
    house.save()
    return house


@pytest.mark.parametrize("least", ["20000.00", "19999.99"])
def test_from_the_sum_on_cash_is_refused_and_nothing_moves(least: str) -> None:
    a_slip_of_20_000(least)
    cage = a_person("cage")
    with pytest.raises(Refused, match=r"comes to 20,?000\.00.*by cheque\. Choose cheque"):
        redeem(slip=1, payer=cage)
    assert not Payment.objects.exists()
    assert redeem(slip=1, payer=cage, method="cheque", cheque="7731").state == "paid"
    assert (Payment.objects.get().method, Payment.objects.get().cheque) == ("cheque", "7731")


@pytest.mark.parametrize(("least", "offered"), [("20000.00", ["cheque"]), ("20000.01", ["cash", "cheque"])])
def test_the_window_offers_only_what_would_be_taken(least: str, offered: list[str]) -> None:
    a_slip_of_20_000(least)
    page = signed_in("pay", username="cage").get("/office/cage/1/").content.decode()
    assert re.findall(r'name="method" value="(\w+)"', page) == offered
    assert ("by cheque." in page) == (offered == ["cheque"])


def test_a_cent_below_it_the_window_chooses() -> None:
    a_slip_of_20_000("20000.01")
    assert redeem(slip=1, payer=a_person("cage")).paid_method == "cash"


def test_window_and_program_hear_the_same_sentence() -> None:
    a_slip_of_20_000("5000.00")
    window = signed_in("pay", username="cage")
    told = window.post("/office/cage/1/pay/", {"method": "cash", "form_seen": "on"}, follow=True).content.decode()
    assert "it is paid by cheque" in told
    key = {"Idempotency-Key": "pay-00001"}
    answer: Any = window.post("/api/v1/slips/1/pay/", json.dumps({"method": "cash"}), "application/json", headers=key)
    assert (answer.status_code, answer.json()["code"]) == (409, "method")


def test_the_rule_of_the_day_of_payment_counts() -> None:
    """Won while cash would do; a lower sum that two people signed since counts at once, a higher one from tomorrow."""
    house = a_slip_of_20_000("30000.00")
    now = timezone.now()
    step = {"change": 1, "setting": "cheque_from", "value": "1000.00", "at": (now - timedelta(minutes=1)).isoformat()}
    house.authority = [{**step, "day": None}]
    house.save()
    with pytest.raises(Refused, match="by cheque"):
        redeem(slip=1, payer=a_person("cage"))
    house.authority[0]["day"] = str(house.gaming_day(now) + timedelta(days=1))
    house.save()
    assert redeem(slip=1, payer=a_person("cage-2")).state == "paid"
