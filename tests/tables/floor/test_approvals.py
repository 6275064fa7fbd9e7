"""A table stays closed until two people entered what its rule book wants approved, with its document."""

from __future__ import annotations

from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from jackpot.people.models import Operator
from jackpot.refusals import Refused
from jackpot.requests.models import Request
from jackpot.signing.actions import SecondPerson, sign
from tables.floor.actions.state import set_table_state
from tables.floor.models.table import Table, TableState
from tests.builders import a_jackpot, a_person, a_property, a_table
from tests.jackpot.books.api_scene import signed_in

pytestmark = pytest.mark.django_db
LETTER = b"%PDF-1.7\nthe letter of the Bureau\n"
MAY = ("configure", "read_books")


def text(answer: Any) -> str:
    return " ".join(answer.content.decode().split())


def asked(thing: str, name: str, *, letter: bool = True, **more: str) -> str:
    """Asked for on the page, by somebody who may; the sentence that the page shows then."""
    ann = signed_in(*MAY, username=f"ann-{Operator.objects.count()}")
    typed = {
        "thing": thing, "name": name, "word": "given", "by": "Bureau", "reference": "GL-7", "begins": "today",
        "until": "", "reason": "before the opening", **more,
    }  # fmt: skip
    if letter:
        typed["file"] = SimpleUploadedFile("letter.pdf", LETTER)  # type: ignore[assignment]
    return text(ann.post("/office/requests/new/approval/", typed, follow=True))


def signed() -> None:
    row = Request.objects.latest("pk")
    sign(request_id=row.pk, approver=SecondPerson(a_person(f"boss-{row.pk}", may=MAY)))


def entered(thing: str, name: str, **more: str) -> None:
    asked(thing, name, **more)
    signed()


def a_closed_table(**house: bool) -> Table:
    return a_table("UTH-01", a_jackpot("GRAND", premises=a_property(**house)))


def opened(table: Table) -> str:
    """Nothing, or why it stays closed."""
    try:
        set_table_state(table=table, state=TableState.OPEN, by="Test Supervisor")
    except Refused as why:
        return why.why
    return ""


def test_a_house_that_asks_for_none_opens_at_once() -> None:
    assert a_closed_table().state == TableState.OPEN


def test_a_table_names_everything_that_lacks_its_approval_and_opens_with_the_last_one() -> None:
    table = a_closed_table(approves_game=True, approves_agreement=True, approves_pay_table=True, approves_jackpot=True)
    assert table.state == TableState.CLOSED
    assert opened(table).startswith(
        "UTH-01 stays closed: the game uth and the agreement with the owner of uth and the jackpot GRAND and the pay "
        "table reference have no approval that counts on 20"
    )
    for thing, name in (("game", "uth"), ("agreement", "uth"), ("jackpot", "GRAND")):
        entered(thing, name)
    assert opened(table).startswith("UTH-01 stays closed: the pay table reference has no approval that counts on")
    entered("pay_table", "reference")
    assert opened(table) == ""
    table.refresh_from_db()
    assert table.state == TableState.OPEN


def test_every_declared_pay_table_has_its_approval_one_for_a_printed_sheet() -> None:
    """[001:146; 003:354–356] Blind, trips and bad beat are paid by the approved pay table of the room."""
    table = a_closed_table(approves_pay_table=True)
    entered("pay_table", "reference")
    Table.objects.filter(pk=table.pk).update(games=["blind/UTH-04", "trips/UTH-04", "bad_beat/BBB-CA"])
    table.refresh_from_db()
    assert opened(table).startswith(
        "UTH-01 stays closed: the pay table UTH-04 and the pay table BBB-CA have no approval that counts on 20"
    )
    entered("pay_table", "UTH-04")
    assert opened(table).startswith("UTH-01 stays closed: the pay table BBB-CA has no approval that counts on 20")
    entered("pay_table", "BBB-CA")
    assert opened(table) == ""


def test_one_persons_word_and_one_without_its_document_count_nothing() -> None:
    table = a_closed_table(approves_game=True)
    asked("game", "uth", letter=False)
    with pytest.raises(Refused, match="has no document"):
        signed()
    asked("game", "uth")
    assert "the game uth" in opened(table)
    signed()
    assert opened(table) == ""


def test_what_is_withdrawn_closes_the_door_again() -> None:
    table = a_closed_table(approves_game=True)
    entered("game", "uth")
    entered("game", "uth", word="withdrawn")
    assert "the game uth" in opened(table)


def test_what_begins_later_does_not_count_yet() -> None:
    table = a_closed_table(approves_game=True)
    entered("game", "uth", begins="1 Jan 2099")
    assert "the game uth" in opened(table)


def test_what_cannot_be_read_is_said_beside_the_form_and_asks_for_nothing() -> None:
    a_closed_table(approves_game=True)
    assert "Name it as the house does" in asked("game", "")
    assert "The day on which it begins" in asked("game", "uth", begins="soon")
    assert Request.objects.count() == 0


def test_a_form_that_was_just_opened_asks_for_the_name_of_the_game_that_it_shows() -> None:
    a_closed_table(approves_game=True)
    told = text(signed_in(*MAY, username="ann").get("/office/requests/new/approval/"))
    assert "Name it as the house does" in told
    assert "Choose what is approved, and" not in told


def test_the_report_says_what_was_entered_by_whom() -> None:
    a_closed_table(approves_game=True)
    entered("game", "uth")
    reader = signed_in("read_books", username="books")
    (row,) = reader.get("/api/v1/reports/approvals/").json()["results"]
    assert (row["thing"], row["name"], row["word"], row["reference"], row["given_by"]) == (
        "game", "uth", "given", "GL-7", "Bureau",
    )  # fmt: skip
    assert row["signed_by"].startswith("Test Boss")


def test_two_people_withdraw_by_the_name_that_was_given_or_are_told() -> None:
    table = a_closed_table(approves_game=True)
    entered("game", "uth")
    before = Request.objects.count()
    assert "There is no approval of the game UTH to withdraw. The house has those of uth." in asked(
        "game", "UTH", word="withdrawn"
    )
    assert Request.objects.count() == before
    assert opened(table) == ""
    set_table_state(table=table, state=TableState.CLOSED, by="Test Supervisor")
    entered("game", "uth", word="withdrawn")
    assert "the game uth has no approval that counts" in opened(table)
