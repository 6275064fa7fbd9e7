from __future__ import annotations

import pytest

from tables.signs.figures import writing


@pytest.mark.parametrize(
    ("currency", "locale", "digits", "amount", "written"),
    [
        ("USD", "en_US", 2, "20001.40", "$20,001.40"),
        ("USD", "en_US", 2, "0.07", "$0.07"),
        ("USD", "en_US", 2, "1234567.899", "$1,234,567.89"),
        ("EUR", "de_DE", 2, "20001.40", "20.001,40\xa0€"),
        ("JPY", "ja_JP", 0, "20001.00", "￥20,001"),
        ("KWD", "en_US", 3, "20001.4", "KWD20,001.400"),
        ("INR", "en_IN", 2, "1234567.00", "₹12,34,567.00"),
    ],
)
def test_amounts_are_written_as_the_place_writes_them_and_cut(
    currency: str, locale: str, digits: int, amount: str, written: str
) -> None:
    assert writing(currency, locale).written(amount, digits) == written


def test_the_pieces_together_are_the_written_amount() -> None:
    hand = writing("EUR", "de_DE")
    pieces = hand.pieces("20001.40", 2)
    assert "".join(piece.text for piece in pieces) == hand.written("20001.40", 2)
    assert [piece.kind for piece in pieces].count("wheel") == 7
    assert (pieces[0].kind, pieces[-1].kind) == ("wheel", "unit")
