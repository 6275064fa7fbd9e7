"""What a preview of other authority says, in figures."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from jackpot.authority.rules.authority_preview import CardsSeen, Found, WinSeen, card_preview, preview
from jackpot.money import Money
from jackpot.property.rules.authority import AwardPart, Thresholds, thresholds_of
from jackpot.property.rules.authority_change import card_differs, differences
from jackpot.property.rules.witness import WitnessPart
from tests.jackpot.property.test_authority_change import FIRST

ENOUGH = CardsSeen({1: 9, 2: 4, 3: 2}, {}, jackpots=frozenset({"GRAND"}))
A_WIN = WinSeen(Money.of("100.00"), 100, (2,), marker_approved=False, approver_paid=False)


def said(
    wins: list[WinSeen], cards: CardsSeen = ENOUGH, first: dict[str, Any] | None = None, **wished: Any
) -> list[str]:
    before = {**FIRST, **(first or {})}
    after = thresholds_of({**before, **wished})
    found = preview(differences(before, wished), thresholds_of(before), after, wins, cards)
    return [f"{each.weight}: {each.why}" for each in found]


def acts(*totals: str) -> list[WinSeen]:
    return [replace(A_WIN, total=Money.of(total)) for total in totals]


def test_a_raised_threshold_counts_the_wins_that_a_supervisor_would_have_approved() -> None:
    wins = acts("4999.99", "5000.00", "7499.99", "7500.00", "6000.00", *["10.00"] * 20)
    why = "Executive threshold from 5,000.00 to 7,500.00: of the last 25 wins 3 would have needed a supervisor only."
    assert said(wins, executive_threshold="7500.00") == [f"advice: {why}"]


def test_a_lowered_threshold_counts_the_wins_that_would_have_needed_more() -> None:
    assert said(acts("4000.00", "3999.99"), executive_threshold="4000.00")[0].endswith(
        "of the last 2 wins 1 more would have needed an executive."
    )


def test_a_threshold_of_a_jackpot_counts_by_what_the_act_paid_there() -> None:
    wins = [replace(win, parts=(AwardPart("GRAND", "royal", win.total),)) for win in acts("400.00", "399.99")]
    told = said(wins, own_executive={"GRAND": "400.00", "MINI/royal": "1.00"})
    assert told[0].endswith(
        "to GRAND 400.00; MINI/royal 1.00: of the last 2 wins 1 more would have needed an executive."
    )
    assert told[1:] == ["warning: There is no jackpot MINI here: its threshold waits for one of that name."]


def test_a_line_of_the_table_counts_the_wins_that_would_have_waited_and_says_who_is_not_there() -> None:
    told = said(acts("25000.00", "24999.99"), surveillance_witness="25000.00")
    assert told[0].endswith("of the last 2 wins 1 more would have waited for surveillance to stand by.")
    assert "Nobody here could stand by as surveillance: from 25,000.00 up no slip could be paid." in told[1]
    seen = replace(ENOUGH, speak=frozenset({WitnessPart.SURVEILLANCE}))
    assert len(said([], seen, surveillance_witness="25000.00")) == 1


def test_without_a_win_it_says_so() -> None:
    assert said([], executive_threshold="7500.00")[0].endswith("no win is there yet to compare with.")


@pytest.mark.parametrize(
    ("win", "first", "wished", "words"),
    [
        ({"total": Money.of(9000)}, {}, {"dual_threshold": "9000.00"}, "1 more would have needed two people"),
        ({}, {"dual_threshold": "50.00"}, {"dual_threshold": None}, "1 would have needed one person only"),
        ({}, {}, {"pin_from_level": 2}, "1 more would have needed a PIN"),
        ({}, {"pin_from_level": 2}, {"pin_from_level": 3}, "1 would have been approved without a PIN"),
        ({"times": 250}, {}, {"cards_from_multiple": 250}, "1 more would have needed the cards"),
        ({"times": None}, {}, {"cards_from_multiple": 250}, "none more would have needed the cards"),
        ({}, {}, {"cards_required": False}, "1 would have been approved without a look at the hand"),
        ({"total": Money.of(9000), "levels": (3, 2)}, {"dual_threshold": "50.00"}, {"both_need_level": True},
         "1 were signed by two people of whom one was below the level, and would have needed another"),
        ({"total": Money.of(9000), "levels": (3, 2)}, {}, {"both_need_level": True},
         "none were signed by two people of whom one was below the level, and would have needed another"),
        ({"marker_approved": True}, {"marker_may_verify": True}, {"marker_may_verify": False},
         "1 were approved by whoever marked them, and would have needed another person"),
        ({"approver_paid": True}, {"verifier_may_pay": True}, {"verifier_may_pay": False},
         "1 were paid by whoever approved them, and would have needed another person"),
    ],
)  # fmt: skip
def test_every_setting_is_counted_over_the_last_wins(
    win: dict[str, Any], first: dict[str, Any], wished: dict[str, Any], words: str
) -> None:
    heard = said([replace(A_WIN, **win)], first=first, **wished)
    assert heard[0].endswith(f"of the one win so far {words}.")


def test_a_change_that_leaves_nobody_to_approve_is_a_warning() -> None:
    nobody = CardsSeen({2: 1, 3: 0}, {2: 3})
    assert said([], nobody, executive_threshold="100.00")[1:] == [
        "warning: Nobody has an executive card that works: from 100.00 up no win could be approved."
    ]
    alone = (
        "Only one person has an executive card that works: from 9,000.00 up two different people could not be found."
    )
    one_executive = CardsSeen({2: 5, 3: 1}, {})
    assert said([], one_executive, dual_threshold="9000.00")[1:] == [], "one of the two has the level"
    both = {"both_need_level": True}
    assert said([], one_executive, both, dual_threshold="9000.00")[1:] == [f"warning: {alone}"]
    assert "Only one person has a supervisor card" in said([], CardsSeen({2: 1, 3: 1}, {}), dual_threshold="1.00")[1]
    assert "Nobody has an executive card" in said([], CardsSeen({2: 5, 3: 0}, {}), dual_threshold="9000.00")[1]
    assert said([], nobody, pin_from_level=2)[1:] == [
        "warning: 3 cards have no PIN and could approve nothing until one is set."
    ]
    assert len(said([], marker_may_verify=True)) == len(said([], cards_required=False)) == 2


def test_a_cards_other_level_is_counted_too() -> None:
    wins = acts("10.00", "6000.00")
    found = card_preview(card_differs(2, 3), "Ada", Thresholds(), wins, has_pin=False)
    assert found[0].why == (
        "Level of the card from supervisor to executive: of the last 2 wins Ada could have approved 1 before, 2 then."
    )
    assert found[1] == Found(
        "warning", "This card has no PIN, and a card of level executive needs one here: set one first."
    )
