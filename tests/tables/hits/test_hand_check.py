"""What a hit needs of its cards, and what stands in its way."""

from __future__ import annotations

from fractions import Fraction

import pytest

from jackpot.property.rules.authority import Thresholds
from jackpot.terms.rules.paytable import ForOne, PartOfMeter
from jackpot.wins.rules.award_record import HandProof
from tables.hits.rules.hand_check import ENOUGH, HELD, Needs, needs_of, obstacle

HOUSE = Thresholds()
PART = PartOfMeter(Fraction(1, 20))


@pytest.mark.parametrize(
    ("award", "needs"),
    [(PART, "cards"), (ForOne(1000), "cards"), (ForOne(3000), "cards"), (ForOne(999), "seen"), (ForOne(10), "seen")],
)
def test_parts_and_awards_from_the_card_threshold_up_are_paid_on_cards(award: ForOne | PartOfMeter, needs: str) -> None:
    assert needs_of(award, HOUSE) == needs


def test_the_threshold_is_the_houses_own() -> None:
    assert needs_of(ForOne(250), Thresholds(cards_from=250)) is Needs.CARDS
    assert needs_of(ForOne(249), Thresholds(cards_from=250)) is Needs.SEEN


@pytest.mark.parametrize("award", [PART, ForOne(3000), ForOne(10)])
def test_a_house_that_begins_softly_needs_nothing(award: ForOne | PartOfMeter) -> None:
    assert needs_of(award, Thresholds(cards_required=False)) is Needs.NOTHING


@pytest.mark.parametrize("needs", list(Needs))
@pytest.mark.parametrize("proof", list(HandProof))
def test_every_pair_of_need_and_proof_is_decided(needs: Needs, proof: HandProof) -> None:
    met = obstacle(needs, proof, "Seat 3 (Full house)", "because.")
    assert (met is None) == (proof in ENOUGH[needs])
    if met is not None:
        assert met.why.startswith("Seat 3 (Full house): ")
        assert met.why.endswith(".")


@pytest.mark.parametrize("needs", list(Needs))
@pytest.mark.parametrize("proof", sorted(HELD))
def test_cards_that_were_entered_count_even_where_none_were_needed(needs: Needs, proof: HandProof) -> None:
    assert obstacle(needs, proof, "Seat 3", "why.") is not None


def test_what_is_missing_names_its_cure() -> None:
    cards = obstacle(Needs.CARDS, HandProof.SEEN, "Seat 3 (Royal)", "")
    seen = obstacle(Needs.SEEN, HandProof.MISSING, "Seat 3 (Full house)", "")
    assert cards is not None
    assert "Enter them on the hit's page" in cards.why
    assert seen is not None
    assert "cards seen" in seen.why
