"""Tokens of programs: shown once, bound to a house, counted, ended, revoked."""

from __future__ import annotations

from datetime import date, timedelta
from typing import Any

import pytest
from django.db import DatabaseError, IntegrityError, connection, transaction
from django.test import Client
from django.utils import timezone

from accounting.people_desk.actions.leaving import dismiss_everywhere
from accounting.people_desk.queries import rights_of_house
from accounting.programs.actions.tokens import GivenToken, GiveToken, fetch_token, revoke_token, token_hash
from accounting.programs.models import ProgramToken
from accounting.programs.queries import tokens
from accounting.programs.rules.token import new_token
from accounting.ways_out.actions import ask_way_out
from jackpot.people.actions.dismissing import dismiss
from jackpot.people.models import Operator
from jackpot.property.models.property import Property
from jackpot.refusals import NotAllowed, NotAllowedNow, NotFound, NotUnderstood
from jackpot.requests.models import Request
from jackpot.signing.actions import SecondPerson, sign
from jackpot.trail.models import Trail
from tests.builders import a_jackpot, a_person, a_property
from tests.tampering import tamper_with
from tests.ways_out import a_given_token, cosigner, signed_way_out

pytestmark = pytest.mark.django_db
ADMINISTRATOR = ("see", "read_trail", "people")


def today() -> date:
    return timezone.now().date()


def given(by: Operator, *scopes: str, house: Property | None = None, days: int = 30) -> GivenToken:
    return a_given_token(
        premises=house or a_property(), name="Figures", scopes=scopes or ("see", "read_books"),
        last_day=today() + timedelta(days=days), reason="Nightly figures", by=by,
    )  # fmt: skip


def asked(token: GivenToken | str, where: str = "/api/v1/jackpots/", **how: Any) -> Any:
    written = token if isinstance(token, str) else token.written
    return Client(headers={"Authorization": f"Bearer {written}"}, **how).get(where)


def one_of_before(giver: Operator, **facts: Any) -> str:
    """A token that one administrator gave, before that took two."""
    token = given(giver)
    tamper_with(ProgramToken.objects.filter(pk=token.row.pk), request=None, shown_to=None, **facts)
    return token.written


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
    revoked, now = given(chief), timezone.now()
    ended = one_of_before(chief, given_at=now - timedelta(days=3), ends_at=now)
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
    with pytest.raises(NotAllowed, match="An administrator gives that role"):
        given(a_person("cashier", may=("see", "pay")))
    for scopes, days, why in (
        (("see", "approve"), 1, "“approve”"),
        (("see",), 366, "one year"),
        (("see",), -1, "over"),
    ):
        with pytest.raises(NotUnderstood, match=why):
            given(chief, *scopes, days=days)
    assert not ProgramToken.objects.exists()


def test_two_people_give_it_and_one_of_them_is_shown_it_once(chief: Operator) -> None:
    house, told = a_property(), {"name": "Figures", "scopes": ["read_trail"], "last_day": str(today())}
    row = ask_way_out(kind=GiveToken(), premises=house, payload=told, reason="Nightly", by=chief)
    with pytest.raises(NotAllowedNow, match="two people sign first"):
        fetch_token(row=row, by=chief)
    for alone in (chief, a_person("cashier", may=("see", "pay"))):
        with pytest.raises(NotAllowed):
            sign(request_id=row.pk, approver=SecondPerson(alone))
    sign(request_id=row.pk, approver=SecondPerson(cosigner(house)))
    with pytest.raises(NotAllowed, match="shown to Test Chief or"):
        fetch_token(row=row, by=a_person("third", may=ADMINISTRATOR))
    shown = fetch_token(row=row, by=cosigner(house))
    assert (shown.row.given_by, shown.row.shown_to) == (chief, cosigner(house))
    for again in (chief, cosigner(house)):
        with pytest.raises(NotAllowedNow, match="shown already"):
            fetch_token(row=row, by=again)
    assert asked(shown, "/api/v1/people/").status_code == 200
    assert not chief.may("read_books")


def test_what_was_signed_long_ago_or_whose_day_is_over_is_shown_to_nobody(chief: Operator) -> None:
    row = signed_way_out(
        GiveToken(), premises=a_property(), by=chief, reason="Nightly", name="Late", scopes=["see"],
        last_day=str(today() + timedelta(days=30)),
    )  # fmt: skip
    tamper_with(Request.objects.filter(pk=row.pk), decided_at=timezone.now() - timedelta(days=7, minutes=1))
    with pytest.raises(NotAllowedNow, match="more than 7 days ago"):
        fetch_token(row=row, by=chief)
    over = signed_way_out(
        GiveToken(), premises=a_property(), by=chief, reason="Nightly", name="Over", scopes=["see"],
        last_day=str(today()),
    )  # fmt: skip
    tamper_with(Request.objects.filter(pk=over.pk), payload={**over.payload, "last_day": "2026-01-01"})
    with pytest.raises(NotUnderstood, match="is over"):
        fetch_token(row=over, by=chief)
    assert not ProgramToken.objects.exists()


@pytest.mark.parametrize("leaves", ["asker", "reader", "signer"])
def test_it_ends_with_who_asked_for_it_and_with_who_saw_it(chief: Operator, leaves: str) -> None:
    house, last = a_property(), a_person("last", may=(*ADMINISTRATOR, "read_books"))
    told = {"name": "Figures", "scopes": ["see", "read_books"], "last_day": str(today())}
    row = signed_way_out(GiveToken(), premises=house, by=chief, reason="Nightly", **told)
    token = fetch_token(row=row, by=cosigner(house) if leaves == "reader" else chief)
    gone = {"asker": chief, "reader": cosigner(house), "signer": cosigner(house)}[leaves]
    dismiss_everywhere(person=gone, why="left", by=last)
    assert asked(token).status_code == (200 if leaves == "signer" else 401)
    here = {each.rights.username for each in rights_of_house(house)}
    assert (token.row.prefix in here) == (leaves == "signer")
    if leaves == "signer":
        return
    row_now = ProgramToken.objects.get()
    assert (row_now.state_at(timezone.now()), row_now.ended_with, row_now.revoked_by) == ("ended", gone, last)
    line = Trail.objects.get(act="revoke_token")
    assert (line.actor, line.why) == (str(last), f"{gone} is dismissed")
    # Hired anew they do not bring it back.
    tamper_with(Operator.objects.filter(pk=gone.pk), is_active=True)
    assert asked(token).status_code == 401


def test_a_dismissal_by_whatever_way_ends_it_and_what_is_signed_and_not_fetched(chief: Operator) -> None:
    house, last = a_property(), a_person("last", may=ADMINISTRATOR)
    told = {"name": "Waits", "scopes": ["see"], "last_day": str(today())}
    waits = signed_way_out(GiveToken(), premises=house, by=chief, reason="Nightly", **told)
    token, before = given(chief), one_of_before(chief)
    assert (asked(token).status_code, asked(before).status_code) == (200, 200)
    dismiss(person=chief, why="left", by=last)
    assert (asked(token).status_code, asked(before).status_code) == (401, 401)
    with pytest.raises(NotAllowed, match="dismissed"):
        fetch_token(row=waits, by=cosigner(house))
    assert {row.state_at(timezone.now()) for row in ProgramToken.objects.all()} == {"ended"}


def test_the_morning_says_which_programs_stopped_with_whom(chief: Operator) -> None:
    token, last = given(chief), a_person("last", may=(*ADMINISTRATOR, "read_books"))
    browser = Client()
    browser.force_login(last)
    assert "Program that stopped" not in browser.get("/office/").content.decode()
    dismiss_everywhere(person=chief, why="left", by=last)
    told = browser.get("/office/").content.decode()
    assert "Program that stopped" in told
    given(last)
    assert "Program that stopped" not in browser.get("/office/").content.decode(), "the program has another token"
    assert token.row.name in browser.get("/office/programs/").content.decode()


@pytest.mark.parametrize("otherwise", ["scopes", "name", "request", "kind"])
def test_the_database_takes_only_what_two_people_signed(chief: Operator, otherwise: str) -> None:
    house, text = a_property(), new_token()
    told = {"name": "Figures", "scopes": ["see"], "last_day": str(today())}
    row = signed_way_out(GiveToken(), premises=house, by=chief, reason="Nightly", **told)
    facts: dict[str, Any] = {"name": "Figures", "scopes": ["see"], "request": row}
    match otherwise:
        case "request":
            facts["request"] = ask_way_out(kind=GiveToken(), premises=house, payload=told, reason="x", by=chief)
        case "kind":
            facts["request"] = None
        case "scopes":
            facts["scopes"] = ["see", "read_trail"]
        case _:
            facts["name"] = "Mine"
    with pytest.raises(IntegrityError, match="two people signed"), transaction.atomic():
        ProgramToken.objects.create(
            premises=house, prefix=text.prefix, secret_hash=token_hash(text.written), given_by=chief, shown_to=chief,
            ends_at=timezone.now() + timedelta(days=1), **facts,
        )  # fmt: skip


@pytest.mark.parametrize(
    "change",
    [
        "scopes = '{see,read_trail}'",
        "ends_at = ends_at + interval '1 day'",
        "secret_hash = '\\x00'",
        "name = 'Other'",
        "request_id = NULL",
        "shown_to_id = NULL",
    ],
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


def test_page_and_api_ask_show_once_and_revoke(chief: Operator) -> None:
    browser, last = Client(), (today() + timedelta(days=9)).isoformat()
    browser.force_login(chief)
    ask, form = "/office/requests/new/program_token/", {"name": "Figures", "scopes": ["see"], "reason": "Nightly"}
    refused = browser.post(ask, {**form, "last_day": "soon"})
    assert refused.status_code == 400
    assert all(each in refused.content.decode() for each in ("year-month-day", 'value="Figures"', "checked"))
    assert browser.post(ask, {**form, "last_day": last}).status_code == 302
    wish = Request.objects.get()
    fetches = f"/office/programs/{wish.pk}/token/"
    assert browser.post(fetches).status_code == 409, "one person fetches nothing"
    sign(request_id=wish.pk, approver=SecondPerson(cosigner(a_property())))
    assert "Show the token of Figures, once" in browser.get("/office/programs/").content.decode()
    once = browser.post(fetches)
    row = ProgramToken.objects.get()
    written = once.context["written"]
    assert written in once.content.decode()
    assert "no-store" in once.headers["Cache-Control"]
    assert browser.post(fetches).status_code == 409
    told = browser.get("/office/programs/").content.decode()
    assert row.prefix in told
    assert written not in told
    assert fetches not in told
    browser.post("/office/programs/revoke/", {"token": row.pk, "reason": "done"})
    assert asked(written).status_code == 401
    the_api_does_the_same(browser, {**form, "last_day": last}, row)


def the_api_does_the_same(browser: Client, form: dict[str, Any], revoked: ProgramToken) -> None:
    wanted = browser.post("/api/v1/programs/", form, content_type="application/json").json()
    number = wanted["request"]["id"]
    assert (wanted["request"]["kind"], wanted["request"]["state"]) == ("program_token", "previewed")
    sign(request_id=number, approver=SecondPerson(cosigner(a_property())))
    by_api = browser.post(f"/api/v1/programs/requests/{number}/token/", {}, content_type="application/json")
    assert (by_api.status_code, by_api.headers["Cache-Control"]) == (201, "no-store")
    assert asked(by_api.json()["token"]).status_code == 200
    number = by_api.json()["number"]
    listed = browser.get("/api/v1/programs/").json()["results"]
    assert [(each["number"], each["state"], each["uses"]) for each in listed] == [
        (number, "works", 1), (revoked.pk, "revoked", 0),
    ]  # fmt: skip
    assert "token" not in listed[0]
    gone = browser.post(f"/api/v1/programs/{number}/revoke/", {"reason": "done"}, content_type="application/json")
    assert gone.json()["state"] == "revoked"
    assert asked(by_api.json()["token"]).status_code == 401
