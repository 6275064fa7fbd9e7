"""A winner who was paid too little because the meter was wrong: reckoned, decided by two, paid once, undone."""

from __future__ import annotations

from typing import Any

import pytest

from jackpot.adjusting.actions.underpayment import counts_from_the_meter
from jackpot.adjusting.models import Adjustment
from jackpot.money import Money
from jackpot.proof.queries import prove
from jackpot.refusals import Refused
from jackpot.wins.actions.pay import redeem
from jackpot.wins.models import Signature, Win
from tests.builders import a_pay_table
from tests.scenes_adjusting import approved, asked, done, person
from tests.scenes_owed import OwedFloor
from tests.tampering import tamper_with

pytestmark = pytest.mark.django_db


def found(floor: OwedFloor, win: Win, reading: str, **more: Any) -> Adjustment:
    return done("underpayment", floor.jackpot, win=win, reading=reading, **{"account": "house", **more})


def page_of(row: Adjustment) -> Win:
    return Win.objects.select_related("jackpot__premises", "version").get(adjustment=row)


def redeemed(floor: OwedFloor, slip: int) -> Win:
    return redeem(slip=slip, payer=person("cage"), premises=floor.casino.premises)


def five_of_the_meter(floor: OwedFloor) -> Win:
    """Five percent of 20,002.80."""
    win = floor.won({2: "five"}, seats="12345")[0]
    assert (str(win.record.basis), str(win.amount_money)) == ("20002.80", "1000.14")
    return win


def test_a_part_gets_its_part_of_what_was_missing_and_the_house_pays() -> None:
    floor = OwedFloor()
    win = five_of_the_meter(floor)
    stood = floor.stands()
    page = page_of(found(floor, win, "20058.80"))
    assert (str(page.amount_money), page.state, page.slip, page.difference_of) == ("2.80", "owed", 2, win)
    told = page.record.difference
    assert told is not None
    said = (told.basis_was, told.basis, told.was, told.would_be, told.owed)
    assert [str(each) for each in said] == ["20002.80", "20058.80", "1000.14", "1002.94", "2.80"]
    assert (told.found, told.back_out, told.slip) == ("reading of a sign", None, 1)
    house, winners = Money.of(stood["house"]) - Money.of("2.80"), Money.of(stood["winners"]) + Money.of("2.80")
    assert floor.stands() == {**stood, "house": str(house), "winners": str(winners)}
    assert prove().plain()["findings"] == []


def test_a_whole_meter_gets_all_that_was_missing() -> None:
    floor = OwedFloor()
    win = floor.won({2: "royal"})[0]
    basis = win.record.basis
    assert basis is not None
    page = page_of(found(floor, win, str(basis + Money.of("56.00"))))
    assert str(page.amount_money) == "56.00"
    assert prove().plain()["findings"] == []


def test_it_is_paid_once_and_never_by_the_two_who_decided() -> None:
    floor = OwedFloor()
    page = page_of(found(floor, five_of_the_meter(floor), "20058.80"))
    words = page.signatures.filter(part=Signature.Part.DIFFERENCE).order_by("id")
    assert [word.operator.username for word in words] == ["asker", "signer"]
    for who in ("asker", "signer"):
        with pytest.raises(Refused, match="may not pay it"):
            redeem(slip=2, payer=person(who), premises=floor.casino.premises)
    assert redeemed(floor, 2).state == "paid"
    with pytest.raises(Refused, match="Do not pay it again"):
        redeemed(floor, 2)


def test_what_was_made_up_is_not_made_up_again_and_a_further_finding_pays_only_the_rest() -> None:
    floor = OwedFloor()
    win = five_of_the_meter(floor)
    first = page_of(found(floor, win, "20058.80"))
    for reading in ("20058.80", "20010.00"):
        with pytest.raises(Refused, match=r"counts from 20058\.80, which slip 2 has made up.* nothing is due"):
            asked("underpayment", floor.jackpot, win=win, reading=reading, account="house")
    second = page_of(found(floor, win, "20102.80"))
    assert [str(each.amount_money) for each in (first, second)] == ["2.80", "2.20"]  # 1,005.14 in all
    with pytest.raises(Refused, match="Slip 3 counts from what this one pays"):
        floor.back_out(first)
    with pytest.raises(Refused, match=r"Slip . pays a difference of it"):
        floor.back_out(win)
    assert prove().plain()["findings"] == []


def test_it_is_undone_by_its_own_act_and_may_then_be_found_anew() -> None:
    floor = OwedFloor()
    win = five_of_the_meter(floor)
    stood = floor.stands()
    page = page_of(found(floor, win, "20058.80"))
    floor.back_out(page)
    assert floor.stands() == stood
    assert str(page_of(found(floor, win, "20042.80")).amount_money) == "2.00"
    assert prove().plain()["findings"] == []


def test_a_paid_one_that_is_backed_out_was_paid_in_error_and_falls_to_the_house() -> None:
    floor = OwedFloor()
    page = page_of(found(floor, five_of_the_meter(floor), "20058.80"))
    redeemed(floor, 2)
    meter = floor.stands()["meter"]
    floor.back_out(page)
    assert floor.stands()["meter"] == meter
    assert prove().plain()["findings"] == []


def test_the_meter_pays_what_an_adjustment_has_given_it_since() -> None:
    """Who was not found gave 2.80 to the sign; when the player comes after all, it comes from there."""
    floor = OwedFloor()
    win = five_of_the_meter(floor)
    stood = floor.stands()
    given = done("adjust", floor.jackpot, amount="2.80", ground="reading")
    page = page_of(found(floor, win, "20058.80", account="meter", cause=given))
    assert page.record.source == "meter"
    assert floor.stands()["meter"] == stood["meter"]
    with pytest.raises(Refused, match=r"gave the meter 2\.80, and 0\.00 of it is left for winners; 2\.20 is owed"):
        asked("underpayment", floor.jackpot, win=win, reading="20102.80", account="meter", cause=given)
    assert prove().plain()["findings"] == []


def test_the_meter_pays_only_a_gift_of_its_own_after_the_award_that_nobody_won_since() -> None:
    floor = OwedFloor()
    early = done("adjust", floor.jackpot, amount="10.00")
    win = floor.won({2: "five"}, seats="12345")[0]
    taken, late = done("adjust", floor.jackpot, amount="-5.00"), done("adjust", floor.jackpot, amount="5.00")
    more = {"win": win, "reading": "20100.00", "account": "meter"}
    for cause, match in ((None, "Name that adjustment"), (early, "came before slip 1"), (taken, "gave the meter")):
        with pytest.raises(Refused, match=match):
            asked("underpayment", floor.jackpot, cause=cause, **more)
    floor.won({2: "royal"})
    with pytest.raises(Refused, match="Slip 2 took the whole meter since"):
        asked("underpayment", floor.jackpot, cause=late, **more)
    with pytest.raises(Refused, match="The house pays: name no adjustment"):
        asked("underpayment", floor.jackpot, **{**more, "account": "house", "cause": late})


def test_what_is_no_underpayment_is_refused_with_the_cure() -> None:
    floor = OwedFloor()
    win = five_of_the_meter(floor)
    fixed = floor.won({3: "four"})[0]
    page = page_of(found(floor, win, "20058.80"))
    gone = floor.won({4: "five"})[0]
    floor.back_out(gone)
    wrong: list[tuple[str, dict[str, Any]]] = [
        ("Name the slip", {"reading": "20100.00"}),
        ("Write what the meter must have been", {"win": win}),
        ("is a fixed sum", {"win": fixed, "reading": "20100.00"}),
        ("pays the rest of slip 1. Name that one", {"win": page, "reading": "20100.00"}),
        ("was backed out itself", {"win": gone, "reading": "30000.00"}),
        ("from the house or from the meter", {"win": win, "reading": "20100.00", "account": "reserve"}),
    ]
    stood = floor.stands()
    for match, told in wrong:
        with pytest.raises(Refused, match=match):
            asked("underpayment", floor.jackpot, **{"account": "house", **told})
    assert floor.stands() == stood


def test_one_case_of_a_winner_waits_at_a_time_and_one_person_is_not_two() -> None:
    floor = OwedFloor()
    win = five_of_the_meter(floor)
    row = asked("underpayment", floor.jackpot, win=win, reading="20058.80", account="house")
    with pytest.raises(Refused, match="waits already"):
        asked("underpayment", floor.jackpot, win=win, reading="20102.80", account="house")
    with pytest.raises(Refused):
        approved(row, by="asker")
    assert approved(row).state == "in_force"


def test_the_house_pays_while_a_hit_is_open_and_the_meter_waits() -> None:
    floor = OwedFloor()
    win = five_of_the_meter(floor)
    given = done("adjust", floor.jackpot, amount="2.80")
    floor.mark({3: "five"})
    with pytest.raises(Refused, match="Settle this hit first"):
        asked("underpayment", floor.jackpot, win=win, reading="20058.80", account="meter", cause=given)
    assert page_of(found(floor, win, "20058.80")).state == "owed"


@pytest.mark.parametrize(("changed", "what"), [
    ({"amount": "3.80"}, "the difference that slip 2 pays"), ({"award_seq": 2}, "the award entry it names"),
])  # fmt: skip
def test_the_proof_names_a_page_that_is_not_its_entry(changed: dict[str, Any], what: str) -> None:
    floor = OwedFloor()
    page = page_of(found(floor, five_of_the_meter(floor), "20058.80"))
    tamper_with(Win.objects.filter(pk=page.pk), **changed)
    assert what in [each["what"] for each in prove().plain()["findings"]]


def test_what_an_aggregate_cut_is_no_underpayment() -> None:
    """Beside an aggregate no part lifts a fixed row: whatever the meter was, it would have been cut alike."""
    lines = [
        {"code": "royal", "name": "Royal flush", "part": "1"}, {"code": "four", "name": "Four", "for_one": 100},
        {"code": "house", "name": "Full house", "for_one": 10}, {"code": "five", "name": "Five", "part": "1/20"},
    ]  # fmt: skip
    table = a_pay_table(lines=lines)
    floor = OwedFloor(policy={"row": "never_less"}, aggregate="100.00", pay_table=table)
    cut = floor.won({2: "four", 3: "four"})[0]
    assert str(cut.amount_money) == "50.00"
    assert not counts_from_the_meter(cut)
    with pytest.raises(Refused, match="is a fixed sum; no meter makes it more"):
        asked("underpayment", floor.jackpot, win=cut, reading="30000.00", account="house")


def test_the_meter_pays_no_more_than_an_adjustment_put_into_it() -> None:
    """Of 5.00 given at the limit 0.20 came into the meter, the rest into the overflow; 0.36 is owed."""
    floor = OwedFloor(limit="20010.00")
    win = five_of_the_meter(floor)
    meter = Money.of(floor.stands()["meter"])
    done("adjust", floor.jackpot, amount=str(Money.of("20009.80") - meter))
    given = done("adjust", floor.jackpot, amount="5.00")
    assert floor.stands()["meter"] == "20010.00"
    with pytest.raises(Refused, match=r"gave the meter 0\.20, and 0\.20 of it is left for winners; 0\.36 is owed"):
        asked("underpayment", floor.jackpot, win=win, reading="20010.00", account="meter", cause=given)
