from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from accounting.register.rules.slips import LARGEST_SLIP, NotASlip, Scanned, read_slip, slip_digest
from jackpot.money import Money

KEY, SEAL = b"k" * 32, bytes(range(32))
DIGEST = slip_digest(KEY, 12, Money.of("20001.40"), SEAL)


def test_the_digest_of_a_slip_is_a_vector_that_never_changes() -> None:
    assert DIGEST == "12b3485c98c8199544320c685a2f235e"


@pytest.mark.parametrize(
    "other",
    [
        slip_digest(b"x" * 32, 12, Money.of("20001.40"), SEAL),
        slip_digest(KEY, 13, Money.of("20001.40"), SEAL),
        slip_digest(KEY, 12, Money.of("20001.41"), SEAL),
        slip_digest(KEY, 12, Money.of("20001.40"), SEAL[::-1]),
    ],
)
def test_another_key_slip_amount_or_seal_gives_another_digest(other: str) -> None:
    assert other != DIGEST


@pytest.mark.parametrize("typed", ["12", " 12 ", "#12", "Slip 12", "№ 12", "no. 12"])
def test_a_slip_number_is_read_however_it_is_written(typed: str) -> None:
    assert read_slip(typed) == Scanned(12)


@pytest.mark.parametrize("before", ["https://meter.example", "http://127.0.0.1:8000", ""])
def test_the_qr_of_a_page_is_read_with_its_digest(before: str) -> None:
    assert read_slip(f"{before}/verify/12/{DIGEST}") == Scanned(12, DIGEST)
    assert read_slip(f"{before}/verify/12/{DIGEST.upper()}") == Scanned(12, DIGEST)


@pytest.mark.parametrize("typed", ["", "abc", "12a", "0", "-1", "1.5", "²", "9" * 19, f"/verify/12/{DIGEST[:-1]}"])
def test_anything_else_is_answered_with_what_is_wanted(typed: str) -> None:
    with pytest.raises(NotASlip):
        read_slip(typed)


@given(st.integers(1, LARGEST_SLIP))
def test_what_a_page_shows_is_always_read_back(slip: int) -> None:
    assert read_slip(f"/verify/{slip}/{DIGEST}").slip == read_slip(str(slip)).slip == slip
