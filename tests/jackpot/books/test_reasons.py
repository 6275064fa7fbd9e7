from __future__ import annotations

from jackpot.books.rules.entry_kind import EntryKind
from jackpot.books.rules.reasons import SENTENCES, reason


def test_every_kind_of_entry_has_its_sentence() -> None:
    assert set(EntryKind) == set(SENTENCES)


def test_a_fall_names_the_round_and_what_was_taken_back() -> None:
    assert reason("void", "UTH-04", 118, 88213) == (
        "Round 118 at UTH-04 was voided; what its coin-in had brought (entry 88213) was taken back."
    )
    assert reason("recount", "UTH-04", 118, 7).startswith("Round 118 at UTH-04 was counted again")


def test_a_rise_names_its_round_and_an_opening_needs_none() -> None:
    assert reason("coin_in", "UTH-04", 118, None) == "Coin-in of round 118 at UTH-04."
    assert reason("opening", "", None, None) == "The jackpot was opened; the house posted its seed."


def test_a_kind_not_known_yet_is_still_named() -> None:
    assert reason("solar_flare", "", None, None) == "Posted as “solar_flare”."
