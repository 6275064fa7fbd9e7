"""Each gate of a drill sees what it is there for, and keeps quiet about books that are right."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal
from typing import Any

import pytest

from proving.drill.journal import AcknowledgedCoinIn, Journals, SignJournal, TableJournal
from proving.gates import BooksFound, Gate, checked, equal, proven

FED = {"T-001": ["GRAND"]}


def right_books() -> BooksFound:
    """One table, two rounds of three chips and one, 17.33 % of 1.00 each."""
    entries = [
        (1, "take_over", "take_over", Decimal("100.00")),
        (2, "coin_in", "T-001/1/1", Decimal("100.5199")),
        (3, "coin_in", "T-001/2/1", Decimal("100.6932")),
    ]
    rounds = {("T-001", 1): ("125", "ended", 1), ("T-001", 2): ("7", "open", 1)}
    return BooksFound(rounds, {"GRAND": entries}, {"GRAND": (3, Decimal("100.6932"))})


def right_journals() -> Journals:
    """The first round was answered, the second one's answer was lost."""
    table = TableJournal(told=[AcknowledgedCoinIn(1, "125", 1.0, 1.1, False)], ended=[1], in_the_air=[(2, "7")])
    sign = SignJournal(shown={"GRAND": (3, "100.69")}, figures=2)
    return Journals({"T-001": table}, {"WALL": sign}, {"GRAND": {"2": "100.51", "3": "100.69"}})


def failing(books: BooksFound, journals: Journals) -> list[str]:
    return [gate.name for gate in checked(books, journals, FED) if not gate.holds]


def test_right_books_pass_every_gate() -> None:
    assert failing(right_books(), right_journals()) == []


def lost(books: Any, journals: Any) -> None:
    del books.rounds["T-001", 1]


def other_seats(books: Any, journals: Any) -> None:
    books.rounds["T-001", 1] = ("126", "ended", 1)


def entered_twice(books: Any, journals: Any) -> None:
    books.entries["GRAND"].append((4, *books.entries["GRAND"][1][1:]))


def never_said(books: Any, journals: Any) -> None:
    journals.tables["T-001"].in_the_air.clear()


def end_lost(books: Any, journals: Any) -> None:
    books.rounds["T-001", 1] = ("125", "open", 1)


def refused(books: Any, journals: Any) -> None:
    journals.tables["T-001"].refused.append("coin_in 3: gap")


def entry_of_nobody(books: Any, journals: Any) -> None:
    books.entries["GRAND"].append((4, "adjust", "adjust/1", Decimal("101.00")))


def meter_moved(books: Any, journals: Any) -> None:
    books.heads["GRAND"] = (3, Decimal("100.70"))


def sign_fell(books: Any, journals: Any) -> None:
    journals.signs["WALL"].wrong.append("GRAND: 100.51 after 100.69 without a reason")


def sign_lied(books: Any, journals: Any) -> None:
    journals.figures["GRAND"]["2"] = "100.52"


def sign_lags(books: Any, journals: Any) -> None:
    journals.signs["WALL"].shown["GRAND"] = (2, "100.51")


@pytest.mark.parametrize(
    ("spoil", "gate"),
    [
        (lost, "every acknowledged coin-in stands, with the same seats"),
        (other_seats, "every acknowledged coin-in stands, with the same seats"),
        (entered_twice, "… exactly once in every jackpot its table feeds"),
        (never_said, "nothing stands that no controller said"),
        (end_lost, "every acknowledged end stands"),
        (refused, "no controller was refused, forgotten or told two things"),
        (entry_of_nobody, "nothing stands that no controller said"),
        (meter_moved, "at the end every sign shows the books"),
        (sign_fell, "no sign fell without a reason, across every restart"),
        (sign_lied, "every figure shown is in the books at its version"),
        (sign_lags, "at the end every sign shows the books"),
    ],
)
def test_each_gate_sees_its_fault(spoil: Callable[[Any, Any], None], gate: str) -> None:
    books, journals = right_books(), right_journals()
    spoil(books, journals)
    assert gate in failing(books, journals)


def test_the_proof_of_the_product_is_a_gate_too() -> None:
    verdict: dict[str, Any] = {"entries": 3, "findings": ["GRAND/2: bad seal"]}
    assert proven(verdict) == Gate("the books prove: every seal, sum, rule and round", 3, ["GRAND/2: bad seal"])


def test_a_sign_may_fall_with_a_reason_and_never_goes_back_to_an_older_version() -> None:
    sign = SignJournal()
    sign.show("GRAND", 5, "20000.00", None)
    sign.show("GRAND", 6, "10619.35", "verifying")
    assert sign.wrong == []
    sign.show("GRAND", 5, "20000.00", None)
    sign.show("GRAND", 7, "10000.00", None)
    assert sign.wrong == [
        "GRAND: version 5 after 6",
        "GRAND: 10000.00 after 20000.00 without a reason",
    ]


def test_journals_come_back_from_their_file_as_they_were() -> None:
    assert Journals.of(right_journals().plain()) == right_journals()


def test_what_is_counted_must_be_equal_and_says_both() -> None:
    assert equal("rounds", 3, 3).holds
    assert equal("rounds", 3, 4).against == ["expected 3, found 4"]
