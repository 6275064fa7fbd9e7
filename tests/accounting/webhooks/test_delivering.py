"""Deliveries: signed, in order, every wanted event at least once, tried again, told again, never given up."""

from __future__ import annotations

import hashlib
import hmac
import json
from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from accounting.feed.models import FeedEvent
from accounting.reports.queries.asking import clock_of
from accounting.reports.queries.catalogue import REPORTS
from accounting.reports.queries.waiting import waiting_now
from accounting.reports.rules.asking import read_question
from accounting.webhooks import queries
from accounting.webhooks.actions.delivering import deliver_due
from accounting.webhooks.actions.registering import pause_webhook, replay_webhook, resume_webhook, retire_webhook
from accounting.webhooks.models import Webhook
from accounting.webhooks.tasks import webhooks_are_due
from jackpot.trail.models import Trail
from tests.accounting.webhooks.scene import REFUSES, Post, chief, registered, some_events
from tests.builders import a_jackpot, a_property
from tests.jackpot.books.api_scene import signed_in

pytestmark = pytest.mark.django_db


def bodies(post: Post) -> list[Any]:
    return [json.loads(body) for _, body, _ in post.sent]


def told(post: Post) -> list[int]:
    return [each["number"] for body in bodies(post) for each in body["events"]]


def ready() -> None:
    """The pause after a failure is over."""
    Webhook.objects.update(next_try_at=timezone.now())


def test_a_delivery_carries_the_words_of_the_feed_under_a_signature() -> None:
    a_jackpot("GRAND")
    some_events(2)
    made, post = registered(), Post()
    assert webhooks_are_due()
    assert deliver_due(post) == 1
    ((address, body, headers),) = post.sent
    assert address == "https://reports.example/events"
    said = json.loads(body)
    feed = signed_in("read_books", premises=a_property()).get("/api/v1/feed/").json()
    assert said["events"] == feed["results"]
    assert (said["house"], said["webhook"], said["after"], said["up_to"]) == ("REF", made.row.pk, 0, 3)
    assert headers["Fairmeter-Webhook"] == str(made.row.pk)
    moment, signed = (part.split("=")[1] for part in headers["Fairmeter-Signature"].split(","))
    expected = hmac.new(made.secret.encode(), moment.encode() + b"." + body, hashlib.sha256)
    assert signed == expected.hexdigest()
    assert abs(int(moment) - timezone.now().timestamp()) < 60
    row = Webhook.objects.get()
    assert (row.last_number, row.deliveries, row.state, row.last_answer) == (3, 1, "works", "It answered 200 (OK).")
    assert not webhooks_are_due()
    assert deliver_due(post) == 0


def test_what_is_not_wanted_is_passed_over_without_a_word(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(queries, "LOOKED_AT", 3)
    a_jackpot("GRAND")
    some_events(7)
    registered(kinds=["books/take_over"])
    registered(kinds=["requests/asked"], after=None)
    post = Post()
    assert deliver_due(post) == 1
    assert [each["act"] for body in bodies(post) for each in body["events"]] == ["take_over"]
    assert {row.last_number for row in Webhook.objects.all()} == {8}, "both are through with all, and look no more"
    assert not webhooks_are_due()


def test_many_events_go_in_deliveries_of_a_hundred_in_order(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(queries, "AT_MOST", 4)
    some_events(10)
    registered()
    post = Post()
    assert deliver_due(post) == 3
    assert [(body["after"], body["up_to"], len(body["events"])) for body in bodies(post)] == [
        (0, 4, 4), (4, 8, 4), (8, 10, 2),
    ]  # fmt: skip
    assert told(post) == list(range(1, 11))


def test_a_refused_delivery_comes_again_later_each_time_and_nothing_overtakes_it() -> None:
    some_events(2)
    registered()
    post, pauses = Post(answers=[REFUSES] * 4), []
    for _ in range(4):
        ready()
        assert deliver_due(post) == 0
        assert not webhooks_are_due()
        row = Webhook.objects.get()
        pauses.append(round((row.next_try_at - timezone.now()).total_seconds()))
        some_events(1)
    assert pauses == [2, 4, 8, 16]
    assert (row.last_number, row.tries, row.state, row.last_answer) == (0, 4, "fails", REFUSES.why)
    ready()
    assert deliver_due(post) == 1
    assert bodies(post)[-1]["events"][0]["number"] == 1
    row.refresh_from_db()
    assert (row.last_number, row.tries, row.failing_since, row.state) == (6, 0, None, "works")


def test_whoever_fails_for_long_is_told_of_once_and_stands_among_what_waits() -> None:
    some_events(1)
    made, post = registered(), Post(answers=[REFUSES] * 3)
    deliver_due(post)
    assert not Trail.objects.filter(act="webhook failing").exists()
    assert waits() == []
    Webhook.objects.update(failing_since=timezone.now() - timedelta(minutes=31), next_try_at=timezone.now())
    deliver_due(post)
    ready()
    deliver_due(post)
    alarm = Trail.objects.get(act="webhook failing")
    assert (alarm.actor, alarm.subject, alarm.outcome) == ("Server", f"webhook {made.row.pk}", "alarm")
    assert REFUSES.why in alarm.why
    assert waits() == [("Webhook failing", "/office/webhooks/", 1)]
    assert Webhook.objects.get().fails_for_long()
    ready()
    deliver_due(post)
    assert Trail.objects.get(act="webhook recovered").why == "It failed for 31 minutes."
    assert waits() == []


def waits() -> list[tuple[str, str, int]]:
    house = a_property()
    clock = clock_of(house)
    lines = waiting_now(read_question(REPORTS["waiting"], {}, clock))
    return [(each.what, each.where, each.count) for each in lines if "Webhook" in each.what]


def test_paused_hears_nothing_and_goes_on_where_it_stopped() -> None:
    some_events(2)
    row, post = registered().row, Post()
    deliver_due(post)
    pause_webhook(row=row, reason="the program moves", by=chief())
    some_events(3)
    assert not webhooks_are_due()
    assert deliver_due(post) == 0
    resume_webhook(row=row, reason="moved", by=chief())
    assert deliver_due(post) == 1
    assert told(post) == [1, 2, 3, 4, 5]


def test_events_are_told_again_from_any_number() -> None:
    some_events(5)
    row, post = registered().row, Post()
    deliver_due(post)
    replay_webhook(row=row, after=3, reason="lost two", by=chief())
    deliver_due(post)
    assert told(post) == [1, 2, 3, 4, 5, 4, 5]
    assert Trail.objects.get(act="replay_webhook").details == {"after": 3, "was": 5}


def test_a_replay_while_a_delivery_is_under_way_is_not_lost() -> None:
    """The delivery's outcome belongs to an old claim: it may not move the number back to where it was."""
    some_events(5)
    row = registered(after=3).row
    post = Post(meanwhile=lambda: replay_webhook(row=row, after=0, reason="all of it", by=chief()))
    deliver_due(post)
    assert told(post) == [4, 5, 1, 2, 3, 4, 5]
    assert Webhook.objects.get().last_number == 5


def test_what_was_taken_while_it_was_paused_counts_and_a_retired_one_is_left_alone() -> None:
    some_events(1)
    row = registered().row
    deliver_due(Post(meanwhile=lambda: pause_webhook(row=row, reason="now", by=chief())))
    row.refresh_from_db()
    assert (row.last_number, row.state) == (1, "paused")
    some_events(1)
    retire_webhook(row=row, reason="gone", by=chief())
    assert not webhooks_are_due()
    assert deliver_due(Post()) == 0


def test_nobody_else_is_at_a_claimed_one_until_its_lease_is_over() -> None:
    some_events(1)
    registered()
    inner: list[bool] = []
    deliver_due(Post(meanwhile=lambda: inner.append(webhooks_are_due())))
    assert inner == [False]
    Webhook.objects.update(last_number=0, claimed_until=timezone.now() - timedelta(seconds=1))
    assert webhooks_are_due(), "a worker that died holds it for a minute and no longer"


def test_nothing_is_sent_unsigned_where_the_file_key_is_another(settings: Any) -> None:
    some_events(1)
    registered()
    settings.MASTER_KEY = b"another key, as after a restore without it"
    post = Post()
    assert deliver_due(post) == 0
    row = Webhook.objects.get()
    assert (post.sent, row.state, row.tries) == ([], "fails", 1)
    assert row.last_answer == "The file key of this machine does not open its secret. Retire it and register anew."


def test_each_house_tells_its_own() -> None:
    other = a_property("OTHER")
    a_jackpot("OURS")
    a_jackpot("THEIRS", premises=other)
    some_events(0)
    registered()
    post = Post()
    deliver_due(post)
    assert [each["subject"] for body in bodies(post) for each in body["events"]] == ["OURS"]
    assert FeedEvent.objects.filter(premises=other).count() == 1
