"""One reader of numbers: what people write is read, everything else gets a sentence that says how it is written."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jackpot.money import Money, NotAnAmount, millionths_of
from jackpot.reading import NotANumber, read_amount, read_clock, read_day, read_moment_in, read_percent, read_whole

READERS: dict[str, Callable[[Any], Any]] = {
    "amount": lambda written: read_amount(written, "wager"),
    "whole": lambda written: read_whole(written, "seat", 1, 10**17),
    "percent": lambda written: read_percent(written, "rate"),
}
NEVER = [
    "", " ", "ten", "1e5", "1E5", "1.5e1", "1_0", "４９", "٤٩", "²", "½", "98/2", "0x10", "1.2.3", "NaN", "Infinity",
    "--1", "+-1",
    "5.", ".5", "49,50", "1,00", "1,0000", ",1", "1,", "1 0", "1\x000", "9" * 5000, "-" + "9" * 60, "$5", "1\n2",
    None, True, False, 1.5, 1e400, [], [1], {}, {"a": 1}, 10**30, -(10**5000),
]  # fmt: skip


@pytest.mark.parametrize("reader", READERS)
@pytest.mark.parametrize(
    "written", NEVER, ids=lambda written: ascii(written)[:20] if not isinstance(written, int) else "n"
)
def test_what_is_no_plain_number_is_refused_in_a_short_sentence(reader: str, written: Any) -> None:
    with pytest.raises(NotANumber) as refused:
        READERS[reader](written)
    sentence = str(refused.value)
    assert sentence.endswith((".", "%.")), sentence
    assert len(sentence) < 220, sentence


@pytest.mark.parametrize(
    ("written", "shown"),
    [
        ("7.50", "7.50"), ("7", "7.00"), (7, "7.00"), ("7,500", "7500.00"), ("1,234,567.89", "1234567.89"),
        (" 7.5 ", "7.50"), ("−3", "-3.00"), ("-3", "-3.00"), ("007", "7.00"), ("0", "0.00"),
    ],
)  # fmt: skip
def test_an_amount_is_read_as_people_write_it(written: Any, shown: str) -> None:
    assert str(read_amount(written, "wager")) == shown


@pytest.mark.parametrize(
    ("written", "words"),
    [
        ("1e5", "exponent"), ("４９", "digits 0 to 9"), ("1_0", "nothing between"), ("98/2", "instead of a fraction"),
        ("49,50", "a point before the decimals"), ("15.005", "The wager of 15.005 is not in whole cents."),
        ("ten", "Write it like 20001.40."),
    ],
)  # fmt: skip
def test_the_sentence_names_what_is_wrong(written: str, words: str) -> None:
    with pytest.raises(NotANumber, match=words.replace(".", r"\.")):
        read_amount(written, "wager")


def test_the_decimals_are_the_currencys() -> None:
    assert read_amount("15.005", "reading", digits=3) == Money.of("15.005")
    with pytest.raises(NotANumber, match="whole units"):
        read_amount("15.5", "amount", digits=0)


def test_bounds_are_said() -> None:
    with pytest.raises(NotANumber, match=r"too small; it is 0\.00 or more"):
        read_amount("-100", "meter", least=Money.of(0))
    with pytest.raises(NotANumber, match="too large"):
        read_amount("101", "wager", most=Money.of(100))
    with pytest.raises(NotANumber, match="The seat is a whole number from 1 to 9, not “10”"):
        read_whole("10", "seat", 1, 9)
    with pytest.raises(NotANumber, match="outside 0 to 100 %"):
        read_percent("100.0001", "rate")
    with pytest.raises(NotAnAmount, match="more than sixty digits"):
        read_whole(10**400, "seat", 1, 9)


@given(st.text(max_size=30) | st.integers() | st.floats() | st.none() | st.lists(st.integers(), max_size=2))
def test_whatever_is_written_is_a_number_or_a_sentence(written: Any) -> None:
    for reads in READERS.values():
        try:
            reads(written)
        except NotANumber as refused:
            assert str(refused)  # noqa: PT017 - either way is right


@given(st.integers(0, 10**15), st.booleans())
def test_every_amount_of_cents_is_read_back_from_what_a_page_shows(cents: int, grouped: bool) -> None:
    amount = Money(cents * 10**6)
    if cents < 10**14:
        whole, _, rest = str(amount).partition(".")
        assert read_amount(f"{int(whole):,}.{rest}" if grouped else str(amount), "amount") == amount


@pytest.mark.parametrize("written", [
    "20261118", "2026-W47-3", "2026-11-18T00:00", " 2026-11-18", "2026-11-18\n", "٢٠٢٦-١١-١٨", "２０２６-11-18",
    "2026-02-29", "2026-13-01", "0000-01-01", "26-11-18", "", None, 20261118, ["2026-11-18"],
])  # fmt: skip
def test_a_day_is_written_in_one_way(written: Any) -> None:
    with pytest.raises(NotANumber, match="year-month-day of the calendar, such as 2026-11-18"):
        read_day(written)
    assert read_day("2028-02-29").isoformat() == "2028-02-29"


@pytest.mark.parametrize("written", [
    "0545", "05", "T0545", "05:45:00", "05:45Z", "5:45", "24:00", "05:60", " 05:45", "05:45\n", "٠٥:٤٥", "", None, 545,
])  # fmt: skip
def test_a_time_of_day_is_written_in_one_way(written: Any) -> None:
    with pytest.raises(NotANumber, match="Write the time like 05:45"):
        read_clock(written)
    assert read_clock("23:59").isoformat() == "23:59:00"


@pytest.mark.parametrize("read", [Money.of, millionths_of])
@pytest.mark.parametrize("written", [70.5, 0.1, True, False])
def test_neither_amount_nor_rate_is_a_binary_fraction_or_a_truth(read: Callable[[Any], Any], written: Any) -> None:
    with pytest.raises(NotAnAmount, match="Write it as text"):
        read(written)


def test_a_clocks_moment_is_read_in_the_zone_of_its_house() -> None:
    vegas = ZoneInfo("America/Los_Angeles")
    assert read_moment_in(vegas, "2026-11-19 03:12") == datetime(2026, 11, 19, 11, 12, tzinfo=UTC)
    assert read_moment_in(vegas, "2026-07-19T03:12:30") == datetime(2026, 7, 19, 10, 12, 30, tzinfo=UTC)
    assert read_moment_in(vegas, "2026-11-19T03:12:00Z") == datetime(2026, 11, 19, 3, 12, tzinfo=UTC)


@pytest.mark.parametrize("written", ["2026-11-01 01:30", "2026-03-08 02:30"])
def test_an_hour_that_came_twice_or_never_needs_its_zone(written: str) -> None:
    with pytest.raises(NotANumber, match="came twice or never"):
        read_moment_in(ZoneInfo("America/Los_Angeles"), written)


@pytest.mark.parametrize("written", ["2026-11-31 03:12", "yesterday", "2026-11-19", ""])
def test_what_is_no_moment_is_refused(written: str) -> None:
    with pytest.raises(NotANumber, match="Write the moment with its zone"):
        read_moment_in(ZoneInfo("America/Los_Angeles"), written, "moment")
    with pytest.raises(NotANumber, match="Write the moment with its zone"):
        read_moment_in(None, "2026-11-19 03:12", "moment")
