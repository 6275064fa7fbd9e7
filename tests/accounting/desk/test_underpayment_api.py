"""An underpaid winner from end to end: the finding, two people, the slip, the window, the close, and a stranger."""

from __future__ import annotations

from datetime import date
from pathlib import Path
from typing import Any

import pytest

from accounting.paper.printing.facts import facts_of
from accounting.paper.rules.copies import FILE_COPY
from jackpot.books.models.jackpot import Jackpot
from jackpot.configuring.actions.house_rules import declare_notice, declare_tax
from jackpot.money import Money
from jackpot.notices.models import Notice
from jackpot.proof.queries import prove
from jackpot.property.rules.notice import NoticeAbout, NoticeRule
from jackpot.property.rules.tax import TaxRule
from jackpot.wins.models import Win
from tests.accounting.days.day_scene import equation_of
from tests.accounting.desk.test_differences_api import Office, books_of_the_house, verified
from tests.builders import a_role
from tests.jackpot.books.api_scene import signed_in
from tests.scenes_owed import OwedFloor

pytestmark = pytest.mark.django_db

WHY = {"kind": "underpayment", "reason": "sign", "why": "80 chips of UTH-01 were not counted", "evidence": "count 17"}


def asks(office: Office, win: Win, **more: str | int) -> dict[str, Any]:
    told: dict[str, Any] = office.asks(**{**WHY, "win": win.pk, "account": "house", **more})
    assert told["ok"], told
    return told


def test_from_the_finding_to_the_window_the_close_and_the_verifier(tmp_path: Path) -> None:
    """Five percent of 20,002.80 where the meter must have been 20,058.80: 1,000.14 was paid, 1,002.94 was due."""
    floor = OwedFloor()
    house = floor.casino.premises
    a_role("accountant", "close_day", "read_books")
    rule = NoticeRule(date(2020, 1, 1), NoticeAbout.UNDERPAYMENT, "the commission", "accountant", 24)
    declare_notice(premises=house, rule=rule, by="tests")
    win, office = floor.won({2: "five"}, seats="12345")[0], Office(floor)
    asked = asks(office, win, reading="20058.80")["adjustment"]
    assert (asked["amount"], asked["reading"], asked["slips"], asked["shown"]["underpaid"]["would_be"]) == (
        "2.80", "20058.80", [], "1002.94",
    )  # fmt: skip
    decided = office.approves({"adjustment": asked})["adjustment"]
    assert (decided["state"], decided["slips"]) == ("approved", [2])
    [page] = office.cage.get("/api/v1/wins/?slip=2").json()["results"]
    assert (page["amount"], page["difference_of"], page["adjustment"]) == ("2.80", win.pk, asked["id"])
    assert office.send(office.cage, f"/api/v1/wins/{page['id']}/pay/", method="cash")["ok"]
    assert office.send(office.cage, f"/api/v1/wins/{page['id']}/pay/", method="cash")["code"] == "paid"
    [notice] = Notice.objects.filter(about="underpayment")
    assert (notice.to, notice.request_id) == ("the commission", asked["id"])
    jackpot = Jackpot.objects.get()
    equation = equation_of(jackpot, house.gaming_day(jackpot.last_at))
    assert (equation.agrees, equation.variance.meter) == (True, 0)
    assert prove().plain()["findings"] == []
    assert verified(tmp_path, books_of_the_house()).returncode == 0


def test_a_forged_rest_is_found_by_a_stranger(tmp_path: Path) -> None:
    floor = OwedFloor()
    win, office = floor.won({2: "five"}, seats="12345")[0], Office(floor)
    office.approves(asks(office, win, reading="20058.80"))
    lines = books_of_the_house()
    for right, wrong in (("20058.80", "20078.80"), ("underpayment", "adjust")):
        assert right in lines
        told = verified(tmp_path, lines.replace(right, wrong))
        assert told.returncode != 0, wrong


def test_a_day_whose_meter_paid_the_rest_adds_up_and_its_back_out_too(tmp_path: Path) -> None:
    """2.80 was given to the sign, then the player was found: the meter stands as before the gift, and again after."""
    floor = OwedFloor()
    win, office = floor.won({2: "five"}, seats="12345")[0], Office(floor)
    grand, stood = Jackpot.objects.get(), floor.stands()
    told = {"reason": "reading", "why": "nobody came", "evidence": "count 17"}
    gift = office.approves(office.asks(kind="adjust", jackpot="GRAND", amount="2.80", **told))["adjustment"]["id"]
    paid = office.approves(asks(office, win, reading="20058.80", account="meter", cause=gift))["adjustment"]
    assert floor.stands()["meter"] == stood["meter"]
    day = floor.casino.premises.gaming_day(grand.last_at)
    assert equation_of(grand, day).agrees
    office.backs_out(Win.objects.get(slip=paid["slips"][0]))
    assert floor.stands()["winners"] == stood["winners"]
    assert (equation_of(grand, day).agrees, prove().plain()["findings"]) == (True, [])
    assert verified(tmp_path, books_of_the_house()).returncode == 0


def test_its_page_says_what_found_it_and_can_be_done_again_by_hand() -> None:
    floor = OwedFloor()
    win, office = floor.won({2: "five"}, seats="12345")[0], Office(floor)
    number = office.approves(asks(office, win, reading="20058.80"))["adjustment"]["id"]
    page = Win.objects.select_related("jackpot__premises", "version").get(adjustment=number)
    told = dict(next(rows for rows in (group["rows"] for group in facts_of(page, FILE_COPY).plain()["groups"])
                     if "Basis then" in dict(rows)))  # fmt: skip
    assert told["Because"] == f"too little was paid; found by: reading of a sign (decided in underpayment {number})"
    assert told["Basis then"] == "$20,002.80, the meter cut to the cent"
    assert told["Basis now"] == "$20,058.80, what the meter must have been"
    assert (told["Due now"], told["Difference"], told["Paid from"]) == (
        "$1,002.94", "$1,002.94 − $1,000.14 = $2.80", "the house",
    )  # fmt: skip


def test_the_tax_is_that_of_the_day_of_payment_on_the_whole_award() -> None:
    """1,000.14 was below 1,005.00; the whole 1,010.14 less its chip is not: withheld is 24 %, at most the rest."""
    floor = OwedFloor()
    rule = TaxRule(date(2020, 1, 1), Money.of("1005.00"), 0, Money.of("1005.00"), 240_000)
    declare_tax(premises=floor.casino.premises, rule=rule, by="tests")
    win, office = floor.won({2: "five"}, seats="12345")[0], Office(floor)
    page = office.approves(asks(office, win, reading="20202.80"))["adjustment"]["slips"]
    found = Win.objects.select_related("jackpot__premises", "version").get(slip=page[0])
    tax = facts_of(found, FILE_COPY).plain()["tax"]
    assert tax["rows"] == [
        ("Taxable", "$10.00"), ("Report", "required"), ("Withheld", "$10.00"), ("To the player", "$0.00"),
    ]  # fmt: skip
    assert tax["rule"].endswith("Compared with the whole award, $1,010.14.")


def test_who_has_another_house_does_not_find_the_slip_and_bad_words_move_nothing() -> None:
    floor = OwedFloor()
    win, office = floor.won({2: "five"}, seats="12345")[0], Office(floor)
    stood = floor.stands()
    for words, code in (
        ({"reading": "20000.00"}, "nothing_due"), ({"reading": "20058.80", "account": "meter"}, "cause"),
        ({"reading": "20058.80", "reason": "removal"}, "reason"), ({}, "reading"),
    ):  # fmt: skip
        told = office.asks(**{**WHY, "win": win.pk, "account": "house", **words})
        assert (told["ok"], told["code"]) == (False, code)
    assert floor.stands() == stood


def test_the_form_lists_the_slips_and_reckons_before_anybody_asks() -> None:
    floor = OwedFloor()
    floor.won({2: "five"}, seats="12345")
    clerk = signed_in("see", "read_books", "adjust", username="clerk", premises=floor.casino.premises)
    form = clerk.get("/office/adjustments/new/?kind=underpayment").content.decode()
    assert "Slip 1 · Five percent" in form
    shown = clerk.get("/office/adjustments/new/?kind=underpayment&win=1&reading=20058.80").content.decode()
    assert "1,002.94" in shown
    assert "As it must have been" in shown
    assert "kind=underpayment&amp;win=1" in clerk.get("/office/wins/1/").content.decode()
