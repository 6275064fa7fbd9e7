"""Everything the floor refuses, as a controller hears it: a code, a sentence that names the thing, and the cure.

Each refusal of the rule sheet's page on the floor stands here once, at the device's own door; that a refusal goes
over the wire as it is said here is test_gateway's.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from jackpot.books.models.entry import Entry
from jackpot.people.actions.keys import sign_key_out
from jackpot.people.models import Card
from jackpot.wins.models import Win
from tables.floor.actions.state import set_table_state
from tables.floor.models.table import Profile, Table, TableState
from tables.rounds.models.round import Round
from tests.builders import CARD_PIN, Casino, a_card, a_casino, a_pay_table, a_person, a_version_rule
from tests.controller import HttpController, SocketController, secret_for

SUPERVISOR, EXECUTIVE, DEALER, PIN = "600000000001", "900000000001", "600000000101", "274916"
LINES = [
    {"code": "royal", "name": "Royal flush", "part": "1"},
    {"code": "full_house", "name": "Full house", "for_one": 10, "source": "tray"},
    {"code": "four", "name": "Four of a kind", "for_one": 6000, "source": "tray"},
]


class Box:
    """A controller at UTH-01 of a house with a supervisor, an executive and key 17."""

    def __init__(self, live: Any, profile: str = Profile.CARD) -> None:
        self.casino: Casino = a_casino(pay_table=a_pay_table(lines=LINES), meter="20000.00")
        Table.objects.update(profile=profile)
        holder = a_person("supervisor")
        a_card(holder, number=SUPERVISOR, level="supervisor")
        a_card(a_person("executive"), number=EXECUTIVE, level="executive", pin=PIN)
        a_card(a_person("dealer"), number=DEALER, level="dealer")
        sign_key_out(premises=self.casino.premises, number="17", operator=holder, by="tests")
        self.box = HttpController(live, self.casino.controller, secret_for(self.casino.controller))

    def say(self, do: str, **words: Any) -> dict[str, Any]:
        _, answer = self.box.say(id=1, do=do, **words)
        return answer

    def told(self, do: str, **words: Any) -> dict[str, Any]:
        answer = self.say(do, **words)
        assert answer["ok"], answer
        return answer

    def runs(self, seats: str = "25") -> None:
        self.told("coin_in", round=1, seats=[int(seat) for seat in seats])

    def marks(self, seat: int = 2, hand: str = "full_house") -> None:
        self.told("mark", round=1, seat=seat, hand=hand)

    def asks(self, hand: str = "full_house") -> None:
        self.runs()
        self.marks(hand=hand)
        self.told("confirm", round=1)

    def wins(self) -> None:
        self.asks()
        self.told("card", round=1, card=SUPERVISOR, pin=CARD_PIN)

    def at_jph(self) -> None:
        self.runs()
        self.marks()
        self.told("key", key="17", position="JPH")

    def lit_at_jph(self) -> None:
        self.runs()
        self.told("mark", round=1, hand="full_house")
        self.told("key", key="17", position="JPH")


def stands() -> tuple[Any, ...]:
    """All that a refusal must leave as it was."""
    rounds = list(Round.objects.values_list("number", "state", "seats", "open_hits"))
    wins = list(Win.objects.values_list("id", "state", "seat", "amount"))
    return rounds, wins, Entry.objects.count(), list(Table.objects.values_list("key_at_jph", "state"))


def dual(box: Box) -> None:
    box.casino.premises.dual_threshold = 5
    box.casino.premises.save()
    box.asks()
    box.told("card", round=1, card=SUPERVISOR, pin=CARD_PIN)


def ends(box: Box) -> None:
    box.runs()
    box.told("end", round=1)


def in_state(state: TableState) -> Callable[[Box], None]:
    def put(box: Box) -> None:
        set_table_state(table=box.casino.table, state=state, by="tests", why="dead spot")

    return put


def nothing(_: Box) -> None: ...


JPH = "Key 17 stands at JPH at UTH-01. Turn the key to RUN."
CARD_PROFILE: list[tuple[str, Callable[[Box], None], str, dict[str, Any], str, str]] = [
    ("coin-in twice", Box.runs, "coin_in", {"round": 2, "seats": [1]}, "round_open",
     "Round 1 at UTH-01 is still open. Press END GAME first."),
    ("coin-in of other seats", Box.runs, "coin_in", {"round": 1, "seats": [1]}, "clash",
     "Round 1 at UTH-01 was already counted with seats 2 and 5. Say hello again to learn the next round."),
    ("a round that is not next", nothing, "coin_in", {"round": 5, "seats": [1]}, "gap",
     "The next round at UTH-01 is 1, not 5. Say hello to agree again."),
    ("more seats than the table has", nothing, "coin_in", {"round": 1, "seats": [8]}, "seats",
     "UTH-01 has seats 1 to 7; there is no seat 8."),
    ("more spots than the table has seats", nothing, "coin_in", {"round": 1, "seats": [1], "spots": "10000000"},
     "spots", "“spots” says 8 signs; UTH-01 has 7 seats. Send one sign a seat, seat 1 first."),
    ("a sensor map of more spots than seats", nothing, "spots", {"spots": "00000001"},
     "spots", "“spots” says 8 signs; UTH-01 has 7 seats. Send one sign a seat, seat 1 first."),
    ("a recount of more spots than seats", Box.runs, "recount", {"round": 1, "seats": [1], "spots": "100000000",
     "card": SUPERVISOR}, "spots", "“spots” says 9 signs; UTH-01 has 7 seats. Send one sign a seat, seat 1 first."),
    ("held", in_state(TableState.HELD), "coin_in", {"round": 1, "seats": [1]}, "held",
     "UTH-01 is held: dead spot. A supervisor releases it on the pit page."),
    ("closed", in_state(TableState.CLOSED), "coin_in", {"round": 1, "seats": [1]}, "closed",
     "UTH-01 is closed. A supervisor opens it on the pit page."),
    ("in maintenance", in_state(TableState.MAINTENANCE), "coin_in", {"round": 1, "seats": [1]}, "maintenance",
     "UTH-01 is in maintenance: keys answer, nothing is counted."),
    ("a mark without coin-in", Box.runs, "mark", {"round": 1, "seat": 3, "hand": "full_house"}, "no_coin_in",
     "Seat 3 has no coin-in in round 1; seats 2 and 5 took part."),
    ("a mark in a round that never began", nothing, "mark", {"round": 1, "seat": 3, "hand": "full_house"}, "no_round",
     "There is no round 1 at UTH-01. Say hello again."),
    ("a mark after the end", ends, "mark", {"round": 1, "seat": 2, "hand": "full_house"}, "round_over",
     "Round 1 at UTH-01 is over. A late claim goes to the pit."),
    ("a hand nobody pays", Box.runs, "mark", {"round": 1, "seat": 2, "hand": "pair"}, "no_hand",
     "No jackpot of UTH-01 pays the hand “pair”."),
    ("a hand without its seat", Box.runs, "mark", {"round": 1, "hand": "full_house"}, "seat",
     "Say which seat holds Full house. Only a hand on the board is everybody's."),
    ("a mark after CONFIRM", Box.asks, "mark", {"round": 1, "seat": 5, "hand": "full_house"}, "asked",
     "CONFIRM was pressed, the marks are closed. Reject the hits to mark again."),
    ("an un-mark after CONFIRM", Box.asks, "unmark", {"round": 1, "seat": 2, "hand": "full_house"}, "asked",
     "CONFIRM was pressed, the marks are closed. Reject the hits to mark again."),
    ("a second award", Box.wins, "mark", {"round": 1, "seat": 2, "hand": "four"}, "awarded",
     "Seat 2 already has Full house of GRAND in this round."),
    ("CONFIRM without a mark", Box.runs, "confirm", {"round": 1}, "not_now",
     "Round 1 at UTH-01 has no hit marked. Mark one first."),
    ("a card before CONFIRM", lambda box: (box.runs(), box.marks()), "card", {"round": 1, "card": SUPERVISOR},
     "confirm_first", "Nothing is asked for at UTH-01. Press CONFIRM first."),
    ("a card below the level", lambda box: box.asks("four"), "card",
     {"round": 1, "card": SUPERVISOR, "pin": CARD_PIN}, "level",
     "This needs an executive card; Test Supervisor has a supervisor card."),
    ("a dealer's badge", Box.asks, "card", {"round": 1, "card": DEALER}, "pin_needed",
     "Card •••• 0101 does not do this alone. Give its PIN, or use a card of the level that is asked for."),
    ("an unknown card", Box.asks, "card", {"round": 1, "card": "123456789"}, "pin_needed",
     "Card •••• 6789 does not do this alone. Give its PIN, or use a card of the level that is asked for."),
    ("an executive's card without PIN", lambda box: box.asks("four"), "card", {"round": 1, "card": EXECUTIVE},
     "pin_needed",
     "Card •••• 0001 does not do this alone. Give its PIN, or use a card of the level that is asked for."),
    ("one person for two signatures", dual, "card", {"round": 1, "card": SUPERVISOR, "pin": CARD_PIN}, "same_person",
     "Test Supervisor has already signed. A second, different person must."),
    ("a card after the approval", Box.wins, "card", {"round": 1, "card": SUPERVISOR, "pin": CARD_PIN}, "approved",
     "Nothing is asked for at UTH-01: Full house at seat 2 is slip 1, approved by Test Supervisor."),
    ("END with an open hit", lambda box: (box.runs(), box.marks()), "end", {"round": 1}, "hits_open",
     "Round 1 at UTH-01 still has open: Full house at seat 2. Settle that first, or an executive parks it."),
    ("END of a round that never began", nothing, "end", {"round": 3}, "no_round",
     "Round 3 at UTH-01 was never begun. The last is 0."),
    ("parking without a hit", Box.runs, "park", {"round": 1, "card": EXECUTIVE, "pin": PIN, "reason": "x"}, "no_hit",
     "Round 1 at UTH-01 has no open hit. Press END GAME."),
    ("a key at a table of cards", Box.runs, "key", {"key": "17", "position": "JPH"}, "profile",
     "UTH-01 works with cards; it has no key switch."),
]  # fmt: skip
KEY_PROFILE: list[tuple[str, Callable[[Box], None], str, dict[str, Any], str, str]] = [
    ("COIN IN at JPH", lambda box: box.told("key", key="17", position="JPH"), "coin_in", {"round": 1, "seats": [1]},
     "key_at_jph", JPH),
    ("a mark at JPH", Box.at_jph, "mark", {"round": 1, "seat": 5, "hand": "full_house"}, "key_at_jph", JPH),
    ("a lit key at JPH", Box.at_jph, "mark", {"round": 1, "hand": "royal"}, "key_at_jph", JPH),
    ("an un-mark at JPH", Box.lit_at_jph, "unmark", {"round": 1, "hand": "full_house"}, "key_at_jph", JPH),
    ("GAME OVER at JPH", Box.at_jph, "end", {"round": 1}, "key_at_jph", JPH),
    ("parking at JPH", Box.at_jph, "park", {"round": 1, "card": EXECUTIVE, "pin": PIN, "reason": "x"}, "key_at_jph",
     JPH),
    ("J-POT with the key at RUN", lambda box: (box.runs(), box.marks()), "j_pot", {}, "key_at_run",
     "Turn the key to JPH at UTH-01 before J-POT."),
    ("J-POT with no lit hand", lambda box: (box.runs(), box.told("key", key="17", position="JPH")), "j_pot", {},
     "no_hit", "No hand is lit at UTH-01. Light the winning hand first."),
    ("J-POT without the seats", Box.lit_at_jph, "j_pot", {}, "seats_missing",
     "Say on the pit page which seats hold Full house in round 1 at UTH-01. Until then nobody can be asked for it."),
    ("a key that is not signed out", Box.runs, "key", {"key": "18", "position": "JPH"}, "key_unknown",
     "Key 18 is not signed out to anybody. Sign it out on the pit page first."),
    ("another key to RUN", Box.at_jph, "key", {"key": "18", "position": "RUN"}, "wrong_key",
     "Key 17 stands at JPH at UTH-01, not key 18. Turn that one to RUN."),
]  # fmt: skip


def check(box: Box, play: Callable[[Box], Any], do: str, words: dict[str, Any], code: str, why: str) -> None:
    play(box)
    before = stands()
    answer = box.say(do, **words)
    assert (answer["ok"], answer["code"], answer["why"]) == (False, code, why)
    assert stands() == before, "a refusal changes nothing"


@pytest.mark.parametrize(
    ("play", "do", "words", "code", "why"), [each[1:] for each in CARD_PROFILE], ids=[each[0] for each in CARD_PROFILE]
)
def test_card_profile_refuses(
    indoors: Any, play: Callable[[Box], Any], do: str, words: dict[str, Any], code: str, why: str
) -> None:
    check(Box(indoors), play, do, words, code, why)


@pytest.mark.parametrize(
    ("play", "do", "words", "code", "why"), [each[1:] for each in KEY_PROFILE], ids=[each[0] for each in KEY_PROFILE]
)
def test_key_profile_refuses(
    indoors: Any, play: Callable[[Box], Any], do: str, words: dict[str, Any], code: str, why: str
) -> None:
    check(Box(indoors, Profile.KEY), play, do, words, code, why)


def test_a_second_key_cannot_be_turned_to_jph_while_one_stands_there(indoors: Any) -> None:
    box = Box(indoors, Profile.KEY)
    other = a_person("other")
    sign_key_out(premises=box.casino.premises, number="18", operator=other, by="tests", level=Card.Level.SUPERVISOR)
    why = "Key 17 already stands at JPH at UTH-01. Turn it to RUN first."
    check(box, Box.at_jph, "key", {"key": "18", "position": "JPH"}, "wrong_key", why)


def test_a_controller_below_version_hears_hello_and_counts_nothing(live: Any) -> None:
    box = Box(live)
    a_version_rule(box.casino.premises)
    table = SocketController(live, box.casino.controller, box.box.secret, version="6.9")
    assert table.greeting["next_round"] == 1
    refused = table.say(do="coin_in", round=1, seats=[1])
    assert (refused["code"], "UTH-01-C runs “6.9”" in refused["why"]) == ("version", True)
    assert "A technician updates it." in refused["why"]
    table.close()
    assert not Round.objects.exists()


def test_the_closed_list_names_order_amounts_and_the_card_that_is_needed(indoors: Any) -> None:
    box = Box(indoors)
    box.runs()
    box.marks(5)
    box.marks(2, "royal")
    told = box.told("confirm", round=1)
    shown = [(each["place"], each["seat"], each["hand"], each["amount"]) for each in told["hits"]]
    assert shown == [(1, 5, "full_house", "10.00"), (2, 2, "royal", "20001.40")]
    assert (told["total"], told["card"], told["people"]) == ("20011.40", "executive", 1)
    assert box.told("confirm", round=1)["hits"] == told["hits"], "asked again, it says the same"


def test_a_round_without_a_chip_is_a_round_without_an_entry(indoors: Any) -> None:
    box = Box(indoors)
    before = Entry.objects.count()
    assert box.told("coin_in", round=1, seats=[])["coin_in"]["total"] == "0.00"
    assert box.told("end", round=1)["next_round"] == 2
    assert Entry.objects.count() == before
