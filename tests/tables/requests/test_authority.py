"""Authority that changes while hits are open: the books' clock is set, and the gaming day rolls at 06:00."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from jackpot.authority.actions import level
from jackpot.authority.models import AuthorityChange
from jackpot.money import Money
from jackpot.people.actions.keys import key_holder, sign_key_out
from jackpot.people.actions.people import block_card
from jackpot.people.models import Card
from jackpot.property.models.property import Property
from jackpot.property.rules.authority import Needed
from jackpot.refusals import Refused
from jackpot.signing.actions import refuse, withdraw
from jackpot.trail.models import Trail
from jackpot.wins.actions.pay import redeem
from jackpot.wins.models import Win
from tables.hits.actions import hit, key
from tables.hits.actions.late_claim import claim
from tables.hits.queries.preview import who_may
from tables.rounds.rules.round import EndRequest
from tests.builders import CARD_PIN
from tests.hands import with_cards
from tests.scenes_authority import (
    AT_THE_ROLL,
    BEFORE_THE_ROLL,
    DAY_ONE,
    SetClock,
    a_set_clock,
    asked,
    raised,
    signed,
    traveller,
    two_signers,
)
from tests.tables.hits.test_hit import EXECUTIVE, SUPERVISOR, Floor, key_floor, ref_b

pytestmark = pytest.mark.django_db


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Iterator[SetClock]:
    with traveller() as journey:
        set_to = a_set_clock(monkeypatch, journey)
        set_to(DAY_ONE)
        yield set_to


def a_hit(meter: str, **more: Any) -> Floor:
    """A royal of seat 1 is asked for; with its own coin-in the meter stands at 0.70 more."""
    floor = ref_b(meter=meter, reserve="0.00", **more)
    return hit_again(floor)


def hit_again(floor: Floor) -> Floor:
    floor.coin_in("1")
    floor.mark(1, "royal")
    floor.confirm()
    return floor


def heard(floor: Floor, card: str = SUPERVISOR, pin: str = CARD_PIN) -> str:
    try:
        return "approved" if floor.card(card, pin)["missing"] is None else "another person"
    except Refused as refusal:
        return refusal.code


def house(floor: Floor) -> Property:
    return Property.objects.get(pk=floor.casino.premises.pk)


@pytest.mark.parametrize(
    ("meter", "today", "tomorrow"),
    [
        ("4999.29", "approved", "approved"),
        ("4999.30", "level", "approved"),
        ("7499.29", "level", "approved"),
        ("7499.30", "level", "level"),
    ],
)
@pytest.mark.parametrize("late", [False, True], ids=["before the roll", "after the roll"])
def test_v12_holds_under_the_old_and_the_new_threshold(
    clock: SetClock, meter: str, today: str, tomorrow: str, late: bool
) -> None:
    """4,999.99 · 5,000.00 · 7,499.99 · 7,500.00: a raise counts for rounds that begin with the next gaming day."""
    floor = ref_b(meter=meter, reserve="0.00")
    change = signed(house(floor), executive_threshold="7500.00")
    assert [step["day"] for step in change.steps] == ["2027-03-11"]
    clock(AT_THE_ROLL if late else BEFORE_THE_ROLL)
    hit_again(floor)
    assert heard(floor) == (tomorrow if late else today)


@pytest.mark.parametrize(("meter", "supervisor"), [("4999.29", "approved"), ("4999.30", "level")])
def test_v12_a_raise_does_not_reach_back_to_a_round_of_the_day_before(
    clock: SetClock, meter: str, supervisor: str
) -> None:
    """The hit is judged by its round's coin-in, and recomputed at the swipe: the stricter of both."""
    floor = a_hit(meter)
    signed(house(floor), executive_threshold="7500.00")
    clock(AT_THE_ROLL)
    assert house(floor).thresholds.executive == Money.of(7500)
    assert heard(floor) == supervisor
    if supervisor == "level":
        assert heard(floor, EXECUTIVE, "274916") == "approved"


@pytest.mark.parametrize(("meter", "supervisor"), [("3999.29", "approved"), ("3999.30", "level")])
def test_v12_a_lowered_threshold_counts_for_hits_that_are_already_asked_for(
    clock: SetClock, meter: str, supervisor: str
) -> None:
    floor = a_hit(meter)
    change = signed(house(floor), executive_threshold="4000.00")
    assert [step["day"] for step in change.steps] == [None]
    assert heard(floor) == supervisor


def test_seven_times_3000_in_one_act_need_an_executive_under_either_threshold(clock: SetClock) -> None:
    floor = Floor(meter="18636.60", reserve="0.00")
    signed(house(floor), executive_threshold="20999.99", dual_threshold="21000.00")
    clock(AT_THE_ROLL)
    floor.coin_in("1234567")
    for seat in range(1, 8):
        floor.mark(seat, "royal_community")
    floor.confirm()
    assert [heard(floor), heard(floor, EXECUTIVE, "274916")] == ["another person", "approved"]


def test_two_people_from_a_sum_counts_at_once_and_one_again_only_tomorrow(clock: SetClock) -> None:
    floor = a_hit("9000.00")
    signed(house(floor), dual_threshold="9000.00")
    assert heard(floor, EXECUTIVE, "274916") == "another person"
    signed(house(floor), dual_threshold="never")
    assert house(floor).thresholds.dual == Money.of(9000)
    clock(AT_THE_ROLL)
    assert house(floor).thresholds.dual is None


def test_a_late_claim_is_judged_by_the_day_of_its_round(clock: SetClock) -> None:
    floor = ref_b(meter="6000.00", reserve="0.00")
    floor.coin_in("1")
    floor.say(EndRequest(1))
    signed(house(floor), executive_threshold="7500.00")
    clock(AT_THE_ROLL)
    cards = [(EXECUTIVE, "274916"), ("900000000002", "385027")]
    told = claim(**floor.place(0), seat=1, hand="royal", reason="found", evidence="camera 4", cards=cards, by="Pit")
    assert told["card"] == "executive"


def test_a_pin_is_asked_for_at_once_and_no_longer_from_tomorrow(clock: SetClock) -> None:
    floor = a_hit("100.00")
    signed(house(floor), pin_from_level="supervisor")
    assert heard(floor, pin="") == "pin_needed"
    signed(house(floor), pin_from_level="executive")
    assert heard(floor, pin="") == "pin_needed"
    clock(AT_THE_ROLL)
    assert heard(floor, pin="") == "approved"


def test_a_pin_that_became_due_after_the_swipe_is_asked_for_under_the_lock(
    clock: SetClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    floor = a_hit("100.00")
    swiped = hit.card_at

    def and_then_signed(*told: Any) -> Any:
        found = swiped(*told)
        signed(house(floor), pin_from_level="supervisor")
        return found

    monkeypatch.setattr(hit, "card_at", and_then_signed)
    assert heard(floor, pin="") == "pin_needed"
    assert Win.objects.get().state == "asked"


def test_marker_and_payer_become_two_people_at_once_and_one_only_tomorrow(clock: SetClock) -> None:
    floor = ref_b(meter="100.00", reserve="0.00")
    supervisor = Card.objects.get(last_four="0001", level=2).operator
    signed(house(floor), marker_may_verify=True, verifier_may_pay=True)
    for moment, approves in ((DAY_ONE, "same_person"), (AT_THE_ROLL, "approved")):
        clock(moment)
        floor.coin_in("1")
        hit.mark(**floor.place(0), seat=1, hand="five", by=supervisor)
        floor.confirm()
        assert heard(floor) == approves
        if approves != "approved":
            hit.reject(**floor.place(0), by="Pit", why="by another person")
            floor.say(EndRequest(floor.rounds[0]))
    signed(house(floor), verifier_may_pay=False)
    with pytest.raises(Refused, match="approved this win and may not pay it"):
        redeem(slip=1, payer=supervisor)
    signed(house(floor), verifier_may_pay=True)
    clock(AT_THE_ROLL.replace(day=12))
    assert redeem(slip=1, payer=supervisor).state == "paid"


def test_the_cards_of_the_hand_are_needed_at_once_and_not_any_more_tomorrow(clock: SetClock) -> None:
    floor = Floor(meter="20000.00", reserve="0.00")
    signed(house(floor), cards_from_multiple="100")
    floor.coin_in("1")
    floor.mark(1, "four_of_a_kind")
    hit.confirm(**floor.place(0), by="Pit")
    signed(house(floor), cards_required=False)
    assert heard(floor) == "cards"
    clock(AT_THE_ROLL)
    assert heard(floor) == "cards", "its round began under the stricter rule"
    with_cards(**floor.place(0))
    assert heard(floor) == "approved"
    floor.say(EndRequest(1))
    floor.coin_in("1")
    floor.mark(1, "four_of_a_kind")
    hit.confirm(**floor.place(0), by="Pit")
    assert heard(floor) == "approved"


def test_a_raised_card_serves_from_the_next_gaming_day(clock: SetClock) -> None:
    floor = a_hit("6000.00")
    card = Card.objects.get(level=2)
    raised(card)
    assert heard(floor) == "level"
    clock(BEFORE_THE_ROLL)
    assert heard(floor) == "level"
    clock(AT_THE_ROLL)
    assert heard(floor, pin="") == "pin_needed", "an executive card needs its PIN"
    signed(house(floor), pin_from_level="executive", executive_threshold="5000.00", dual_threshold="999999.00")
    card.refresh_from_db()
    card.pin_hash = Card.objects.get(last_four="0001", level=3).pin_hash
    card.save(update_fields=["pin_hash"])
    assert str(card.operator) in who_may_now(floor)
    assert heard(floor, SUPERVISOR, "274916") == "approved"


def who_may_now(floor: Floor) -> list[str]:
    return who_may(Needed(3, 1), house(floor), [])


def test_a_lowered_card_is_refused_at_once_and_its_key_speaks_no_louder(clock: SetClock) -> None:
    floor = key_floor()
    card = Card.objects.get(last_four="0001", level=3)
    sign_key_out(premises=house(floor), number="18", operator=card.operator, by="Pit", level=Card.Level.EXECUTIVE)
    change = level.ask_level(card=card, level="supervisor", reason="other duties", by=two_signers()[0])
    assert (change.state, change.alone, change.decided_by) == ("signed", True, None)
    assert key_holder(premises=house(floor), number="18").level == Card.Level.SUPERVISOR
    floor.coin_in("1")
    floor.mark(1, "royal")
    key.turn(table_code="UTH-01", key_number="18", position="JPH")
    with_cards("UTH-01", 1)
    assert key.j_pot(table_code="UTH-01")["missing"] == "executive card on the pit page"
    assert heard(floor, EXECUTIVE, "274916") == "level"


def test_a_blocked_card_takes_its_key_along(clock: SetClock) -> None:
    floor = key_floor()
    card = Card.objects.get(last_four="0001", level=3)
    sign_key_out(premises=house(floor), number="18", operator=card.operator, by="Pit", level=Card.Level.EXECUTIVE)
    block_card(card=card, why="lost", by="Pit")
    assert key_holder(premises=house(floor), number="18").level == Card.Level.DEALER


@pytest.mark.parametrize("ends", ["locked by wrong PINs", "its last day is over"])
def test_a_key_speaks_no_louder_than_its_card_at_that_moment(clock: SetClock, ends: str) -> None:
    """Nobody touches the key, and no act alters the person: the card alone stops working, and works again."""
    floor = key_floor()
    card = Card.objects.get(last_four="0001", level=3)
    sign_key_out(premises=house(floor), number="18", operator=card.operator, by="Pit", level=Card.Level.EXECUTIVE)
    if ends == "locked by wrong PINs":
        for _ in range(3):
            heard(floor, EXECUTIVE, "000000")
    else:
        Card.objects.filter(pk=card.pk).update(expires_on=card.day_at(timezone.now()) - timedelta(days=1))
    assert key_holder(premises=house(floor), number="18").level == Card.Level.DEALER
    floor.coin_in("1")
    floor.mark(1, "royal")
    key.turn(table_code="UTH-01", key_number="18", position="JPH")
    with_cards("UTH-01", 1)
    assert key.j_pot(table_code="UTH-01")["missing"] == "executive card on the pit page"
    Card.objects.filter(pk=card.pk).update(expires_on=None, locked_at=None, wrong_pins=0)
    assert key_holder(premises=house(floor), number="18").level == Card.Level.EXECUTIVE


def test_a_card_that_was_lowered_between_the_swipe_and_the_lock_is_refused(
    clock: SetClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    floor = a_hit("6000.00")
    card = Card.objects.get(last_four="0001", level=3)
    swiped = hit.card_at

    def and_then_lowered(*told: str) -> Any:
        found = swiped(*told)
        level.ask_level(card=card, level="supervisor", reason="other duties", by=two_signers()[0])
        return found

    monkeypatch.setattr(hit, "card_at", and_then_lowered)
    assert heard(floor, EXECUTIVE, "274916") == "level"
    assert Win.objects.get().state == "asked"


def test_a_raise_that_waits_is_withdrawn_by_one_and_never_counts(clock: SetClock) -> None:
    floor = ref_b(meter="100.00")
    asker, signer = two_signers()
    change = signed(house(floor), executive_threshold="7500.00", pin_from_level="supervisor")
    gone = withdraw(request_id=change.pk, reason="the season is over", by=signer)
    assert (gone.state, gone.fallen) == ("withdrawn", {"executive_threshold": None})
    clock(AT_THE_ROLL)
    counts = house(floor).thresholds
    assert (counts.executive, counts.pin_from_level) == (Money.of(5000), 2), "what counted at once stays"
    with pytest.raises(Refused, match="withdrawn"):
        withdraw(request_id=change.pk, reason="again", by=asker)
    later = signed(house(floor), executive_threshold="4000.00")
    with pytest.raises(Refused, match="counts already"):
        withdraw(request_id=later.pk, reason="too late", by=signer)


def test_a_waiting_card_raise_is_withdrawn_or_falls_when_the_card_is_lowered(clock: SetClock) -> None:
    floor = ref_b(meter="100.00")
    card, (asker, signer) = Card.objects.get(level=2), two_signers()
    first = raised(card)
    withdraw(request_id=first.pk, reason="not yet", by=asker)
    second = raised(Card.objects.get(pk=card.pk))
    level.ask_level(card=card, level="dealer", reason="left the pit", by=signer)
    second.refresh_from_db()
    assert second.fallen == {"level": 3}
    clock(AT_THE_ROLL)
    assert Card.objects.get(pk=card.pk).level_on(house(floor).gaming_day(AT_THE_ROLL)) == 1


def test_everything_is_kept_and_told_to_the_trail(clock: SetClock) -> None:
    floor = ref_b(meter="100.00")
    asker, signer = two_signers()
    change = signed(house(floor), executive_threshold="7500.00", marker_may_verify=True, dual_threshold="20000")
    assert (change.before, change.after) == (
        {"executive_threshold": "5000.00", "dual_threshold": None, "marker_may_verify": False},
        {"executive_threshold": "7500.00", "dual_threshold": "20000.00", "marker_may_verify": True},
    )
    assert (change.asked_by, change.decided_by, change.decided_at) == (asker, signer, DAY_ONE)
    assert change.findings[0]["why"].startswith("Executive threshold from 5,000.00 to 7,500.00")
    told = Trail.objects.get(act="approve_authority")
    assert (told.actor, told.subject) == (str(signer), "REF")
    assert told.details["counts"] == {
        "executive_threshold": "2027-03-11", "dual_threshold": "at once", "marker_may_verify": "2027-03-11",
    }  # fmt: skip
    assert told.details["changes"][0] == "executive threshold 5,000.00 → 7,500.00"
    refused = asked(house(floor), executive_threshold="9000.00")
    refuse(request_id=refused.pk, reason="too high", by=signer)
    assert list(Trail.objects.filter(act__endswith="_authority").order_by("id").values_list("act", flat=True)) == [
        "ask_authority", "approve_authority", "ask_authority", "refuse_authority",
    ]  # fmt: skip
    with pytest.raises(Exception, match="stays"):
        AuthorityChange.objects.filter(pk=change.pk).update(after={})
