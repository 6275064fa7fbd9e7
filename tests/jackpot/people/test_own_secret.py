"""What a password and a PIN must be, each refusal a sentence."""

from __future__ import annotations

import pytest

from jackpot.people.rules.own_secret import password_refusal, pin_refusal


@pytest.mark.parametrize(
    ("password", "word"),
    [
        ("short", "10 to 200"), ("x" * 201, "10 to 200"), ("ababababab", "repeats itself"),
        ("my ANNABELLE rose", "holds your name"), ("clerk7 forever", "holds your name"), ("three words join", ""),
    ],
)  # fmt: skip
def test_a_password_is_long_and_does_not_tell_its_person(password: str, word: str) -> None:
    why = password_refusal(password, username="clerk7", name="Annabelle Li")
    assert (word in why) if word else not why


@pytest.mark.parametrize(
    ("pin", "word"),
    [
        ("123", "4 to 8 digits"), ("123456789", "4 to 8 digits"), ("12a4", "4 to 8 digits"), ("١٢٣٥", "4 to 8 digits"),
        ("3456", "is a row"), ("8765", "is a row"), ("0000", "is a row"), ("4821", "stands on the card"), ("2749", ""),
    ],
)  # fmt: skip
def test_a_pin_is_not_guessed_first(pin: str, word: str) -> None:
    why = pin_refusal(pin, last_four="4821")
    assert (word in why) if word else not why
