"""What the two switches print: on the win's page, on the rule card, in the books and in the draft."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from accounting.paper.printing.facts import facts_of
from accounting.paper.rules.copies import FILE_COPY
from accounting.paper.rules.rule_card import sentences
from jackpot.money import Money
from jackpot.wins.models import Win
from tables.rounds.queries.prove import prove
from tests.builders import a_pay_table, terms
from tests.jackpot.books.api_scene import signed_in
from tests.jackpot.books.test_books import text
from tests.scenes_wins import WinFloor
from tests.tampering import tamper_with

pytestmark = pytest.mark.django_db

NEVER_LESS = {"policy": {"row": "never_less"}}
LINES = [
    {"code": "royal", "name": "Royal flush", "part": "1"},
    {"code": "four", "name": "Four of a kind", "for_one": 3000},
]
RESTART: dict[str, Any] = {
    "policy": {"dry_meter": "restart"}, "repay_rate": "50", "seed": "1000.00",
    "pay_table": a_pay_table(lines=LINES, source="meter"),
}  # fmt: skip


def rows(win: Win) -> dict[str, str]:
    groups = facts_of(win, FILE_COPY).plain()["groups"]
    return {label: value for group in groups for label, value in group["rows"]}


def test_a_lifted_award_prints_its_own_row_the_row_that_lifted_it_and_proves() -> None:
    (win,) = WinFloor(meter="1199.30", **NEVER_LESS).won({3: "five"})
    assert str(win.amount_money) == "100.00"
    said = rows(win)
    assert said["Basis"] == "$1,200.00, the meter cut to the cent"
    assert said["Never less"] == "than Four of a kind, $100.00 (100 for 1); by its own row $60.00"
    assert prove().holds


def test_a_lifted_whole_meter_is_not_taken_for_an_equal_share() -> None:
    (win,) = WinFloor(meter="49.30", reserve="0.00", **NEVER_LESS).won({3: "royal"})
    said = rows(win)
    assert (str(win.amount_money), said["Pays"]) == ("100.00", "100 % of the meter")
    assert said["Shortfall"] == "$0.05 from the reserve and $49.95 from the house"
    assert prove().holds


def test_an_award_that_no_row_below_beats_prints_nothing_of_the_switch() -> None:
    (win,) = WinFloor(**NEVER_LESS).won({3: "five"})
    assert "Never less" not in rows(win)
    assert prove().holds


def test_a_lifted_award_that_says_another_basis_does_not_prove() -> None:
    (win,) = WinFloor(meter="1199.30", **NEVER_LESS).won({3: "five"})
    told = win.record
    assert told.next_row is not None
    other = Money.of("4000.00")
    forged = replace(told, basis=other, next_row=replace(told.next_row, basis=other))
    tamper_with(Win.objects.filter(id=win.pk), paper=forged.plain())
    (found,) = prove().findings.listed
    assert (found.what, found.expected, found.found) == (f"basis on the page of slip {win.slip}", "1200.00", "4000.00")


def test_the_page_of_an_award_that_left_the_meter_dry_shows_the_advance() -> None:
    (win,) = WinFloor(meter="2999.30", reserve="0.00", **RESTART).won({3: "four"})
    said = rows(win)
    assert (said["Taken for this award"], said["House advance"], said["Meter after"]) == (
        "−3,000.00", "1,000.00", "1,000.00",
    )  # fmt: skip


def test_the_books_show_what_is_owed_of_an_advance_and_what_repays_it() -> None:
    floor = WinFloor(meter="2999.30", reserve="0.00", **RESTART)
    floor.won({3: "four"})
    reader = signed_in()
    page = text(reader, "/jackpots/GRAND/")
    assert "House advance still owed</span> 1,000.00 · 0.35 of each chip repays it" in page
    assert "House advance: a dry meter began anew" in text(reader, "/jackpots/GRAND/ledger/")
    assert "50 % of what a chip adds, 0.35, repays the house" in text(reader, "/jackpots/GRAND/versions/")
    assert reader.get("/api/v1/jackpots/GRAND/").json()["advance"] == "1000.00"


def spoken(amount: Money) -> str:
    return str(amount)


def test_the_rule_card_says_both_switches_and_nothing_of_them_at_their_defaults() -> None:
    told = " ".join(sentences(terms(policy={"row": "never_less", "dry_meter": "restart"}, repay_rate="50"), spoken, {}))
    assert "and no other; it is never paid less than any line below it would pay." in told
    assert "A meter that an award empties begins again at 10000.00, which the house advances; 50 % of" in told
    default = " ".join(sentences(terms(), spoken, {}))
    assert "never paid less" not in default
    assert "advances" not in default
