"""Once a quarter two people sign what everybody may do, and exactly what both saw."""

from __future__ import annotations

from datetime import timedelta
from typing import Final

import pytest
from django.test import Client
from django.utils import timezone

from accounting.people_desk.actions.asking import ask_roles
from accounting.people_desk.actions.reviewing import begin_review
from accounting.people_desk.pages.shown import review_due
from accounting.people_desk.rules.rights_digest import HeldRights, rights_digest
from accounting.reports.queries.asking import clock_of
from accounting.reports.queries.catalogue import REPORTS
from accounting.reports.queries.waiting import waiting_now
from accounting.reports.rules.asking import read_question
from jackpot.people.models import Operator
from jackpot.refusals import NotAllowedNow
from jackpot.requests.models import Request
from jackpot.signing.actions import SecondPerson, sign
from jackpot.trail.models import Trail
from tests.builders import a_person, a_property, a_role

PASSWORD: Final = "a long right password"


def test_the_digest_is_of_the_rights_and_not_of_their_order() -> None:
    one = HeldRights("ann", "Ann", "signs in", ("Cage",), ("pay",), ())
    other = HeldRights("bob", "Bob", "card only", (), (), ("•••• 4821 dealer, works",))
    assert rights_digest([one, other]) == rights_digest([other, one])
    assert rights_digest([one]) != rights_digest([one, other])


@pytest.mark.django_db
def test_two_sign_the_same_list_and_a_change_in_between_is_seen() -> None:
    role = a_role("cage", "see", "pay")
    chief, second = (a_person(name, may=("people", "see"), password=PASSWORD) for name in ("chief", "second"))
    ann, page = a_person("ann"), Client()
    page.force_login(chief)
    assert "Nobody has looked through" in page.get("/office/people/").content.decode()
    first = {"digest": page.get("/office/people-review/").context["digest"], "reason": "all as hired"}
    ann.roles.add(role)
    assert (
        "rights changed while you looked"
        in page.post("/office/people-review/sign/", first, follow=True).content.decode()
    )
    first["digest"] = page.get("/office/people-review/").context["digest"]
    page.post("/office/people-review/sign/", first)
    row = Request.objects.get(kind="people_review")
    assert row.payload == {"digest": first["digest"], "people": 3}
    with pytest.raises(NotAllowedNow, match="waits for a second person"):
        begin_review(premises=chief.premises, digest=first["digest"], reason="again", by=second)
    ann.roles.clear()
    with pytest.raises(NotAllowedNow, match="rights changed since Test Chief looked"):
        sign(request_id=row.pk, approver=SecondPerson(second))
    ann.roles.add(role)
    page.force_login(second)
    asked = page.get(f"/office/requests/{row.pk}/").content.decode()
    assert 'href="/office/people-review/"' in asked, "a number and a digest are nothing to sign"
    assert "I have looked through everybody’s rights" in asked
    page.post(f"/office/requests/{row.pk}/approve/", {"password": PASSWORD})
    assert Request.objects.get(pk=row.pk).state == "in_force"
    assert Trail.objects.get(act="approve_people_review").details["digest"] == first["digest"]
    assert "Review due" not in page.get("/office/people/").content.decode()


@pytest.mark.django_db
def test_a_review_is_overdue_after_a_quarter() -> None:
    house, now = a_property(), timezone.now()
    row = Request(premises=house, asked_by=Operator(), decided_at=now - timedelta(days=92))
    assert review_due(row, house, now) == ""
    assert "is 3 days overdue" in review_due(row, house, now + timedelta(days=3))


@pytest.mark.django_db
def test_the_morning_tells_of_a_review_that_is_overdue_and_of_what_waits() -> None:
    house, now = a_property(), timezone.now()
    a_role("cage", "see", "pay")
    chief, ann = a_person("chief", may=("people",)), a_person("ann")
    ask_roles(person=ann, roles=["cage"], reason="covers the window", by=chief)

    def waits() -> list[tuple[str, str]]:
        question = read_question(REPORTS["waiting"], {}, clock_of(house))
        return [(each.what, each.where) for each in waiting_now(question)]

    assert waits() == [("People", "/office/people/")]
    Operator.objects.filter(pk=chief.pk).update(created_at=now - timedelta(days=93))
    assert ("Review of rights overdue", "/office/people-review/") in waits()  # beside a backup that nobody made
