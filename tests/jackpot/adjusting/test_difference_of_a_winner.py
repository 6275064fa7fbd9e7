"""The difference of a later winner: two people decide, one page pays it once. Figures are those of V9b."""

from __future__ import annotations

from copy import deepcopy
from typing import Any

import pytest
from django.db import IntegrityError, transaction

from jackpot.adjusting.actions.difference import undecided
from jackpot.adjusting.models import Adjustment
from jackpot.money import Money
from jackpot.proof.queries import prove
from jackpot.refusals import Refused
from jackpot.wins.actions.pay import redeem
from jackpot.wins.models import Signature, Win
from tests.scenes_adjusting import approved, asked, done, person
from tests.scenes_owed import OwedFloor
from tests.tampering import tamper_with

pytestmark = pytest.mark.django_db
V9b = tuple[OwedFloor, Win, Win]


@pytest.fixture(scope="module")
def played(around_all: None) -> V9b:
    floor = OwedFloor()
    return floor, *floor.v9b()


@pytest.fixture
def v9b(played: V9b) -> V9b:
    """The house, the award that is backed out, and the later one that would have been another."""
    return deepcopy(played)


def decided(floor: OwedFloor, cause: Adjustment, win: Win, **more: Any) -> Adjustment:
    return done("difference", floor.jackpot, cause=cause, win=win, **more)


def page_of(row: Adjustment) -> Win:
    return Win.objects.select_related("jackpot__premises", "version").get(adjustment=row)


def test_v9b_the_difference_is_paid_by_a_page_of_its_own_from_the_meter(v9b: V9b) -> None:
    floor, first, later = v9b
    cause = floor.back_out(first)
    stood = floor.stands()
    page = page_of(decided(floor, cause, later, pays=True))
    assert (str(page.amount_money), page.state, page.slip, page.number) == ("469.14", "owed", 3, 3)
    assert (page.difference_of, page.seat, page.table_code) == (later, later.seat, later.table_code)
    told, pays = page.record.difference, page.record.pays
    assert told is not None
    assert (str(pays), told.slip) == ("5 %", 2)
    assert [str(amount) for amount in (told.basis_was, told.basis, told.was, told.would_be, told.owed)] == [
        "10687.25", "20070.00", "534.36", "1003.50", "469.14",
    ]  # fmt: skip
    assert floor.stands() == {**stood, "meter": "19066.50", "winners": "1003.50"}  # 20,070.00 less 5 % of it
    assert stood["meter"] == "19535.64"
    assert prove().plain()["findings"] == []


def test_from_the_house_the_meter_keeps_what_the_back_out_put_back(v9b: V9b) -> None:
    floor, first, later = v9b
    cause = floor.back_out(first)
    stood = floor.stands()
    decided(floor, cause, later, pays=True, account="house")
    house = str(Money.of(stood["house"]) - Money.of("469.14"))
    assert floor.stands() == {**stood, "house": house, "winners": "1003.50"}
    assert prove().plain()["findings"] == []


def test_where_two_people_only_note_it_nothing_moves_and_the_entry_says_so(v9b: V9b) -> None:
    floor, first, later = v9b
    cause = floor.back_out(first)
    stood = floor.stands()
    row = decided(floor, cause, later)
    assert floor.stands() == stood
    assert (str(row.amount_money), row.pages.count(), row.entry_text) == (
        "469.14",
        0,
        f"GRAND/{floor.jackpot.last_seq}",
    )
    assert prove().plain()["findings"] == []


def test_a_difference_is_decided_once(v9b: V9b) -> None:
    floor, first, later = v9b
    cause = floor.back_out(first)
    assert [each["slip"] for each in undecided(cause)] == [2]
    waits = asked("difference", floor.jackpot, cause=cause, win=later, pays=True)
    with pytest.raises(Refused, match="waits already"):
        asked("difference", floor.jackpot, cause=cause, win=later)
    approved(waits)
    assert undecided(cause) == []
    with pytest.raises(Refused, match="is paid by slip 3"):
        asked("difference", floor.jackpot, cause=cause, win=later, pays=True)


def test_its_page_is_backed_out_like_any_and_then_two_people_may_decide_again(v9b: V9b) -> None:
    floor, first, later = v9b
    cause = floor.back_out(first)
    stood = floor.stands()
    page = page_of(decided(floor, cause, later, pays=True))
    with pytest.raises(Refused, match="Slip 3 pays a difference of it"):
        floor.back_out(later)
    floor.back_out(page)
    assert floor.stands() == stood
    assert [each["slip"] for each in undecided(cause)] == [2]
    again = page_of(decided(floor, cause, later, pays=True, account="house"))
    assert (again.slip, str(again.amount_money)) == (4, "469.14")
    assert prove().plain()["findings"] == []


def test_a_paid_page_that_is_backed_out_falls_to_the_house(v9b: V9b) -> None:
    floor, first, later = v9b
    cause = floor.back_out(first)
    page = page_of(decided(floor, cause, later, pays=True))
    redeem(slip=3, payer=person("cage"), premises=floor.casino.premises)
    floor.back_out(page)
    assert floor.stands()["meter"] == "19535.64"
    assert prove().plain()["findings"] == []


def test_who_decided_it_may_not_pay_it(v9b: V9b) -> None:
    floor, first, later = v9b
    decided(floor, floor.back_out(first), later, pays=True)
    for who in ("asker", "signer"):
        with pytest.raises(Refused, match="may not pay it"):
            redeem(slip=3, payer=person(who), premises=floor.casino.premises)
    assert redeem(slip=3, payer=person("cage"), premises=floor.casino.premises).state == "paid"
    with pytest.raises(Refused, match="Do not pay it again"):
        redeem(slip=3, payer=person("cage"), premises=floor.casino.premises)


def test_both_people_stand_on_the_page(v9b: V9b) -> None:
    floor, first, later = v9b
    page = page_of(decided(floor, floor.back_out(first), later, pays=True))
    words = page.signatures.filter(part=Signature.Part.DIFFERENCE).order_by("id")
    assert [word.operator.username for word in words] == ["asker", "signer"]


def test_what_is_no_difference_is_refused_with_the_cure(v9b: V9b) -> None:
    floor, first, later = v9b
    cause = floor.back_out(first)
    wrong: list[tuple[str, dict[str, Any]]] = [
        ("Name the back-out", {"win": later}),
        ("changed nothing for slip 1", {"cause": cause, "win": first}),
        ("from the meter or from the house", {"cause": cause, "win": later, "pays": True, "account": "reserve"}),
    ]
    for match, told in wrong:
        with pytest.raises(Refused, match=match):
            asked("difference", floor.jackpot, **told)


def test_a_winner_who_was_backed_out_has_no_difference_left(v9b: V9b) -> None:
    floor, first, later = v9b
    cause = floor.back_out(first)
    floor.back_out(later)
    with pytest.raises(Refused, match="Slip 2 was backed out itself"):
        asked("difference", floor.jackpot, cause=cause, win=later, pays=True)


def test_from_the_meter_it_waits_for_an_open_hit_and_from_the_house_it_does_not(v9b: V9b) -> None:
    floor, first, later = v9b
    cause = floor.back_out(first)
    floor.mark({3: "five"})
    with pytest.raises(Refused, match="Settle this hit first"):
        asked("difference", floor.jackpot, cause=cause, win=later, pays=True)
    assert page_of(decided(floor, cause, later, pays=True, account="house")).state == "owed"


def test_once_the_meter_was_won_again_the_house_pays(v9b: V9b) -> None:
    floor, first, later = v9b
    cause = floor.back_out(first)
    floor.won({2: "royal"})
    with pytest.raises(Refused, match="Slip 3 took the whole meter since"):
        asked("difference", floor.jackpot, cause=cause, win=later, pays=True)
    assert page_of(decided(floor, cause, later, pays=True, account="house")).slip == 4
    assert prove().plain()["findings"] == []


def test_the_database_refuses_a_page_without_its_act_of_two_people(v9b: V9b) -> None:
    later = v9b[2]
    with pytest.raises(IntegrityError, match="win_difference_of_two_people"), transaction.atomic():
        tamper_with(Win.objects.filter(pk=later.pk), difference_of=later)


@pytest.mark.parametrize(("changed", "what"), [
    ({"amount": "470.14"}, "the difference that slip 3 pays"), ({"award_seq": 2}, "the award entry it names"),
])  # fmt: skip
def test_the_proof_names_a_page_that_is_not_its_entry(v9b: V9b, changed: dict[str, Any], what: str) -> None:
    floor, first, later = v9b
    page = page_of(decided(floor, floor.back_out(first), later, pays=True))
    tamper_with(Win.objects.filter(pk=page.pk), **changed)
    assert what in [each["what"] for each in prove().plain()["findings"]]
