"""Adjust, transfer, suspend, resume, retire and back out: two people, on real books, at a floor that plays."""

from __future__ import annotations

from typing import Any

import pytest
from django.db import IntegrityError, transaction
from django.db.models import Sum

from jackpot.adjusting.models import Adjustment
from jackpot.books.models.entry import Entry
from jackpot.books.models.jackpot import Jackpot
from jackpot.money import Money
from jackpot.refusals import Refused
from jackpot.signing.actions import refuse
from jackpot.trail.models import Trail
from jackpot.wins.models import Win
from tables.floor.models.table import Table
from tables.hits.actions import hit, key
from tables.hits.actions.undo import void_round
from tables.rounds.queries.prove import prove
from tables.rounds.rules.round import CoinInRequest, EndRequest, Refusal
from tables.signs.queries import sign_layouts
from tests.builders import CARD_PIN, a_jackpot, a_pay_table, a_person, a_property, a_sign, a_table
from tests.hands import with_cards
from tests.scenes_adjusting import approved, asked, done, person
from tests.tables.hits.test_hit import REF_B, SUPERVISOR, Floor, amounts, fixed_by_key, key_floor, ref_b

pytestmark = pytest.mark.django_db


def stands(jackpot: Jackpot) -> dict[str, str]:
    jackpot.refresh_from_db()
    names = ("meter", "reserve", "overflow", "house", "outside")
    return {name: str(Money(getattr(jackpot.balances, name))) for name in names if getattr(jackpot.balances, name)}


def proves() -> bool:
    return prove().findings.listed == []


def test_v15_an_adjustment_of_15_raises_the_meter_from_the_house() -> None:
    jackpot = a_jackpot(meter="20186.15")
    row = done("adjust", jackpot, amount="15.00")
    assert stands(jackpot) == {"meter": "20201.15", "house": "-15.00", "outside": "-20186.15"}
    assert (row.entry_text, row.state) == ("GRAND/2", "in_force")
    assert row.posted["jackpots"]["GRAND"]["before"]["meter"] == "20186.15"
    assert row.posted["jackpots"]["GRAND"]["after"]["meter"] == "20201.15"
    assert proves()


def test_an_adjustment_may_lower_and_is_never_more_than_there_is() -> None:
    jackpot = a_jackpot(meter="100.00", reserve="5.00")
    done("adjust", jackpot, amount="-40.00")
    assert stands(jackpot)["meter"] == "60.00"
    with pytest.raises(Refused, match=r"The meter of GRAND holds 60\.00; 60\.01 cannot be taken from it\."):
        asked("adjust", jackpot, amount="-60.01")
    done("adjust", jackpot, amount="-5.00", account="reserve")
    assert stands(jackpot).get("reserve") is None
    assert proves()


def test_what_an_adjustment_lifts_above_the_limit_overflows() -> None:
    jackpot = a_jackpot(meter="24990.00", limit="25000.00")
    done("adjust", jackpot, amount="15.00")
    assert stands(jackpot) == {"meter": "25000.00", "overflow": "5.00", "house": "-15.00", "outside": "-24990.00"}
    assert proves()


@pytest.mark.parametrize("switch", [False, True])
def test_a_seed_is_recovered_only_by_switch_and_only_what_the_house_has_in(switch: bool) -> None:
    jackpot = a_jackpot(meter="12000.00", house_seed="10000.00")
    jackpot.premises.seed_recovery = switch
    jackpot.premises.save()
    told = {"ground": "seed_recovery", "amount": "-10000.00"}
    if not switch:
        with pytest.raises(Refused, match="switch “seed recovery” is off"):
            asked("adjust", jackpot, **told)
        return
    with pytest.raises(Refused, match=r"At most 10000\.00 of its seed"):
        asked("adjust", jackpot, ground="seed_recovery", amount="-10000.01")
    done("adjust", jackpot, **told)
    assert stands(jackpot) == {"meter": "2000.00", "outside": "-2000.00"}


@pytest.mark.parametrize(("more", "why"), [
    ({"amount": ""}, "Write the amount"), ({"amount": "0.00"}, "Write the amount"),
    ({"amount": "1.00", "reason": " "}, "reason and its evidence"),
    ({"amount": "1.00", "evidence": ""}, "reason and its evidence"),
    ({"amount": "1.00", "ground": "misdeal"}, "for one of these reasons: malfunction"),
    ({"amount": "1.00", "account": "house"}, "for the meter or for the reserve"),
])  # fmt: skip
def test_a_request_says_what_why_and_on_what_evidence(more: dict[str, Any], why: str) -> None:
    with pytest.raises(Refused, match=why):
        asked("adjust", a_jackpot(), **more)
    assert not Adjustment.objects.exists()


def test_nothing_moves_until_another_person_says_so() -> None:
    jackpot = a_jackpot()
    row = asked("adjust", jackpot, amount="15.00")
    assert stands(jackpot)["meter"] == "10000.00"
    with pytest.raises(Refused, match="needs two people; Test Asker cannot sign twice"):
        approved(row, by="asker")
    approved(row)
    assert stands(jackpot)["meter"] == "10015.00"
    with pytest.raises(Refused, match=r"Adjustment \d+ was approved by Test Signer on"):
        approved(row, by="third")
    with pytest.raises(Refused, match="was approved by Test Signer"):
        refuse(request_id=row.pk, by=person("third"), reason="too late")


def test_a_refusal_keeps_its_answer_and_moves_nothing() -> None:
    jackpot = a_jackpot()
    row = refuse(request_id=asked("adjust", jackpot, amount="15.00").pk, by=person("signer"), reason="no proof")
    assert (row.state, row.decided_reason, row.entry_text) == ("refused", "no proof", "")
    assert Entry.objects.count() == 1
    with pytest.raises(Refused, match="was refused by Test Signer"):
        approved(row, by="third")
    assert list(Trail.objects.filter(subject=f"adjustment {row.pk}").order_by("id").values_list("act", "outcome")) == [
        ("request_adjust", "done"), ("refuse_adjust", "refused"),
    ]  # fmt: skip


def test_what_is_decided_cannot_be_changed_and_nothing_is_removed() -> None:
    row = done("adjust", a_jackpot(), amount="15.00")
    for change in (lambda: Adjustment.objects.update(amount=1), lambda: Adjustment.objects.all().delete()):
        with pytest.raises(IntegrityError, match=r"stays|is refused|protected foreign keys"), transaction.atomic():
            change()
    assert Adjustment.objects.get(pk=row.pk).amount_money == Money.of("15.00")


def test_one_request_of_a_kind_waits_at_a_time() -> None:
    jackpot = a_jackpot()
    asked("adjust", jackpot, amount="15.00")
    with pytest.raises(Refused, match="by Test Asker waits already"):
        asked("adjust", jackpot, amount="15.00", by="other")
    asked("suspend", jackpot)


def test_the_approval_counts_from_the_meter_as_it_stands_then() -> None:
    floor = ref_b(2)
    row = asked("adjust", floor.casino.jackpot, amount="15.00")
    floor.coin_ins(100, 1)
    posted = approved(row).posted["jackpots"]["GRAND"]
    assert (row.preview["jackpots"]["GRAND"]["before"]["meter"], posted["before"]["meter"]) == ("20000.00", "20070.00")
    assert posted["after"]["meter"] == "20085.00"


def a_pair(**more: Any) -> tuple[Jackpot, Jackpot]:
    return a_jackpot("GRAND", meter="1200.50", reserve="30.25", overflow="4.00"), a_jackpot("NEXT", **more)


def test_a_transfer_moves_everything_by_two_entries_that_name_each_other() -> None:
    old, new = a_pair(meter="1000.00")
    row = done("transfer", old, other=new)
    assert stands(old) == {"outside": "0.00"} or stands(old) == {}
    assert stands(new) == {"meter": "2200.50", "reserve": "30.25", "overflow": "4.00", "outside": "-2234.75"}
    keys = [Entry.objects.get(jackpot=each, seq=2).key for each in (old, new)]
    assert keys == [f"transfer/{row.pk}/to/NEXT/2", f"transfer/{row.pk}/from/GRAND/2"]
    assert row.entry_text == "GRAND/2 NEXT/2"
    assert sum(Entry.objects.get(jackpot=each, seq=2).movement.outside for each in (old, new)) == 0
    assert proves()


def test_a_transfer_of_a_part_stops_at_the_limit_of_the_taker() -> None:
    old, new = a_pair(meter="24900.00", limit="25000.00")
    with pytest.raises(Refused, match=r"1200\.51 cannot be transferred: the meter of GRAND holds 1200\.50"):
        asked("transfer", old, other=new, amount="1200.51")
    done("transfer", old, other=new, amount="150.00")
    assert stands(new) == {"meter": "25000.00", "overflow": "50.00", "outside": "-25050.00"}
    assert stands(old)["meter"] == "1050.50"
    assert proves()


@pytest.mark.parametrize(("taker", "why"), [
    ({"wager": "5.00"}, "one takes a wager of 1.00, the other of 5.00"),
    ({"pay_table": a_pay_table(lines=REF_B)}, "their pay tables differ"),
])  # fmt: skip
def test_money_goes_only_where_wager_and_odds_are_the_same(taker: dict[str, Any], why: str) -> None:
    old, new = a_pair(**taker)
    with pytest.raises(Refused, match=why):
        asked("transfer", old, other=new)


def test_money_goes_only_to_a_jackpot_of_the_same_game_and_house() -> None:
    old, new = a_pair()
    a_table("UTH-01", old)
    other = a_table("TCP-01", new)
    Table.objects.filter(pk=other.pk).update(game="three_card")
    with pytest.raises(Refused, match="GRAND is won at uth, NEXT at three_card"):
        asked("transfer", old, other=new)
    away = a_jackpot("AWAY", premises=a_property("OTHER", name="Other House"))
    with pytest.raises(Refused, match="AWAY belongs to another house"):
        asked("transfer", old, other=away)
    with pytest.raises(Refused, match="cannot take its own money"):
        asked("transfer", old, other=old)


def test_a_suspended_jackpot_takes_no_coin_in_until_it_is_resumed() -> None:
    floor = ref_b()
    jackpot = floor.casino.jackpot
    done("suspend", jackpot)
    refusal = floor.say(CoinInRequest(1, "12"))
    assert isinstance(refusal, Refusal)
    assert (refusal.code, refusal.why) == (
        "suspended", "Jackpot GRAND is suspended. A supervisor says when it plays again.",
    )  # fmt: skip
    with pytest.raises(Refused, match="GRAND is suspended; suspension is refused"):
        asked("suspend", jackpot)
    done("resume", jackpot)
    floor.coin_in("12")
    with pytest.raises(Refused, match="Only a suspended jackpot is resumed"):
        asked("resume", jackpot)
    assert proves()


def test_a_hit_of_a_round_that_began_before_the_suspension_is_still_paid() -> None:
    floor = ref_b(meter="19999.30", reserve="617.20")
    floor.coin_in("1")
    floor.mark(1, "royal")
    done("suspend", floor.casino.jackpot)
    floor.confirm()
    assert amounts(floor.card()) == [(1, "20000.00")]
    assert proves()


@pytest.mark.parametrize("kind", ["adjust", "transfer", "retire"])
def test_while_a_hit_is_open_nothing_changes_under_its_frozen_amount(kind: str) -> None:
    floor = ref_b(meter="19999.30")
    jackpot, more = floor.casino.jackpot, {"adjust": {"amount": "15.00"}, "retire": {"reading": "20000.00"}}
    other = a_jackpot("NEXT", pay_table=jackpot.version.value.pay_table) if jackpot.version else None
    told = {**more.get(kind, {}), **({"other": other} if kind == "transfer" else {})}
    row = None if kind == "retire" else asked(kind, jackpot, **told)
    floor.coin_in("1")
    floor.mark(1, "royal")
    with pytest.raises(Refused, match=r"round 1, seat 1 is still open on GRAND|Round 1 at UTH-01 is still open"):
        approved(row) if row else asked(kind, jackpot, **told)
    hit.unmark(**floor.place(0), seat=1, hand="royal", by="Test Dealer")
    floor.say(EndRequest(1))
    done(kind, jackpot, **told) if row is None else approved(row)
    assert proves()


def test_a_win_that_waits_for_run_is_named_by_its_number() -> None:
    floor = key_floor()
    floor.coin_in("1")
    floor.mark(1, "royal")
    key.turn(table_code="UTH-01", key_number="17", position="JPH")
    with_cards(**floor.place(0))
    fixed_by_key(floor)
    with pytest.raises(Refused, match="Settle slip 1 first: Royal flush at UTH-01, round 1, seat 1 is still open"):
        asked("adjust", floor.casino.jackpot, amount="1.00")


def test_retiring_needs_the_closing_reading_and_leaves_30_days_for_the_money() -> None:
    floor = ref_b()
    jackpot = floor.casino.jackpot
    floor.coin_in("12")
    with pytest.raises(Refused, match=r"Round 1 at UTH-01 is still open\. Suspend GRAND, let it end, then retire"):
        asked("retire", jackpot, reading="20001.40")
    done("suspend", jackpot)
    floor.say(EndRequest(1))
    with pytest.raises(Refused, match="Write the closing reading"):
        asked("retire", jackpot)
    with pytest.raises(Refused, match=r"closing reading 20000\.00 is not what the books of GRAND show"):
        asked("retire", jackpot, reading="20000.00")
    row = done("retire", jackpot, reading="20001.40")
    assert row.gaming_day is not None
    assert jackpot.transfer_by is not None
    assert (jackpot.state, (jackpot.transfer_by - row.gaming_day).days) == ("retired", 30)
    assert stands(jackpot)["meter"] == "20001.40"
    refusal = floor.say(CoinInRequest(2, "12"))
    assert isinstance(refusal, Refusal)
    assert refusal.why == "Jackpot GRAND is retired. An operator links the table to another one."
    for kind in ("suspend", "resume", "retire"):
        with pytest.raises(Refused, match="GRAND is retired"):
            asked(kind, jackpot, reading="20001.40")
    assert proves()


def test_the_money_of_a_retired_jackpot_finds_its_home_at_once_or_later() -> None:
    old, new = a_pair(meter="1000.00")
    row = done("retire", old, other=new, reading="1200.50")
    assert row.entry_text == "GRAND/2 NEXT/2 GRAND/3"
    assert stands(old) == {}
    later = a_jackpot("LATER", meter="500.00")
    done("retire", later, reading="500.00")
    with pytest.raises(Refused, match="LATER is retired and takes no money"):
        asked("transfer", new, other=later)
    done("transfer", later, other=new)
    assert stands(new)["meter"] == "2700.50"
    assert proves()


def test_whoever_must_be_told_is_a_task_in_the_trail() -> None:
    row = done("retire", a_jackpot(), reading="10000.00")
    task = Trail.objects.get(act="notify")
    assert (task.subject, task.outcome) == (f"adjustment {row.pk}", "due")
    assert "the day until which the money has another home" in task.why


def test_v9b_a_back_out_shows_the_later_winner_469_14_and_needs_it_seen() -> None:
    floor = ref_b(3, meter="19999.30", reserve="617.20")
    floor.coin_in("1", 0)
    floor.mark(1, "royal", 0)
    floor.confirm(0)
    floor.card(table=0)
    floor.coin_ins(95, 2)
    floor.coin_in("12345", 1)
    floor.mark(2, "five", 1)
    floor.confirm(1)
    assert amounts(floor.card(SUPERVISOR, CARD_PIN, 1)) == [(2, "534.36")]
    win = Win.objects.select_related("jackpot__premises").get(number=1)
    row = asked("back_out", win.jackpot, win=win)
    assert [(each["win"], each["was"], each["would_be"], each["owed"]) for each in row.preview["differences"]] == [
        (2, "534.36", "1003.50", "469.14")
    ]
    with pytest.raises(Refused, match=r"469\.14 to Five percent at UTH-02"):
        approved(row)
    approved(row, seen=True)
    win.refresh_from_db()
    assert (win.state, [str(word.operator) for word in win.signatures.filter(part="back_out").order_by("id")]) == (
        "backed_out", ["Test Asker", "Test Signer"],
    )  # fmt: skip
    assert proves()


def test_a_win_is_backed_out_by_one_request() -> None:
    floor = ref_b(meter="19999.30")
    floor.coin_in("1")
    floor.mark(1, "five")
    floor.confirm()
    floor.card(SUPERVISOR, CARD_PIN)
    win = Win.objects.select_related("jackpot__premises").get()
    row = asked("back_out", win.jackpot, win=win)
    with pytest.raises(Refused, match="waits already"):
        asked("back_out", win.jackpot, win=win, by="other")
    refuse(request_id=row.pk, by=person("signer"), reason="the hand was right")
    done("back_out", win.jackpot, win=win)
    win.refresh_from_db()
    with pytest.raises(Refused, match="only a logged win is backed out"):
        asked("back_out", win.jackpot, win=win)


def test_a_person_of_another_house_decides_nothing_here() -> None:
    row = asked("adjust", a_jackpot(), amount="15.00")
    a_person("stranger", premises=a_property("OTHER", name="Other House"))
    with pytest.raises(Refused, match="GRAND belongs to another house than Test Stranger"):
        approved(row, by="stranger")


def test_a_floor_of_two_jackpots_pauses_while_one_is_suspended() -> None:
    floor = Floor(jackpots=[a_jackpot("GRAND"), a_jackpot("MINI", rate="10", pay_table=a_pay_table(lines=REF_B[1:]))])
    done("suspend", floor.casino.jackpots[1])
    refusal = floor.say(CoinInRequest(1, "1"))
    assert isinstance(refusal, Refusal)
    assert refusal.why.startswith("Jackpot MINI is suspended.")
    assert Entry.objects.filter(kind="coin_in").count() == 0


def test_v17_a_day_of_fixed_awards_from_the_meter_and_an_adjustment_closes_at_85() -> None:
    floor = Floor(2, meter="18250.00", reserve="400.00", pay_table=a_pay_table(source="meter"))
    floor.coin_ins(2849, 1)
    floor.coin_in("1")
    floor.mark(1, "royal_first_5")
    floor.confirm()
    assert amounts(floor.card()) == [(1, "20245.00")]
    assert floor.stands() == ("10542.50", "0.00")
    floor.say(EndRequest(1))
    voided = floor.coin_in("12345", 1)
    void_round(table_code="UTH-02", round_number=voided, reason="shuffler malfunction", by="Test Supervisor")
    floor.coin_ins(1353, 1)
    floor.coin_in("1234")
    for seat in (1, 2, 3, 4):
        floor.mark(seat, "royal_community")
    floor.confirm()
    assert [amount for _, amount in amounts(floor.card())] == ["3000.00"] * 4
    lacked = [Money(-entry.movement.house) for entry in Entry.objects.filter(kind="award", house__lt=0).order_by("seq")]
    assert str(sum(lacked, Money(0)) - Money.of("10000.00")) == "439.75"
    floor.say(EndRequest(2))
    floor.coin_ins(100, 1)
    done("adjust", floor.casino.jackpot, amount="15.00")
    assert floor.stands() == ("85.00", "5.00")
    brought = Entry.objects.filter(kind__in=["coin_in", "void"]).aggregate(net=Sum("meter"))["net"]
    assert brought == Money.of("3014.90").decimal()
    assert proves()


def test_a_sign_says_that_its_jackpot_does_not_play_and_why() -> None:
    jackpot = a_jackpot()
    a_sign("WALL", jackpot, notice="Progressive wager 1.00")
    done("suspend", jackpot)
    assert sign_layouts()["WALL"].notice == "Grand is suspended: maintenance · Progressive wager 1.00"
    done("resume", jackpot)
    assert sign_layouts()["WALL"].notice == "Progressive wager 1.00"
