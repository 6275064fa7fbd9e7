from __future__ import annotations

from typing import Any

import pytest
from django.db import OperationalError
from django.test import Client

from jackpot.web.api import doors
from jackpot.web.api.refusals import answer_refusal, sentence_of
from tests.builders import a_jackpot
from tests.deep import often
from tests.jackpot.books.api_scene import a_played_casino, signed_in

pytestmark = pytest.mark.django_db


def check(answer: Any, status: int, code: str, *words: str) -> None:
    told = answer.json()
    assert answer.status_code == status
    assert set(told) == {"ok", "code", "why"}
    assert (told["ok"], told["code"]) == (False, code)
    assert all(word in told["why"] for word in words), told["why"]


def test_nobody_reads_without_signing_in(client: Client) -> None:
    check(client.get("/api/v1/jackpots/"), 401, "not_signed_in", "Sign in")


def test_a_missing_verb_is_named() -> None:
    check(signed_in("see").get("/api/v1/events/"), 403, "not_allowed", "read_trail", "administrator")


def test_a_method_that_no_door_offers_is_refused_even_to_those_who_may_all() -> None:
    takes = "This address takes GET, and nothing else."
    check(signed_in("see", "service").delete("/api/v1/jackpots/"), 405, "no_such_method", takes)
    check(Client().delete("/api/v1/jackpots/"), 401, "not_signed_in")


def test_a_person_whose_role_was_taken_is_refused_at_once() -> None:
    client = signed_in("see")
    from jackpot.people.models import Operator

    Operator.objects.get(username="reader").roles.clear()
    check(client.get("/api/v1/jackpots/"), 403, "not_allowed")


def test_a_person_who_left_has_no_session() -> None:
    client = signed_in("see")
    from jackpot.people.models import Operator

    Operator.objects.filter(username="reader").update(is_active=False)
    check(client.get("/api/v1/jackpots/"), 401, "not_signed_in")


def test_what_does_not_exist_is_a_sentence() -> None:
    client = signed_in()
    check(client.get("/api/v1/jackpots/NONE/"), 404, "not_found")
    check(client.get("/api/v1/nothing"), 404, "not_found", "/api/v1/nothing", "docs")
    check(client.get("/api/v1/jackpots"), 404, "not_found", "Did you mean /api/v1/jackpots/?")


def test_an_unknown_filter_is_refused_not_ignored() -> None:
    a_jackpot("GRAND")
    check(
        signed_in().get("/api/v1/jackpots/GRAND/entries/?fall=true"), 400, "not_understood", "“fall”", "Known", "falls"
    )
    check(signed_in(username="other").get("/api/v1/jackpots/GRAND/?at=1"), 400, "not_understood", "“at”")


def test_what_is_no_json_is_refused() -> None:
    client = signed_in("service")
    for body in ("{", "[" * 60_000, '{"code": NaN}', "\x00"):
        answer = client.post("/api/v1/devices/enrol", body, content_type="application/json")
        check(answer, 400, "not_json")


def test_a_form_is_not_json() -> None:
    check(Client().post("/api/v1/devices/enrol", {"code": "A"}), 415, "not_json")


@pytest.mark.parametrize("body", ['{"code": "A", "code": "B"}', '{"code": {"a": 1, "a": 1}}'])
def test_a_name_that_stands_twice_in_a_body_is_refused(client: Client, body: str) -> None:
    answer = client.post("/api/v1/devices/enrol", body, content_type="application/json")
    assert (answer.status_code, "stands twice. Say it once." in answer.json()["why"]) == (400, True)


def test_a_body_larger_than_64_kib_is_refused() -> None:
    body = '{"code": "' + "A" * doors.LARGEST_BODY + '"}'
    answer = Client().post("/api/v1/devices/enrol", body, content_type="application/json")
    check(answer, 400, "not_json", "64 KiB")


def test_a_forged_form_from_elsewhere_is_refused() -> None:
    client = Client(enforce_csrf_checks=True)
    client.cookies = signed_in("service").cookies
    check(client.post("/api/v1/devices/", "{}", content_type="application/json"), 403, "not_allowed", "CSRF")


def test_a_database_out_of_reach_is_said_with_the_time_to_try_again(monkeypatch: pytest.MonkeyPatch) -> None:
    client = signed_in()

    def gone(_: Any) -> Any:
        raise OperationalError("connection refused")

    monkeypatch.setattr("jackpot.books.queries.jackpots", gone)
    answer = client.get("/api/v1/jackpots/")
    check(answer, 503, "unavailable", "Try again")
    assert answer.headers["Retry-After"] == "2"


def test_a_fault_of_ours_says_nothing_about_our_inside(monkeypatch: pytest.MonkeyPatch) -> None:
    client = signed_in()
    client.raise_request_exception = False

    def broken(_: Any) -> Any:
        raise KeyError("secret detail")

    monkeypatch.setattr("jackpot.books.queries.jackpots", broken)
    answer = client.get("/api/v1/jackpots/")
    check(answer, 500, "fault")
    assert "secret" not in answer.content.decode()


def test_only_known_problems_become_refusals() -> None:
    assert answer_refusal(KeyError("x"), {}) is None


def test_the_first_wrong_field_is_named() -> None:
    assert sentence_of({"limit": ["Too large."], "day": ["No."]}) == "“limit”: Too large."
    assert sentence_of({"non_field_errors": ["Say something."]}) == "Say something."
    assert sentence_of({"seats": [{}, {"number": ["No."]}]}) == "“number”: No."


NASTY = (
    "3000000000", "-1", "0", "9223372036854775808", "1e400", "NaN", "%00", "%00A", "é", "%ED%A0%80", "'", "null",
    "2026-02-30", "0000-00-00", "99999-01-01", "true;drop", "A" * 5_000, "", " ", "[]", "%F0%9F%82%A1", "-9e99", "0x10",
)  # fmt: skip
LISTS = {
    "/api/v1/jackpots/": ("limit", "cursor", "order", "state"),
    "/api/v1/jackpots/GRAND/entries/": ("limit", "cursor", "order", "kind", "day", "table", "round", "falls"),
    "/api/v1/jackpots/GRAND/versions/": ("limit", "cursor", "order"),
    "/api/v1/tables/": ("limit", "cursor", "order", "state", "jackpot"),
    "/api/v1/rounds/": ("limit", "cursor", "order", "table", "day", "state"),
    "/api/v1/devices/": ("limit", "cursor", "order", "kind", "state", "table"),
    "/api/v1/signs/": ("limit", "cursor", "order"),
    "/api/v1/people/": ("limit", "cursor", "order", "role"),
    "/api/v1/cards/": ("limit", "cursor", "order", "last_four"),
    "/api/v1/events/": ("limit", "cursor", "order", "actor", "act", "subject", "outcome", "since", "until"),
}


@pytest.mark.parametrize("address", LISTS)
def test_no_question_breaks_a_list(address: str) -> None:
    """All lists read their question by one code: a word meets a third of what is nasty, and the next word the next."""
    a_played_casino()
    client = signed_in()
    for place, word in enumerate(LISTS[address]):
        for nasty in often(NASTY[(place + len(address)) % 3 :: 3], deep=NASTY):
            answer = client.get(f"{address}?{word}={nasty}")
            assert answer.status_code in {200, 400}, (word, nasty, answer.status_code)
            if answer.status_code == 400:
                check(answer, 400, "not_understood")


@pytest.mark.parametrize("limit", ["0", "501", "3000000000", "-1", "x"])
def test_a_page_has_a_largest_size(limit: str) -> None:
    check(signed_in().get(f"/api/v1/jackpots/?limit={limit}"), 400, "not_understood", "“limit”")


@pytest.mark.parametrize(
    "address",
    [
        "jackpots/%00/", "jackpots/grand/", "jackpots/" + "A" * 500 + "/", "rounds/UTH-01/0/", "rounds/UTH-01/-1/",
        "rounds/UTH-01/9223372036854775808/", "rounds/UTH-01/3000000000/", "devices/..%2F/", "people/%00/",
        "tables/%C3%A9/", "jackpots/GRAND'/",
    ],
)  # fmt: skip
def test_no_address_breaks_the_house(address: str) -> None:
    a_played_casino()
    check(signed_in().get(f"/api/v1/{address}"), 404, "not_found")
