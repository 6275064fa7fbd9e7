"""The record of an award: exact, versioned, and read back only as it was written."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import UTC, datetime
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from jackpot.books.rules.movement import Balances
from jackpot.canonical import canonical
from jackpot.money import Money
from jackpot.terms.rules.paytable import ForOne, PartOfMeter
from jackpot.wins.rules.award_record import (
    AwardRecord,
    DifferenceRecord,
    DrawnRecord,
    HandProof,
    HandRecord,
    MeterRecord,
    NextRowRecord,
    NotAnAwardRecord,
    OverrideRecord,
    record_of,
)
from jackpot.wins.rules.settlement import Hit, Pot, settle
from tests.builders import terms

AT = datetime(2026, 3, 1, 2, 14, 9, 250_000, tzinfo=UTC)
HAND = HandRecord(
    HandProof.PROVEN,
    "Jh Th",
    "Ah Kh Qh As Kd",
    "",
    ("Ah", "Kh", "Qh", "Jh", "Th"),
    "Royal flush.",
    "Olga",
    AT,
    2,
    False,
)
TEXTS = ["", "Jh Th", "“cards seen” – camera 7", "5 % of the meter"]
REF = terms(policy={"row": "never_less"})


def amounts() -> st.SearchStrategy[Money]:
    return st.integers(0, 10**19).map(Money)


def hands() -> st.SearchStrategy[HandRecord | None]:
    text = st.sampled_from(TEXTS)
    return st.none() | st.builds(
        HandRecord, st.sampled_from(HandProof), text, text, text, st.lists(text, max_size=5).map(tuple), text, text,
        st.none() | st.datetimes(timezones=st.just(UTC)), st.integers(0, 99), st.booleans(),
    )  # fmt: skip


def parts() -> st.SearchStrategy[PartOfMeter]:
    return st.integers(1, 1_000).map(lambda below: PartOfMeter(Fraction(1, below)))


def records() -> st.SearchStrategy[AwardRecord]:
    some: Any = st.none
    text, whole = st.sampled_from(TEXTS), st.integers(1, 10**9)
    pays = parts() | st.integers(1, 10**6).map(ForOne)
    drawn = st.builds(DrawnRecord, *(amounts() for _ in range(6)))
    difference = st.builds(
        DifferenceRecord, amounts(), amounts(), whole, amounts(), amounts(), st.integers(-(10**12), 10**12).map(Money),
        whole, whole, whole, some() | whole, whole,
    )  # fmt: skip
    return st.builds(
        AwardRecord, pays=pays, source=st.sampled_from(["meter", "tray", "house"]), wager=amounts(), basis=st.none(),
        order=text, freeze=text, envy=st.booleans(), drawn=drawn,
        next_row=some() | st.builds(NextRowRecord, text, text, pays, amounts(), amounts(), amounts()), cards=hands(),
        override=some() | st.builds(OverrideRecord, text, text, text, text), difference=some() | difference,
        meter=some() | st.builds(MeterRecord, amounts(), amounts(), amounts()), wager_name=text,
    )  # fmt: skip


@settings(suppress_health_check=[HealthCheck.too_slow])  # many small parts
@given(record=records())
def test_what_is_written_is_read_back_as_the_same_value(record: AwardRecord) -> None:
    assert AwardRecord.of(json.loads(canonical(record.plain()))) == record


def a_record(seat: int = 3, hand: str = "royal_first_7", meter: str = "20000.70") -> AwardRecord:
    live = Balances(meter=Money.of(meter).units, outside=-Money.of(meter).units)
    (award,) = settle(Pot(live, live.meter, 0, 0), [Hit(seat, REF.pay_table.line(hand))], REF)
    return record_of(award, REF, HAND, None)


def test_an_approval_fixes_what_the_settlement_found() -> None:
    record = a_record()
    assert (record.pays, record.source, str(record.wager), str(record.basis)) == (
        REF.pay_table.line("royal_first_7").award, "meter", "1.00", "20000.70",
    )  # fmt: skip
    assert (record.order, record.freeze, record.envy, record.meter) == ("counter_clockwise", "mark", False, None)
    assert record.next_row is not None
    assert (record.next_row.code, record.next_row.pays, record.next_row.lifts) == (
        "royal_community",
        ForOne(3000),
        True,
    )


def test_posting_it_later_keeps_what_the_amount_was_fixed_from() -> None:
    fixed = a_record()
    live = Balances(meter=Money.of("25000.00").units, outside=-Money.of("25000.00").units)
    hit = Hit(3, REF.pay_table.line("royal_first_7"), fixed=Money.of("3000.00"))
    (award,) = settle(Pot(live, live.meter, 0, 0), [hit], REF)
    posted = fixed.posted(award, live, live.after(award.movement))
    assert (posted.basis, posted.next_row, posted.cards) == (fixed.basis, fixed.next_row, HAND)
    assert posted.meter is not None
    assert [str(amount) for amount in (posted.meter.before, posted.meter.after)] == ["25000.00", "22000.00"]


def test_a_wager_is_named_only_where_there_are_several() -> None:
    """A record of one wager is written as it always was, and one of before is read."""
    plain = a_record().plain()
    assert "wager_name" not in plain
    assert AwardRecord.of(plain).wager_name == ""
    named = replace(a_record(), wager_name="Mega Royal")
    assert named.plain() == {**plain, "wager_name": "Mega Royal"}
    assert AwardRecord.of(named.plain()) == named


WRONG: list[tuple[str, dict[str, Any], str]] = [
    ("another version", {"version": 2}, "version 2 is not known here"),
    ("no version", {"version": None}, "version None"),
    ("a field too many", {"note": "x"}, "note is wrong"),
    ("an amount as a number", {"wager": 1.0}, "wager is 1.0; it has to be str"),
    ("an amount with zeros at its end", {"wager": "1.000"}, "as we write it, it is '1.00'"),
    ("an amount in words", {"wager": "one"}, "wager: "),
    ("a pay in words", {"pays": "100 for 1"}, "a number for one or a part"),
    ("a part above the whole", {"pays": {"part": "3/2"}}, "A part of the meter lies above"),
    ("another source", {"source": "bank"}, "one of: meter, tray, house"),
    ("a truth in words", {"envy": "no"}, "envy is 'no'"),
    ("a basis of a number for one", {"pays": {"for_one": 100}}, "Only a part of the meter has a basis"),
    ("a proof nobody knows", {"cards": {**HAND.plain(), "proof": "perhaps"}}, "proof is 'perhaps'"),
    ("a wager without a name", {"wager_name": ""}, "A wager without a name is not written down"),
    ("a wager by its number", {"wager_name": 2}, "wager_name is 2; it has to be str"),
    ("a hand that lacks its board", {"cards": {"proof": "proven"}}, "HandRecord has every field once"),
]


@pytest.mark.parametrize(("what", "change", "why"), WRONG, ids=[each[0] for each in WRONG])
def test_anything_else_is_refused_in_a_sentence(what: str, change: dict[str, Any], why: str) -> None:
    with pytest.raises(NotAnAwardRecord, match=why):
        AwardRecord.of({**a_record().plain(), **change})


@pytest.mark.parametrize("name", sorted(set(a_record().plain()) - {"version"}))
def test_nothing_may_be_missing(name: str) -> None:
    plain = a_record().plain()
    del plain[name]
    with pytest.raises(NotAnAwardRecord, match=name):
        AwardRecord.of(plain)


def test_what_an_aggregate_would_have_cut_is_reckoned_from_numbers() -> None:
    fixed = replace(a_record(), pays=ForOne(1_000), basis=None, next_row=None, wager=Money.of("25.00"))
    assert str(fixed.uncut) == "25000.00"
