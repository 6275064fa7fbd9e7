"""Books of hand-written slips: printed numbers that are used once, void or missing, and the win that is posted late."""

from __future__ import annotations

from datetime import timedelta
from itertools import product
from typing import Any

import pytest
from django.db import DatabaseError, IntegrityError, transaction
from django.test import Client
from django.utils import timezone

from accounting.alarms.queries import finding
from jackpot.money import Money
from jackpot.people.models import Operator
from jackpot.property.models.property import Property
from jackpot.refusals import Refused
from jackpot.trail.models import Trail
from jackpot.wins.actions.dispute import settle_dispute
from jackpot.wins.models import Win
from jackpot.wins.queries.paying import open_dispute
from tables.custody.actions import OtherPerson
from tables.floor.models.device import Device
from tables.floor.models.outage import Outage
from tables.slip_book.actions import BookFacts, HandSlipFacts, add_book, move_book, write_slip
from tables.slip_book.models import HandSlip, SlipBook, SlipBookMove
from tables.slip_book.queries import printed_slip, standing
from tables.slip_book.rules import LIFE, BookAct, SlipWord, may_follow, printed, read_printed, unaccounted
from tests.builders import a_person, a_property, a_role
from tests.scenes_wins import WinFloor

PASSWORD = "right and long enough"
FACTS = BookFacts("BOOK-07", "M-", 1, 50, 4)


def test_what_the_table_does_not_list_does_not_follow() -> None:
    for before, word in product((None, *SlipWord), SlipWord):
        assert may_follow(before, word) == ((before, word) in LIFE)
    assert not may_follow(SlipWord.USED, SlipWord.VOID)
    assert may_follow(SlipWord.MISSING, SlipWord.USED), "a missing slip may turn up"


@pytest.mark.parametrize(
    ("typed", "read"),
    [
        ("M-0012", ("M-", 12, 4)), ("m-0012", ("M-", 12, 4)), (" M - 0012 ", ("M-", 12, 4)), ("AB2-7", ("AB2-", 7, 1)),
        ("0012", None), ("M-", None), ("M-１２", None), ("-12", None), ("M-12x", None), ("", None),
    ],
)  # fmt: skip
def test_a_printed_number_is_read_as_it_stands_on_the_slip(typed: str, read: tuple[str, int, int] | None) -> None:
    found = read_printed(typed)
    assert (None if found is None else (found.prefix, found.number, found.digits)) == read
    if found is not None:
        assert read_printed(printed(found.prefix, found.digits, found.number)) == found


@pytest.mark.parametrize(
    ("told", "next_blank", "gaps"),
    [
        ((), 1, []), ((), 4, [1, 2, 3]), ((1, 2, 3), 4, []), ((1, 3), 4, [2]), ((3,), 1, [1, 2]),
        ((7, 2), 4, [1, 3, 4, 5, 6]),
    ],
)  # fmt: skip
def test_below_the_first_blank_slip_every_number_is_asked_after(told: Any, next_blank: int, gaps: list[int]) -> None:
    assert unaccounted(1, told, next_blank) == gaps


def a_book(**facts: Any) -> SlipBook:
    admin = Operator.objects.filter(username="admin").first() or a_person("admin", may=("set_up",))
    told = {name: getattr(FACTS, name) for name in ("code", "prefix", "first", "last", "digits")}
    return add_book(premises=a_property(), facts=BookFacts(**{**told, **facts}), by=admin)


def two() -> tuple[Operator, OtherPerson]:
    a_role("pit-chief", "approve", "see")
    a_role("cashier", "pay", "see")
    chief = a_person("chief", roles=["pit-chief"], password=PASSWORD)
    a_person("cash", roles=["cashier"], password=PASSWORD)
    return chief, OtherPerson(username="cash", password=PASSWORD)


class Pit:
    """A book that is out, and two people who write in it."""

    def __init__(self) -> None:
        self.book = a_book()
        self.chief, self.cash = two()
        self.move("out", 1)

    def move(self, act: str, next_blank: int) -> SlipBookMove:
        return move_book(
            book=self.book, act=BookAct(act), pit="Pit 2", next_blank=next_blank, by=self.chief, other=self.cash
        )

    def write(self, number: int, word: str = "void", **used: Any) -> HandSlip:
        facts = HandSlipFacts(number, SlipWord(word), "the server was dark", **used)
        return write_slip(book=self.book, facts=facts, by=self.chief, other=self.cash)

    def used(self, number: int, win: Win, **other: Any) -> HandSlip:
        assert win.logged_at is not None
        told = {
            "slip": win.slip, "amount": win.amount_money, "written_at": win.logged_at - timedelta(minutes=20),
            "written_by": "Floor Person",
        }  # fmt: skip
        return self.write(number, "used", **{**told, **other})


def rings() -> list[tuple[str, str]]:
    return [(each.kind.value, each.subject) for each in finding.findings(timezone.now())]


@pytest.mark.django_db
def test_a_late_win_is_tied_to_its_printed_number_with_the_outage_it_was_written_in() -> None:
    win, pit = WinFloor().won({6: "four"})[0], Pit()
    assert win.logged_at is not None
    box = Device.objects.get(table__code=win.table_code)
    begins, ends = win.logged_at - timedelta(minutes=40), win.logged_at - timedelta(minutes=5)
    Outage.objects.create(table=box.table, device=box, began_at=begins, ended_at=ends, table_state="open")
    row = pit.used(1, win)
    assert (row.printed, row.win, row.differs, row.outage and row.outage.began_at) == ("M-0001", win, False, begins)
    assert (row.person_name, row.second_name, str(row.amount_money)) == ("Test Chief", "Test Cash", "100.00")
    assert rings() == []
    line = Trail.objects.get(act="slip_used")
    assert (line.object_kind, line.object_key, line.details["printed"]) == ("slip", str(win.slip), "M-0001")


@pytest.mark.django_db
def test_a_number_is_never_used_twice_nor_a_win_entered_under_two() -> None:
    (win, other), pit = WinFloor().won({5: "five", 6: "four"}), Pit()
    pit.used(1, win)
    with pytest.raises(Refused, match=rf"M-0001 is used for a win, slip {win.slip} already, so Test Chief wrote"):
        pit.used(1, other)
    with pytest.raises(Refused, match="M-0001 is used"):
        pit.write(1, "void")
    with pytest.raises(Refused, match=rf"Slip {win.slip} has slip M-0001 already"):
        pit.used(2, win)
    pit.write(2, "missing")
    pit.used(2, other)
    assert standing(pit.book).missing == [], "it turned up"
    copied = HandSlip.objects.get(word="used", number=1)
    copied.pk, copied.win = None, None
    for word in ("used", "void"):
        copied.word = word
        with pytest.raises(IntegrityError), transaction.atomic():
            copied.save(force_insert=True)


@pytest.mark.django_db
def test_a_book_that_comes_back_is_asked_after_every_number_that_is_gone() -> None:
    pit = Pit()
    pit.write(1)
    pit.write(4)
    assert standing(pit.book).checklist == ["M-0002", "M-0003"], "slips leave a book in their order"
    assert rings() == [("slip book", "BOOK-07")]
    with pytest.raises(Refused, match=r"The first blank slip of book BOOK-07 is M-0005 or a later one; M-0004 cannot"):
        pit.move("back", 4)
    pit.move("back", 7)
    stands = standing(pit.book)
    assert (stands.checklist, stands.out, stands.blank) == (["M-0002", "M-0003", "M-0005", "M-0006"], False, 44)
    words = finding.findings(timezone.now())[0].words
    assert words == "Of 4 numbers of slip book BOOK-07 nobody said what became of them: M-0002 is the first."
    with pytest.raises(Refused, match=r"came back with M-0007 as its first blank slip, so M-0008 was not written yet"):
        pit.write(8)
    for number in (2, 3, 5):
        pit.write(number)
    pit.write(6, "missing")
    stands = standing(pit.book)
    assert (stands.checklist, stands.missing, stands.void) == ([], ["M-0006"], 5)
    assert rings() == []
    assert Trail.objects.get(act="book_back").outcome == "alarm"


@pytest.mark.django_db
def test_a_sum_that_is_not_that_of_the_books_holds_the_payment_until_another_person_settled_it() -> None:
    win, pit = WinFloor().won({6: "four"})[0], Pit()
    assert pit.used(1, win, amount=Money.of("110.00")).differs
    contested = open_dispute(win)
    assert contested is not None
    assert contested.why == "Hand-written slip M-0001 says 110.00, the books say 100.00."
    settle_dispute(win=win, by=a_person("judge", may=("approve",)), answer="read again with the player")
    assert open_dispute(win) is None


@pytest.mark.django_db
def test_what_does_not_fit_is_refused_and_nothing_is_written() -> None:
    win, pit = WinFloor().won({6: "four"})[0], Pit()
    assert win.logged_at is not None
    alone = OtherPerson(username="chief", password=PASSWORD)
    dealer = a_person("dealer", may=("deal",), password=PASSWORD)
    for other, why in (
        (alone, "is one person"), (OtherPerson(), "Two people write down"), (None, "Two people write down"),
        (OtherPerson(username=dealer.username, password=PASSWORD), "may not write in these books"),
    ):  # fmt: skip
        with pytest.raises(Refused, match=why):
            write_slip(book=pit.book, facts=HandSlipFacts(1, SlipWord.VOID, "x"), by=pit.chief, other=other)
    for told, why in (
        ({"slip": 99}, "There is no slip 99 here"), ({"slip": None}, "post it as a late claim first"),
        ({"written_at": win.logged_at + timedelta(seconds=1)}, "was posted before that"),
    ):  # fmt: skip
        with pytest.raises(Refused, match=why):
            pit.used(1, win, **told)
    with pytest.raises(Refused, match=r"has M-0001 to M-0050"):
        pit.write(51)
    with pytest.raises(Refused, match="is out at Pit 2 already"):
        pit.move("out", 1)
    assert not HandSlip.objects.exists()
    Property.objects.update(slips_need_two=False)
    pit.book.refresh_from_db()
    row = write_slip(book=pit.book, facts=HandSlipFacts(1, SlipWord.VOID, "spoiled"), by=pit.chief)
    assert (row.second, row.second_name) == (None, ""), "where the house says so one person is enough"


@pytest.mark.django_db
def test_a_book_has_numbers_that_no_other_one_has_and_is_written_in_once_it_was_out() -> None:
    book, (chief, cash) = a_book(), two()
    for wrong, why in (
        ({"code": "book 7"}, "up to 20 capitals"), ({"prefix": "12"}, "begins with a letter"),
        ({"prefix": "M1"}, "ends with none of their digits"), ({"prefix": "SLIP"}, "begins with a letter"),
        ({"code": "B2", "first": 50, "last": 60}, "book BOOK-07 has M-0001 to M-0050 already"),
        ({"code": "B2", "first": 51, "last": 2000}, "1,000 slips at most"),
        ({"code": "B2", "first": 51, "last": 60, "digits": 1}, "more digits"), ({}, "on the register already"),
    ):  # fmt: skip
        with pytest.raises(Refused, match=why):
            a_book(**wrong)
    a_book(code="B2", first=51, last=60)
    with pytest.raises(Refused, match="was never handed out"):
        write_slip(book=book, facts=HandSlipFacts(1, SlipWord.VOID, "x"), by=chief, other=cash)
    assert SlipBook.objects.count() == 2


@pytest.mark.django_db
def test_the_database_keeps_what_was_written_down() -> None:
    pit = Pit()
    pit.write(1)
    for act in (
        lambda: HandSlip.objects.update(word="missing"), lambda: HandSlip.objects.all().delete(),
        lambda: SlipBookMove.objects.update(next_blank=9), lambda: SlipBook.objects.update(last=99),
    ):  # fmt: skip
        with pytest.raises(DatabaseError, match="permission denied"), transaction.atomic():
            act()


@pytest.mark.django_db
def test_the_window_finds_a_slip_by_its_printed_number_and_pays_only_what_was_posted() -> None:
    win, pit = WinFloor().won({6: "four"})[0], Pit()
    pit.used(1, win)
    pit.write(2)
    client = Client()
    client.force_login(a_person("window", may=("pay", "see")))
    assert client.get("/office/cage/?slip=m-0001").headers["Location"] == f"/office/cage/{win.slip}/"
    shown = client.get(f"/office/cage/{win.slip}/").content.decode()
    assert "M-0001" in shown
    assert "Floor Person" in shown
    for typed, why in (
        ("M-0002", "M-0002 is void, all parts are in the book, so Test Chief wrote. Do not pay it."),
        ("M-0003", "M-0003 is a slip of book BOOK-07 that nobody entered. Do not pay it"),
    ):  # fmt: skip
        answer = client.get("/office/cage/", {"slip": typed})
        assert (answer.status_code, why in answer.content.decode()) == (400, True)
    assert client.get("/office/cage/?slip=M-0051").status_code == 400, "no book has it"
    paid = {"method": "cash", "place": "Window 2"}
    assert "is paid" in client.post(f"/office/cage/{win.slip}/pay/", paid, follow=True).content.decode()
    assert "Already paid" in client.get("/office/cage/?slip=M-0001", follow=True).content.decode()
    assert printed_slip(a_person("far", premises=a_property("FAR")), "M-0001") is None


@pytest.mark.django_db
def test_the_page_the_api_and_the_report_show_the_same() -> None:
    win = WinFloor().won({6: "four"})[0]
    (chief, _), book = two(), a_book()
    assert win.logged_at is not None
    client = Client()
    client.force_login(chief)
    second = {"username": "cash", "password": PASSWORD}
    out = {"act": "out", "pit": "Pit 2", "next-blank": "M-0001", **second}
    assert (
        "Book BOOK-07 is out at Pit 2"
        in client.post("/pit/slip-books/BOOK-07/move/", out, follow=True).content.decode()
    )
    written = (win.logged_at - timedelta(minutes=9)).strftime("%Y-%m-%dT%H:%M:%SZ")
    used = {
        "number": 2, "word": "used", "why": "dark", "slip": win.slip, "amount": "100.00", "written_at": written,
        "written_by": "Floor Person", **second,
    }  # fmt: skip
    answer = client.post("/api/v1/slip-books/BOOK-07/slips/", used, content_type="application/json").json()
    assert (answer["printed"], answer["slip"], answer["differs"], answer["outage_known"]) == (
        "M-0002", win.slip, False, False,
    )  # fmt: skip
    (told,) = client.get("/api/v1/slip-books/").json()["books"]
    assert (told["pit"], told["used"], told["unaccounted"], told["next_blank"]) == ("Pit 2", 1, ["M-0001"], 3)
    page = client.get("/pit/slip-books/").content.decode()
    for words in ("Nobody said what became of", "M-0001", "M-0002", "no outage known", "Floor Person"):
        assert words in page, words
    back = {"act": "back", "pit": "Pit 2", "next_blank": 3, **second}
    assert client.post("/api/v1/slip-books/BOOK-07/moves/", back, content_type="application/json").json()["ok"]
    auditor = Client()
    auditor.force_login(a_person("auditor", may=("read_books",)))
    rows = auditor.get("/api/v1/reports/hand-slips/?from=today&to=today").json()["results"]
    assert [(row["printed"], row["word"], row["slip"], row["outage"]) for row in rows] == [
        ("M-0001", "not accounted for", None, ""), ("M-0002", "used", win.slip, "none known"),
    ]  # fmt: skip
    assert auditor.post("/pit/slip-books/BOOK-07/write/", {}).status_code == 403
    assert book.code == "BOOK-07"
