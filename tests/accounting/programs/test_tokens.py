"""Tokens of programs: shown once, bound to a house, counted, ended, revoked."""

from __future__ import annotations

from datetime import date, timedelta
from typing import Any

import pytest
from django.db import DatabaseError, IntegrityError, connection, transaction
from django.test import Client
from django.utils import timezone

from accounting.people_desk.queries import rights_of_house
from accounting.programs.actions.tokens import GivenToken, give_token, revoke_token, token_hash
from accounting.programs.models import ProgramToken
from accounting.programs.queries import tokens
from accounting.programs.rules.token import new_token
from jackpot.people.actions.dismissing import dismiss
from jackpot.people.models import Operator
from jackpot.property.models.property import Property
from jackpot.refusals import NotAllowed, NotAllowedNow, NotFound, NotUnderstood
from jackpot.trail.models import Trail
from tests.builders import a_jackpot, a_person, a_property

pytestmark = pytest.mark.django_db
ADMINISTRATOR = ("see", "read_trail", "people")


def today() -> date:
    return timezone.now().date()


def given(by: Operator, *scopes: str, house: Property | None = None, days: int = 30) -> GivenToken:
    return give_token(
        premises=house or a_property(), name="Figures", scopes=scopes or ("see", "read_books"),
        last_day=today() + timedelta(days=days), reason="Nightly figures", by=by,
    )  # fmt: skip


def asked(token: GivenToken | str, where: str = "/api/v1/jackpots/", **how: Any) -> Any:
    written = token if isinstance(token, str) else token.written
    return Client(headers={"Authorization": f"Bearer {written}"}, **how).get(where)


@pytest.fixture
def chief() -> Operator:
    return a_person("chief", may=ADMINISTRATOR)


def test_a_program_reads_what_it_may_and_each_use_is_counted(chief: Operator) -> None:
    a_jackpot("GRAND")
    token = given(chief)
    assert [row["code"] for row in asked(token).json()["results"]] == ["GRAND"]
    assert asked(token, "/api/v1/jackpots/GRAND/entries/").status_code == 200
    refused = asked(token, "/api/v1/people/")
    assert (refused.status_code, refused.json()["code"]) == (403, "not_allowed")
    row = ProgramToken.objects.get()
    assert row.uses == 3
    assert row.last_used_at is not None
    assert bytes(row.secret_hash) not in token.written.encode()
    first = Trail.objects.get(act="first_use_of_token")
    assert (first.actor, first.subject) == (f"program Figures ({row.prefix})", row.prefix)
    assert token.written not in str(list(Trail.objects.values()))


def test_unknown_ended_and_revoked_are_answered_alike(chief: Operator) -> None:
    revoked, text, now = given(chief), new_token(), timezone.now()
    ProgramToken.objects.create(
        premises=chief.premises, name="Old", prefix=text.prefix, secret_hash=token_hash(text.written), scopes=["see"],
        given_by=chief, given_at=now - timedelta(days=3), ends_at=now,
    )  # fmt: skip
    ended = text.written
    assert asked(revoked).status_code == 200
    revoke_token(row=revoked.row, reason="The program is gone", by=chief)
    unknown = given(chief).written[:-1] + "~"
    answers = [asked(each) for each in (ended, revoked, unknown, "", "fm_1_x", "ä")]
    assert {answer.status_code for answer in answers} == {401}
    assert len({answer.content for answer in answers}) == 1
    assert answers[0].json()["code"] == "token_refused"
    assert ProgramToken.objects.get(pk=revoked.row.pk).uses == 1
    with pytest.raises(NotAllowedNow, match="revoked already"):
        revoke_token(row=revoked.row, reason="again", by=chief)


def test_a_token_only_reads_and_speaks_also_beside_a_session(chief: Operator) -> None:
    token = given(chief, "see")
    browser = Client(enforce_csrf_checks=True, headers={"Authorization": f"Bearer {token.written}"})
    browser.force_login(chief)
    refused = browser.post("/api/v1/programs/", {}, content_type="application/json")
    assert (refused.status_code, refused.json()["code"]) == (403, "token_reads")
    assert browser.get("/api/v1/people/").status_code == 403, "the token's rights, not the person's"


def test_a_session_is_asked_for_its_csrf_token_as_ever(chief: Operator) -> None:
    for headers in ({}, {"Authorization": "Basic Y2hpZWY6eA=="}):
        browser = Client(enforce_csrf_checks=True, headers=headers)
        browser.force_login(chief)
        assert browser.get("/api/v1/people/").status_code == 200
        refused = browser.post("/api/v1/programs/", {}, content_type="application/json")
        assert (refused.status_code, "CSRF" in refused.json()["why"]) == (403, True)
    assert Client().get("/api/v1/people/").status_code == 401


def test_a_token_is_of_one_house(chief: Operator) -> None:
    a_jackpot("GRAND")
    other = a_property("OTHER")
    stranger = a_person("stranger", may=ADMINISTRATOR, premises=other)
    token = given(stranger, house=other)
    assert asked(token).json()["results"] == []
    assert asked(token, "/api/v1/jackpots/GRAND/").status_code == 404
    assert not tokens(chief).exists()
    with pytest.raises(NotFound, match="in your house"):
        revoke_token(row=token.row, reason="not mine", by=chief)
    with pytest.raises(NotFound):
        given(chief, house=other)


def test_who_may_give_and_what(chief: Operator) -> None:
    with pytest.raises(NotAllowed, match="An administrator does"):
        given(a_person("cashier", may=("see", "pay")))
    for scopes, days, why in (
        (("see", "approve"), 1, "“approve”"),
        (("see",), 366, "one year"),
        (("see",), -1, "over"),
    ):
        with pytest.raises(NotUnderstood, match=why):
            given(chief, *scopes, days=days)
    assert not ProgramToken.objects.exists()


def test_a_dismissed_givers_token_works_and_stands_in_the_review(chief: Operator) -> None:
    token, second = given(chief), a_person("second", may=ADMINISTRATOR)
    before = [each.rights for each in rights_of_house(chief.premises) if each.rights.username == token.row.prefix]
    assert (before[0].verbs, "dismissed" in before[0].state) == (("see", "read_books"), False)
    dismiss(person=chief, why="left", by=second)
    assert asked(token).status_code == 200
    (line,) = [each for each in rights_of_house(chief.premises) if each.rights.username == token.row.prefix]
    assert "given by Test Chief, who is dismissed" in line.rights.state
    assert line.last_used_at is not None
    with pytest.raises(NotAllowed, match="dismissed"):
        given(chief)
    revoke_token(row=token.row, reason="nobody answers for it", by=second)
    assert token.row.prefix not in {each.rights.username for each in rights_of_house(chief.premises)}


@pytest.mark.parametrize(
    "change",
    ["scopes = '{see,read_trail}'", "ends_at = ends_at + interval '1 day'", "secret_hash = '\\x00'", "name = 'Other'"],
)
def test_the_database_keeps_what_was_given(chief: Operator, change: str) -> None:
    row = given(chief).row
    with connection.cursor() as cursor:
        for words in (f"UPDATE accounting_programtoken SET {change}", "DELETE FROM accounting_programtoken"):
            with pytest.raises(DatabaseError), transaction.atomic():
                cursor.execute(words)
        revoke_token(row=row, reason="gone", by=chief)
        with pytest.raises(IntegrityError, match="stays revoked"), transaction.atomic():
            cursor.execute("UPDATE accounting_programtoken SET revoked_at = NULL, revoked_by_id = NULL")


def test_page_and_api_give_show_once_and_revoke(chief: Operator) -> None:
    browser, last = Client(), (today() + timedelta(days=9)).isoformat()
    browser.force_login(chief)
    form = {"name": "Figures", "scopes": ["see"], "last_day": last, "reason": "Nightly"}
    refused = browser.post("/office/programs/", {**form, "last_day": "soon"})
    assert refused.status_code == 400
    assert all(each in refused.content.decode() for each in ("year-month-day", 'value="Figures"', "checked"))
    once = browser.post("/office/programs/", form)
    row = ProgramToken.objects.get()
    written = once.context["written"]
    assert written in once.content.decode()
    assert "no-store" in once.headers["Cache-Control"]
    told = browser.get("/office/programs/").content.decode()
    assert row.prefix in told
    assert written not in told
    browser.post("/office/programs/revoke/", {"token": row.pk, "reason": "done"})
    assert asked(written).status_code == 401
    by_api = browser.post("/api/v1/programs/", form, content_type="application/json")
    assert (by_api.status_code, by_api.headers["Cache-Control"]) == (201, "no-store")
    assert asked(by_api.json()["token"]).status_code == 200
    number = by_api.json()["number"]
    listed = browser.get("/api/v1/programs/").json()["results"]
    assert [(each["number"], each["state"], each["uses"]) for each in listed] == [
        (number, "works", 1), (row.pk, "revoked", 0),
    ]  # fmt: skip
    assert "token" not in listed[0]
    gone = browser.post(f"/api/v1/programs/{number}/revoke/", {"reason": "done"}, content_type="application/json")
    assert gone.json()["state"] == "revoked"
    assert asked(by_api.json()["token"]).status_code == 401
