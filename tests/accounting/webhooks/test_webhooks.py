"""Webhooks as people and the API meet them: registered, shown once, refused with a sentence, kept by the database."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.db import DatabaseError, IntegrityError, connection, transaction
from django.test import Client
from django.utils import timezone

from accounting.people_desk.queries import rights_of_house
from accounting.webhooks.actions.delivering import deliver_due
from accounting.webhooks.actions.registering import pause_webhook, renew_secret, resume_webhook, retire_webhook
from accounting.webhooks.actions.secret import earlier_behind, secret_behind
from accounting.webhooks.models import Webhook
from fairmeter_client import NotSigned, read_delivery
from jackpot.people.actions.dismissing import dismiss
from jackpot.refusals import NotAllowed, NotAllowedNow, NotFound, NotUnderstood
from jackpot.requests.models import Request
from jackpot.signing.actions import SecondPerson, sign
from jackpot.trail.models import Trail
from tests.accounting.webhooks.scene import REFUSES, Post, chief, registered, some_events
from tests.builders import a_person, a_property
from tests.tampering import tamper_with
from tests.ways_out import cosigner

pytestmark = pytest.mark.django_db
LIST, API = "/office/webhooks/", "/api/v1/webhooks/"


def browser_of(person: Any) -> Client:
    browser = Client()
    browser.force_login(person)
    return browser


def test_who_may_register_and_what() -> None:
    some_events(3)
    for wish, why in (
        ({"address": "ftp://x.example/"}, "http or https"),
        ({"kinds": []}, "at least one kind"),
        ({"kinds": ["books/coin_in"]}, "tells of no “books/coin_in”"),
        ({"after": 4}, "Write a number from 0 to 3"),
        ({"name": ""}, "Name the program"),
        ({"reason": " "}, "Say why in 1 to"),
    ):
        with pytest.raises(NotUnderstood, match=why):
            registered(**wish)
    with pytest.raises(NotAllowed, match="An administrator gives that role"):
        registered(by=a_person("cashier", may=("see", "pay")))
    other = a_property("OTHER")
    with pytest.raises(NotFound, match="in your house"):
        registered(by=a_person("stranger", may=("people",), premises=other))
    assert not Webhook.objects.exists()
    assert registered(after=None).row.last_number == 3, "from now on, unless somebody says otherwise"


def test_the_secret_is_kept_sealed_and_told_nowhere_else() -> None:
    made = registered()
    assert secret_behind(made.row) == made.secret
    assert made.secret.encode() not in bytes(made.row.secret_sealed)
    assert made.secret not in str(list(Trail.objects.values()))
    line = Trail.objects.get(act="register_webhook")
    assert (line.person_id, line.subject) == (chief().pk, f"webhook {made.row.pk}")
    assert line.details["address"] == "https://reports.example/events"


def test_what_is_done_twice_is_refused_with_its_cure() -> None:
    row = registered().row
    with pytest.raises(NotAllowedNow, match="is not paused"):
        resume_webhook(row=row, reason="again", by=chief())
    pause_webhook(row=row, reason="moves", by=chief())
    with pytest.raises(NotAllowedNow, match="is paused already"):
        pause_webhook(row=row, reason="again", by=chief())
    retire_webhook(row=row, reason="gone", by=chief())
    for act in (pause_webhook, resume_webhook, retire_webhook):
        with pytest.raises(NotAllowedNow, match=r"is retired\. Register the address anew, from number 0"):
            act(row=row, reason="again", by=chief())


@pytest.mark.parametrize(
    "change", ["address = 'https://other.example/'", "kinds = '{days}'", "secret_sealed = '\\x00'", "name = 'Other'"]
)
def test_the_database_keeps_what_was_registered(change: str) -> None:
    row = registered().row
    with connection.cursor() as cursor:
        for words in (f"UPDATE accounting_webhook SET {change}", "DELETE FROM accounting_webhook"):
            with pytest.raises(DatabaseError), transaction.atomic():
                cursor.execute(words)
        retire_webhook(row=row, reason="gone", by=chief())
        with pytest.raises(IntegrityError, match="stays retired"), transaction.atomic():
            cursor.execute("UPDATE accounting_webhook SET retired_at = NULL, retired_by_id = NULL")


def test_where_events_go_stands_in_the_review_of_rights() -> None:
    row, second = registered(kinds=["books"]).row, a_person("second", may=("people",))

    def lines() -> list[Any]:
        return [each.rights for each in rights_of_house(a_property()) if each.rights.username == row.trail_name]

    (line,) = lines()
    assert (line.name, line.verbs) == ("Figures", ("books",))
    assert line.state == "webhook to https://reports.example/events, registered by Test Chief"
    dismiss(person=chief(), why="left", by=second)
    assert "who is dismissed" in lines()[0].state
    retire_webhook(row=row, reason="nobody answers for it", by=second)
    assert lines() == []


def test_the_pages_ask_show_once_and_act() -> None:
    some_events(2)
    browser = browser_of(chief())
    assert "Events are sent nowhere" in browser.get(LIST).content.decode()
    ask, form = "/office/requests/new/webhook/", {
        "name": "Ledger", "address": "http://10.1.2.3/in", "kinds": ["books/award"], "reason": "at once", "after": "1",
    }  # fmt: skip
    refused = browser.post(ask, {**form, "after": "1e5"})
    assert refused.status_code == 400
    for part in ("whole number from 0", 'value="Ledger"', 'value="books/award" checked'):
        assert part in refused.content.decode()
    assert browser.post(ask, form).status_code == 302
    wish = Request.objects.latest("id")
    assert "Show the secret" not in browser.get(LIST).content.decode(), "nobody signed yet"
    assert browser.post(f"{LIST}requests/{wish.pk}/secret/").status_code == 409
    sign(request_id=wish.pk, approver=SecondPerson(cosigner(a_property())))
    assert "Show the secret of Ledger once" in browser.get(LIST).content.decode()
    third = browser_of(a_person("third", may=("people",)))
    assert third.post(f"{LIST}requests/{wish.pk}/secret/").status_code == 403
    foreign = browser_of(a_person("foreign", may=("people",), premises=a_property("OTHER")))
    assert foreign.post(f"{LIST}requests/{wish.pk}/secret/").status_code == 404
    once = browser.post(f"{LIST}requests/{wish.pk}/secret/")
    assert browser.post(f"{LIST}requests/{wish.pk}/secret/").status_code == 409
    row, secret = Webhook.objects.get(), once.context["secret"]
    assert secret in once.content.decode()
    assert "no-store" in once.headers["Cache-Control"]
    assert (row.last_number, row.kinds) == (1, ["books/award"])
    listed, shown = browser.get(LIST).content.decode(), browser.get(f"{LIST}{row.pk}/").content.decode()
    assert secret not in listed + shown
    assert "Not encrypted" in shown
    answers = [
        browser.post(f"{LIST}{row.pk}/{act}/", {"reason": "said so", "after": "0"}, follow=True).content.decode()
        for act in ("pause", "resume", "replay", "retire")
    ]
    for words, answer in zip(("Paused:", "Resumed:", "behind number 0 is sent", "Retired:"), answers, strict=True):
        assert words in answer
    assert browser.get(f"{LIST}999/").status_code == 404


def test_the_page_tells_how_a_delivery_fails() -> None:
    some_events(2)
    row = registered().row
    deliver_due(Post(answers=[REFUSES]))
    shown = browser_of(a_person("auditor", may=("read_trail",))).get(f"{LIST}{row.pk}/").content.decode()
    for part in (REFUSES.why, "after 1 failure", "<dt>Still before it</dt><dd>2</dd>"):
        assert part in shown
    assert "Retire the webhook" not in shown, "who audits changes nothing"


def test_the_api_asks_shows_once_lists_and_acts() -> None:
    some_events(3)
    client = browser_of(chief())
    wish = {"name": "Ledger", "address": "https://ledger.example/", "kinds": ["days", "books/pay"], "reason": "at once"}

    def post(where: str, told: Any) -> Any:
        return client.post(f"{API}{where}", told, content_type="application/json")

    asked = post("", {**wish, "after": 1})
    assert (asked.status_code, asked.json()["request"]["kind"]) == (201, "webhook")
    wanted = asked.json()["request"]["id"]
    sign(request_id=wanted, approver=SecondPerson(cosigner(a_property())))
    made = post(f"requests/{wanted}/secret/", {})
    assert (made.status_code, made.headers["Cache-Control"]) == (201, "no-store")
    number, secret = made.json()["number"], made.json()["secret"]
    assert secret == secret_behind(Webhook.objects.get())
    (listed,) = client.get(API).json()["results"]
    assert listed == client.get(f"{API}{number}/").json()
    assert "secret" not in listed
    assert (listed["kinds"], listed["last_number"], listed["behind"]) == (["days", "books/pay"], 1, 2)
    assert post(f"{number}/pause/", {"reason": "moves"}).json()["state"] == "paused"
    assert post(f"{number}/resume/", {"reason": "moved"}).json()["state"] == "works"
    assert post(f"{number}/replay/", {"reason": "again", "after": 0}).json()["last_number"] == 0
    assert post(f"{number}/replay/", {"reason": "again", "after": 9}).json()["why"].startswith("The last event has")
    assert post(f"{number}/retire/", {"reason": "gone"}).json()["state"] == "retired"
    assert post(f"{number}/pause/", {"reason": "again"}).status_code == 409
    foreign = browser_of(a_person("stranger", may=("people",), premises=a_property("OTHER")))
    assert foreign.get(f"{API}{number}/").status_code == 404
    assert foreign.get(API).json()["results"] == []


def test_a_secret_gives_way_to_another_and_both_sign_until_the_grace_is_over(settings: Any) -> None:
    some_events(1)
    made = registered()
    renewed = renew_secret(row=made.row, grace_hours=24, reason="a year is over", by=chief())
    row = Webhook.objects.get()
    now = timezone.now()
    assert (secret_behind(row), earlier_behind(row, now)) == (renewed.secret, made.secret)
    assert earlier_behind(row, now + timedelta(hours=25)) == ""
    wire = Post()
    deliver_due(wire)
    _, body, headers = wire.sent[0]
    for secret in (made.secret, renewed.secret):
        read_delivery(body, headers["Fairmeter-Signature"], secret)
    with pytest.raises(NotSigned):
        read_delivery(body, headers["Fairmeter-Signature"], "fmw_another")
    tamper_with(Webhook.objects.all(), earlier_until=now)
    some_events(1)
    deliver_due(wire)
    _, body, headers = wire.sent[-1]
    read_delivery(body, headers["Fairmeter-Signature"], renewed.secret)
    with pytest.raises(NotSigned):
        read_delivery(body, headers["Fairmeter-Signature"], made.secret)
    line = Trail.objects.get(act="renew_webhook_secret")
    assert (line.person_id, line.why) == (chief().pk, "a year is over")
    assert renewed.secret not in str(list(Trail.objects.values()))


def test_a_secret_that_somebody_else_knows_ends_at_once_and_a_retired_one_is_not_changed() -> None:
    made = registered()
    renew_secret(row=made.row, grace_hours=0, reason="it leaked", by=chief())
    assert earlier_behind(Webhook.objects.get(), timezone.now()) == ""
    with pytest.raises(NotUnderstood, match="0 to 336 hours"):
        renew_secret(row=made.row, grace_hours=337, reason="too long", by=chief())
    with pytest.raises(NotAllowed, match="An administrator does"):
        renew_secret(row=made.row, grace_hours=1, reason="x", by=a_person("cashier", may=("see",)))
    retire_webhook(row=made.row, reason="moved", by=chief())
    with pytest.raises(NotAllowedNow, match="is retired"):
        renew_secret(row=made.row, grace_hours=1, reason="x", by=chief())


def test_page_and_api_change_the_secret_and_show_it_once() -> None:
    made = registered()
    browser = browser_of(chief())
    page = browser.post(f"{LIST}{made.row.pk}/secret/", {"grace_hours": "24", "reason": "a year"}).content.decode()
    first = secret_behind(Webhook.objects.get())
    assert first in page
    assert "Both sign until" in page
    page = browser.get(f"{LIST}{made.row.pk}/").content.decode()
    assert "the earlier secret too until" in page
    assert first not in page
    refused = browser.post(f"{LIST}{made.row.pk}/secret/", {"grace_hours": "1e3", "reason": "a year"}, follow=True)
    assert refused.status_code == 200
    assert secret_behind(Webhook.objects.get()) == first
    body = {"grace_hours": 0, "reason": "leaked"}
    answer = browser.post(f"{API}{made.row.pk}/secret/", body, content_type="application/json")
    assert (answer.status_code, answer.json()["secret"]) == (200, secret_behind(Webhook.objects.get()))
    assert answer.headers["Cache-Control"] == "no-store"
