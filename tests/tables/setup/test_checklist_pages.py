"""The checklist's page: an item is checked off with its photo, and the pit is told what keeps a table closed."""

from __future__ import annotations

from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from tables.floor.models.check import TableCheck
from tables.floor.rules.checklist import Item
from tests.builders import a_jackpot, a_property, a_table
from tests.jackpot.books.api_scene import signed_in
from tests.photos import a_photo

pytestmark = pytest.mark.django_db
HERE = "/pit/tables/UTH-01/checklist/"
MARKS = ["area_ante", "area_blind", "area_play", "area_progressive", "odds_blind"]
PNG = a_photo("PNG")


@pytest.fixture(autouse=True)
def _table() -> None:
    a_table("UTH-01", a_jackpot("GRAND", premises=a_property(checklist_opens=True)))


def photo(content: bytes = PNG) -> SimpleUploadedFile:
    return SimpleUploadedFile("../../evil.html", content, content_type="text/html")


def said(browser: Any, words: dict[str, Any]) -> str:
    page = browser.post(f"{HERE}check/", words, follow=True)
    return " ".join(page.content.decode().split())


def test_an_item_is_checked_off_with_its_photo() -> None:
    browser = signed_in("see", "service")
    page = said(browser, {"item": "layout", "found": "in_order", "photo": photo(), "note": "new felt", "mark": MARKS})
    assert "UTH-01: the layout is in order." in page
    assert "1 of 4 in order" in page
    check = TableCheck.objects.get()
    shown = browser.get(f"{HERE}{check.pk}/photo")
    assert (shown.content, shown.headers["Content-Type"]) == (bytes(check.photo or b""), "image/jpeg")
    assert shown.headers["X-Content-Type-Options"] == "nosniff"


def test_the_limits_are_read_with_their_sheet() -> None:
    words = {"item": "limits", "found": "in_order", "minimum": "5", "maximum": "500", "sheet": "001/1"}
    assert "Posted 5 to 500, rule sheet 001/1" in said(signed_in("see", "run_tables"), {**words, "photo": photo()})


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        ({"item": "layout", "found": "in_order"}, "Take a photo of the layout"),
        ({"item": "layout"}, "Say whether the layout is in order"),
        ({"item": "moon", "found": "in_order"}, "nothing on the checklist"),
        ({"item": "limits", "found": "in_order", "minimum": "²", "maximum": "5"}, "Type the posted minimum"),
        (
            {"item": "limits", "found": "in_order", "minimum": "5", "maximum": "9", "sheet": "001/x"},
            "No limit sheet 001",
        ),
    ],
)
def test_a_form_that_lacks_something_gets_a_sentence(words: dict[str, Any], sentence: str) -> None:
    sent = {**words, "photo": photo()} if words.get("sheet") else words
    assert sentence in said(signed_in("see", "run_tables"), sent)
    assert not TableCheck.objects.exists()


def test_the_pit_says_what_keeps_the_table_closed() -> None:
    browser = signed_in("see", "run_tables")
    page = browser.post("/pit/tables/UTH-01/state/", {"state": "open", "why": "relief"}, follow=True).content.decode()
    assert "UTH-01 stays closed: its checklist lacks the layout" in page
    assert f'href="{HERE}"' in page
    assert "/office/tables/UTH-01/rule-card.pdf" in page


def test_who_only_reads_sees_no_form_and_changes_nothing() -> None:
    browser = signed_in("see", "read_books")
    assert "check-form" not in browser.get(HERE).content.decode()
    assert browser.post(f"{HERE}check/", {"item": "layout"}).status_code == 403
    assert signed_in("see", "deal", username="dealer").get(HERE).status_code == 403


def test_a_photo_of_another_table_is_not_found() -> None:
    browser = signed_in("see", "service")
    said(browser, {"item": "layout", "found": "in_order", "photo": photo(), "mark": MARKS})
    a_table("UTH-02", a_jackpot("MINI"))
    assert browser.get(f"/pit/tables/UTH-02/checklist/{TableCheck.objects.get().pk}/photo").status_code == 404


def test_a_program_reads_how_the_items_stand() -> None:
    browser = signed_in("see", "service")
    said(browser, {"item": "layout", "found": "in_order", "photo": photo(), "mark": MARKS})
    told = browser.get("/api/v1/tables/UTH-01/checklist/").json()
    assert told["keeps_closed"] is True
    assert [item["standing"] for item in told["items"]] == ["done", "missing", "missing", "missing"]
    assert told["items"][0]["photo_sha256"] == TableCheck.objects.get().photo_sha256
    assert signed_in("see", "deal", username="dealer").get("/api/v1/tables/UTH-01/checklist/").status_code == 403


@pytest.mark.parametrize("item", list(Item))
def test_every_item_is_spoken_of_as_one_or_as_several(item: Item) -> None:
    browser = signed_in("see", "run_tables")
    are = "are" if item.spoken.endswith("s") else "is"
    assert f"{item.spoken} {are} not in order; the note" in said(
        browser, {"item": item.value, "found": "wrong", "note": "torn"}
    )
    assert f"Say whether {item.spoken} {are} in order." in said(browser, {"item": item.value})
    words = {"item": item.value, "found": "in_order", "minimum": "5", "maximum": "500"}
    told = said(browser, words)
    assert f"without one {'they' if are == 'are' else 'it'} cannot be in order" in told
