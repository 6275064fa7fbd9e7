"""Funds required against the bank: an alarm, a report, and by switch jackpots that stand still until two bring them
back."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.db import DatabaseError, transaction
from django.test import Client
from django.utils import timezone

from accounting.alarms.queries.finding import findings
from accounting.days.actions import cover
from accounting.days.actions.cover import watch_cover
from accounting.days.actions.writing import type_balance
from accounting.days.queries.cover import bank_cover
from accounting.days.tasks import watch_cover as watch_by_the_worker
from jackpot.adjusting.models import CoverSuspension
from jackpot.books.models.entry import Entry
from jackpot.books.models.jackpot import Jackpot
from jackpot.configuring.actions.house_rules import declare_notice
from jackpot.money import Money
from jackpot.notices.models import Notice
from jackpot.proof.queries.database import prove
from jackpot.property.models.property import Property
from jackpot.property.rules.notice import NoticeAbout, NoticeRule
from jackpot.refusals import Refused
from jackpot.trail.models import Trail
from tests.builders import a_casino, a_jackpot, a_person, a_property, a_role
from tests.jackpot.books.api_scene import play
from tests.scenes_adjusting import asked, by_others, done, person
from tests.scenes_configure import AT_ONCE, approved


def a_house(*, switch: bool = True) -> Property:
    """Required: 18,641.50 − 10,000.00 + 617.25 of GRAND and 250.00 of MINI, 9,508.75."""
    house = a_property(short_cover_suspends=switch)
    a_jackpot("GRAND", meter="18641.50", reserve="617.25")
    a_jackpot("MINI", meter="10250.00")
    return house


def typed(house: Property, amount: str) -> None:
    today = house.gaming_day(timezone.now())
    type_balance(premises=house, amount=Money.of(amount), as_of=today, by=person("accountant"))


def states() -> dict[str, str]:
    return dict(Jackpot.objects.order_by("code").values_list("code", "state"))


def rings() -> list[str]:
    return [each.words for each in findings(timezone.now()) if each.kind == "bank cover"]


@pytest.mark.django_db
def test_a_balance_of_exactly_what_is_required_is_enough_and_a_cent_less_is_not() -> None:
    house = a_house()
    assert (watch_cover(), rings()) == (0, []), "without a statement nothing is known"
    typed(house, "9508.75")
    assert (watch_cover(), rings(), states()) == (0, [], {"GRAND": "open", "MINI": "open"})
    typed(house, "9508.74")
    assert watch_cover() == 2
    assert states() == {"GRAND": "suspended", "MINI": "suspended"}
    assert "9,508.75 was required and the bank held 9,508.74" in rings()[0]
    assert "0.01 is missing" in rings()[0]
    assert watch_cover() == 0, "what stands still is not suspended again"
    assert Trail.objects.filter(act="suspend_for_cover").count() == 2


@pytest.mark.django_db
def test_whoever_is_told_of_a_suspension_is_told_of_one_that_nobody_asked_for() -> None:
    """A notice for each jackpot, with its hours and its role; the database takes it for one thing only."""
    house = a_house()
    a_role("accountant", "close_day")
    rule = NoticeRule(house.gaming_day(timezone.now()), NoticeAbout.SUSPEND, "the Commission", "accountant", 24)
    declare_notice(premises=house, rule=rule, by="tests")
    typed(house, "100.00")
    assert watch_cover() == 2
    notices = Notice.objects.order_by("subject")
    assert [(each.subject, each.to, each.owner, each.thing.words) for each in notices] == [
        ("GRAND suspended itself: too little in the bank", "the Commission", "accountant", "jackpot GRAND"),
        ("MINI suspended itself: too little in the bank", "the Commission", "accountant", "jackpot MINI"),
    ]
    first = notices[0]
    assert first.suspension is not None
    assert first.due_at == first.suspension.at + timedelta(hours=24)
    client = Client()
    client.force_login(a_person("closer", may=("close_day", "read_books")))
    assert "GRAND suspended itself" in client.get("/office/notices/").content.decode()
    told = client.get("/api/v1/notices/").json()["results"]
    assert {(each["subject"][:5], each["request"]) for each in told} == {("GRAND", None), ("MINI ", None)}
    with pytest.raises(DatabaseError, match="a notice stays as it fell due"), transaction.atomic():
        Notice.objects.filter(pk=first.pk).update(suspension=notices[1].suspension)


@pytest.mark.django_db
def test_an_overdraft_of_less_than_one_keeps_its_sign() -> None:
    house = a_house(switch=False)
    typed(house, "-0.50")
    assert "the bank held -0.50 on " in rings()[0]
    assert "9,509.25 is missing" in rings()[0]


@pytest.mark.django_db
def test_without_the_switch_it_is_an_alarm_and_everything_plays_on() -> None:
    house = a_house(switch=False)
    typed(house, "9000.00")
    assert (watch_cover(), states()["GRAND"]) == (0, "open")
    assert "508.75 is missing" in rings()[0]


@pytest.mark.django_db
def test_what_is_played_after_the_statement_is_asked_of_the_next_one() -> None:
    house = a_property(short_cover_suspends=True)
    casino = a_casino(premises=house)
    typed(house, "0.00")
    assert bank_cover(house, timezone.now()).missing == Money.of("0.00")
    play(casino.controller, 1, "12345")
    assert watch_cover() == 0
    typed(house, "0.00")
    assert bank_cover(house, timezone.now()).missing == Money.of("3.75")
    assert watch_cover() == 1
    answer = play_refused(casino.controller)
    assert "GRAND is suspended" in answer


def play_refused(controller: Any) -> str:
    with pytest.raises(AssertionError) as refused:
        play(controller, 2, "1")
    return str(refused.value)


@pytest.mark.django_db
def test_two_people_bring_them_back_once_the_money_is_there_and_the_proof_knows_who_suspended() -> None:
    house = a_house()
    typed(house, "1.00")
    watch_cover()
    grand = Jackpot.objects.get(code="GRAND")
    with pytest.raises(Refused, match=r"GRAND stays suspended: 9507\.75 is missing in the bank"):
        asked("resume", grand)
    typed(house, "9508.75")
    assert watch_cover() == 0
    done("resume", grand)
    assert states() == {"GRAND": "open", "MINI": "suspended"}
    assert prove().findings.listed == []
    row = CoverSuspension.objects.get(jackpot=grand)
    assert row.words == f"9508.75 is required, and the bank held 1.00 on {row.as_of}."
    entry = Entry.objects.get(jackpot=grand, seq=row.seq)
    assert (entry.kind, entry.meter) == ("suspend", 0)
    for change in (lambda: CoverSuspension.objects.update(balance=5), lambda: CoverSuspension.objects.all().delete()):
        with pytest.raises(DatabaseError, match="permission denied"), transaction.atomic():
            change()


@pytest.mark.django_db
def test_the_report_says_what_each_jackpot_requires_and_how_old_the_statement_is() -> None:
    house = a_house()
    yesterday = house.gaming_day(timezone.now()) - timedelta(days=1)
    type_balance(premises=house, amount=Money.of("9000.00"), as_of=yesterday, by=person("accountant"))
    client = Client()
    client.force_login(a_person("reader", may=("read_books", "see")))
    told = client.get("/api/v1/reports/bank-cover/").json()
    assert [(row["jackpot"], row["required"]) for row in told["results"]] == [("GRAND", "9258.75"), ("MINI", "250.00")]
    assert told["totals"]["required"] == "9508.75"
    page = client.get("/office/reports/bank-cover/").content.decode()
    assert "1 day ago" in page
    assert "508.75 is missing" in page


@pytest.mark.django_db
def test_the_worker_looks_at_it() -> None:
    from accounting.days.actions.cover import RHYTHM
    from jackpot.errands.actions import put_up

    house = a_house()
    typed(house, "0.00")
    put_up([RHYTHM])
    watch_by_the_worker()
    assert states() == {"GRAND": "suspended", "MINI": "suspended"}


@pytest.mark.django_db
@pytest.mark.parametrize("seed", ["5000.00", "15000.00"])
def test_a_seed_that_is_altered_after_the_statement_alters_nothing_of_what_had_to_be_there(seed: str) -> None:
    house = a_house()
    typed(house, "9508.75")
    grand = Jackpot.objects.get(code="GRAND")
    by_others("suspend", grand)
    approved(grand, how=AT_ONCE, seed=seed)
    assert bank_cover(house, timezone.now()).required == Money.of("9508.75")
    assert (watch_cover(), rings()) == (0, [])


@pytest.mark.django_db
def test_a_statement_that_is_typed_while_the_cover_is_judged_is_judged(monkeypatch: pytest.MonkeyPatch) -> None:
    house = a_house()
    typed(house, "1.00")
    looks: list[Any] = []

    def looked(premises: Property, now: Any) -> Any:
        found = bank_cover(premises, now)
        if not looks:
            typed(house, "9508.75")  # between the look and the act
        looks.append(found)
        return found

    monkeypatch.setattr(cover, "bank_cover", looked)
    assert (watch_cover(), states()) == (0, {"GRAND": "open", "MINI": "open"})
    assert [bool(each.missing) for each in looks] == [True, False]
