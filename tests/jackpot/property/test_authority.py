"""Thresholds and switches of the house, each under every value, by the acts that people and boxes perform."""

from __future__ import annotations

from typing import Any

import pytest

from jackpot.books.models.entry import Entry
from jackpot.money import Money
from jackpot.people.models import Card, KeyRegister, Operator
from jackpot.property.rules.authority import EXECUTIVE as EXECUTIVES
from jackpot.property.rules.authority import SUPERVISOR as SUPERVISORS
from jackpot.property.rules.authority import Needed, Thresholds, needed
from jackpot.refusals import Refused
from jackpot.terms.rules.policy import CHOICES
from jackpot.wins.actions.pay import redeem
from jackpot.wins.models import Signature, Win
from tables.hits.actions import hit, key
from tables.hits.actions.hand_entry import EnteredCards, enter_cards
from tests.builders import CARD_PIN, a_card, a_pay_table, a_person
from tests.hands import with_cards
from tests.tables.hits.test_hit import EXECUTIVE, REF_B, SECOND, SUPERVISOR, Floor, amounts, key_floor, ref_b

pytestmark = pytest.mark.django_db

OTHER, DEALER = "600000000002", "500000000001"
PINS = {SUPERVISOR: CARD_PIN, OTHER: CARD_PIN, DEALER: CARD_PIN, EXECUTIVE: "274916", SECOND: "385027"}
ENVY = [{"code": "royal", "name": "Royal flush", "part": "1", "envy": "1000.00"}]


def a_house(floor: Floor, **switches: Any) -> Floor:
    premises = floor.casino.premises
    for name, value in switches.items():
        setattr(premises, name, value)
    premises.save()
    return floor


def a_royal(meter: str, **switches: Any) -> Floor:
    """A royal of seat 1 is asked for; with its own coin-in the meter stands at 0.70 more."""
    floor = a_house(ref_b(meter=meter, reserve="0.00"), **switches)
    a_card(a_person("other"), number=OTHER)
    a_card(a_person("badge"), number=DEALER, level="dealer", pin=CARD_PIN)
    floor.coin_in("12")
    floor.mark(1, "royal")
    floor.confirm()
    return floor


def swipes(floor: Floor, *numbers: str) -> list[str]:
    """What each card brought: approved, another person, or why it was refused."""
    heard = []
    for number in numbers:
        try:
            answer = floor.card(number, PINS[number])
            heard.append("another person" if answer["missing"] else "approved")
        except Refused as refusal:
            heard.append(refusal.code)
    return heard


@pytest.mark.parametrize(
    ("total", "dual", "level", "people"),
    [
        ("0.01", None, SUPERVISORS, 1),
        ("4999.99", "10000.00", SUPERVISORS, 1),
        ("5000.00", "10000.00", EXECUTIVES, 1),
        ("9999.99", "10000.00", EXECUTIVES, 1),
        ("10000.00", "10000.00", EXECUTIVES, 2),
        ("10000.00", None, EXECUTIVES, 1),
        ("3000.00", "3000.00", SUPERVISORS, 2),
    ],
)
def test_the_threshold_itself_already_needs_more(total: str, dual: str | None, level: int, people: int) -> None:
    thresholds = Thresholds(dual=None if dual is None else Money.of(dual))
    assert needed(Money.of(total), thresholds) == Needed(level, people)


@pytest.mark.parametrize(
    ("meter", "cards", "heard"),
    [
        ("4998.59", [SUPERVISOR], ["approved"]),
        ("4998.60", [SUPERVISOR, EXECUTIVE], ["level", "approved"]),
        ("4998.59", [EXECUTIVE], ["approved"]),
        ("9998.59", [SUPERVISOR, EXECUTIVE], ["level", "approved"]),
        ("9998.60", [EXECUTIVE, EXECUTIVE, SUPERVISOR], ["another person", "same_person", "approved"]),
        ("9998.60", [SUPERVISOR, SUPERVISOR, OTHER, EXECUTIVE], ["another person", "same_person", "level", "approved"]),
        ("9998.60", [DEALER, EXECUTIVE, SECOND], ["level", "another person", "approved"]),
    ],
)
def test_cards_below_at_and_above_the_executive_and_the_dual_threshold(
    meter: str, cards: list[str], heard: list[str]
) -> None:
    assert swipes(a_royal(meter, dual_threshold=10_000), *cards) == heard


@pytest.mark.parametrize(
    ("both", "cards", "heard"),
    [
        (False, [EXECUTIVE, SUPERVISOR], ["another person", "approved"]),
        (False, [SUPERVISOR, EXECUTIVE], ["another person", "approved"]),
        (False, [EXECUTIVE, SECOND], ["another person", "approved"]),
        (True, [SUPERVISOR, EXECUTIVE], ["level", "another person"]),
        (True, [EXECUTIVE, SUPERVISOR, SECOND], ["another person", "level", "approved"]),
    ],
)
def test_of_two_people_one_has_the_level_or_both_by_the_switch(both: bool, cards: list[str], heard: list[str]) -> None:
    assert swipes(a_royal("9998.60", dual_threshold=10_000, both_need_level=both), *cards) == heard


@pytest.mark.parametrize("both", [False, True])
@pytest.mark.parametrize("given", [[SUPERVISORS], [EXECUTIVES], [], [1], [1, 1]])
@pytest.mark.parametrize("level", [SUPERVISORS, EXECUTIVES])
@pytest.mark.parametrize("people", [1, 2])
def test_whoever_is_let_sign_last_completes_the_act(people: int, level: int, given: list[int], both: bool) -> None:
    """The level asked of the next word is exactly the least one with which the act can still be completed."""
    need = Needed(level, people, both)
    words = [word for word in given if word >= need.least]
    if need.met(words) or len(words) != people - 1:
        return
    assert [need.met([*given, each]) for each in (1, 2, 3)] == [each >= need.still(given) for each in (1, 2, 3)]


@pytest.mark.parametrize("key_of", [Card.Level.SUPERVISOR, Card.Level.EXECUTIVE])
def test_what_two_people_approve_a_key_only_asks_for(key_of: int) -> None:
    floor = a_house(key_floor(), executive_threshold=Money.of("20001.00").decimal(), dual_threshold=20_000)
    KeyRegister.objects.update(level=key_of)
    floor.coin_in("1")
    floor.mark(1, "royal")
    key.turn(table_code="UTH-01", key_number="17", position="JPH")
    assert key.j_pot(table_code="UTH-01")["missing"] == "supervisor card on the pit page, then a second person's"
    assert Signature.objects.count() == 0


@pytest.mark.parametrize(("threshold", "heard"), [(20_001, "approved"), (20_000, "level")])
def test_the_executive_threshold_is_the_houses_own(threshold: int, heard: str) -> None:
    assert swipes(a_royal("19998.60", executive_threshold=threshold), SUPERVISOR) == [heard]


@pytest.mark.parametrize(("threshold", "missing"), [("20000.01", None), ("20000.00", "executive card on the pit page")])
@pytest.mark.parametrize("holder", [Card.Level.SUPERVISOR, Card.Level.EXECUTIVE])
def test_a_key_fixes_what_is_below_the_threshold_and_only_asks_from_there_whoever_holds_it(
    threshold: str, missing: str | None, holder: int
) -> None:
    floor = a_house(key_floor(), executive_threshold=Money.of(threshold).decimal())
    KeyRegister.objects.update(level=holder)
    floor.coin_in("1")
    floor.mark(1, "royal")
    key.turn(table_code="UTH-01", key_number="17", position="JPH")
    with_cards("UTH-01", 1)
    assert key.j_pot(table_code="UTH-01")["missing"] == missing
    assert Win.objects.get().state == ("logged" if missing is None else "asked")


@pytest.mark.parametrize(
    ("from_level", "number", "pin", "heard"),
    [
        (2, SUPERVISOR, "", "pin_needed"),
        (2, SUPERVISOR, CARD_PIN, "approved"),
        (3, SUPERVISOR, "", "approved"),
        (3, SUPERVISOR, "111111", "pin_wrong"),
        (3, EXECUTIVE, "", "pin_needed"),
        (3, EXECUTIVE, "274916", "approved"),
        (3, EXECUTIVE, "274917", "pin_wrong"),
        (4, EXECUTIVE, "", "approved"),
    ],
)
def test_from_its_level_up_a_card_needs_its_pin(from_level: int, number: str, pin: str, heard: str) -> None:
    floor = a_house(ref_b(), pin_from_level=from_level)
    floor.coin_in("1")
    floor.mark(1, "five")
    floor.confirm()
    try:
        told = "approved" if floor.card(number, pin)["missing"] is None else "another person"
    except Refused as refusal:
        told = refusal.code
    assert told == heard


@pytest.mark.parametrize(("switch", "heard"), [(False, "same_person"), (True, "approved")])
def test_whoever_marked_a_hit_approves_it_only_where_the_house_allows(switch: bool, heard: str) -> None:
    floor = a_house(ref_b(), marker_may_verify=switch)
    marker = Card.objects.get(last_four="0001", level=Card.Level.SUPERVISOR).operator
    floor.coin_in("1")
    hit.mark(**floor.place(0), seat=1, hand="five", by=marker)
    floor.confirm()
    assert swipes(floor, SUPERVISOR) == [heard]


@pytest.mark.parametrize(("switch", "pays"), [(False, False), (True, True)])
@pytest.mark.parametrize("slip", [1, 2], ids=["the hit", "the envied seat"])
def test_whoever_approved_pays_only_where_the_house_allows(switch: bool, pays: bool, slip: int) -> None:
    floor = a_house(Floor(meter="20000.00", pay_table=a_pay_table(lines=ENVY)), verifier_may_pay=switch)
    floor.coin_in("12")
    floor.mark(1, "royal")
    floor.confirm()
    floor.card()
    approver = Card.objects.get(last_four="0001", level=Card.Level.EXECUTIVE).operator
    assert pays_slip(slip, approver) == pays
    assert pays_slip(slip, a_person("cage")) != pays, "once, by whoever may"


def pays_slip(slip: int, payer: Operator) -> bool:
    try:
        return redeem(slip=slip, payer=payer).state == "paid"
    except Refused:
        return False


def test_a_word_given_before_the_key_went_back_counts_no_more_and_stays_on_record() -> None:
    """What is marked again may change before it is asked for again: nobody has said yes to it."""
    floor = a_house(key_floor(), dual_threshold=10_000)
    floor.coin_in("26")
    floor.mark(2, "royal")
    told = {"table_code": "UTH-01", "key_number": "17"}
    key.turn(**told, position="JPH")
    with_cards(**floor.place(0))
    assert swipes(floor, EXECUTIVE) == ["another person"]
    for position in ("RUN", "JPH"):
        key.turn(**told, position=position)
    assert swipes(floor, SECOND, EXECUTIVE) == ["another person", "approved"]
    words = Win.objects.get().signatures.order_by("id").values_list("part", "operator__name", "entry")
    released = Entry.objects.get(kind="release").seq
    assert list(words) == [
        ("taken_back", "Test Executive", released), ("approve", "Test Second", None),
        ("approve", "Test Executive", None),
    ]  # fmt: skip


def test_a_person_who_signed_before_the_key_went_back_signs_what_was_marked_since() -> None:
    """Both hits need both words: a word for one of them is none for the other."""
    floor = a_house(key_floor(), dual_threshold=10_000)
    KeyRegister.objects.update(level=Card.Level.SUPERVISOR)
    floor.coin_in("26")
    floor.mark(2, "royal")
    told = {"table_code": "UTH-01", "key_number": "17"}
    key.turn(**told, position="JPH")
    enter_cards(**floor.place(0), entered=EnteredCards("9h Th Jh 2c 2d", {2: "4c 5d"}), by="Test Supervisor")
    assert swipes(floor, EXECUTIVE) == ["another person"]
    key.turn(**told, position="RUN")
    floor.mark(6, "straight_flush")
    key.turn(**told, position="JPH")
    enter_cards(**floor.place(0), entered=EnteredCards(seats={6: "7h 8h"}), by="Test Supervisor")
    assert swipes(floor, SECOND, EXECUTIVE) == ["another person", "approved"]


# The switches of the terms

SINCE = {"meter": "19999.30", "reserve": "617.20"}


def one_royal(between: int = 3, **terms: Any) -> Floor:
    """Marked at 20,000.00 / 617.25; so many chips elsewhere; then approved."""
    floor = Floor(2, **{**SINCE, "pay_table": a_pay_table(lines=REF_B), **terms})
    floor.coin_in("1")
    floor.mark(1, "royal")
    floor.coin_ins(between)
    floor.confirm()
    return floor


@pytest.mark.parametrize(("freeze", "amount", "meter"), [
    ("mark", "20000.00", "10619.35"), ("approval", "20002.10", "10617.40"),
])  # fmt: skip
def test_the_amount_freezes_at_the_mark_or_at_the_approval(freeze: str, amount: str, meter: str) -> None:
    floor = one_royal(policy={"freeze": freeze})
    assert amounts(floor.card()) == [(1, amount)]
    assert floor.stands()[0] == meter


def test_with_freeze_at_approval_the_cards_make_the_order_not_the_marks() -> None:
    floor = ref_b(2, meter="19998.60", reserve="617.15", policy={"freeze": "approval"})
    for table in (0, 1):
        floor.coin_in("1", table)
        floor.mark(1, "royal", table)
        floor.confirm(table)
    assert amounts(floor.card(table=1)) == [(1, "20000.00")]
    assert amounts(floor.card(table=0)) == [(1, "10617.25")]


@pytest.mark.parametrize(("order", "paid", "meter"), [
    ("counter_clockwise", [(6, "2000.00"), (4, "18000.00"), (2, "10617.25")], "10000.00"),
    ("clockwise", [(2, "20000.00"), (4, "10617.25"), (6, "1000.00")], "9000.00"),
    ("equal_shares", [(4, "10000.00"), (2, "10000.00"), (6, "0.00")], "10617.25"),
])  # fmt: skip
def test_seats_are_paid_in_the_order_of_the_house(order: str, paid: list[tuple[int, str]], meter: str) -> None:
    floor = ref_b(meter="19997.90", reserve="617.10", policy={"order": order})
    floor.coin_in("246")
    floor.mark(2, "royal")
    floor.mark(4, "royal")
    floor.mark(6, "straight_flush")
    floor.confirm()
    assert amounts(floor.card()) == paid
    assert floor.stands()[0] == meter


@pytest.mark.parametrize(("shortfall", "stands", "house"), [
    ("reserve_then_house", ("0.00", "0.00"), "-1741.25"), ("house", ("0.00", "617.25"), "-2358.50"),
])  # fmt: skip
def test_what_a_meter_lacks_comes_from_the_declared_source(shortfall: str, stands: tuple[str, str], house: str) -> None:
    told = {"meter": "18636.60", "reserve": "616.90", "policy": {"shortfall": shortfall}}
    floor = Floor(pay_table=a_pay_table(source="meter"), **told)
    floor.coin_in("1234567")
    for seat in range(1, 8):
        floor.mark(seat, "royal_community")
    floor.confirm()
    floor.card()
    assert floor.stands() == stands
    assert floor.casino.jackpot.house == Money.of(house).decimal()


@pytest.mark.parametrize(("overflow", "kept", "revenue"), [
    ("next_meter", "6.50", "0.00"), ("revenue", "0.00", "6.50"),
])  # fmt: skip
def test_what_the_limit_does_not_take_is_the_next_meters_or_the_houses(overflow: str, kept: str, revenue: str) -> None:
    floor = Floor(2, meter="24999.50", limit="25000.00", policy={"overflow": overflow})
    floor.coin_ins(10)
    assert floor.stands()[0] == "25000.00"
    stands = floor.casino.jackpot
    assert (stands.overflow, stands.house) == (Money.of(kept).decimal(), Money.of(revenue).decimal())


@pytest.mark.parametrize(("at_reset", "meter", "overflow"), [
    ("since_frozen", "10619.35", "5.00"), ("all", "10624.35", "0.00"),
])  # fmt: skip
def test_a_reset_takes_the_overflow_since_the_mark_or_all_of_it(at_reset: str, meter: str, overflow: str) -> None:
    floor = one_royal(overflow="5.00", limit="20001.00", policy={"overflow_at_reset": at_reset})
    assert amounts(floor.card()) == [(1, "20000.00")]
    assert floor.stands()[0] == meter
    assert floor.casino.jackpot.overflow == Money.of(overflow).decimal()


@pytest.mark.parametrize(("row", "amount", "meter"), [
    ("highest", "250.00", "2250.00"), ("never_less", "300.00", "2200.00"),
])  # fmt: skip
def test_a_seat_wins_its_highest_row_or_never_less_than_the_next(row: str, amount: str, meter: str) -> None:
    four = {"code": "four_of_a_kind", "name": "Four of a kind", "for_one": 300, "source": "meter"}
    floor = ref_b(meter="2499.30", pay_table=a_pay_table(lines=[*REF_B, four]), policy={"row": row})
    floor.coin_in("1")
    floor.mark(1, "straight_flush")
    floor.confirm()
    assert amounts(floor.card()) == [(1, amount)]
    assert floor.stands()[0] == meter


@pytest.mark.parametrize(("dry", "repay_rate", "meter", "owed"), [
    ("stay", None, "3.50", "0.00"), ("restart", "50", "10001.75", "9998.25"),
])  # fmt: skip
def test_a_dry_meter_stays_or_begins_anew(dry: str, repay_rate: str | None, meter: str, owed: str) -> None:
    told = {"meter": "2999.30", "policy": {"dry_meter": dry}, "repay_rate": repay_rate}
    floor = Floor(2, pay_table=a_pay_table(source="meter"), **told)
    floor.coin_in("1")
    floor.mark(1, "royal_community")
    floor.confirm()
    floor.card()
    floor.coin_ins(5)
    assert (floor.stands()[0], str(floor.casino.jackpot.advance_money)) == (meter, owed)


def test_every_switch_of_the_terms_is_tried_here_under_every_value() -> None:
    tried = {
        "freeze": {"mark", "approval"}, "order": {"counter_clockwise", "clockwise", "equal_shares"},
        "shortfall": {"reserve_then_house", "house"}, "overflow": {"next_meter", "revenue"},
        "overflow_at_reset": {"since_frozen", "all"}, "row": {"highest", "never_less"},
        "dry_meter": {"stay", "restart"},
    }  # fmt: skip
    when_terms_change = {"rate_rise"}  # no award and no coin-in asks it: tests/tables/requests/test_raised_rate.py
    assert {switch: set(CHOICES[switch]) for switch in CHOICES.keys() - when_terms_change} == tried
