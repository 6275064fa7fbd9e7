"""A notice: due because a rule of the house says so, seen to by a role, done once, an alarm when it is late."""

from __future__ import annotations

import csv
import io
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from typing import Any

import pytest
from django.db import DatabaseError, transaction
from django.test import Client
from django.utils import timezone

from accounting.reports.queries.asking import clock_of
from accounting.reports.queries.catalogue import REPORTS
from accounting.reports.queries.waiting import waiting_now
from accounting.reports.rules.asking import read_question
from jackpot.configuring.actions.house_rules import declare_notice, declare_unclaimed
from jackpot.money import Money
from jackpot.notices.actions.finishing import finish_notice, tell_owner
from jackpot.notices.actions.raising import raise_slip_notices
from jackpot.notices.models import Notice
from jackpot.notices.queries import in_state, overdue_notices
from jackpot.notices.tasks import raise_notices as raise_by_the_worker
from jackpot.people.models import Operator
from jackpot.property.models.property import Property
from jackpot.property.rules.notice import NoticeAbout, NoticeRule, NoticeState, notice_rules_on, notice_state
from jackpot.property.rules.unclaimed import UnclaimedRule
from jackpot.refusals import Refused
from jackpot.trail.models import Trail
from jackpot.wins.actions.pay import redeem
from tests.builders import a_jackpot, a_person, a_property, a_role
from tests.jackpot.books.api_scene import signed_in
from tests.scenes_adjusting import done, person
from tests.scenes_configure import approved
from tests.scenes_wins import WinFloor

NEW_YEAR = date(2026, 1, 1)
AT = datetime(2026, 11, 18, 12, tzinfo=UTC)


def a_rule(begins: date = NEW_YEAR, hours: int | None = 72, to: str = "the regulator", about: str = "adjust") -> Any:
    return NoticeRule(begins, NoticeAbout(about), to, "accountant", hours)


def test_the_newest_rule_that_has_begun_counts_for_each_who_is_told() -> None:
    rules = [
        a_rule(), a_rule(date(2026, 6, 1), 24), a_rule(date(2027, 1, 1), 1), a_rule(to="the state"),
        a_rule(date(2026, 7, 1), None, "the state"), a_rule(about="retire"),
    ]  # fmt: skip
    assert notice_rules_on(rules, NoticeAbout.ADJUST, date(2026, 11, 18)) == [a_rule(date(2026, 6, 1), 24)]
    assert notice_rules_on(rules, NoticeAbout.ADJUST, date(2025, 12, 31)) == []
    assert len(notice_rules_on(rules, NoticeAbout.ADJUST, date(2026, 3, 1))) == 2


@pytest.mark.parametrize(
    ("least", "amount", "is_told"),
    [
        ("50.01", "50.01", True), ("50.01", "-56.00", True), ("50.01", "50.00", False), ("50.01", "-50.00", False),
        ("50.01", None, True), (None, "0.01", True),
    ],
)  # fmt: skip
def test_a_rule_may_begin_at_an_amount_up_or_down(least: str | None, amount: str | None, is_told: bool) -> None:
    """SD 20:18:17:24.02: more than fifty dollars. What has no amount is told to whoever is told at all."""
    rule = replace(a_rule(), from_amount=None if least is None else Money.of(least))
    assert rule.concerns(None if amount is None else Money.of(amount)) is is_told


@pytest.mark.django_db
def test_an_act_below_the_amount_of_its_rule_raises_no_notice() -> None:
    jackpot = a_jackpot()
    a_role("accountant", "close_day", "read_books")
    rule = replace(a_rule(), from_amount=Money.of("50.01"))
    declare_notice(premises=jackpot.premises, rule=rule, by="tests")
    done("adjust", jackpot, amount="50.00")
    assert not Notice.objects.exists()
    done("adjust", jackpot, amount="-50.01")
    assert Notice.objects.get().about == "adjust"
    for wrong in (replace(rule, about=NoticeAbout.RETIRE), replace(rule, from_amount=Money.of("0"))):
        with pytest.raises(Refused, match="A notice begins at an amount above 0 only where there is one: adjust"):
            declare_notice(premises=jackpot.premises, rule=replace(wrong, begins=date(2026, 2, 1)), by="tests")


@pytest.mark.parametrize(
    ("minutes", "is_done", "falls", "state"),
    [
        (1, False, False, "open"), (0, False, False, "open"), (-1, False, False, "overdue"), (-1, True, False, "done"),
        (-1, False, True, "fallen"), (1, True, True, "done"),
    ],
)  # fmt: skip
def test_a_notice_is_late_after_its_due_time_unless_it_is_done_or_nobody_needs_it(
    minutes: int, is_done: bool, falls: bool, state: str
) -> None:
    assert notice_state(due_at=AT + timedelta(minutes=minutes), now=AT, done=is_done, falls=falls) == state


def declared(**more: Any) -> Property:
    house = a_property()
    a_role("accountant", "close_day", "read_books")
    declare_notice(premises=house, rule=a_rule(**more), by="tests")
    return house


def accountant(username: str = "ann") -> Operator:
    return a_person(username, roles=["accountant"], password="right")


def waiting(house: Property) -> list[tuple[str, int]]:
    question = read_question(REPORTS["waiting"], {}, clock_of(house))
    return [(each.what, each.count) for each in waiting_now(question) if each.what.startswith("Notice")]


@pytest.mark.django_db
def test_an_act_that_no_rule_names_raises_none_and_one_that_is_named_one_with_its_due_time() -> None:
    house = declared()
    jackpot = a_jackpot()
    done("suspend", jackpot)
    assert not Notice.objects.exists()
    row = done("adjust", a_jackpot("MINI"), amount="15.00")
    notice = Notice.objects.get()
    assert (notice.request_id, notice.about, notice.owner) == (row.pk, "adjust", "accountant")
    assert row.decided_at is not None
    assert notice.due_at == row.decided_at + timedelta(hours=72)
    assert notice.words == "Tell the regulator of the adjustment, with its evidence."
    assert Trail.objects.get(act="raise_notice").outcome == "due"
    assert waiting(house) == [("Notice", 1)]


@pytest.mark.django_db
def test_other_terms_that_two_people_signed_are_told_to_accounting() -> None:
    """Before they are in force: whoever reconciles knows of them when they begin."""
    declared(about="terms", to="casino accounting")
    change = approved(a_jackpot(), rate="60")
    notice = Notice.objects.get()
    assert (notice.request_id, notice.to) == (change.pk, "casino accounting")
    assert notice.subject == "change 1 of GRAND, version 2"


@pytest.mark.django_db
def test_only_its_role_finishes_it_once_and_says_how() -> None:
    declared()
    done("adjust", a_jackpot(), amount="15.00")
    notice, ann = Notice.objects.get(), accountant()
    with pytest.raises(Refused, match="is for the Accountant"):
        finish_notice(notice_id=notice.pk, by=a_person("exec", may=("sign_adjustments",)), note="letter 12")
    with pytest.raises(Refused, match="how they were told"):
        finish_notice(notice_id=notice.pk, by=ann, note=" ")
    stranger = a_person("stranger", roles=["accountant"], premises=a_property("OTHER"))
    with pytest.raises(Refused, match="in your house"):
        finish_notice(notice_id=notice.pk, by=stranger, note="letter 12")
    finish_notice(notice_id=notice.pk, by=ann, note="letter 12")
    with pytest.raises(Refused, match="was done by Test Ann: letter 12"):
        finish_notice(notice_id=notice.pk, by=ann, note="again")
    for change in ({"note": "letter 13"}, {"due_at": AT}):
        with pytest.raises(DatabaseError, match="stays"), transaction.atomic():
            Notice.objects.filter(pk=notice.pk).update(**change)
    with pytest.raises(DatabaseError, match="permission denied"), transaction.atomic():
        Notice.objects.all().delete()


@pytest.mark.django_db
def test_what_is_late_is_an_alarm_on_the_bar_and_the_morning_page() -> None:
    house = declared(hours=0)
    done("adjust", a_jackpot(), amount="15.00")
    ann, notice = accountant(), Notice.objects.get()
    later = timezone.now() + timedelta(seconds=1)
    assert overdue_notices(ann, ann.verbs(), later).count == 1
    other = a_person("other", may=("adjust",))
    assert overdue_notices(other, other.verbs(), later).count == 0
    assert waiting(house) == [("Notice overdue", 1)]
    client = Client()
    client.force_login(ann)
    assert "1 notice overdue" in " ".join(client.get("/office/").content.decode().split())
    finish_notice(notice_id=notice.pk, by=ann, note="letter 12")
    assert "notice overdue" not in client.get("/office/").content.decode()
    assert waiting(house) == []


@pytest.mark.django_db
def test_the_page_lists_filters_exports_and_notes() -> None:
    declared()
    row = done("adjust", a_jackpot(), amount="15.00")
    client = Client()
    client.force_login(accountant())
    notice = Notice.objects.get()
    page = client.get("/office/notices/").content.decode()
    for words in ("Tell the regulator of the adjustment", f"/office/requests/{row.pk}/", "Accountant", "How they were"):
        assert words in page
    assert "Tell the regulator" not in client.get("/office/notices/?about=retire").content.decode()
    told = client.post(f"/office/notices/{notice.pk}/done/", {"note": "letter 12"}, follow=True).content.decode()
    assert "letter 12" in told
    assert "Tell the regulator" not in client.get("/office/notices/").content.decode()
    assert "letter 12" in client.get(f"/office/requests/{row.pk}/").content.decode()
    (line,) = csv.DictReader(io.StringIO(client.get("/office/notices.csv?state=done").content.decode()))
    assert (line["state"], line["note"], line["done_by"]) == ("done", "letter 12", "Test Ann")
    taken = Trail.objects.get(act="export_list")
    assert taken.details == {"list": "notices", "rows": 1, "asked": "state=done"}, "a list that left the house"
    assert "How they were" not in signed_in("read_books", username="auditor").get("/office/notices/").content.decode()


@pytest.mark.django_db
def test_programs_list_and_finish_them() -> None:
    declared()
    done("adjust", a_jackpot(), amount="15.00")
    client = Client()
    client.force_login(accountant())
    (told,) = client.get("/api/v1/notices/?state=open&about=adjust").json()["results"]
    assert (told["to"], told["owner"], told["state"], told["done_at"]) == ("the regulator", "accountant", "open", None)
    where = f"/api/v1/notices/{told['id']}/done/"
    assert (
        signed_in("adjust", username="x").post(where, {"note": "y"}, content_type="application/json").status_code == 403
    )
    answer = client.post(where, {"note": "letter 12"}, content_type="application/json").json()
    assert (answer["notice"]["state"], answer["notice"]["note"]) == ("done", "letter 12")
    assert client.get("/api/v1/notices/?state=overdue").json()["results"] == []


def an_old_slip() -> Any:
    """Given today under a rule by which its owner is to be told at once."""
    house = a_property()
    declare_unclaimed(premises=house, rule=UnclaimedRule(NEW_YEAR, 0, 365), by="tests")
    WinFloor().won({3: "five"})
    raise_slip_notices()
    return Notice.objects.select_related("win__jackpot__premises").get()


@pytest.mark.django_db
def test_the_owner_of_an_old_slip_is_told_once_and_both_records_say_so() -> None:
    notice = an_old_slip()
    assert (raise_slip_notices(), notice.to, notice.owner) == (0, "its owner", "")
    cage = a_person("till", may=("pay",))
    tell_owner(win=notice.win, by=cage, how="letter to the winner")
    notice.refresh_from_db()
    assert (notice.done_by, notice.note) == (cage, "letter to the winner")
    assert notice.win.notices.get().how == "letter to the winner"


@pytest.mark.django_db
def test_a_slip_that_is_paid_needs_no_notice_any_more() -> None:
    notice = an_old_slip()
    redeem(slip=notice.win.slip, payer=person("cage"), form_seen=False)
    notice = Notice.objects.select_related("win").get()
    assert notice.state(timezone.now()) == NoticeState.FALLEN
    assert list(in_state(Notice.objects.all(), NoticeState.FALLEN, timezone.now())) == [notice]
    with pytest.raises(Refused, match="no longer due"):
        finish_notice(notice_id=notice.pk, by=a_person("till", may=("pay",)), note="x")
    raise_by_the_worker()
    assert Notice.objects.count() == 1


@pytest.mark.django_db
def test_a_rule_names_a_known_role_and_begins_once() -> None:
    house = declared()
    with pytest.raises(Refused, match="stands already"):
        declare_notice(premises=house, rule=a_rule(), by="tests")
    with pytest.raises(Refused, match="no role nobody"):
        declare_notice(premises=house, rule=NoticeRule(NEW_YEAR, NoticeAbout.RETIRE, "x", "nobody", 1), by="tests")
    with pytest.raises(Refused, match="A notice is about one of"):
        declare_notice(premises=house, rule=NoticeRule(NEW_YEAR, NoticeAbout.SLIP, "x", "accountant", 1), by="tests")
