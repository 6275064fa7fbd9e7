from __future__ import annotations

from datetime import UTC, datetime
from decimal import Decimal

from hypothesis import given
from hypothesis import strategies as st

from jackpot.money import Money
from jackpot.property.models.property import Property
from jackpot.web.templatetags import figures

DOLLARS = Property(currency="USD", locale="en_US", time_zone="America/Los_Angeles")
YEN = Property(currency="JPY", locale="ja_JP", time_zone="Asia/Tokyo")
DINARS = Property(currency="KWD", locale="en_US", time_zone="UTC")
EUROS = Property(currency="EUR", locale="de_DE", time_zone="Europe/Berlin")


def test_money_is_cut_to_the_digits_of_its_currency() -> None:
    assert figures.money(Money.of("10000.5199"), DOLLARS) == "$10,000.51"
    assert figures.money(Decimal("999.99999999"), DOLLARS) == "$999.99"
    assert figures.money(Money.of("999.99"), YEN) == "￥999"
    assert figures.figure(Money.of("1.23456"), DINARS) == "1.234"
    assert figures.figure(Money.of("20001.40"), EUROS) == "20.001,40"


@given(st.integers(min_value=0, max_value=10**19))
def test_no_page_promises_more_than_there_is(units: int) -> None:
    shown = figures.figure(Money(units), DOLLARS).replace(",", "")
    assert Money.of(shown) <= Money(units) < Money.of(shown) + Money.of("0.01")


@given(st.integers(min_value=-(10**19), max_value=10**19))
def test_the_exact_figure_loses_nothing(units: int) -> None:
    shown = figures.exact(Money(units), DOLLARS).replace(",", "").replace("−", "-")
    assert Money.of(shown) == Money(units)


def test_a_movement_carries_its_sign() -> None:
    assert figures.moved(Money.of("3.50"), DOLLARS) == "+3.50"
    assert figures.moved(Money.of("-3.50"), DOLLARS) == "−3.50"
    assert figures.moved(Money.of("0"), DOLLARS) == "·"


def test_moments_are_told_in_the_time_of_the_property() -> None:
    at = datetime(2026, 11, 18, 12, 14, 3, tzinfo=UTC)
    assert figures.moment(at, DOLLARS) == "18 Nov 2026, 04:14:03"
    assert figures.zone(at, DOLLARS) == "PST"
    assert figures.clock(at, YEN) == "21:14:03"


def test_a_bar_never_overflows() -> None:
    assert figures.bar(Money.of("30"), Money.of("20")) == 100
    assert figures.bar(Money.of("5"), Money.of("20")) == 25
    assert figures.bar(Money.of("5"), Money.of("0")) == 0


def test_an_amount_that_a_record_kept_as_a_text_is_shown_as_every_other() -> None:
    assert figures.exact("18641.5", DOLLARS) == figures.exact(Money.of("18641.5"), DOLLARS) == "18,641.50"
