"""Mailed reports in a real browser: a mailbox is allowed, a report saved to it, and its pages say what came of it."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from django.utils import timezone

from accounting.reports.models import ReportLetter, SavedReport
from accounting.reports.printing.mailing import send_letters
from accounting.reports.printing.writing import write_reports
from tests.accounting.alarms.letterbox import letterbox
from tests.browser.looks import Watched
from tests.browser.test_config import sign_in
from tests.browser.test_pages import WHOLE_FILES
from tests.browser.test_people import asked_and_signed
from tests.builders import a_casino, a_person
from tests.living import Live

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = [pytest.mark.browser, pytest.mark.filterwarnings(WHOLE_FILES)]


@pytest.fixture
def house(live: Live, settings: Any, tmp_path: Path) -> Live:
    settings.PASSWORD_HASHERS = ["tests.hashers.QuickArgon2"]
    settings.DATA_DIR = tmp_path
    casino = a_casino(tables=1)
    a_person("chief", password="right", may=("see", "people", "read_books"), premises=casino.premises)
    return live


def test_a_mailbox_is_allowed_and_a_report_comes_to_it(house: Live, browser_page: Page, settings: Any) -> None:
    page, watched = browser_page, Watched(browser_page)
    sign_in(page, house, "chief")
    page.goto(f"{house.url}/office/reports/")
    page.get_by_role("link", name="Mailboxes").click()
    for name, address in (("General ledger", "ledger@casino.example"), ("Gaming board", "reports@board.example")):
        page.goto(f"{house.url}/office/reports/mailboxes/")
        page.get_by_role("link", name="Ask for a mailbox").click()
        page.get_by_label("Who reads there").fill(name)
        page.get_by_label("Mailbox", exact=True).fill(address)
        asked_and_signed(page, "Figures every morning")
    page.goto(f"{house.url}/office/reports/liability/?at=yesterday")
    page.get_by_text("Save this question").click()
    page.get_by_label("Name", exact=True).fill("Liability for the ledger")
    page.get_by_label("Comes by itself").select_option("daily")
    page.get_by_label("And by mail to").select_option(label="General ledger (ledger@casino.example)")
    page.get_by_role("button", name="Save").click()
    page.get_by_text("It is mailed to General ledger").wait_for()
    SavedReport.objects.update(due_day=timezone.localdate() - timedelta(days=1))
    assert write_reports() == 1
    with letterbox() as box:
        settings.SMTP_URL = box.url
        assert send_letters() == 3
        box.refuses = True
        SavedReport.objects.update(due_day=timezone.localdate() - timedelta(days=1))
        assert (write_reports(), send_letters()) == (1, 0)
    run = ReportLetter.objects.latest("id").run_id
    pages = {
        "list": "/office/reports/",
        "mailboxes": "/office/reports/mailboxes/",
        "run": f"/office/reports/runs/{run}/",
    }
    watched.look(house.url, pages, album="mailboxes")
    page.goto(f"{house.url}/office/reports/")
    assert page.get_by_text("mailed to General ledger (ledger@casino.example), ").is_visible()
    assert page.get_by_text("not mailed to General ledger (ledger@casino.example) yet").is_visible()
    assert watched.complaints == []
