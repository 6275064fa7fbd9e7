"""Whatever is sent to whichever door: an answer or a sentence, soon, and never a fault of ours.

A refusal costs at most 80 ms of processor time of the process that answers, on a slow machine too; what calculates does
so in another.

Every address is found by itself (URL patterns, OpenAPI document, the forms of the pages), so a new one is tried from
the day it is there. In the normal run one of each kind a door; FAIRMETER_FUZZ=200 asks for so many of each,
FAIRMETER_FUZZ_SEED for other ones. `-rP` prints how long the answers took.
"""

from __future__ import annotations

import json
import logging
import os
import re
import statistics
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Final
from urllib.parse import quote, urlencode

import pytest
from django.db import transaction
from django.test import Client
from django.urls import URLPattern
from drf_spectacular.generators import SchemaGenerator

from jackpot.people.models import Role
from jackpot.signing.actions.kinds import unregister
from proving.nasty import TEXTS, VALUES, NastyHand, apt, spoilt
from tables.calculation.desk import desk
from tables.floor.models.sign import Sign
from tables.gateway.messages import _WORDS
from tests.accounting.test_every_door import DecidedByAll, address, fill_the_house, no_mathematics, patterns
from tests.builders import a_casino, a_person
from tests.controller import HttpController, secret_for
from tests.deep import often
from tests.undoing import as_a_test

TIMES: Final = int(os.environ.get("FAIRMETER_FUZZ") or often(1, deep=3))
SEED: Final = os.environ.get("FAIRMETER_FUZZ_SEED") or "doors"
SLOWEST: Final = 5.0  # seconds: this machine may be busy, and the OpenAPI document takes one by itself
REFUSED_WITHIN: Final = 0.080  # seconds of processor time of the process that answers
TRIES: Final = 5  # what is compiled, imported or collected at its first asking is not the refusal's own
UNASKED: Final = {"api-messages", "api-nowhere"}  # the gateway answers there; the second test asks it
QUERY: Final = (
    "q",
    "kind",
    "day",
    "before",
    "state",
    "jackpot",
    "table",
    "seen",
    "next",
    "cursor",
    "limit",
    "order",
    "tab",
)
FIELD: Final = re.compile(r"<(?:input|select|textarea|button)[^>]*\bname=\"([^\"]+)\"")


@dataclass
class Tally:
    """What was sent, what processor time each answer took, and what was wrong."""

    seconds: list[float] = field(default_factory=list)
    slow: list[tuple[float, str]] = field(default_factory=list)
    refused: list[tuple[float, str]] = field(default_factory=list)
    wrong: list[str] = field(default_factory=list)

    def note(self, what: str, status: int, sentence: bool, seconds: float) -> None:
        self.seconds.append(seconds)
        self.slow = sorted([*self.slow, (seconds, what)], reverse=True)[:5]
        if 400 <= status < 500:
            self.refused = sorted([*self.refused, (seconds, what)], reverse=True)[:5]
            if seconds > REFUSED_WITHIN:
                self.wrong.append(f"{seconds * 1000:.0f} ms to refuse: {what}")
        if status >= 500 or not sentence:
            self.wrong.append(f"{status}{'' if sentence else ' without a sentence'}: {what}")
        if seconds > SLOWEST:
            self.wrong.append(f"{seconds:.1f} s: {what}")

    def report(self) -> str:
        cuts = statistics.quantiles(self.seconds, n=100)
        lines = [
            f"{len(self.seconds)} requests, p50 {cuts[49] * 1000:.1f} ms, p99 {cuts[98] * 1000:.1f} ms; the slowest:"
        ]
        lines += [f"  {seconds * 1000:.0f} ms {what}" for seconds, what in self.slow]
        return "\n".join([*lines, "refusals:", *(f"  {took * 1000:.0f} ms {what}" for took, what in self.refused)])


@dataclass(frozen=True)
class Knock:
    method: str
    where: str
    body: bytes = b""
    kind: str = "application/json"

    def __str__(self) -> str:
        return f"{self.method} {ascii(self.where)[:160]} {ascii(self.body)[:300]}"


def knocks(
    pattern: URLPattern, bodies: Mapping[tuple[str, str], Any], fields: list[str], hand: NastyHand
) -> Iterator[Knock]:
    """What is sent to one door: its path, its question, its body and its form, each spoilt."""
    template = "/" + re.sub(r"<(?:\w+:)?(\w+)>", r"{\1}", str(pattern.pattern))
    where, is_api = address(pattern), template.startswith("/api/")
    for _ in range(TIMES):
        if "{" in template:
            text = quote(hand.text()[:300].encode("utf-8", "surrogatepass"), safe="")
            spoilt_path = text.join(re.split(r"\{\w+\}", template))
            yield Knock(hand.dice.choice(("GET", "POST")), spoilt_path, b"{}")
        asked = bodies.get((template, "GET"), []) if is_api else [*QUERY, *fields]
        yield Knock("GET", f"{where}?{urlencode(spoilt([*asked, 'strange'], hand))}")
        if is_api:
            method = hand.dice.choice(("POST", "POST", "PUT"))
            yield Knock(method, where, hand.body(bodies.get((template, "POST"), {})))
        else:
            form = urlencode(hand.fields(fields), errors="replace").encode()
            yield Knock("POST", where, form, "application/x-www-form-urlencoded")


def told_by_the_schema() -> dict[tuple[str, str], Any]:
    """Per path: the words of its question and a body that it would take."""
    document = SchemaGenerator().get_schema(request=None, public=True)
    parts, found = document["components"]["schemas"], dict[tuple[str, str], Any]()
    for path, methods in document["paths"].items():
        for method, told in methods.items():
            if method == "get":
                found[path, "GET"] = [each["name"] for each in told.get("parameters", []) if each["in"] == "query"]
            elif "requestBody" in told:
                found[path, "POST"] = apt(next(iter(told["requestBody"]["content"].values()))["schema"], parts)
    return found


def fields_of_pages(browser: Client) -> list[str]:
    """The names of everything that can be filled in or pressed on any page."""
    found: set[str] = set()
    for pattern in patterns():
        where = address(pattern)
        if not where.startswith("/api/"):
            answer = browser.get(where)
            if not getattr(answer, "streaming", False):
                found |= set(FIELD.findall(answer.content.decode("utf-8", "replace")))
    return sorted(found - {"csrfmiddlewaretoken"})


def sent(browser: Client, knock: Knock) -> tuple[int, bool, float]:
    """The status, whether a refusal has its sentence, and its processor time; whatever it did is undone.

    The shortest of some tries is what it takes: this machine may be busy, and then a second is longer.
    """
    headers = {"HTTP_IDEMPOTENCY_KEY": "fuzz-" + str(abs(hash(knock)))}
    seconds = float("inf")
    for _ in range(TRIES):
        cookies = dict(browser.cookies.items())
        begun = time.process_time()
        with as_a_test():
            answer: Any = browser.generic(knock.method, knock.where, knock.body, content_type=knock.kind, **headers)
            seconds = min(seconds, time.process_time() - begun)
            transaction.set_rollback(True)
        browser.cookies.update(cookies)  # type: ignore[arg-type]
        if answer.status_code < 400 or seconds <= REFUSED_WITHIN:
            break
    return answer.status_code, answer.status_code < 400 or has_a_sentence(answer), seconds


# What Django and its framework for APIs say by themselves: it names no cure, and nothing of the house.
FRAMEWORK: Final = re.compile(
    "This (field|value|list|selection|dictionary)|Ensure|[Nn]ot a valid|valid choice|Expected a|matches the given|"
    "wrong format|may not be|JSON parse|Method .* not allowed|Unsupported media|Malformed|Invalid|Must be a valid|"
    "A valid|Enter a|No file was|submitted|Not found|Authentication credentials|permission to perform|CSRF Failed|"
    "Null characters|Surrogate|Could not satisfy|throttled"
)


def has_a_sentence(answer: Any) -> bool:
    if answer.headers.get("Content-Type", "").startswith("application/json"):
        why = answer.json().get("why", "")
        return len(why) > 10 and FRAMEWORK.search(why) is None
    text = re.sub(r"<[^>]*>", " ", answer.content.decode("utf-8", "replace"))
    return answer.status_code == 405 or bool(re.search(r"\w+ \w+.*\.", text, re.DOTALL))


@pytest.fixture
def house(db: None, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture) -> Iterator[None]:
    """The demo house. Thousands of refusals are not written down; faults are."""
    no_mathematics(monkeypatch)
    caplog.set_level(logging.ERROR, "django.request")
    fill_the_house()
    yield
    desk().close()
    unregister(DecidedByAll.code)


@pytest.mark.timeout(600 * TIMES)  # some two thousand requests at three, on a machine that others keep busy too
def test_every_door_answers_or_says_why_whatever_is_sent(house: None) -> None:
    premises = Sign.objects.all()[0].premises
    everything = [role.code for role in Role.objects.all()]
    browser = Client(raise_request_exception=False)
    person = a_person("everything", roles=everything, premises=premises)
    browser.force_login(person)
    bodies, fields, tally = told_by_the_schema(), fields_of_pages(browser), Tally()
    for pattern in patterns():
        if pattern.name in UNASKED:
            continue
        browser.force_login(person)  # what a knock did to the session is undone with it
        for knock in knocks(pattern, bodies, fields, NastyHand(f"{SEED} {pattern.name}")):
            tally.note(str(knock), *sent(browser, knock))
    print(tally.report())  # noqa: T201 - for who asked with -rP
    assert not tally.wrong, "\n".join(tally.wrong)


def test_every_verb_of_a_device_answers_or_says_why_whatever_is_sent(live: Any) -> None:
    casino, tally = a_casino(), Tally()
    box = HttpController(live, casino.controller, secret_for(casino.controller))
    hand, values = NastyHand(SEED), [*TEXTS, *VALUES]
    for do, words in _WORDS.items():
        for word in [*sorted(words), "strange"]:
            for value in hand.dice.sample(values, min(len(values), TIMES)):
                if not sendable(value):
                    continue
                seconds = float("inf")
                for _ in range(TRIES):  # server and controller are one process here: both are counted
                    begun = time.process_time()
                    status, answer = box.say(id=7, do=do, **{"round": 1, word: value})
                    seconds = min(seconds, time.process_time() - begun)
                    if answer["ok"] or seconds <= REFUSED_WITHIN:
                        break
                tally.note(f"{do} {word} {ascii(value)[:60]}", status, bool(answer["ok"] or answer["why"]), seconds)
                assert answer["id"] == 7 or answer["code"] == "not_a_message", (do, word, value, answer)
    print(tally.report())  # noqa: T201 - for who asked with -rP
    assert not tally.wrong, "\n".join(tally.wrong)


def sendable(value: Any) -> bool:
    """What fits into a message of 64 KiB."""
    return len(json.dumps(value)) < 60_000


@pytest.mark.django_db
@pytest.mark.parametrize(
    "where", ["/signs/%00/", "/api/v1/signs/%00", "/tables/?q=%00", "/api/v1/jackpots/?order=%00", "/%00"]
)
def test_a_nul_in_an_address_is_refused_in_a_sentence(client: Client, where: str) -> None:
    answer = client.get(where)
    assert answer.status_code in (400, 404)
    assert has_a_sentence(answer)


@pytest.mark.django_db
def test_a_session_cookie_with_a_nul_is_nobodys(client: Client) -> None:
    client.cookies.load({"sessionid": "\x00aaaaaaaaaaaaaaaa"})
    assert client.get("/", headers={"cookie": r'sessionid="\000aaaaaaaaaaaaaaaaaaaa"'}).status_code == 200
