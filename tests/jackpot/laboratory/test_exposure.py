"""The worst round that can be dealt."""

from dataclasses import replace

import pytest

from jackpot.laboratory.exposure import worst_round, worst_rounds
from jackpot.laboratory.growth import NoSuchFigure
from jackpot.money import Money
from jackpot.terms.rules.paytable import Source
from tests.jackpot.laboratory.scene import KNOWN, SHARED, SMALL_TABLE, setting


def worst(meter: str, source: Source = "meter", seed: str = "50") -> tuple[str, str, str]:
    found = worst_round(setting(source, table=SMALL_TABLE, seed=seed), SHARED, seats=2, meter=Money.of(meter))
    return str(found.from_meter), str(found.from_tray), str(found.shortfall)


def test_at_a_high_meter_the_whole_meter_is_the_worst() -> None:
    assert worst("100") == ("110.00", "0.00", "0.00")


def test_at_a_low_meter_two_fixed_awards_are_the_worst() -> None:
    assert worst("5") == ("20.00", "0.00", "15.00")


def test_from_the_tray_the_meter_lacks_nothing() -> None:
    assert worst("5", "tray") == ("0.00", "20.00", "0.00")


def test_a_fixed_award_after_the_whole_meter_is_drawn_on_the_seed() -> None:
    assert worst("100", seed="4") == ("110.00", "0.00", "6.00")


def test_the_sentence_shows_the_cards() -> None:
    found = worst_round(setting(table=SMALL_TABLE), SHARED, seats=2, meter=Money.of("5"))
    assert found.sentence == (
        "At a meter of 5.00 the worst deal costs 20.00, 15.00 of it not in the meter: board 8c; seat 1 2h, seat 2 2d."
    )


def test_one_row_for_each_meter() -> None:
    meters = [Money.of(meter) for meter in ("5", "100")]
    found = worst_rounds(setting(table=SMALL_TABLE), SHARED, seats=2, meters=meters)
    assert [row.witness.board for row in found] == ["8c", "9c"]


def test_a_number_of_seats_without_deals_is_refused() -> None:
    with pytest.raises(NoSuchFigure, match="No deals are known for 3 seats; they are for 2"):
        worst_round(setting(table=SMALL_TABLE), SHARED, seats=3, meter=Money.of("5"))
    with pytest.raises(NoSuchFigure, match="they are for none"):
        worst_round(setting(), KNOWN, seats=3, meter=Money.of("5"))


@pytest.mark.parametrize(("digits", "costs"), [(0, "110"), (2, "110.56"), (3, "110.567")])
def test_an_award_is_cut_to_what_the_currency_pays(digits: int, costs: str) -> None:
    of_currency = replace(setting(table=SMALL_TABLE, seed="50"), digits=digits)
    found = worst_round(of_currency, SHARED, seats=2, meter=Money.of("100.567"))
    assert found.from_meter == Money.of(costs)
