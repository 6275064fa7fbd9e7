"""The queue against a folder and a small printer of our own on loopback."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.utils import timezone

from accounting.paper import tasks
from accounting.paper.actions import queue
from accounting.paper.actions.printers import set_up_printer
from accounting.paper.actions.queue import drain_print_queue
from accounting.paper.models.printer import PrintJob
from accounting.paper.printing.press import print_page
from accounting.paper.queries import printers_in_trouble
from accounting.paper.rules.copies import Form
from accounting.paper.rules.raster import receipt_commands
from tests.builders import a_person
from tests.scenes_wins import WinFloor

pytestmark = pytest.mark.django_db


class SmallPrinter:
    """Listens on a port of its own and keeps what it was sent, connection by connection."""

    def __init__(self) -> None:
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.address = f"127.0.0.1:{self.listener.getsockname()[1]}"
        self.pages: list[bytes] = []
        self.thread = threading.Thread(target=self._listen, daemon=True)
        self.thread.start()

    def _listen(self) -> None:
        while True:
            try:
                line, _ = self.listener.accept()
            except OSError:
                return
            with line:
                page = b""
                while part := line.recv(65_536):
                    page += part
                self.pages.append(page)

    def off(self) -> None:
        self.listener.shutdown(socket.SHUT_RDWR)
        self.listener.close()
        self.thread.join(5)


@contextmanager
def a_small_printer() -> Iterator[SmallPrinter]:
    printer = SmallPrinter()
    yield printer
    if printer.thread.is_alive():
        printer.off()


def cage_printer(floor: WinFloor, address: str, form: Form = Form.LETTER) -> None:
    premises = floor.casino.premises
    set_up_printer(premises=premises, code="CAGE-1", kind="raw9100", address=address, form=form, by="tests")


def due_now() -> None:
    PrintJob.objects.update(due_at=timezone.now())


def test_a_page_goes_into_the_folder_whole_and_under_its_name(settings: Any, tmp_path: Path) -> None:
    settings.DATA_DIR = tmp_path
    copy = print_page(win=WinFloor().royal(), form=Form.LETTER, by=a_person("cage")).copy
    assert drain_print_queue() == 1
    assert (tmp_path / "prints" / "slip-1-0-original.pdf").read_bytes() == bytes(copy.content)
    assert [path.name for path in (tmp_path / "prints").iterdir()] == ["slip-1-0-original.pdf"]
    assert drain_print_queue() == 0


def test_a_page_of_an_hour_that_never_was_does_not_wait_for_that_hour(settings: Any, tmp_path: Path) -> None:
    """Its moment is the books', which keep an hour that the clock was ahead."""
    settings.DATA_DIR = tmp_path
    print_page(win=WinFloor().royal(), form=Form.LETTER, by=a_person("cage"))
    PrintJob.objects.update(due_at=timezone.now() + timedelta(minutes=4))
    assert drain_print_queue() == 0, "a failed try may wait as long as that"
    PrintJob.objects.update(due_at=timezone.now() + timedelta(hours=1))
    assert drain_print_queue() == 1


def test_a_printer_on_its_port_gets_the_very_bytes() -> None:
    floor = WinFloor()
    with a_small_printer() as printer:
        cage_printer(floor, printer.address)
        copy = print_page(win=floor.royal(), form=Form.LETTER, by=a_person("cage")).copy
        assert drain_print_queue() == 1
    job = PrintJob.objects.get()
    assert printer.pages == [bytes(copy.content)]
    assert (job.state, job.tries, job.last_error) == ("sent", 1, "")
    assert job.sent_at is not None


def test_a_receipt_printer_gets_dots_and_a_cut() -> None:
    floor = WinFloor()
    with a_small_printer() as printer:
        cage_printer(floor, printer.address, Form.RECEIPT)
        copy = print_page(win=floor.royal(), form=Form.RECEIPT, by=a_person("cage")).copy
        drain_print_queue()
    assert printer.pages == [receipt_commands(bytes(copy.content))]


def test_a_printer_that_is_off_loses_nothing_says_so_and_gets_everything_when_it_is_on() -> None:
    floor, cage = WinFloor(), a_person("cage")
    with a_small_printer() as printer:
        cage_printer(floor, printer.address)
        printer.off()
        win = floor.royal()
        print_page(win=win, form=Form.LETTER, by=cage)
        print_page(win=win, form=Form.LETTER, by=cage, reason="nothing came out")
        assert drain_print_queue() == 0
    (trouble,) = printers_in_trouble(cage)
    assert (trouble.code, trouble.waiting) == ("CAGE-1", 2)
    assert trouble.said == f"CAGE-1 at {printer.address}: Connection refused."
    assert [(job.state, job.tries) for job in PrintJob.objects.all()] == [("failed", 1), ("queued", 0)]
    with a_small_printer() as mended:
        cage_printer(floor, mended.address)
        due_now()
        assert drain_print_queue() == 2
    assert len(mended.pages) == 2
    assert not printers_in_trouble(cage).exists()


def test_a_printer_that_fails_is_asked_ever_more_rarely() -> None:
    floor = WinFloor()
    with a_small_printer() as printer:
        cage_printer(floor, printer.address)
        printer.off()
    print_page(win=floor.royal(), form=Form.LETTER, by=a_person("cage"))
    pauses = []
    for _ in range(11):
        due_now()
        drain_print_queue()
        assert drain_print_queue() == 0
        pauses.append((PrintJob.objects.get().due_at - timezone.now()).seconds + 1)
    assert pauses == [2, 4, 8, 16, 32, 64, 128, 256, 300, 300, 300]


def test_one_printer_that_is_off_does_not_hold_up_another(settings: Any, tmp_path: Path) -> None:
    settings.DATA_DIR = tmp_path
    floor, cage = WinFloor(), a_person("cage")
    with a_small_printer() as printer:
        cage_printer(floor, printer.address)
        printer.off()
    win = floor.royal()
    print_page(win=win, form=Form.LETTER, by=cage)
    print_page(win=win, form=Form.A4, by=cage, reason="for the file")
    assert drain_print_queue() == 1
    assert [job.state for job in PrintJob.objects.all()] == ["failed", "sent"]


def test_a_folder_that_cannot_be_written_is_a_trouble_like_any_other(settings: Any, tmp_path: Path) -> None:
    (tmp_path / "prints").write_text("a file in the way")
    settings.DATA_DIR = tmp_path
    print_page(win=WinFloor().royal(), form=Form.LETTER, by=a_person("cage"))
    assert drain_print_queue() == 0
    assert "REF-LETTER at prints: File exists." in PrintJob.objects.get().last_error


def test_a_printer_that_takes_the_page_and_never_hangs_up_has_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(queue, "PATIENCE", 0.2)
    floor = WinFloor()
    with socket.create_server(("127.0.0.1", 0)) as silent:
        cage_printer(floor, f"127.0.0.1:{silent.getsockname()[1]}")
        print_page(win=floor.royal(), form=Form.LETTER, by=a_person("cage"))
        assert drain_print_queue() == 1


def test_the_worker_sees_what_waits_and_drains_it(settings: Any, tmp_path: Path) -> None:
    settings.DATA_DIR = tmp_path
    assert not tasks.pages_are_due()
    print_page(win=WinFloor().royal(), form=Form.LETTER, by=a_person("cage"))
    assert tasks.pages_are_due()
    tasks.drain_print_queue()
    assert PrintJob.objects.get().state == "sent"
    assert not tasks.pages_are_due()


def test_a_page_that_nobody_even_tries_to_print_is_a_trouble_after_a_minute() -> None:
    cage = a_person("cage")
    print_page(win=WinFloor().royal(), form=Form.LETTER, by=cage)
    assert not printers_in_trouble(cage).exists()
    PrintJob.objects.update(due_at=timezone.now() - timedelta(seconds=61))
    (trouble,) = printers_in_trouble(cage)
    assert (trouble.failing, trouble.waiting, trouble.said) == (1, 1, None)


def test_after_a_day_of_tries_a_page_is_given_up_before_all_eyes() -> None:
    floor, cage = WinFloor(), a_person("cage")
    with a_small_printer() as printer:
        cage_printer(floor, printer.address)
        printer.off()
    print_page(win=floor.royal(), form=Form.LETTER, by=cage)
    PrintJob.objects.update(tries=queue.MOST_TRIES - 1)
    drain_print_queue()
    due_now()
    assert drain_print_queue() == 0
    assert (PrintJob.objects.get().state, PrintJob.objects.get().tries) == ("givenup", queue.MOST_TRIES)
    (trouble,) = printers_in_trouble(cage)
    assert (trouble.given_up, trouble.failing, trouble.said[:6]) == (1, 0, "CAGE-1")
