"""The wins on record and the cage, as a browser meets them."""

from __future__ import annotations

import csv
import io
from datetime import date, timedelta
from typing import Any

import pytest
from django.db import DatabaseError, transaction
from django.test import Client
from django.utils import timezone

from accounting.cage.pages import wins as wins_page
from accounting.cage.pages.wins import plain
from accounting.paper.models.page import Copy
from accounting.paper.models.printer import PrintJob
from accounting.paper.printing.facts import facts_of
from accounting.paper.printing.press import print_page
from accounting.paper.rules.copies import FILE_COPY, Form
from jackpot.configuring.actions.house_rules import declare_tax
from jackpot.money import Money
from jackpot.people.models import Operator
from jackpot.property.rules.tax import TaxRule
from jackpot.property.rules.unclaimed import UnclaimedRule, claim_on, unclaimed_rule_on
from jackpot.refusals import Refused
from jackpot.signing.actions import refuse
from jackpot.wins.actions.dispute import dispute, settle_dispute
from jackpot.wins.models import Payment, Win
from tests.builders import a_person, a_property
from tests.jackpot.books.api_scene import signed_in
from tests.scenes_adjusting import asked, person
from tests.scenes_wins import WinFloor, backed_out
from tests.tampering import tamper_with

pytestmark = pytest.mark.django_db


def text(answer: Any) -> str:
    return " ".join(answer.content.decode().split())


THREE = {2: "royal", 5: "five", 6: "four"}


@pytest.fixture(scope="module", autouse=True)
def played(around_all: None) -> None:
    WinFloor().won(THREE)


def three_wins() -> list[Win]:
    """Slips 1 (100.00), 2 (1,000.07) and 3 (19,001.33), all of one round."""
    return list(Win.objects.select_related("jackpot__premises", "version").order_by("slip"))


@pytest.fixture
def reader() -> Client:
    return signed_in("read_books")


@pytest.mark.parametrize(
    ("q", "slips"),
    [
        ("", [3, 2, 1]), ("2", [2]), ("#3", [3]), ("slip 3", [3]), ("1000.07", [2]), ("$19,001.33", [3]),
        ("100", [1]), ("UTH-01", [3, 2, 1]), ("uth-01", [3, 2, 1]), ("UTH-02", []), ("•••• 0001", [3, 2, 1]),
        ("0001", [3, 2, 1]), ("*9999", []), ("2020-01-01", []), ("12345", []),
    ],
)  # fmt: skip
def test_a_win_is_found_by_what_one_has_in_hand(reader: Client, q: str, slips: list[int]) -> None:
    answer = reader.get("/office/wins/", {"q": q})
    assert [win.slip for win, *_ in answer.context["wins"]] == slips


def test_a_win_is_found_by_its_day_and_by_its_state(reader: Client) -> None:
    wins = three_wins()
    backed_out(wins[1])
    assert len(reader.get("/office/wins/", {"q": str(wins[0].gaming_day)}).context["wins"]) == 3
    (found,) = reader.get("/office/wins/", {"state": "backed_out"}).context["wins"]
    assert (found[0].slip, found[1]) == (2, "void")


def test_a_scanned_page_finds_its_record(reader: Client) -> None:
    win = three_wins()[1]
    address = facts_of(win, FILE_COPY).sealed.address
    (found,) = reader.get("/office/wins/", {"q": address}).context["wins"]
    assert found[0] == win


@pytest.mark.parametrize("q", ["!!", "2026-13-45", "UTH 01", "1.2.3", "9" * 30])
def test_what_cannot_be_meant_is_answered_with_what_can(reader: Client, q: str) -> None:
    answer = reader.get("/office/wins/", {"q": q})
    assert answer.status_code == 400
    assert "Search for a slip (12)" in text(answer)


def test_wins_that_are_not_approved_and_those_of_another_house_are_not_there(reader: Client) -> None:
    win = three_wins()[0]
    stranger = signed_in("read_books", "pay", username="stranger", premises=a_property("OTHER"))
    for address in ("/office/wins/1/", "/office/wins/1/preview.png", "/office/cage/1/"):
        assert stranger.get(address).status_code == 404
    assert stranger.get("/office/wins/").context["wins"] == []
    stranger.post("/office/cage/1/pay/", {"method": "cash"})
    win.refresh_from_db()
    assert win.state == "owed"
    tamper_with(Win.objects.filter(pk=win.pk), slip=None)
    assert len(reader.get("/office/wins/").context["wins"]) == 2


def test_the_export_has_the_amounts_exact_and_no_formula(reader: Client) -> None:
    rows = list(csv.DictReader(io.StringIO(reader.get("/office/wins.csv").content.decode())))
    assert [(row["slip"], row["amount"]) for row in rows] == [("1", "100.00"), ("2", "1000.07"), ("3", "19001.33")]
    assert [row["slip"] for row in csv.DictReader(io.StringIO(text(reader.get("/office/wins.csv?q=UTH-02"))))] == []
    assert plain("=1+1") == "'=1+1"
    assert reader.get("/office/wins.csv?q=!!").status_code == 400


def test_older_wins_are_on_the_next_page(reader: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(wins_page, "PAGE", 2)
    first, second = reader.get("/office/wins/"), reader.get("/office/wins/?page=2")
    assert [win.slip for win, *_ in first.context["wins"]] == [3, 2]
    assert [win.slip for win, *_ in second.context["wins"]] == [1]
    assert (first.context["turns"].last, second.context["turns"].first) == ("?page=2", "?page=1")
    assert [win.slip for win, *_ in reader.get("/office/wins/?page=99").context["wins"]] == [1]
    assert reader.get("/office/wins/?page=²").status_code == 200


def test_the_list_says_how_many_and_how_much_and_sorts(reader: Client) -> None:
    wins = three_wins()
    backed_out(wins[1])
    answer = reader.get("/office/wins/", {"sort": "-amount", "days": "today"})
    assert [win.slip for win, *_ in answer.context["wins"]] == [3, 2, 1]
    sums = answer.context["sums"]
    assert (sums["count"], sums["void"]) == (3, 1)
    assert sums["total"] == sum(win.amount or 0 for win in (wins[0], wins[2]))
    assert reader.get("/office/wins/", {"days": "yesterday"}).context["wins"] == []
    assert reader.get("/office/wins/", {"days": "soon"}).status_code == 400


@pytest.mark.parametrize(
    ("q", "slips"), [("royal", [3]), ("GRAND", [3, 2, 1]), ("today", [3, 2, 1]), ("Five percent", [2])]
)
def test_a_win_is_found_by_hand_jackpot_and_day_in_words(reader: Client, q: str, slips: list[int]) -> None:
    assert [win.slip for win, *_ in reader.get("/office/wins/", {"q": q}).context["wins"]] == slips


def test_one_press_prints_the_original_and_a_reprint_needs_its_reason() -> None:
    clerk = signed_in("close_day", username="clerk")
    page = clerk.get("/office/wins/3/")
    assert "Print original, Letter" in text(page)
    told = text(clerk.post("/office/wins/3/print/", {"form": "letter"}, follow=True))
    assert "ORIGINAL of slip 3 was sent to REF-LETTER." in told
    assert "Reprint, Letter" in told
    assert "A further copy needs a reason" in text(clerk.post("/office/wins/3/print/", {"form": "a4"}, follow=True))
    assert "REPRINT 1 of slip 3" in text(
        clerk.post("/office/wins/3/print/", {"form": "receipt", "reason": "printer jam"}, follow=True)
    )
    assert [copy.stamp.word for copy in Copy.objects.all()] == ["ORIGINAL", "REPRINT 1"]
    assert "Choose Letter, A4 or Receipt." in text(clerk.post("/office/wins/3/print/", {"form": "x"}, follow=True))


def test_who_only_reads_is_offered_no_printing_and_refused_it(reader: Client) -> None:
    assert "Print original" not in text(reader.get("/office/wins/3/"))
    assert reader.post("/office/wins/3/print/", {"form": "letter"}).status_code == 403
    assert Copy.objects.count() == 0


def test_the_record_shows_copies_entries_and_a_printer_in_trouble(reader: Client) -> None:
    win = three_wins()[2]
    print_page(win=win, form=Form.LETTER, by=a_person("cage"))
    PrintJob.objects.update(state="failed", last_error="REF-LETTER at prints: No space left on device.")
    record = text(reader.get("/office/wins/3/"))
    assert "No space left on device" in record
    assert f'href="/jackpots/GRAND/ledger/{win.award_seq}/"' in record
    listed = text(reader.get("/office/wins/"))
    assert "Printer REF-LETTER does not answer." in listed
    assert "1 page waits" in listed


def test_the_very_bytes_are_for_who_printed_them_and_for_auditors() -> None:
    clerk, other, auditor = (
        signed_in("pay", username="clerk"), signed_in("pay", username="other"), signed_in(username="auditor")
    )  # fmt: skip
    clerk.post("/office/wins/3/print/", {"form": "letter"})
    kept = bytes(Copy.objects.get().content)
    assert [each.get("/office/wins/3/copies/0/").status_code for each in (clerk, other, auditor)] == [200, 404, 200]
    assert clerk.get("/office/wins/3/copies/0/").content == kept
    assert clerk.get("/office/wins/3/copies/1/").status_code == 404


def test_a_preview_is_a_picture_of_a_file_copy(reader: Client) -> None:
    answer = reader.get("/office/wins/1/preview.png")
    assert (answer.headers["Content-Type"], answer.content[:4]) == ("image/png", b"\x89PNG")
    assert Copy.objects.count() == 0


@pytest.fixture
def cage() -> Client:
    return signed_in("pay", username="cage")


def test_the_cage_pays_a_slip_once_and_the_second_hears_when_where_and_by_whom(cage: Client) -> None:
    assert "Pay $19,001.33" in text(cage.get("/office/cage/", {"slip": "3"}, follow=True))
    assert "Slip 3 is paid: $19,001.33." in text(cage.post("/office/cage/3/pay/", {"method": "cash"}, follow=True))
    again = text(signed_in("pay", username="late").post("/office/cage/3/pay/", {"method": "cash"}, follow=True))
    assert "Do not pay it again" in again
    assert "at Reference Card Room by Test Cage, cash. Do not pay it again." in again
    assert Win.objects.get(slip=3).paid_by == "Test Cage"


def test_a_cheque_needs_its_number_and_keeps_it(cage: Client) -> None:
    assert "Write the number of the cheque." in text(
        cage.post("/office/cage/3/pay/", {"method": "cheque", "cheque": " "}, follow=True)
    )
    cage.post("/office/cage/3/pay/", {"method": "cheque", "cheque": "000123"})
    assert Win.objects.get(slip=3).paid_cheque == "000123"
    assert "cheque 000123" in text(cage.get("/office/cage/3/"))


@pytest.mark.parametrize(("typed", "told"), [("99", "There is no slip 99 here"), ("abc", "Type the slip number")])
def test_what_is_no_slip_is_said_at_the_window(cage: Client, typed: str, told: str) -> None:
    answer = cage.get("/office/cage/", {"slip": typed})
    assert answer.status_code == 400
    assert told in text(answer)


def test_a_scanned_code_leads_to_its_slip_and_a_forged_one_to_surveillance(cage: Client) -> None:
    address = facts_of(Win.objects.get(slip=3), FILE_COPY).sealed.address
    assert "The code is that of slip 3: the page is genuine." in text(
        cage.get("/office/cage/", {"slip": f"https://meter.example{address}"}, follow=True)
    )
    forged = text(cage.get("/office/cage/", {"slip": address.replace("/3/", "/2/")}))
    assert "This code is not that of slip 2. Do not pay it; call surveillance." in forged
    assert "Pay $" not in forged


def test_a_backed_out_slip_is_not_paid(cage: Client) -> None:
    backed_out(Win.objects.get(slip=3))
    assert "Not to be paid: this win is backed out." in text(cage.get("/office/cage/3/"))
    assert "cannot be paid" in text(cage.post("/office/cage/3/pay/", {"method": "cash"}, follow=True))


def test_who_approved_may_not_pay_and_who_only_reads_is_offered_nothing(cage: Client) -> None:
    approver = Client()
    executive = Operator.objects.get(username="executive")
    executive.roles.add(*Operator.objects.get(username="cage").roles.all())
    approver.force_login(executive)
    assert "may not pay it" in text(approver.post("/office/cage/3/pay/", {"method": "cash"}, follow=True))
    reader = signed_in("read_books", username="auditor")
    assert "Pay $" not in text(reader.get("/office/cage/3/"))
    assert reader.post("/office/cage/3/pay/", {"method": "cash"}).status_code == 403


def test_a_way_of_paying_that_is_not_offered_is_refused(cage: Client) -> None:
    assert "Choose how it is paid" in text(cage.post("/office/cage/3/pay/", {"method": "gold"}, follow=True))


def taxed(**changes: Any) -> TaxRule:
    """From 600.00 up reported, of more than 5,000.00 24 % withheld."""
    told = {"begins": date(2020, 1, 1), "minimum": Money.of("600"), "withhold_above": Money.of("5000"), "rate": 240_000}
    return TaxRule(**{**told, **changes})  # type: ignore[arg-type]


def test_the_rule_of_the_day_of_payment_counts(cage: Client) -> None:
    """Approved days ago under no rule; paid today under today's."""
    today = a_property().gaming_day(timezone.now())
    tamper_with(Win.objects.all(), gaming_day=today - timedelta(days=9))
    declare_tax(premises=a_property(), rule=taxed(begins=today - timedelta(days=1)), by="tests")
    cage.post("/office/cage/3/pay/", {"method": "cash", "form_seen": "on"})
    payment = Payment.objects.get()
    assert (str(payment.sum.withheld), payment.gaming_day) == ("4560.07", today)
    with pytest.raises(Refused, match=r"Slip 3 was paid on .* under the rule before"):
        declare_tax(premises=a_property(), rule=taxed(begins=today), by="tests")


def test_what_holds_a_slip_names_who_holds_it(cage: Client) -> None:
    win = Win.objects.get(slip=3)
    row = asked("back_out", win.jackpot, win=win)
    told = (
        f"Slip 3 is not paid now: its back-out, request {row.pk} asked for by Test Asker, waits for its second person."
    )
    page = text(cage.get("/office/cage/3/"))
    assert told in page
    assert "Pay $" not in page
    assert told in text(cage.post("/office/cage/3/pay/", {"method": "cash"}, follow=True))
    refuse(request_id=row.pk, reason="cards were right", by=person("signer"))
    assert "Slip 3 is paid" in text(cage.post("/office/cage/3/pay/", {"method": "cash"}, follow=True))


def test_a_disputed_slip_waits_for_another_person(cage: Client) -> None:
    told = text(cage.post("/office/wins/3/dispute/", {"why": "two players hold a copy"}, follow=True))
    assert "Slip 3 is disputed" in told
    assert "Test Cage disputes it (two players hold a copy)" in text(cage.get("/office/cage/3/"))
    record = cage.get("/office/wins/3/").content.decode()
    assert ("not to be paid now" in record, "Pay at the cage" in record) == (True, False)
    assert cage.get("/office/wins/").content.decode().count("disputed</span>") == 1
    cage.post("/office/cage/3/pay/", {"method": "cash"})
    assert Payment.objects.count() == 0
    settler = signed_in("override", "read_books", username="settler")
    assert "already" in text(cage.post("/office/wins/3/dispute/", {"why": "again"}, follow=True))
    assert "is settled" in text(settler.post("/office/wins/3/settle/", {"answer": "copy shredded"}, follow=True))
    assert "Slip 3 is paid" in text(cage.post("/office/cage/3/pay/", {"method": "cash"}, follow=True))
    assert "only an unpaid slip" in text(cage.post("/office/wins/3/dispute/", {"why": "late"}, follow=True))


def test_who_disputes_does_not_settle() -> None:
    win, both = three_wins()[2], a_person("both")
    dispute(win=win, by=both, why="torn page")
    with pytest.raises(Refused, match="may not settle it"):
        settle_dispute(win=win, by=both, answer="fine")


def test_a_payment_stays_as_it_was_written(cage: Client) -> None:
    cage.post("/office/cage/3/pay/", {"method": "cash"})
    with pytest.raises(DatabaseError, match="permission denied"), transaction.atomic():
        Payment.objects.update(method="cheque")


# ---- slips that nobody claims

GIVEN = date(2026, 1, 10)
LAPSING = UnclaimedRule(date(2020, 1, 1), 90, 365)


@pytest.mark.parametrize(
    ("days", "notified", "state"),
    [(0, False, "open"), (89, False, "open"), (90, False, "notice_due"), (90, True, "notice_given"),
     (365, True, "notice_given"), (366, True, "lapsed")],
)  # fmt: skip
def test_a_slip_waits_is_told_of_and_lapses(days: int, notified: bool, state: str) -> None:
    claim = claim_on([LAPSING], GIVEN, GIVEN + timedelta(days=days), notified=notified)
    assert (claim.age, claim.state.value, claim.lapses) == (days, state, date(2027, 1, 10))


def test_the_rule_of_the_day_on_which_a_slip_was_given_counts() -> None:
    later = UnclaimedRule(date(2026, 1, 11), 1, 2)
    assert unclaimed_rule_on([LAPSING, later], GIVEN) == LAPSING
    assert claim_on([], GIVEN, date(2099, 1, 1)).state.value == "open"
