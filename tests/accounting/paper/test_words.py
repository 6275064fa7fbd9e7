from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from accounting.paper.rules.words import BELOW_TWENTY, COINS, TENS, cardinal, in_words
from jackpot.money import UNIT, Money

NINES = "nine hundred ninety-nine"
LARGEST = 999_999_999_999
SCALES = {"hundred": 100, "thousand": 10**3, "million": 10**6, "billion": 10**9}
NAMES = {name: number for number, name in enumerate(BELOW_TWENTY)} | {
    name: number * 10 for number, name in enumerate(TENS) if name
}


def read_back(words: str) -> int:
    """A reader of number words that knows nothing of how they were written."""
    total = group = 0
    for word in words.replace("-", " ").split():
        if word in NAMES:
            group += NAMES[word]
        elif word == "hundred":
            group *= 100
        else:
            total, group = total + group * SCALES[word], 0
    return total + group


@given(st.integers(0, LARGEST))
def test_a_number_in_words_reads_back_as_itself(number: int) -> None:
    assert read_back(cardinal(number)) == number


@given(st.integers(0, LARGEST * 100 + 99))
def test_dollars_and_cents_read_back_to_the_cent(cents: int) -> None:
    words = in_words(Money(cents * UNIT // 100), "USD").lower()
    large, small = words.split(" dollar")
    assert read_back(large) * 100 + read_back(small.removeprefix("s").removeprefix(" and ").split(" cent")[0]) == cents


@given(st.integers(0, LARGEST * 1000 + 999))
def test_dinars_and_fils_read_back_to_the_third_digit(fils: int) -> None:
    large, small = in_words(Money(fils * UNIT // 1000), "KWD").lower().split(" dinar")
    assert read_back(large) * 1000 + read_back(small.removeprefix("s").removeprefix(" and ").split(" fil")[0]) == fils


@given(st.integers(0, LARGEST), st.sampled_from(sorted({*COINS, "JPY", "ISK", "LYD", "TWD", "BRL"})))
def test_words_are_one_plain_line_in_every_currency(whole: int, currency: str) -> None:
    words = in_words(Money(whole * UNIT), currency)
    assert words == " ".join(words.split())
    assert words[0].isupper()


@pytest.mark.parametrize(
    ("amount", "currency", "words"),
    [
        ("20001.40", "USD", "Twenty thousand one dollars and forty cents"),
        ("1.01", "USD", "One dollar and one cent"),
        ("0.00", "USD", "Zero dollars and zero cents"),
        ("100.00", "GBP", "One hundred pounds and zero pence"),
        ("12.01", "GBP", "Twelve pounds and one penny"),
        ("1015119.99", "EUR", "One million fifteen thousand one hundred nineteen euros and ninety-nine cents"),
        ("20000.00", "JPY", "Twenty thousand Japanese yen"),
        ("20000.99", "JPY", "Twenty thousand Japanese yen"),
        ("3.005", "KWD", "Three dinars and five fils"),
        ("7.250", "LYD", "Seven Libyan dinars and 250/1000"),
        ("8.05", "BRL", "Eight Brazilian reals and 05/100"),
        (
            "999999999999.99", "USD",
            f"Nine hundred ninety-nine billion {NINES} million {NINES} thousand {NINES} dollars and ninety-nine cents",
        ),
    ],
)  # fmt: skip
def test_amounts_are_spelt_as_on_a_cheque(amount: str, currency: str, words: str) -> None:
    assert in_words(Money.of(amount), currency) == words
