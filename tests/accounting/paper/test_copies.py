from __future__ import annotations

import hashlib
from pathlib import Path

import pytest
from django.db import DatabaseError, connection, transaction

from accounting.paper.actions.printers import print_folder, set_up_printer
from accounting.paper.actions.queue import drain_print_queue
from accounting.paper.models.page import Copy, WinPage
from accounting.paper.models.printer import Printer, PrintJob
from accounting.paper.printing.press import print_page
from accounting.paper.rules.copies import Form
from jackpot.refusals import Refused
from jackpot.trail.models import Trail
from jackpot.wins.models import Win
from tests.builders import a_person, a_property
from tests.scenes_wins import WinFloor, backed_out
from tests.tampering import tamper_with

pytestmark = pytest.mark.django_db
COPIED = (
    "INSERT INTO accounting_copy (page_id, number, kind, form, reason, printed_by, printed_at, sha256, content) "
    "SELECT page_id, {}, form, '', 'x', now(), sha256, {} FROM accounting_copy"
)


def test_the_original_is_printed_once_and_queued_with_its_bytes() -> None:
    printed = print_page(win=WinFloor().royal(), form=Form.LETTER, by=a_person("cage"))
    copy = Copy.objects.get()
    assert (copy.stamp.word, copy.page.slip, copy.printed_by) == ("ORIGINAL", 1, "Test Cage")
    assert copy.sha256 == hashlib.sha256(bytes(copy.content)).hexdigest()
    assert bytes(copy.content).startswith(b"%PDF")
    assert (printed.job.state, printed.job.printer.code) == ("queued", "REF-LETTER")


def test_a_second_print_needs_a_reason_and_changes_nothing_without_one() -> None:
    win, cage = WinFloor().royal(), a_person("cage")
    print_page(win=win, form=Form.LETTER, by=cage)
    with pytest.raises(Refused, match=r"ORIGINAL was printed by Test Cage .* reason"):
        print_page(win=win, form=Form.RECEIPT, by=cage)
    assert (Copy.objects.count(), PrintJob.objects.count()) == (1, 1)
    print_page(win=win, form=Form.RECEIPT, by=cage, reason="the player lost it")
    print_page(win=win, form=Form.A4, by=cage, reason="printer jam")
    assert [copy.stamp.word for copy in Copy.objects.order_by("number")] == ["ORIGINAL", "REPRINT 1", "REPRINT 2"]
    assert WinPage.objects.count() == 1


def test_a_win_backed_out_while_its_page_lay_ready_prints_void() -> None:
    win = WinFloor().royal()
    before = Win.objects.get(pk=win.pk)
    backed_out(win)
    assert print_page(win=before, form=Form.LETTER, by=a_person("cage")).copy.stamp.word == "VOID"


def test_what_is_only_marked_has_no_page() -> None:
    win = WinFloor().royal()
    tamper_with(Win.objects.filter(pk=win.pk), state="asked")
    with pytest.raises(Refused, match="no page until it is approved"):
        print_page(win=win, form=Form.LETTER, by=a_person("cage"))


def test_every_print_stands_on_the_trail_with_the_digest_of_its_bytes() -> None:
    copy = print_page(win=WinFloor().royal(), form=Form.LETTER, by=a_person("cage")).copy
    line = Trail.objects.get(act="print_page")
    assert (line.person.username, line.subject, line.object_kind) == ("cage", "slip 1", "slip")
    assert line.details == {"copy": "ORIGINAL", "form": "letter", "printer": "REF-LETTER", "sha256": copy.sha256}


def test_a_print_goes_to_the_houses_printer_of_that_form() -> None:
    floor = WinFloor()
    told = {"kind": "raw9100", "address": "127.0.0.1:9100", "by": "tests"}
    set_up_printer(premises=floor.casino.premises, code="CAGE-1", form=Form.RECEIPT, **told)
    win, cage = floor.royal(), a_person("cage")
    assert print_page(win=win, form=Form.RECEIPT, by=cage).job.printer.code == "CAGE-1"
    assert print_page(win=win, form=Form.A4, by=cage, reason="for the file").job.printer.code == "REF-A4"


def test_a_printer_never_changes_house() -> None:
    """Codes are one over all houses: whoever names another house's printer would take its pages away."""
    floor = WinFloor()
    told = {"kind": "raw9100", "form": Form.LETTER, "by": "tests"}
    set_up_printer(premises=floor.casino.premises, code="CAGE-1", address="127.0.0.1:9100", **told)
    with pytest.raises(Refused, match="already a printer CAGE-1 in another house"):
        set_up_printer(premises=a_property("OTHER"), code="CAGE-1", address="127.0.0.1:9200", **told)
    kept = Printer.objects.get(code="CAGE-1")
    assert (kept.premises, kept.address) == (floor.casino.premises, "127.0.0.1:9100")


def test_a_house_without_a_printer_never_prints_at_another_house() -> None:
    floor, other = WinFloor(), a_property("OTHER")
    told = {"kind": "folder", "address": "prints/other", "form": Form.LETTER, "by": "tests"}
    set_up_printer(premises=other, code=f"{floor.casino.premises.code}-LETTER", **told)
    job = print_page(win=floor.royal(), form=Form.LETTER, by=a_person("cage")).job
    assert (job.printer.premises, job.printer.address) == (floor.casino.premises, "prints")


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE accounting_copy SET kind = 'original'",
        "DELETE FROM accounting_copy",
        "TRUNCATE accounting_copy CASCADE",
        "UPDATE accounting_winpage SET slip = 2",
        COPIED.format("0, 'original'", "content"),
        COPIED.format("1, 'original'", "content"),
        COPIED.format("1, 'reprint'", "content"),
        COPIED.format("1, 'void'", "'other'"),
    ],
)
def test_the_database_refuses_changed_copies_and_a_second_original(statement: str) -> None:
    print_page(win=WinFloor().royal(), form=Form.LETTER, by=a_person("cage"))
    with pytest.raises(DatabaseError), transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(statement)


@pytest.mark.parametrize("address", ["", "printer", "127.0.0.1:0", "127.0.0.1:70000", "a b:9100", "127.0.0.1:9100\n"])
def test_a_printer_without_a_usable_address_is_refused(address: str) -> None:
    floor = WinFloor()
    with pytest.raises(Refused, match=r"Write it like 10\.0\.0\.9:9100"):
        set_up_printer(
            premises=floor.casino.premises, code="P", kind="raw9100", address=address, form=Form.A4, by="tests"
        )


@pytest.mark.parametrize(
    "address",
    ["static", "static/slips", "postgres/cluster", "prints/../static", "..", ".", "", "./logs", "roles", ".hidden",
     "rule_books", "postgres.old", str(Path(__file__).parent)],
)  # fmt: skip
def test_pages_of_winners_go_into_no_folder_of_the_program(address: str) -> None:
    with pytest.raises(Refused, match=r"such as prints/cage"):
        set_up_printer(premises=a_property(), code="P", kind="folder", address=address, form=Form.LETTER, by="tests")


def test_a_printer_that_has_such_a_folder_keeps_its_pages_and_says_why() -> None:
    """What lies under static is shown to everybody after the next start."""
    floor = WinFloor()
    set_up_printer(
        premises=floor.casino.premises, code="P", kind="folder", address="prints/cage", form=Form.LETTER, by="tests"
    )
    Printer.objects.update(address="static")  # as an older program let it be
    job = print_page(win=floor.royal(), form=Form.LETTER, by=a_person("cage")).job
    assert drain_print_queue() == 0
    job.refresh_from_db()
    assert "prints/cage" in job.last_error


@pytest.mark.parametrize("address", ["prints", "prints/cage", "cage", "/tmp/fairmeter-prints"])
def test_a_folder_of_its_own_takes_them(address: str) -> None:
    assert print_folder(address).name in {"prints", "cage", "fairmeter-prints"}
