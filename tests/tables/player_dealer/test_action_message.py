"""The word `action` at the device’s door: a box at a player-banked table, from the bets to the end of the hand."""

from __future__ import annotations

from typing import Any

import pytest
from django.utils import timezone

from jackpot.money import ZERO
from tables.floor.rules.collection import CollectionRule, FeeBasis
from tables.player_dealer.models import BankedHand
from tables.rounds.models.round import Round
from tables.setup.actions.collections import declare_collection
from tests.builders import a_card, a_controller, a_person, a_table
from tests.controller import HttpController, secret_for
from tests.indoors import Indoors

pytestmark = pytest.mark.django_db
BETS = [{"seat": 1, "wagers": {"ante": "25", "blind": "25"}}, {"seat": 4, "wagers": {"ante": "10", "blind": "10"}}]
BANK = {"seat": 3, "wager": "500"}
DEALER = "600000000101"


class BankedBox:
    """The controller of a table that a player banks, in a house that collects by option 4."""

    def __init__(self, door: Indoors) -> None:
        table = a_table("PD-01", bank="player_dealer", seats=6)
        day = table.premises.gaming_day(timezone.now())
        declare_collection(tables=[table], rule=CollectionRule(day, FeeBasis.ACTION, ZERO, "001", 4), by="tests")
        self.device = a_controller(table)
        self.box = HttpController(door, self.device, secret_for(self.device))

    def say(self, do: str, **words: Any) -> dict[str, Any]:
        _, answer = self.box.say(id=1, do=do, **words)
        return answer


@pytest.fixture
def box(indoors: Indoors) -> BankedBox:
    return BankedBox(indoors)


def test_a_hand_from_its_bets_to_its_end_and_the_button_moves(box: BankedBox) -> None:
    a_card(a_person("dealer"), number=DEALER, level="dealer")
    assert box.say("dealer", badge=DEALER, **{"in": True})["ok"]
    for number, fee in ((1, "2.00"), (2, "2.00")):
        answer = box.say("action", round=number, bank=BANK, bets=BETS)
        assert answer["ok"], answer
        assert (answer["bank"]["action"], answer["bank"]["fee"]) == ("70.00", fee)
        assert box.say("end", round=number)["next_round"] == number + 1
    assert answer["bank"]["next_seat"] == 4
    refused = box.say("action", round=3, bank=BANK, bets=BETS)
    assert refused["why"] == "Seat 3 has banked two hands in a row. Offer the bank to the next seat, clockwise."
    assert box.say("hello", device="PD-01-C", version="2.0.0")["bank"]["next_seat"] == 4
    hand = BankedHand.objects.get(number=1)
    assert (str(hand.dealer), hand.device) == ("Test Dealer", box.device)


def test_said_again_it_is_heard_once_and_a_round_that_runs_is_ended_first(box: BankedBox) -> None:
    first, again = (box.say("action", round=1, bank=BANK, bets=BETS) for _ in range(2))
    assert (first["repeat"], again["repeat"]) == (False, True)
    assert box.say("action", round=1, bank=BANK, bets=BETS[:1])["code"] == "clash"
    assert box.say("action", round=2, bank=BANK, bets=BETS)["code"] == "round_open"
    assert (BankedHand.objects.count(), Round.objects.count()) == (1, 1)


@pytest.mark.parametrize(
    ("words", "code", "why"),
    [
        ({"bets": []}, "not_a_message", "“bets” must list the seats"),
        ({"bank": {"seat": 3}}, "not_a_message", "“bank” takes exactly seat and wager"),
        ({"bets": [{"seat": 9, "wagers": {"ante": "5", "blind": "5"}}]}, "action", "There is no seat 9"),
        ({"round": 4}, "gap", "The next round at PD-01 is 1, not 4"),
        ({"tip": "5"}, "not_a_message", "action takes no “tip”"),
    ],
)
def test_what_cannot_be_is_refused_with_its_cure(box: BankedBox, words: dict[str, Any], code: str, why: str) -> None:
    answer = box.say("action", **{"round": 1, "bank": BANK, "bets": BETS, **words})
    assert (answer["ok"], answer["code"]) == (False, code)
    assert answer["why"].startswith(why)
    assert not BankedHand.objects.exists()
