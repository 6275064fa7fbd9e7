"""The general ledger: accounts under the house's own names, and the journal of a day, which goes out once."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.test import Client

from accounting.reports.models import JournalExport, LedgerAccount
from accounting.reports.rules.ledger import USUAL
from jackpot.people.models import Operator
from jackpot.trail.models import Trail
from tests.accounting.reports.report_scene import PlayedHouse
from tests.jackpot.books.api_scene import signed_in

pytestmark = pytest.mark.django_db
LEDGER = "/office/reports/ledger/"


@pytest.fixture
def house() -> PlayedHouse:
    return PlayedHouse()


@pytest.fixture
def accountant() -> Client:
    return signed_in("read_books", "close_day", username="accountant")


def form(**changed: str) -> dict[str, str]:
    usual = {
        f"{word}-{line.account}": value for line in USUAL for word, value in (("code", line.code), ("name", line.name))
    }
    return usual | {word.replace("_", "-"): value for word, value in changed.items()}


def text(answer: Any) -> str:
    return " ".join(answer.content.decode().split())


def test_accounts_are_named_and_the_trail_says_by_whom(house: PlayedHouse, accountant: Client) -> None:
    kept = accountant.post(f"{LEDGER}accounts/keep/", form(code_meter="24-001"), follow=True)
    assert "1 account changed." in text(kept)
    assert LedgerAccount.objects.get().code == "24-001"
    line = Trail.objects.latest("id")
    assert (line.act, line.details["before"][0], line.details["after"][0]) == ("name_account", "2110", "24-001")
    refused = accountant.post(f"{LEDGER}accounts/keep/", form(code_meter="=1+1"), follow=True)
    assert "is no account code" in text(refused)
    assert LedgerAccount.objects.get().code == "24-001"


def test_a_days_journal_goes_out_once_and_is_the_same_file_ever_after(
    house: PlayedHouse, accountant: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    day = {"day": house.today.isoformat()}
    assert "still runs" in text(accountant.post(f"{LEDGER}export/", day))
    tomorrow = house.house.day_begins(house.today + timedelta(days=1)) + timedelta(hours=1)
    monkeypatch.setattr("django.utils.timezone.now", lambda: tomorrow)
    accountant.force_login(Operator.objects.get(username="accountant"))  # nobody stays signed in over a night
    first = accountant.post(f"{LEDGER}export/", day)
    assert first.status_code == 200
    accountant.post(f"{LEDGER}accounts/keep/", form(code_meter="24-001"))
    assert accountant.post(f"{LEDGER}export/", day).content == first.content
    assert JournalExport.objects.count() == Trail.objects.filter(act="export_journal").count() == 1
    assert b"2110" in first.content
    assert "Same file again" in text(accountant.get(f"{LEDGER}accounts/"))
    assert accountant.post(f"{LEDGER}export/", {"day": "soon"}).status_code == 400
