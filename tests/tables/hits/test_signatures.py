"""J-POT at the end of a queue, who may sign on the hit's page, and what the page says of it."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.utils import timezone

from jackpot.authority.actions.level import ask_level
from jackpot.people.actions.people import block_card
from jackpot.people.models import Card, KeyRegister
from jackpot.property.models.property import Property
from jackpot.property.rules.authority import Needed
from jackpot.refusals import Refused
from jackpot.wins.models import Signature, Win
from tables.hits.actions import hit, key
from tables.hits.actions.hand_entry import EnteredCards, enter_cards
from tables.hits.actions.hand_override import follow_cards
from tables.hits.actions.late_claim import claim
from tables.hits.queries.preview import who_may
from tables.rounds.rules.round import EndRequest
from tests.builders import CARD_PIN, a_card, a_person
from tests.hands import with_cards
from tests.scenes_authority import raised
from tests.tables.hits.test_hit import EXECUTIVE, ON_THE_PIT_PAGE, SECOND, SUPERVISOR, Floor, key_floor, ref_b

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("level", [Card.Level.SUPERVISOR, Card.Level.EXECUTIVE])
def test_j_pot_names_an_earlier_hit_before_it_asks_for_a_higher_card(level: int) -> None:
    """The executive who is called to the pit page would come in vain."""
    floor = key_floor()
    KeyRegister.objects.update(level=level)
    for table in (1, 0):
        floor.coin_in("1", table)
        floor.mark(1, "royal", table)
    floor.confirm(1)
    key.turn(table_code="UTH-01", key_number="17", position="JPH")
    with_cards(**floor.place(0))
    with pytest.raises(Refused, match="Royal flush at UTH-02 came first") as refusal:
        key.j_pot(table_code="UTH-01")
    assert (refusal.value.code, Signature.objects.count()) == ("queue", 0)
    floor.card(table=1)
    assert key.j_pot(table_code="UTH-01")["missing"] == ON_THE_PIT_PAGE


def dual_floor() -> Floor:
    floor = ref_b(meter="9998.60", reserve="0.00")
    floor.casino.premises.dual_threshold = 10_000
    floor.casino.premises.save()
    a_card(a_person("other"), number="600000000002")
    floor.coin_in("12")
    floor.mark(1, "royal")
    floor.confirm()
    with_cards(**floor.place(0))
    return floor


EVERYBODY = ["Test Executive", "Test Other", "Test Second", "Test Supervisor"]


@pytest.mark.parametrize(
    ("first", "pin", "missing", "then"),
    [
        (SUPERVISOR, CARD_PIN, "a second person's executive card", ["Test Executive", "Test Second"]),
        (EXECUTIVE, "274916", "a second person's card", ["Test Other", "Test Second", "Test Supervisor"]),
    ],
)
def test_those_are_named_whose_card_would_be_accepted_now(first: str, pin: str, missing: str, then: list[str]) -> None:
    floor = dual_floor()
    wins, house, need = list(Win.objects.all()), Property.objects.get(), Needed(3, 2)
    assert who_may(need, house, wins) == EVERYBODY
    assert hit.swipe(**floor.place(0), card=first, pin=pin)["missing"] == missing
    assert who_may(need, house, wins) == then
    assert who_may(Needed(3, 2, both=True), house, wins) == [name for name in then if name in EVERYBODY[0::2]]


def test_of_a_late_claim_neither_of_its_two_people_is_named_nor_lets_it_pass() -> None:
    floor = ref_b(2, meter="100.00")
    floor.coin_in("1", 0)
    floor.say(EndRequest(1))
    floor.coin_in("1", 1)
    floor.mark(1, "royal", 1)
    cards = [(EXECUTIVE, "274916"), (SUPERVISOR, CARD_PIN)]
    words = {"seat": 1, "hand": "five", "reason": "forgotten", "evidence": "camera 7"}
    claim(**floor.place(0), **words, cards=cards, by=a_person("typist"))
    wins = list(Win.objects.filter(table_code="UTH-01"))
    assert who_may(Needed(2), Property.objects.get(), wins) == ["Test Second"]
    for people in (cards, [(SECOND, "385027"), (SUPERVISOR, CARD_PIN)]):
        with pytest.raises(Refused, match="opened this late claim and cannot override for it") as refusal:
            hit.pass_queue(**floor.place(0), cards=people, reason="the winner left")
        assert refusal.value.code == "same_person"
    a_card(a_person("other"), number="600000000002")
    assert hit.pass_queue(**floor.place(0), cards=[(SECOND, "385027"), ("600000000002", CARD_PIN)], reason="x")["front"]


def test_one_person_changes_no_claim_into_another_line() -> None:
    """Else its two people could approve what the cards of a third made of it."""
    floor = Floor(meter="20000.00")
    floor.coin_in("3")
    floor.say(EndRequest(1))
    words = {"seat": 3, "hand": "four_of_a_kind", "reason": "forgotten", "evidence": "camera 7"}
    claim(**floor.place(0), **words, cards=[(EXECUTIVE, "274916"), (SUPERVISOR, CARD_PIN)], by=a_person("typist"))
    enter_cards(**floor.place(0), entered=EnteredCards("Ah Kh Qh As Kd", {3: "Ac 7c"}), by="Test Second")
    with pytest.raises(Refused, match="An executive and a second person reject it") as refusal:
        follow_cards(**floor.place(0), by=a_person("third"))
    assert (refusal.value.code, Win.objects.get().state) == ("two_people", "asked")


def _blocked(card: Card) -> None:
    block_card(card=card, why="stolen", by="tests")


def _lowered(card: Card) -> None:
    lower = a_person("lower", may=("people",))
    ask_level(card=card, level="dealer", reason="no longer a supervisor", by=lower)


def _lowered_and_raised_from_tomorrow(card: Card) -> None:
    """Two people gave it back, but not for today."""
    _lowered(card)
    raised(card)


@pytest.mark.parametrize("taken", [_blocked, _lowered, _lowered_and_raised_from_tomorrow])
def test_the_first_of_two_words_counts_for_no_more_than_its_card_may_do_now(taken: Callable[[Card], None]) -> None:
    """The executive's card is taken while the second card is awaited: a supervisor's does not finish the act."""
    floor = dual_floor()
    house, need = Property.objects.get(), Needed(3, 2)
    assert floor.card()["missing"] == "a second person's card"
    taken(Card.objects.get(operator__username="executive"))
    word = Signature.objects.select_related("operator", "card").get()
    assert word.worth(house.gaming_day(timezone.now())) < Card.Level.SUPERVISOR
    assert who_may(need, house, list(Win.objects.all())) == ["Test Other", "Test Second", "Test Supervisor"]
    assert floor.card(SUPERVISOR, CARD_PIN)["missing"] == "a second person's executive card"
    with pytest.raises(Refused, match="This needs an executive card") as refusal:
        floor.card("600000000002", CARD_PIN)
    assert (refusal.value.code, Win.objects.get().state) == ("level", "asked")
    assert floor.card(SECOND, "385027")["missing"] is None
    assert Win.objects.get().state == "owed"
    assert Signature.objects.filter(part="approve").count() == 3, "the fallen word stays on record"
