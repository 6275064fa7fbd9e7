"""Every door of the API acts once per key: told by the doors themselves, and by some that would act twice."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver
from django.utils import timezone

from accounting.programs.models import ProgramToken
from accounting.webhooks.models import Webhook
from jackpot.answers import api
from jackpot.answers.models import StoredAnswer
from jackpot.requests.models import Request
from jackpot.signing.actions import SecondPerson, sign
from jackpot.trail.models import Trail
from jackpot.web.api.doors import Door
from jackpot.web.api.once import ACTING
from tables.floor.models.device import Device
from tests.builders import a_casino, a_property
from tests.jackpot.books.api_scene import signed_in
from tests.ways_out import cosigner

# A device’s messages have numbers of their own, and count once by them.
BY_THEIR_OWN_NUMBERS = {"api-messages"}
KEY = {"Idempotency-Key": "lost-answer-0001"}
SOON = (timezone.now() + timedelta(days=30)).date().isoformat()
TOKEN = {"name": "Figures", "scopes": ["see"], "last_day": SOON, "reason": "Nightly figures"}
HOOK = {"name": "Ledger", "address": "https://ledger.example/in", "kinds": ["days"], "reason": "Books days"}
BOX = {"code": "WALL-1-S", "kind": "coin_spot", "table": "UTH-01"}


def addresses(found: Any = None) -> Iterator[tuple[str, Any]]:
    for each in (found or get_resolver()).url_patterns:
        if isinstance(each, URLResolver):
            yield from addresses(each)
        elif isinstance(each, URLPattern) and str(each.name).startswith("api-"):
            yield str(each.name), getattr(each.callback, "cls", None)


def test_whatever_a_door_changes_it_changes_once_per_key() -> None:
    acting = {name: door for name, door in addresses() if any(hasattr(door, method) for method in ACTING)}
    assert len(acting) > 90, "every address of the API is looked at"
    bare = {
        name for name, door in acting.items() for method in ACTING
        if hasattr(door, method) and not getattr(getattr(door, method), "acts_once", False)
    }  # fmt: skip
    assert bare <= BY_THEIR_OWN_NUMBERS
    assert {name for name, door in acting.items() if not issubclass(door, Door)} <= BY_THEIR_OWN_NUMBERS


def sent(client: Client, address: str, words: dict[str, Any], **headers: str) -> Any:
    return client.post(f"/api/v1/{address}", words, content_type="application/json", headers=headers or KEY)


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("address", "words", "secret", "made"),
    [("programs/", TOKEN, "token", ProgramToken), ("webhooks/", HOOK, "secret", Webhook),
     ("devices/", BOX, "enrol_code", Device)],
)  # fmt: skip
def test_a_repeat_makes_no_second_one_and_tells_no_secret_again(
    address: str, words: dict[str, Any], secret: str, made: Any
) -> None:
    a_casino()
    client = signed_in("people", "service", "see", "read_books", premises=a_property())
    if made is not Device:
        # Asked for and signed; the door that shows the secret is the one that tells it once.
        number = sent(client, address, words, **{"Idempotency-Key": "asked-for-0001"}).json()["request"]["id"]
        sign(request_id=number, approver=SecondPerson(cosigner(a_property())))
        address, words = f"{address}requests/{number}/{secret}/", {}
    first = sent(client, address, words)
    count, lines = made.objects.count(), Trail.objects.count()
    again = sent(client, address, words)
    assert (first.status_code, again.status_code) == (201, 201), first.content
    assert again.headers["Idempotency-Repeated"] == "true"
    assert "Idempotency-Repeated" not in first.headers
    assert (made.objects.count(), Trail.objects.count()) == (count, lines)
    assert again.json() == {**first.json(), secret: None}
    assert first.json()[secret] not in str(list(StoredAnswer.objects.values_list("answer", flat=True)))


@pytest.mark.django_db
def test_what_was_done_and_not_answered_is_not_done_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """The process dies behind the commit of the act: its key stands with it, and the answer does not."""
    a_property()
    client = signed_in("people", premises=a_property())

    def dies(*_: Any) -> None:
        raise SystemExit

    with monkeypatch.context() as patched:
        patched.setattr(api, "keep_answer", dies)
        with pytest.raises(SystemExit):
            sent(client, "programs/", TOKEN)
    again = sent(client, "programs/", TOKEN)
    assert (again.status_code, again.json()["code"]) == (409, "done_before")
    assert Request.objects.count() == 1


@pytest.mark.django_db
def test_a_refusal_uses_up_no_key_and_other_words_are_no_repeat() -> None:
    a_property()
    client = signed_in("people", premises=a_property())
    assert sent(client, "programs/", {**TOKEN, "scopes": []}).status_code == 400
    assert sent(client, "programs/", TOKEN).status_code == 201
    clash = sent(client, "programs/", {**TOKEN, "name": "Another"})
    assert (clash.status_code, clash.json()["code"]) == (409, "clash")
    bad = sent(client, "programs/", TOKEN, **{"Idempotency-Key": "short"})
    assert (bad.status_code, bad.json()["code"]) == (400, "idempotency_key")
    assert Request.objects.count() == 1


@pytest.mark.django_db
def test_who_may_no_more_hears_no_stored_answer_and_nobody_hears_anothers() -> None:
    house = a_property()
    ann, bob = (signed_in("people", username=name, premises=house) for name in ("ann", "bob"))
    assert sent(ann, "programs/", TOKEN).status_code == 201
    assert "Idempotency-Repeated" not in sent(bob, "programs/", {**TOKEN, "name": "His"}).headers
    person: Any = Request.objects.order_by("id")[0].asked_by
    person.roles.clear()
    assert sent(ann, "programs/", TOKEN).status_code == 403
    assert sent(Client(), "programs/", TOKEN).status_code == 401


@pytest.mark.django_db
def test_a_key_is_drawn_anew_without_one_everything_is_as_before() -> None:
    client = signed_in("people", premises=a_property())
    for _ in range(2):
        plain = client.post("/api/v1/programs/", TOKEN, content_type="application/json")
        assert plain.status_code == 201
    assert (Request.objects.count(), StoredAnswer.objects.count()) == (2, 0)
