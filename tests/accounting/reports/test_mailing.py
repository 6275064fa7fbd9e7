"""Saved reports that are mailed: to mailboxes that an administrator allowed, tried again, told on their pages."""

from __future__ import annotations

import hashlib
from copy import deepcopy
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from accounting.mail import letters
from accounting.reports.actions.mailboxes import end_mailbox
from accounting.reports.actions.saving import put_away
from accounting.reports.models import ReportLetter, ReportMailbox, ReportRun, SavedReport
from accounting.reports.printing import mailing
from accounting.reports.printing.mailing import send_letters
from accounting.reports.printing.writing import write_reports
from accounting.reports.tasks import letters_are_due
from jackpot.people.actions.dismissing import dismiss
from jackpot.people.models import Operator
from jackpot.refusals import NotAllowed, NotAllowedNow, NotUnderstood
from jackpot.requests.models import Request
from jackpot.signing.actions import SecondPerson, sign
from jackpot.trail.models import Trail
from tests.accounting.alarms.letterbox import Letterbox, letterbox
from tests.accounting.reports.report_scene import PlayedHouse
from tests.accounting.webhooks.scene import chief
from tests.builders import a_person, a_property
from tests.jackpot.books.api_scene import signed_in
from tests.tampering import tamper_with
from tests.ways_out import an_allowed_mailbox, cosigner

pytestmark = pytest.mark.django_db
KEPT = {"name": "For the ledger", "rota": "daily", "form": "csv", "period": "yesterday"}


@pytest.fixture(scope="module")
def played(around_all: None) -> PlayedHouse:
    return PlayedHouse()


@pytest.fixture
def house(played: PlayedHouse, settings: Any, tmp_path: Path) -> PlayedHouse:
    settings.DATA_DIR = tmp_path
    return deepcopy(played)


@pytest.fixture
def reader() -> Client:
    return signed_in("read_books", "see")


def text(answer: Any) -> str:
    return " ".join(answer.content.decode().split())


def a_mailbox(address: str = "ledger@casino.example") -> ReportMailbox:
    """Allowed, and its first letter out of the way."""
    row = an_allowed_mailbox(premises=a_property(), name="Ledger", address=address, by=chief())
    ReportLetter.objects.filter(mailbox=row).update(sent_at=timezone.now())
    return row


def saved_to(mailbox: ReportMailbox, reader: Client, **more: str) -> str:
    return text(reader.post("/office/reports/wins/save/", KEPT | {"mailbox": str(mailbox.pk)} | more, follow=True))


def comes(house: PlayedHouse) -> ReportRun:
    SavedReport.objects.update(due_day=house.today)
    assert write_reports() == 1
    return ReportRun.objects.latest("id")


def sent(box: Letterbox, settings: Any) -> int:
    settings.SMTP_URL = box.url
    ReportLetter.objects.filter(sent_at=None).update(due_at=timezone.now())
    return send_letters()


def test_a_saved_report_is_mailed_with_its_file_and_its_page_says_when_and_to_whom(
    house: PlayedHouse, reader: Client, settings: Any
) -> None:
    row = a_mailbox()
    assert "It is mailed to Ledger (ledger@casino.example)." in saved_to(row, reader)
    run = comes(house)
    assert letters_are_due()
    assert "on its way to Ledger" in text(reader.get(f"/office/reports/runs/{run.pk}/"))
    with letterbox() as box:
        assert (sent(box, settings), send_letters()) == (1, 0)
    (letter,) = box.letters
    assert (letter["To"], letter["Subject"]) == ("ledger@casino.example", "REF: For the ledger")
    (file,) = letter.iter_attachments()
    content = file.get_content()
    content = content.encode() if isinstance(content, str) else content
    assert file.get_filename().endswith(".csv")
    assert content == (Path(settings.DATA_DIR) / "reports" / run.file).read_bytes()
    assert hashlib.sha256(content).hexdigest() == run.sha256
    body = letter.get_body(("plain",)).get_content()
    assert run.sha256 in body
    assert "Win register of Reference Card Room" in body
    for page in ("/office/reports/", f"/office/reports/runs/{run.pk}/"):
        assert "mailed to Ledger (ledger@casino.example), " in text(reader.get(page))
    line = Trail.objects.filter(act="mail_report").latest("id")
    assert (line.outcome, line.object_key, line.details["to"], line.details["sha256"]) == (
        "done", "wins", "ledger@casino.example", run.sha256,
    )  # fmt: skip
    assert not letters_are_due()


@pytest.mark.parametrize("form", ["xlsx", "pdf"])
def test_other_forms_arrive_as_they_were_written(house: PlayedHouse, reader: Client, settings: Any, form: str) -> None:
    saved_to(a_mailbox(), reader, form=form, folder="ledger")
    run = comes(house)
    assert run.file.startswith("ledger/")
    with letterbox() as box:
        sent(box, settings)
    (file,) = box.letters[0].iter_attachments()
    assert hashlib.sha256(file.get_content()).hexdigest() == run.sha256


def test_what_the_mail_server_refuses_is_tried_again_and_given_up_after_three_days(
    house: PlayedHouse, reader: Client, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert mailing.GIVEN_UP_AFTER.days == 3
    saved_to(a_mailbox(), reader)
    run = comes(house)
    page = f"/office/reports/runs/{run.pk}/"
    with letterbox() as box:
        box.refuses = True
        assert sent(box, settings) == 0
        assert "yet: 127.0.0.1" in text(reader.get(page))
        assert "does not take letters for ledger@casino.example" in text(reader.get("/office/reports/"))
        assert ReportLetter.objects.get(run=run).due_at > timezone.now()
        monkeypatch.setattr(mailing, "GIVEN_UP_AFTER", timedelta(0))
        assert sent(box, settings) == 0
        box.refuses = False
        assert sent(box, settings) == 0, "given up is given up"
    assert "given up: 127.0.0.1" in text(reader.get(page))
    line = Trail.objects.filter(act="mail_report").latest("id")
    assert (line.outcome, line.details["tries"]) == ("failed", 2)
    assert run.file, "the file stays on its page"


def test_a_server_that_takes_no_such_letter_says_its_number(settings: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    from email.message import EmailMessage

    from tests.accounting.alarms.letterbox import Clerk

    monkeypatch.setattr(Clerk, "keep", lambda clerk: clerk.say("552 too large"))
    monkeypatch.setattr(Clerk, "say", lambda clerk, words: clerk.wfile.write(
        (words if words != "354 go on" else "552 too large").encode() + b"\r\n"
    ))  # fmt: skip
    with letterbox() as box:
        settings.SMTP_URL = box.url
        answer = letters.send_letter(EmailMessage(), "a@casino.example")
    assert (answer.taken, "(it answered 552)" in answer.why) == (False, True)


def test_a_file_that_is_gone_changed_or_too_large_is_not_mailed(
    house: PlayedHouse, reader: Client, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    saved_to(a_mailbox(), reader)
    path = Path(settings.DATA_DIR) / "reports" / comes(house).file
    said = []
    with letterbox() as box:
        path.write_bytes(path.read_bytes() + b"more\n")
        sent(box, settings)
        said.append(ReportLetter.objects.latest("id").last_answer)
        monkeypatch.setattr(mailing, "LARGEST_FILE", 3)
        sent(box, settings)
        said.append(ReportLetter.objects.latest("id").last_answer)
        path.unlink()
        sent(box, settings)
        said.append(ReportLetter.objects.latest("id").last_answer)
    assert ["SHA-256 differs" in said[0], "too large" in said[1], "not there any more" in said[2]] == [True] * 3
    assert box.letters == []


def test_only_an_allowed_mailbox_of_the_own_house_may_be_chosen(house: PlayedHouse, reader: Client) -> None:
    other = a_property("OTHER")
    far = an_allowed_mailbox(
        premises=other, name="Far", address="far@other.example", by=a_person("far", may=("people",), premises=other)
    )
    ended = a_mailbox()
    end_mailbox(row=ended, by=chief())
    for number in (str(far.pk), str(ended.pk), "999", "x", "٣"):
        answer = reader.post("/office/reports/wins/save/", KEPT | {"mailbox": number}, follow=True)
        assert "may not be mailed there" in text(answer), number
    never = reader.post("/office/reports/wins/save/", KEPT | {"mailbox": str(ended.pk), "rota": "never"}, follow=True)
    assert "Say how often it comes" in text(never)
    assert "Name a folder" in text(reader.post("/office/reports/wins/save/", KEPT, follow=True))
    assert not SavedReport.objects.exists()
    assert "far@other.example" not in text(reader.get("/office/reports/mailboxes/"))


def test_two_people_allow_a_mailbox_and_one_administrator_ends_it(house: PlayedHouse, settings: Any) -> None:
    desk, form = signed_in("people", username="boss"), "/office/requests/new/report_mailbox/"
    asked = {"name": "Ledger", "address": "ledger@casino.example", "reason": "The ledger books every morning"}
    wrong = desk.post(form, asked | {"address": "a@b.example\nBcc: c@d.example"})
    assert (wrong.status_code, "Write the mailbox as" in text(wrong)) == (400, True)
    assert "waits for a second person" in text(desk.post(form, asked, follow=True))
    assert not ReportMailbox.objects.exists(), "one person opens no way out"
    wish = Request.objects.latest("id")
    for alone in (wish.asked_by, a_person("curious", may=("read_books",))):
        with pytest.raises(NotAllowed):
            sign(request_id=wish.pk, approver=SecondPerson(alone))
    again = desk.post(form, asked, follow=True)
    assert again.status_code == 200
    sign(request_id=wish.pk, approver=SecondPerson(cosigner(a_property())))
    with pytest.raises(NotAllowedNow, match="already"):
        sign(request_id=Request.objects.latest("id").pk, approver=SecondPerson(cosigner(a_property())))
    with letterbox() as box:
        assert sent(box, settings) == 1
    assert [(each["To"], each["Subject"]) for each in box.letters] == [
        ("ledger@casino.example", "REF: reports come here")
    ]
    assert "taken" in text(desk.get("/office/reports/mailboxes/"))
    nobody_else_does(desk, ReportMailbox.objects.get())


def nobody_else_does(desk: Client, row: ReportMailbox) -> None:
    with pytest.raises(NotAllowedNow, match="already"):
        an_allowed_mailbox(premises=a_property(), name="Again", address=row.address, by=chief())
    with pytest.raises(NotUnderstood, match="who reads there"):
        an_allowed_mailbox(premises=a_property(), name=" ", address="x@casino.example", by=chief())
    curious = Operator.objects.get(username="curious")
    with pytest.raises(NotAllowed, match="administrator"):
        an_allowed_mailbox(premises=a_property(), name="Me", address="me@casino.example", by=curious)
    with pytest.raises(NotAllowed, match="administrator"):
        end_mailbox(row=row, by=curious)
    assert "Nothing more is mailed" in text(
        desk.post("/office/reports/mailboxes/end/", {"number": row.pk}, follow=True)
    )
    assert "or it was ended" in text(desk.post("/office/reports/mailboxes/end/", {"number": row.pk}, follow=True))
    acts = list(Trail.objects.filter(act__contains="report_mailbox").order_by("id").values_list("act", flat=True))
    assert [act for act in acts if not act.startswith(("ask_", "approve_"))] == [
        "allow_report_mailbox",
        "end_report_mailbox",
    ]


def test_a_letter_that_cannot_be_written_stands_in_the_way_of_none_and_is_given_up(
    house: PlayedHouse, reader: Client, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("first", "second"):
        saved_to(a_mailbox(f"{name}@casino.example"), reader, name=name)
    SavedReport.objects.update(due_day=house.today)
    assert write_reports() == 2
    ill = ReportLetter.objects.filter(sent_at=None).order_by("id")[0]
    written = mailing.told_of

    def breaks(run: ReportRun) -> Any:
        if run.pk == ill.run_id:
            raise KeyError("of a report that was taken out of the catalogue")
        return written(run)

    monkeypatch.setattr(mailing, "told_of", breaks)
    with letterbox() as box:
        assert sent(box, settings) == 1
        assert [each["To"] for each in box.letters] == ["second@casino.example"]
        tamper_with(ReportLetter.objects.filter(pk=ill.pk), written_at=timezone.now() - timedelta(days=4))
        assert sent(box, settings) == 0
    ill.refresh_from_db()
    assert ill.given_up_at is not None
    assert "could not be written" in ill.last_answer


def test_what_waits_for_an_ended_mailbox_or_a_put_away_report_never_goes(
    house: PlayedHouse, reader: Client, settings: Any
) -> None:
    row = a_mailbox()
    saved_to(row, reader)
    saved_to(row, reader, name="Another", folder="ledger")
    SavedReport.objects.update(due_day=house.today)
    assert write_reports() == 2
    put_away(saved=SavedReport.objects.get(name="Another"), by=chief())
    end_mailbox(row=row, by=chief())
    assert SavedReport.objects.filter(ended_at=None).update(due_day=house.today) == 1
    assert write_reports() == 1, "its file is written all the same"
    with letterbox() as box:
        assert sent(box, settings) == 0
    assert box.letters == []
    told = ReportLetter.objects.exclude(run=None).order_by("id").values_list("last_answer", flat=True)
    assert sorted(told) == [
        "The mailbox was ended.", "The mailbox was ended; the file is here.", "The saved report was put away.",
    ]  # fmt: skip
    assert "which was ended" in text(reader.get("/office/reports/"))


def test_the_list_names_who_saved_a_report_and_works_here_no_more(house: PlayedHouse, settings: Any) -> None:
    """It comes as before (decision 0290); whoever looks through the list sees whose it was."""
    saver = a_person("saver", may=["read_books", "see"], premises=house.house)
    browser = Client()
    browser.force_login(saver)
    saved_to(a_mailbox(), browser)
    dismiss(person=saver, why="left", by=chief())
    with letterbox() as box:
        comes(house)
        assert sent(box, settings) == 1
    other = signed_in("read_books", "see", username="onlooker", premises=house.house)
    assert f"saved by {saver}, who is dismissed · daily" in text(other.get("/office/reports/"))
