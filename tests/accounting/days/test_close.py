"""The close of a gaming day: what matches, what must be explained, who signs, and what nothing changes any more."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest
from django.db import DatabaseError, connection, transaction
from django.utils import timezone

from accounting.days.actions.closing import close_day, sign_day, take_signature_back
from accounting.days.actions.explaining import ExplanationWish, explain
from accounting.days.actions.reopening import ask_to_reopen
from accounting.days.actions.snapshots import snapshot_due_days
from accounting.days.actions.writing import (
    count_chips,
    put_chips,
    read_sign,
    type_balance,
)
from accounting.days.models import ChipPlace, DaySignature, DaySnapshot, Explanation
from accounting.days.queries.columns import lines_of
from accounting.days.queries.days import days_of, state_on
from accounting.days.rules.day_life import DAY_LIFE, DayAct, DayState
from accounting.days.rules.reconcile import (
    CountOfOne,
    CoverNeeded,
    LineState,
    SlipFacts,
    agreed_count,
    chips_line,
    cover_line,
    reading_line,
    slip_lines,
    waits_for,
)
from accounting.days.tasks import snapshot_days
from jackpot.configuring.actions.house_rules import declare_notice
from jackpot.errands.actions import put_up
from jackpot.evidence.actions.keep import checked_upload
from jackpot.money import ZERO, Money
from jackpot.notices.models import Notice
from jackpot.property.rules.notice import NoticeAbout, NoticeRule
from jackpot.refusals import Refused
from jackpot.signing.actions import SecondPerson, kind_of, refuse, sign
from jackpot.trail.models import Trail
from tests import databases
from tests.builders import a_person, a_role
from tests.reseal import damage
from tests.scenes import changed_and_restored, played
from tests.scenes_adjusting import person
from tests.scenes_days import OfficeDay, a_worked_day, two_accountants

ONE = Money.of("1.00")


def money(amount: str) -> Money:
    return Money.of(amount)


# ---- the rules


@pytest.mark.parametrize(("state", "act"), [(state, act) for state in DayState for act in DayAct])
def test_a_day_goes_only_the_steps_that_are_listed(state: DayState, act: DayAct) -> None:
    leads = {
        ("open", "sign"): "signed", ("signed", "back"): "open", ("signed", "close"): "closed",
        ("closed", "ask"): "reopening", ("reopening", "keep"): "closed", ("reopening", "reopen"): "open",
    }  # fmt: skip
    assert DAY_LIFE.get((state, act)) == leads.get((state.value, act.value))


def counts(*told: tuple[int, int]) -> list[CountOfOne]:
    return [CountOfOne(who, f"Person {who}", chips) for who, chips in told]


@pytest.mark.parametrize(
    ("told", "agreed"),
    [
        ([], None), ([(1, 9)], None), ([(1, 9), (1, 9)], None), ([(1, 9), (2, 9)], 9), ([(1, 9), (2, 8)], None),
        ([(1, 9), (2, 8), (1, 8)], 8), ([(1, 9), (2, 8), (1, 7), (2, 7)], 7),
    ],
)  # fmt: skip
def test_chips_are_counted_when_two_people_counted_the_same(told: list[tuple[int, int]], agreed: int | None) -> None:
    assert agreed_count(counts(*told)) == agreed


def test_what_still_waits_for_a_count_says_who_and_never_how_many() -> None:
    assert waits_for(counts((1, 90))) == "Person 1 has counted. Another person counts too."
    assert "90" not in waits_for(counts((1, 90), (2, 91)))


def test_chips_in_the_tray_are_not_separable() -> None:
    line = chips_line("UTH-01", [], 100, ONE, in_box=False)
    assert (line.state, line.is_done, "not separable" in line.told) == (LineState.APART, True, True)


def test_a_missing_chip_is_worth_its_wager() -> None:
    line = chips_line("UTH-01", counts((1, 99), (2, 99)), 100, money("5.00"), in_box=True)
    assert (line.state, line.variance) == (LineState.DIFFERS, money("-5.00"))


def test_a_reading_agrees_with_any_figure_of_its_minute() -> None:
    around = [money("10.00"), money("10.70")]
    assert reading_line("GRAND", money("10.00"), around).is_done
    off = reading_line("GRAND", money("10.80"), around)
    assert (off.state, off.variance) == (LineState.DIFFERS, money("0.10"))
    assert reading_line("GRAND", None, []).state == LineState.MISSING


def test_a_slip_left_out_is_named() -> None:
    slips = [SlipFacts(4, ONE, ONE), SlipFacts(6, ONE, ONE)]
    assert [line.told for line in slip_lines(4, slips) if not line.is_done] == [
        "After slip 4 comes slip 6: a number is missing."
    ]


def test_cover_is_what_players_put_in_and_winners_are_owed() -> None:
    """A meter below its seed asks for nothing: the seed is the house's."""
    low = CoverNeeded(money("80"), money("100"), money("5"), money("1"), money("30"))
    high = CoverNeeded(money("180"), money("100"), ZERO, ZERO, ZERO)
    assert (low.amount, high.amount) == (money("36"), money("80"))
    assert cover_line([low, high], money("116"), 0).is_done
    short = cover_line([low, high], money("115.99"), 3)
    assert (short.variance, short.told) == (money("-0.01"), "ALARM. The statement is 3 days old.")
    assert cover_line([low], None, 0).state == LineState.MISSING


# ---- a day in the office


@pytest.mark.django_db
def test_a_day_is_signed_by_one_closed_by_another_and_read_only_then() -> None:
    office = a_worked_day()
    assert office.open_lines() == []
    one, two = two_accountants()
    sign_day(**office.where(), by=one)
    with pytest.raises(Refused, match="cannot sign twice"):
        close_day(**office.where(), by=one)
    closed = close_day(**office.where(), by=two)
    assert closed.digest == DaySignature.objects.order_by("id").first().digest  # type: ignore[union-attr]
    assert state_on(**office.where()) == DayState.CLOSED
    with pytest.raises(Refused, match="nothing is written to it any more"):
        type_balance(premises=office.premises, amount=ONE, as_of=office.day, by=one)
    with pytest.raises(DatabaseError, match="permission denied"), transaction.atomic():
        DaySignature.objects.update(why="never")


@pytest.mark.django_db
def test_a_closed_day_is_opened_again_only_by_two_and_visibly() -> None:
    office = a_worked_day()
    one, two = two_accountants()
    sign_day(**office.where(), by=one)
    close_day(**office.where(), by=two)
    asked = ask_to_reopen(**office.where(), by=one, why="a count was lost")
    assert state_on(**office.where()) == DayState.REOPENING
    with pytest.raises(Refused, match="its reopening waits for a second person"):
        ask_to_reopen(**office.where(), by=two, why="once more")
    with pytest.raises(Refused, match="cannot sign twice"):
        sign(request_id=asked.pk, approver=SecondPerson(one))
    refuse(request_id=asked.pk, by=two, reason="it was found")
    assert state_on(**office.where()) == DayState.CLOSED
    again = ask_to_reopen(**office.where(), by=two, why="it was not")
    digest = DaySignature.objects.get(act="close").digest
    assert ("Digest of what they signed", digest) in [
        (each.name, each.before) for each in kind_of(again.kind).compared(again)
    ]
    sign(request_id=again.pk, approver=SecondPerson(one))
    assert state_on(**office.where()) == DayState.OPEN
    acts = [(row.act, row.person) for row in DaySignature.objects.order_by("id")]
    assert acts == [("sign", one), ("close", two), ("reopen", one)]
    tried = Trail.objects.filter(act__contains="reopen_day").order_by("id").values_list("act", "outcome")
    assert list(tried) == [
        ("ask_reopen_day", "done"), ("refuse_reopen_day", "refused"), ("ask_reopen_day", "done"),
        ("sign_reopen_day", "done"),
    ]  # fmt: skip
    with pytest.raises(Refused, match="is not closed"):
        close_day(**office.where(), by=two)


@pytest.mark.django_db
def test_what_differs_keeps_the_day_open_until_two_have_explained_it() -> None:
    office = a_worked_day()
    one, two = two_accountants()
    for who in ("one", "two"):
        count_chips(**office.where(), table_code="UTH-01", chips=2, by=person(who))
    assert office.open_lines() == ["chips/UTH-01"]
    with pytest.raises(Refused, match=r"Chips: UTH-01 of .* differ or are missing"):
        sign_day(**office.where(), by=one)
    sheet = checked_upload("count.csv", b"UTH-01,2")
    wish = ExplanationWish(
        "chips/UTH-01", Explanation.Cause.COUNTING, "one chip under the table", "camera 7, 06:20", file=sheet
    )
    row = explain(**office.where(), wish=wish, by=one)
    assert str(row.amount) == "-1.00000000"
    with pytest.raises(Refused, match="differ or are missing"):
        sign_day(**office.where(), by=one)
    with pytest.raises(Refused, match="cannot sign twice"):
        sign(request_id=row.pk, approver=SecondPerson(one))
    rule = NoticeRule(office.day, NoticeAbout.EXPLANATION, "the regulator", a_role("accountant").code, 24)
    declare_notice(premises=office.premises, rule=rule, by="tests")
    sign(request_id=row.pk, approver=SecondPerson(two))
    assert Notice.objects.get().subject == f"chips/UTH-01 of {office.day}, differs by -1.00"
    told = sign_day(**office.where(), by=one).signed["explanations"]
    assert told == [[1, "chips/UTH-01", "-1.00000000", "counting", "one chip under the table", "camera 7, 06:20",
                     sheet.sha256, "accountant", "second"]]  # fmt: skip
    with pytest.raises(DatabaseError, match="what is written here stays"), transaction.atomic():
        Explanation.objects.update(subject="chips/UTH-02")


@pytest.mark.django_db
def test_an_explanation_explains_its_own_amount_and_no_other() -> None:
    office = a_worked_day()
    one, two = two_accountants()
    for who in ("one", "two"):
        count_chips(**office.where(), table_code="UTH-01", chips=2, by=person(who))
    wish = ExplanationWish("chips/UTH-01", Explanation.Cause.COUNTING, "x", "y")
    late, row = explain(**office.where(), wish=wish, by=two), explain(**office.where(), wish=wish, by=one)
    sign(request_id=row.pk, approver=SecondPerson(two))
    for who in ("one", "two"):
        count_chips(**office.where(), table_code="UTH-01", chips=1, by=person(who))
    with pytest.raises(Refused, match="Chips: UTH-01"):
        sign_day(**office.where(), by=one)
    with pytest.raises(Refused, match=r"differs by -2.00 now, no more by what this explains"):
        sign(request_id=late.pk, approver=SecondPerson(one))


@pytest.mark.django_db
def test_figures_that_changed_between_the_two_signatures_are_not_closed() -> None:
    office = a_worked_day()
    one, two = two_accountants()
    sign_day(**office.where(), by=one)
    with pytest.raises(Refused, match="nothing is written to it any more"):
        count_chips(**office.where(), table_code="UTH-01", chips=3, by=two)
    take_signature_back(**office.where(), by=two, why="one more count")
    put_chips(premises=office.premises, where=ChipPlace.Where.TRAY, by=one)
    sign_day(**office.where(), by=one)
    put_chips(premises=office.premises, where=ChipPlace.Where.BOX, by=one)
    with pytest.raises(Refused, match=f"not those that {one} signed"):
        close_day(**office.where(), by=two)


@pytest.mark.django_db
def test_a_person_counts_a_table_once_until_another_has() -> None:
    office = OfficeDay()
    count_chips(**office.where(), table_code="UTH-01", chips=3, by=person("one"))
    with pytest.raises(Refused, match="Another person counts it now"):
        count_chips(**office.where(), table_code="UTH-01", chips=4, by=person("one"))
    with pytest.raises(Refused, match="no table NOWHERE"):
        count_chips(**office.where(), table_code="NOWHERE", chips=4, by=person("one"))


@pytest.mark.django_db
def test_a_reading_lies_in_the_past_and_on_its_own_day() -> None:
    office = OfficeDay()
    later = timezone.now() + timedelta(minutes=5)
    with pytest.raises(Refused, match="lies ahead"):
        read_sign(jackpot=office.jackpot, shown=ONE, at=later, by=person("reader"))
    row = read_sign(jackpot=office.jackpot, shown=ONE, at=timezone.now(), by=person("reader"))
    assert row.day == office.day
    office.roll()
    assert office.lines("signs")["GRAND"].state == LineState.DIFFERS


@pytest.mark.django_db
def test_a_running_day_is_not_signed_and_a_day_nobody_closed_harms_nothing() -> None:
    office = OfficeDay()
    snapshot_due_days()
    with pytest.raises(Refused, match="has not rolled yet"):
        sign_day(**office.where(), by=a_person("accountant"))
    office.roll()
    snapshots = list(DaySnapshot.objects.filter(jackpot=office.jackpot).order_by("day"))
    assert [row.agrees for row in snapshots] == [True] * len(snapshots)
    assert [row.after_seq for row in snapshots[1:]] == [row.last_seq for row in snapshots[:-1]]
    assert snapshots[-1].meter == office.snapshot().meter
    assert [state for _, state, _ in days_of(office.premises)] == [DayState.OPEN] * len(snapshots)


@pytest.mark.django_db
def test_the_worker_takes_the_snapshot_though_nobody_is_there() -> None:
    from accounting.days.actions.snapshots import RHYTHM

    office = OfficeDay()
    put_up([RHYTHM])
    office.premises.time_zone = "Pacific/Kiritimati"
    office.premises.save()
    snapshot_days()
    assert office.snapshot().agrees


# ---- one flipped digit anywhere


@pytest.fixture(scope="module")
def scene(test_server: databases.TestServer, django_db_setup: None, django_db_blocker: Any) -> Iterator[str]:
    def play() -> None:
        office = a_worked_day()
        assert office.open_lines() == []

    with played(test_server, django_db_blocker, play) as name:
        yield name


FLIPPED = [
    ("UPDATE accounting_meterreading SET shown = shown + 10", "signs/GRAND"),
    ("UPDATE accounting_chipcount SET chips = chips + 1 WHERE table_code = 'UTH-01'", "chips/UTH-01"),
    ("UPDATE jackpot_win SET amount = amount + 1 WHERE slip = 2", "wins/slip 2"),
    ("UPDATE jackpot_win SET slip = 3 WHERE slip = 2", "wins/before slip 3"),
    ("UPDATE jackpot_payment SET cheque = '7'", "wins/payment of slip 1"),
    ("UPDATE jackpot_payment SET gross = gross + 1, net = net + 1", "wins/payment of slip 1"),
    ("UPDATE jackpot_entry SET meter = meter + 1, house = house - 1 WHERE seq = 2", "books/GRAND meter"),
    ("UPDATE jackpot_entry SET paid = paid + 1, outside = outside - 1 WHERE kind = 'pay'", "wins/payment of slip 1"),
    ("UPDATE jackpot_adjustment SET amount = 16", "books/GRAND meter"),
    ("UPDATE accounting_bankbalance SET amount = 5", "bank/account"),
    ("DELETE FROM jackpot_payment", "wins/GRAND entry"),
]


@pytest.mark.parametrize(("change", "subject"), FLIPPED)
def test_one_flipped_digit_is_found_and_named(
    scene: str, test_server: databases.TestServer, django_db_blocker: Any, change: str, subject: str
) -> None:
    from jackpot.property.models.property import Property

    with changed_and_restored(test_server, django_db_blocker, scene):
        snapshot = DaySnapshot.objects.order_by("day").first()
        assert snapshot is not None
        damage(change, payments=False)  # one digit; whoever seals a payment anew is named by the proof
        found = lines_of(Property.objects.get(), snapshot.day).unexplained(frozenset())
        assert any(line.subject.startswith(subject) for line in found), [line.subject for line in found]


def test_an_entry_changed_without_its_chain_is_named(
    scene: str, test_server: databases.TestServer, django_db_blocker: Any
) -> None:
    from jackpot.property.models.property import Property

    with changed_and_restored(test_server, django_db_blocker, scene):
        snapshot = DaySnapshot.objects.order_by("day").first()
        assert snapshot is not None
        with connection.cursor() as cursor:
            cursor.execute("SET LOCAL session_replication_role = replica")
            cursor.execute("UPDATE jackpot_entry SET meter = meter + 1, house = house - 1 WHERE seq = 3")
        found = [line.subject for line in lines_of(Property.objects.get(), snapshot.day).unexplained(frozenset())]
        assert found == ["books/GRAND entry 3"]
