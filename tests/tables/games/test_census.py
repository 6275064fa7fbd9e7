"""Every hand of a deck, counted."""

import json
from pathlib import Path

import pytest

from tables.games.census import Census, count_hands, remembered_census
from tables.games.poker import Category

KEPT = Path(__file__).parent / "uth" / "census.json"


def test_five_cards_make_the_published_hands() -> None:
    census = count_hands(5)
    assert (census.total, census.distinct) == (2_598_960, 7_462)
    assert [census.hands[kind] for kind in Category] == [
        1_302_540, 1_098_240, 123_552, 54_912, 10_200, 5_108, 3_744, 624, 36, 4,
    ]  # fmt: skip
    assert [census.classes[kind] for kind in Category] == [1_277, 2_860, 858, 858, 10, 1_277, 156, 156, 9, 1]


def test_seven_cards_make_the_published_hands() -> None:
    census = count_hands(7)
    assert (census.total, census.distinct) == (133_784_560, 4_824)
    assert [census.hands[kind] for kind in Category] == [
        23_294_460, 58_627_800, 31_433_400, 6_461_620, 6_180_020, 4_047_644, 3_473_184, 224_848, 37_260, 4_324,
    ]  # fmt: skip
    assert [census.classes[kind] for kind in Category] == [407, 1_470, 763, 575, 10, 1_277, 156, 156, 9, 1]
    kept = json.loads(KEPT.read_text())
    assert Census.from_plain(kept["answer"]) == census, "what other tests take for known"


def test_a_census_is_counted_once_and_read_from_the_folder(tmp_path: Path) -> None:
    counted = remembered_census(5, tmp_path)
    (kept,) = tmp_path.iterdir()
    kept.write_text(kept.read_text().replace("3744", "3745"), encoding="ascii")
    assert counted.hands[Category.FULL_HOUSE] == 3_744
    assert remembered_census(5, tmp_path).hands[Category.FULL_HOUSE] == 3_745


def test_progress_rises_to_the_whole() -> None:
    heard: list[float] = []
    count_hands(5, heard.append)
    assert heard == sorted(heard)
    assert heard[-1] == 1


def test_a_census_of_four_cards_is_refused() -> None:
    with pytest.raises(ValueError, match="hands of 5, 6 or 7 cards, not of 4"):
        count_hands(4)
