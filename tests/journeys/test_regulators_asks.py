"""What regulators ask of a progressive, one test for each of their asks, with figures of our own.

Each test bears the number of its ask and the rule it comes from. What takes a process that dies, a whole floor or a
day stands in files of its own, in other numbers again: T01 and T25 over real sockets in test_asks_at_size.py (T01's
million there by a variable), T12's power cut in test_asks_power_cut.py, T16's day from its first chip to its second
signature in test_asks_of_a_day.py, T17, T19, T22 and T23 through the doors in test_asks_of_people.py, T13's pulled
cable in tests/browser/test_console_cut.py; T11 (`kill -9` behind the answer) and T24 (last night's backup, then the
journals of the boxes) in test_asks_after_a_loss.py, and at full load in `drill kill`.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import date, timedelta
from decimal import ROUND_DOWN, Decimal
from typing import Any

import pytest
from django.db import DatabaseError, transaction
from django.utils import timezone

from accounting.alarms.queries.finding import findings
from accounting.days.rules.equation import AmountAdjusted, EquationPart
from accounting.days.rules.reconcile import LineState, reading_line
from accounting.paper.printing.press import print_page
from accounting.paper.rules.copies import Form
from jackpot.adjusting.actions.back_out import back_out
from jackpot.books.models.entry import Entry
from jackpot.configuring.actions.house_rules import declare_notice, declare_tax
from jackpot.money import Money
from jackpot.notices.models import Notice
from jackpot.people.actions.people import block_card
from jackpot.people.actions.unlock import unlock_card
from jackpot.people.models import Card, Operator
from jackpot.proof.queries.database import prove
from jackpot.property.rules.notice import NoticeAbout, NoticeRule
from jackpot.property.rules.tax import TaxRule, slip_sum, tax_on
from jackpot.refusals import Refused
from jackpot.trail.actions.sealing import seal_trail
from jackpot.trail.models import Trail
from jackpot.wins.actions.pay import redeem
from jackpot.wins.models import Payment, Win
from tables.floor.models.device import Device
from tables.floor.models.outage import Outage
from tables.gateway.actions.device import Heard, seen
from tests.accounting.days.test_equation import award, coin_in, equation, held, units
from tests.builders import a_casino, a_jackpot, a_pay_table, a_person, a_property, a_role, terms
from tests.journeys.room import RoomIndoors
from tests.journeys.story import played, told
from tests.scenes_adjusting import asked, done
from tests.scenes_configure import approved, drafted
from tests.scenes_wins import WinFloor, backed_out
from tests.tables.hits.test_hit import EXECUTIVE, SUPERVISOR
from tests.tampering import tamper

RATE_OF_2025 = TaxRule(date(2025, 1, 1), Money.of("600.00"), 300, Money.of("5000.00"), 240_000, True)
RATE_OF_2026 = TaxRule(date(2026, 1, 1), Money.of("2000.00"), 300, Money.of("5000.00"), 240_000, True)


def test_t01_no_fraction_is_lost(room_indoors: RoomIndoors) -> None:
    """SD 20:18:17:24.02: 1,400 chips at 13.37 % are 187.18; rounded chip by chip they would be 182.00."""
    played(room_indoors.ref_b(1, "10000.00", "0.00", rate="13.37", reserve_rate="0"), "A plays 1 2 3 4 5 6 7;" * 200)
    assert told(room_indoors) == "10187.18 / 0.00 / 0.00"


def test_t02_the_same_message_three_times_counts_once(room_indoors: RoomIndoors) -> None:
    """N.J.A.C. 13:69E-1.39B (i)."""
    [desk] = room_indoors.ref_b(1, "20000.00", "617.25")
    answers = [desk.say(id=9, do="coin_in", round=1, seats=[2, 4, 6, 7]) for _ in range(3)]
    assert [(each["ok"], each["repeat"]) for each in answers] == [(True, False), (True, True), (True, True)]
    assert room_indoors.stands() == ("20002.80", "617.45")


@pytest.mark.parametrize(
    ("order", "paid", "stands"),
    [
        ("counter_clockwise", "5=1600.00 3=14400.00", "10412.37 / 0.00 / 0.00"),
        ("clockwise", "3=16000.00 5=1041.24", "9371.13 / 0.00 / 0.00"),  # 10 % of 10,412.37 is 1,041.237
    ],
)
def test_t03_two_hits_of_a_round_in_their_order(room_indoors: RoomIndoors, order: str, paid: str, stands: str) -> None:
    """9 NYCRR 5321.18 (b)(3)(iii); the order of the approved game rules."""
    desks = room_indoors.ref_b(1, "15998.60", "412.27", policy={"order": order})
    played(desks, f"A bets 3 5; A asks 3=royal 5=straight_flush; A pays {paid}")
    assert told(room_indoors) == stands


def test_t04_two_top_hits_one_after_the_other_or_shared(room_indoors: RoomIndoors) -> None:
    """9 NYCRR 5321.18 (b)(3)(iii); equal shares where the rules of the game say so."""
    desks = room_indoors.ref_b(2, "15998.60", "399.90")
    played(desks, "A bets 3; B bets 6; A asks 3=royal; B asks 6=royal; B waits; A pays 3=16000.00; B pays 6=10400.00")
    assert told(room_indoors) == "10000.00 / 0.00 / 0.00"


def test_t04_a_shared_top_award(room_indoors: RoomIndoors) -> None:
    desks = room_indoors.ref_b(1, "15998.60", "399.90", policy={"order": "equal_shares"})
    played(desks, "A bets 2 6; A asks 2=royal 6=royal; A pays 6=8000.00 2=8000.00")
    assert told(room_indoors) == "10400.00 / 0.00 / 0.00"


@pytest.mark.parametrize(
    ("then", "stands"),
    [("A pays 3=16000.00", "10402.80 / 0.20 / 0.00"), ("A rejects", "16002.80 / 400.20 / 0.00")],
)
def test_t05_an_award_is_fixed_when_it_is_seen(room_indoors: RoomIndoors, then: str, stands: str) -> None:
    """68 IAC 2-6-38 (c)."""
    desks = room_indoors.ref_b(2, "15999.30", "399.95")
    played(desks, f"A bets 3; A asks 3=royal; B plays 1 2 5 7; {then}")
    assert told(room_indoors) == stands


def test_t06_the_second_part_counts_from_what_the_first_left(room_indoors: RoomIndoors) -> None:
    """COMAR 36.05.03.24 F."""
    desks = room_indoors.ref_b(1, "15998.60", "399.90")
    played(desks, "A bets 3 7; A asks 3=straight_flush 7=straight_flush; A pays 7=1600.00 3=1440.00")
    assert told(room_indoors) == "12960.00 / 400.00 / 0.00"


def test_t06_what_the_meter_lacks_is_paid_and_booked(room_indoors: RoomIndoors) -> None:
    """Five community royals of 3,000.00 on a meter of 13,333.25: the house makes good 1,666.75."""
    more: dict[str, Any] = {"reserve_rate": "0", "pay_table": a_pay_table(source="meter")}
    desks = room_indoors.ref_b(1, "13329.75", "0.00", **more)
    hands = " ".join(f"{seat}=royal_community" for seat in range(1, 6))
    paid = " ".join(f"{seat}=3000.00" for seat in range(5, 0, -1))
    played(desks, f"A bets 1 2 3 4 5; A asks {hands}; A pays {paid}")
    assert told(room_indoors) == "0.00 / 0.00 / 0.00"
    assert room_indoors.auditor.balances()["house"] == "-1666.75"
    assert sorted(Win.objects.values_list("slip", flat=True)) == [1, 2, 3, 4, 5]


def test_t07_a_part_is_rounded_half_up(room_indoors: RoomIndoors) -> None:
    """5 % of 17,777.77 is 888.8885."""
    played(room_indoors.ref_b(1, "17777.07", "0.00", reserve_rate="0"), "A bets 4; A asks 4=five; A pays 4=888.89")
    assert told(room_indoors) == "16888.88 / 0.00 / 0.00"


def test_t08_a_back_out_leaves_later_coin_ins(room_indoors: RoomIndoors) -> None:
    """COMAR 36.05.03.23: the original stays beside its contra."""
    desks = room_indoors.ref_b(2, "15999.30", "399.95")
    played(desks, "A bets 3; A asks 3=royal; A pays 3=16000.00;" + "B plays 1 2 3 4 5;" * 60)
    people = {"requested_by": a_person("first"), "approved_by": a_person("other")}
    back_out(win_id=Win.objects.get().pk, reason="misdeal", evidence="camera 7, 02:14", **people)
    assert told(room_indoors) == "16210.00 / 415.00 / 0.00"
    kinds = list(Entry.objects.filter(kind__in=("award", "back_out")).order_by("seq").values_list("kind", flat=True))
    assert (kinds, Win.objects.get().state) == (["award", "back_out"], "backed_out")


def test_t09_who_was_paid_too_little_is_told_and_paid_by_two(room_indoors: RoomIndoors) -> None:
    """The later winner had 5 % of 10,610.70 and is owed 5 % of 16,210.70 less that: 280.00."""
    desks = room_indoors.ref_b(2, "15999.30", "399.95")
    played(desks, "A bets 3; A asks 3=royal; A pays 3=16000.00;" + "B plays 1 2 3 4 5;" * 60)
    played(desks, "B bets 6; B asks 6=five; B pays 6=530.54")
    first, later = Win.objects.get(slip=1), Win.objects.get(slip=2)
    people = {"requested_by": a_person("first"), "approved_by": a_person("other")}
    why: dict[str, Any] = {"win_id": first.pk, "reason": "misdeal", "evidence": "camera 7, 02:14", **people}
    with pytest.raises(Refused, match=r"280\.00 to Five percent"):
        back_out(**why)
    back_out(differences_seen=True, **why)
    cause = first.requests.get(kind="back_out").adjustment
    jackpot = first.jackpot
    jackpot.refresh_from_db()
    done("difference", jackpot, win=later, cause=cause, pays=True, account="house")
    page = Win.objects.get(difference_of=later)
    assert (str(page.amount_money), page.state, page.slip) == ("280.00", "owed", 3)
    assert prove().findings.listed == []


def test_t10_another_rate_waits_for_the_reset_and_is_told_to_accounting(room_indoors: RoomIndoors) -> None:
    """NZ gazetted standard: a change waits until the jackpot is won; 13:69D-1.52: accounting is told."""
    desks = room_indoors.ref_b(1, "12000.00", "0.00", reserve_rate="0")
    a_role("accountant", "close_day", "read_books")
    rule = NoticeRule(date(2026, 1, 1), NoticeAbout.TERMS, "casino accounting", "accountant", 24)
    declare_notice(premises=a_property(), rule=rule, by="tests")
    change = approved(a_property().jackpots.get(code="GRAND"), rate="55")
    played(desks, "A plays 1 2 3 4 5 6 7;" * 10 + "A bets 2; A asks 2=royal; A pays 2=12049.70")
    played(desks, "A plays 1 2 3 4 5 6 7;" * 10)
    assert told(room_indoors) == "10038.50 / 0.00 / 0.00"
    assert change.asked_by_id != change.decided_by_id
    assert Notice.objects.get().to == "casino accounting"


@pytest.mark.django_db
def test_t12_the_first_print_after_a_break_is_the_original() -> None:
    """MD 36.05.03.23: the number was given with the approval; what was not printed yet is no reprint."""
    win = WinFloor(meter="15999.30", reserve="399.95").royal()
    win.jackpot.refresh_from_db()
    assert str(Money.of(win.jackpot.meter)) == "10400.00"
    printed = print_page(win=win, form=Form.LETTER, by=a_person("cage"))
    assert (printed.copy.kind, printed.copy.page.slip, win.slip) == ("original", 1, 1)
    assert Win.objects.filter(slip__isnull=False).count() == 1


def test_t13_a_lost_link_is_one_event_with_both_times(room_indoors: RoomIndoors) -> None:
    """N.J.A.C. 13:69E-1.39B: nothing of that time is counted, and the outage is known from its first to its last
    second."""
    desks = room_indoors.ref_b(1, "10000.00", "0.00")
    played(desks, "A plays 1 2 3")
    box, lost = Device.objects.get(), timezone.now()
    seen(devices={box.code: Heard(lost)})
    seen(devices={box.code: Heard(lost + timedelta(seconds=75))})
    row = Outage.objects.get()
    assert (row.began_at, row.ended_at) == (lost, lost + timedelta(seconds=75))
    assert told(room_indoors) == "10002.10 / 0.15 / 0.00"


def test_t14_a_limit_keeps_the_rest_apart_and_never_falls_below_the_meter(room_indoors: RoomIndoors) -> None:
    """491 IAC 11.12 (3); N.J.A.C. 13:69E-1.39A (b)(5)."""
    desks = room_indoors.ref_b(1, "21999.00", "0.00", limit="22000.00")
    played(desks, "A plays 1 2 3 4; A plays 1 2 3 4")
    assert told(room_indoors) == "22000.00 / 0.40 / 4.60"
    with pytest.raises(Refused, match="limit"):
        drafted(a_property().jackpots.get(code="GRAND"), limit="21500.00")


def test_t15_what_does_not_fit_the_round_is_refused_and_moves_nothing(room_indoors: RoomIndoors) -> None:
    """13:69D-1.40: no award without its wager, no second count, no end over an open hit."""
    [desk] = room_indoors.ref_b(1, "20000.00", "0.00")
    desk.bets(2, 5)
    refused = [desk.say(do="mark", round=1, seat=4, hand="royal"), desk.say(do="coin_in", round=1, seats=[2, 5, 6])]
    desk.asks(seat_5="royal")
    refused.append(desk.say(do="end", round=1))
    assert [each["ok"] for each in refused] == [False, False, False]
    assert all(len(each["why"]) > 20 for each in refused), refused
    assert room_indoors.stands() == ("20001.40", "0.10")


@pytest.mark.parametrize(
    ("shown", "state", "variance"), [("18543.50", LineState.MATCHES, "0.00"), ("18500.00", LineState.DIFFERS, "-43.50")]
)
def test_t16_a_day_closes_by_rounds_and_records_and_a_sign_that_differs_is_a_case(
    shown: str, state: LineState, variance: str
) -> None:
    """COMAR 36.05.03.24; 25 CFR 543: 17,500.00 + 2,800 chips − 5 % of 18,830.00 + 25.00 is 18,543.50."""
    adjusted = AmountAdjusted("meter", units("25.00"), terms())
    found = equation(
        held("17500.00"), held("18543.50", "140.00"), coin_in(1900), award("941.50"), coin_in(900), adjusted
    )
    assert found.agrees
    assert found.lines[EquationPart.CONTRIBUTIONS].meter == units("1960.00")
    line = reading_line("GRAND", Money.of(shown), [Money.of("18543.50")])
    assert (line.state, str(line.variance)) == (state, variance)


def test_t17_the_sum_decides_who_approves(room_indoors: RoomIndoors) -> None:
    """COMAR 36.05.03.24: 4,999.99 by a supervisor's card, 5,000.00 by an executive's."""
    desks = room_indoors.ref_b(2, "4997.89", "0.00", reserve_rate="0", seed="4999.30")
    played(desks, "A bets 1 2 4; A asks 4=royal; A supervised 4=4999.99")
    played(desks, "A bets 5; A asks 5=royal; A level; A pays 5=5000.00")


@pytest.mark.django_db
def test_t17_who_marked_it_does_not_approve_it() -> None:
    floor = WinFloor()
    with pytest.raises(Refused, match="marked"):
        floor.won({2: "royal"}, marker=Operator.objects.get(username="executive"))
    assert not Win.objects.filter(slip__isnull=False).exists()


def test_t18_a_multiple_of_the_wager_is_asked_beside_the_sum() -> None:
    """Instructions to W-2G: 250 for 1 is not told, 300 for 1 only where the wager is not deducted."""
    day, wager = date(2026, 6, 1), Money.of("20.00")
    due = slip_sum([RATE_OF_2026], day, Money.of("5000.00"), wager)
    assert (due.reported, str(due.net)) == (False, "5000.00")
    whole = TaxRule(date(2026, 1, 1), Money.of("2000.00"), 300, None, 0, wager_deducted=False)
    assert tax_on(whole, Money.of("6000.00"), wager).reported is True
    assert tax_on(RATE_OF_2026, Money.of("6000.00"), wager).reported is False


def test_t19_withheld_from_the_winnings_less_the_wager() -> None:
    """6.00 at 3,000 for 1: 24 % of 17,994.00."""
    due = slip_sum([RATE_OF_2026], date(2026, 6, 1), Money.of("18000.00"), Money.of("6.00"))
    assert (due.reported, str(due.withheld), str(due.net)) == (True, "4318.56", "13681.44")


def test_t20_the_rule_of_the_day_of_payment_counts() -> None:
    rules, gross, wager = [RATE_OF_2025, RATE_OF_2026], Money.of("1432.07"), Money.of("1.00")
    assert slip_sum(rules, date(2025, 12, 31), gross, wager).reported is True
    assert slip_sum(rules, date(2026, 1, 2), gross, wager).reported is False


@pytest.mark.django_db
@pytest.mark.parametrize(("days_until_the_newer", "percent"), [(1, 10), (0, 24)])
def test_t18_to_t20_the_window_withholds_by_the_rule_of_its_day(days_until_the_newer: int, percent: int) -> None:
    """A royal paid under the rule of its last day, or under the one of the next: of the winnings less the wager."""
    floor = WinFloor()
    house = floor.casino.premises
    today = house.gaming_day(timezone.now())
    older = replace(RATE_OF_2025, begins=today - timedelta(days=30), rate=100_000)
    newer = replace(RATE_OF_2026, begins=today + timedelta(days=days_until_the_newer))
    for rule in (older, newer):
        declare_tax(premises=house, rule=rule, by="tests")
    win = floor.royal()
    redeem(slip=win.slip or 0, payer=a_person("cage", premises=house), form_seen=True, place="window 1")
    payment, gross = Payment.objects.get(), win.amount_money.decimal()
    withheld = ((gross - 1) * percent / 100).quantize(Decimal("0.01"), ROUND_DOWN)
    assert (payment.gross, payment.withheld, payment.net) == (gross, withheld, gross - withheld)
    assert (payment.reported, payment.taxable) == (True, gross - 1)


@pytest.mark.django_db
def test_t21_a_decommissioned_progressive_gives_on_what_players_put_in() -> None:
    """491 IAC 11.12 (7): 17,205.35 less a seed of 9,500.00, and the reserve; to the same odds only; thirty days."""
    one = a_jackpot("GRAND", meter="17205.35", reserve="512.80", seed="9500.00")
    other = a_jackpot("NEXT", meter="9500.00", seed="9500.00")
    with pytest.raises(Refused, match="same game, wager and odds"):
        asked("transfer", one, other=a_jackpot("ODD", wager="2.00"), leaves_seed=True)
    done("transfer", one, other=other, leaves_seed=True)
    other.refresh_from_db()
    assert [str(Money.of(each)) for each in (other.meter, other.reserve)] == ["17205.35", "512.80"]
    done("retire", one, reading="9500.00")
    one.refresh_from_db()
    assert (one.state, one.transfer_by) == ("retired", a_property().gaming_day(timezone.now()) + timedelta(days=30))
    assert prove().findings.listed == []


def test_t21_not_while_a_hit_waits(room_indoors: RoomIndoors) -> None:
    desks = room_indoors.ref_b(1, "17205.35", "0.00")
    played(desks, "A bets 3; A asks 3=royal")
    grand = a_property().jackpots.get(code="GRAND")
    with pytest.raises(Refused, match="Settle this hit first"):
        asked("transfer", grand, other=a_jackpot("NEXT", pay_table=grand.version.value.pay_table), leaves_seed=True)


def test_t22_three_wrong_pins_lock_a_card_and_ring_until_somebody_acts(room_indoors: RoomIndoors) -> None:
    """25 CFR 543.20; 11VAC5-240 D (4)."""
    [desk] = room_indoors.ref_b(1, "20000.00", "0.00")
    desk.bets(1)
    desk.asks(seat_1="royal")
    wrong = [desk.say(do="card", round=1, card=EXECUTIVE, pin=pin)["code"] for pin in ("111111", "222222", "333333")]
    assert wrong == ["pin_wrong"] * 3
    assert desk.swipes()["code"] == "pin_wrong", "the right PIN comes too late"
    assert [each.kind.value for each in findings(timezone.now())] == ["card locked"]
    card = Card.objects.get(locked_at__isnull=False)
    unlock_card(card=card, why="she was mistaken", by=a_person("admin", may=("people",)))
    assert findings(timezone.now()) == []
    block_card(card=Card.objects.get(operator__username="supervisor"), why="left the house", by="tests")
    assert desk.swipes(SUPERVISOR)["ok"] is False
    assert desk.pays() == [(1, "20000.70")]
    assert Trail.objects.filter(act="wrong_pin", outcome="refused").count() == 3


@pytest.mark.django_db
def test_t23_what_is_changed_past_the_guards_is_found_by_its_number() -> None:
    """K.A.R. 112-104-25 (a)(4)(B)."""
    WinFloor().royal()
    for change in (
        lambda: Entry.objects.update(meter=1),
        lambda: Trail.objects.update(why="x"),
        lambda: Entry.objects.all().delete(),
    ):
        with pytest.raises(DatabaseError, match="permission denied"), transaction.atomic():
            change()
    while seal_trail():
        pass
    assert prove().findings.listed == []
    gone, changed = Trail.objects.order_by("id").values_list("pk", flat=True)[1:3]
    tamper(f"UPDATE jackpot_trail SET why = 'nothing' WHERE id = {changed}")
    tamper(f"DELETE FROM jackpot_trail WHERE id = {gone}")
    told_of = " ".join(str(each) for each in prove().findings.listed if each.kind == "trail")
    assert f"the seal of line {changed} " in told_of, "a word of the trail"
    assert f"line {gone} of the trail" in told_of, "a line that is gone"
    tamper("UPDATE jackpot_entry SET round_number = 7 WHERE seq = 2")
    tamper("UPDATE jackpot_win SET amount = amount + 1 WHERE slip = 1")
    found = {each.where for each in prove().findings.listed}
    assert {"GRAND/2", "GRAND/5", "GRAND/6"} <= found, "the coin-in, and the entries by which the slip was won"


def test_t25_many_tables_add_up_and_a_void_page_keeps_its_number(room_indoors: RoomIndoors) -> None:
    """13:69E-1.39C (b): six tables, five seats, forty rounds: 1,200 chips."""
    desks = room_indoors.opens(a_casino(tables=6, meter="12000.00", reserve="0.00"))
    for _ in range(40):
        for desk in desks:
            desk.plays(1, 2, 3, 4, 5)
    assert room_indoors.stands() == ("12840.00", "60.00")
    numbers = list(Entry.objects.order_by("seq").values_list("seq", flat=True))
    assert numbers == list(range(1, 242)), "no number is missing and none stands twice"


@pytest.mark.django_db
def test_t25_void_and_reprint_keep_the_number() -> None:
    win, cage = WinFloor().royal(), a_person("cage")
    first = print_page(win=win, form=Form.LETTER, by=cage)
    again = print_page(win=win, form=Form.LETTER, by=cage, reason="paper jam")
    backed_out(win)
    void = print_page(win=Win.objects.select_related("jackpot__premises", "version").get(), form=Form.LETTER, by=cage)
    assert [each.copy.kind for each in (first, again, void)] == ["original", "reprint", "void"]
    assert {each.copy.page.slip for each in (first, again, void)} == {1}
