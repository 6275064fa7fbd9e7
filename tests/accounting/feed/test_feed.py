"""The feed: no gap, no number twice, nothing missed, from any number on."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from typing import Any

import pytest
from django.db import DatabaseError, connection, transaction
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from accounting.days.models import DaySignature
from accounting.feed.actions import numbering
from accounting.feed.actions.numbering import RHYTHM, number_events
from accounting.feed.models import FeedEvent, UnnumberedEvent
from accounting.feed.rules.occurrence import UNTOLD, EventTopic, Occurrence, in_order
from accounting.feed.tasks import events_are_due, number_what_happened
from jackpot.books.models.entry import Entry
from jackpot.errands.actions import put_up
from jackpot.requests.models import Request
from jackpot.requests.rules.life import RequestState
from tests.builders import a_jackpot, a_person, a_property
from tests.jackpot.books.api_scene import a_played_casino, signed_in
from tests.ways_out import a_given_token

FEED = "/api/v1/feed/"


def test_what_is_numbered_together_goes_by_time_and_books_keep_their_order() -> None:
    noon = datetime(2026, 11, 19, 12, tzinfo=UTC)
    later = Occurrence("books/1/1", EventTopic.BOOKS, "void", "GRAND", noon + timedelta(seconds=1), {})
    next_ = Occurrence("books/1/2", EventTopic.BOOKS, "recount", "GRAND", later.at, {})
    early = Occurrence("day/1", EventTopic.DAYS, "close", "2026-11-18", noon, {})
    assert in_order([later, next_, early]) == [early, later, next_]


def told() -> list[tuple[int, str, str]]:
    return list(FeedEvent.objects.order_by("number").values_list("number", "act", "subject"))


@pytest.mark.django_db
def test_the_acts_of_the_books_are_told_once_each(monkeypatch: pytest.MonkeyPatch) -> None:
    grand = a_played_casino().jackpots[0]
    monkeypatch.setattr(numbering, "SPAN", 2)  # a house with a history is caught up with round by round
    while number_events():
        pass
    assert number_events() == 0
    acts = Entry.objects.filter(jackpot=grand).exclude(kind__in=UNTOLD).order_by("seq")
    assert told() == [(place, row.kind, "GRAND") for place, row in enumerate(acts, start=1)]
    void = FeedEvent.objects.get(act="void")
    row = acts.get(kind="void")
    assert void.facts["seal"] == bytes(row.seal).hex()
    assert (void.facts["round"], void.facts["corrects"]) == (1, row.corrects)
    assert "was voided" in void.facts["why"]


@pytest.mark.django_db
def test_what_is_committed_late_gets_a_later_number() -> None:
    """A request may draw its key before another and be committed after it; a reader must not have passed it."""
    house, ann = a_property(), a_person("ann")
    asked = {"kind": "people", "asked_by": ann, "asked_by_name": ann.name}
    Request.objects.create(pk=5_000_002, premises=house, reason="seen first", **asked)
    assert number_events() == 1
    Request.objects.create(pk=5_000_001, premises=house, reason="committed late", **asked)
    assert number_events() == 1
    late = Request.objects.get(pk=5_000_001)
    late.state, late.decided_by, late.decided_by_name = RequestState.REFUSED, a_person("bob"), "Test Bob"
    late.decided_at = timezone.now()
    late.save()
    DaySignature.objects.create(premises=house, day=date(2026, 11, 18), act="close", person=ann)
    assert (number_events(), number_events()) == (2, 0)
    assert told() == [
        (1, "asked", "5000002"), (2, "asked", "5000001"), (3, "refused", "5000001"), (4, "close", "2026-11-18"),
    ]  # fmt: skip


@pytest.mark.django_db
def test_a_round_costs_what_is_new() -> None:
    """However many requests a house has had: once numbered they are not looked at again, nor are their events."""
    house, ann = a_property(), a_person("ann")
    a_jackpot("GRAND")
    asked = {"kind": "people", "asked_by": ann, "asked_by_name": ann.name, "premises": house}
    for _ in range(3):
        Request.objects.create(reason="old", **asked)
    number_events()
    with CaptureQueriesContext(connection) as idle:
        assert number_events() == 0
    asked_for = " ".join(each["sql"] for each in idle)
    assert not [name for name in ("jackpot_request", "daysignature", "feedevent", "jackpot_entry") if name in asked_for]
    row = Request.objects.create(reason="new", **asked)
    with CaptureQueriesContext(connection) as busy:
        assert number_events() == 1
    (read,) = [each["sql"] for each in busy if 'FROM "jackpot_request"' in each["sql"]]
    assert f"IN ({row.pk})" in read, "only what is new is read"
    assert not UnnumberedEvent.objects.exists()


@pytest.mark.django_db
def test_each_step_waits_for_its_number_by_the_database_itself() -> None:
    house, ann = a_property(), a_person("ann")
    asked = {"kind": "people", "asked_by": ann, "asked_by_name": ann.name, "premises": house}
    row = Request.objects.create(reason="both", state="refused", decided_by=ann, decided_at=timezone.now(), **asked)
    day = DaySignature.objects.create(premises=house, day=date(2026, 11, 18), act="close", person=ann)
    expected = {("requests", row.pk, "asked"), ("requests", row.pk, "decided"), ("days", day.pk, "")}
    assert set(UnnumberedEvent.objects.values_list("about", "source", "step")) == expected
    assert number_events() == 3


@pytest.mark.django_db
def test_a_step_taken_twice_keeps_its_number() -> None:
    house, ann = a_property(), a_person("ann")
    row = Request.objects.create(premises=house, kind="people", reason="once", asked_by=ann, asked_by_name=ann.name)
    number_events()
    UnnumberedEvent.objects.create(premises=house, about="requests", source=row.pk, step="asked")
    assert (number_events(), FeedEvent.objects.count(), UnnumberedEvent.objects.count()) == (0, 1, 0)


@pytest.mark.django_db
def test_a_program_reads_on_from_any_number() -> None:
    a_played_casino()
    number_events()
    chief = a_person("chief", may=("see", "people"))
    given = a_given_token(
        premises=chief.premises, name="Figures", scopes=["read_events"], last_day=timezone.now().date(),
        reason="follows the house", by=chief,
    )  # fmt: skip
    program = Client(headers={"Authorization": f"Bearer {given.written}"})
    numbers, after = [], 0
    while True:
        page: Any = program.get(f"{FEED}?after={after}&limit=2").json()
        if not page["results"]:
            break
        numbers += [each["number"] for each in page["results"]]
        after = page["after"]
    assert numbers == list(range(1, page["last"] + 1))
    assert (len(numbers) > 2, page["after"]) == (True, numbers[-1])
    again = program.get(f"{FEED}?after=1&limit=1").json()
    assert [each["number"] for each in again["results"]] == [2]
    beyond = program.get(f"{FEED}?after=9000").json()
    assert (beyond["results"], beyond["after"]) == ([], 9000)
    assert program.get("/api/v1/jackpots/").status_code == 403
    assert program.get(f"{FEED}?since=1").status_code == 400


@pytest.mark.django_db
def test_each_house_has_its_own_numbers() -> None:
    a_jackpot("OURS")
    other = a_property("OTHER")
    a_jackpot("THEIRS", premises=other)
    number_events()
    assert sorted(told()) == [(1, "take_over", "OURS"), (1, "take_over", "THEIRS")]
    client = signed_in("read_books", premises=other)
    (event,) = client.get(FEED).json()["results"]
    assert (event["number"], event["subject"]) == (1, "THEIRS")


@pytest.mark.django_db
def test_an_event_stays_as_it_was_told() -> None:
    a_jackpot("GRAND")
    number_events()
    with connection.cursor() as cursor:
        for words in ("UPDATE accounting_feedevent SET act = 'pay'", "DELETE FROM accounting_feedevent"):
            with pytest.raises(DatabaseError), transaction.atomic():
                cursor.execute(words)


@pytest.mark.django_db
def test_the_worker_numbers_when_it_is_due() -> None:
    a_jackpot("GRAND")
    put_up([RHYTHM])
    assert events_are_due()
    number_what_happened()
    assert (FeedEvent.objects.count(), events_are_due()) == (1, False)


@pytest.mark.django_db
def test_a_question_that_would_wait_says_so_to_whoever_holds_it_only_where_there_is_nothing() -> None:
    client = signed_in("read_books", username="follower")
    Request.objects.create(
        premises=a_property(), kind="people", reason="to be told", asked_by=a_person("asker"), asked_by_name="Asker"
    )
    number_events()
    assert "Fairmeter-Waits" not in client.get("/api/v1/feed/?after=0&wait=20").headers
    assert "Fairmeter-Waits" not in client.get("/api/v1/feed/?after=1").headers
    waits = client.get("/api/v1/feed/?after=1&wait=20").headers["Fairmeter-Waits"]
    assert waits == f"{a_property().pk}/1/20"
    assert client.get("/api/v1/feed/?after=1&wait=26").status_code == 400
