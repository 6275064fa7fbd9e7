"""What the framework refuses is refused in the words of the house: which thing, and how it is written."""

from __future__ import annotations

import datetime
from typing import Any

import pytest
from django.test import Client
from rest_framework import serializers

from jackpot.web.api.refusals import sentence_of
from tests.jackpot.books.api_scene import signed_in
from tests.test_fuzz_doors import FRAMEWORK


class EveryField(serializers.Serializer[Any]):
    """One of each kind of field that a door reads."""

    text = serializers.CharField(max_length=5, min_length=2)
    code = serializers.RegexField(r"^[A-Z]+$")
    whole = serializers.IntegerField(min_value=1, max_value=9)
    truth = serializers.BooleanField()
    moment = serializers.DateTimeField(default_timezone=datetime.UTC)
    day = serializers.DateField()
    choice = serializers.ChoiceField(choices=["one", "two"])
    many = serializers.ListField(child=serializers.CharField(), min_length=1, max_length=2)
    words = serializers.DictField()
    inner = serializers.ListField(child=serializers.DictField())
    several = serializers.MultipleChoiceField(choices=["one", "two"], allow_empty=False)


RIGHT: dict[str, Any] = {
    "text": "abc", "code": "ABC", "whole": 5, "truth": True, "moment": "2026-11-18T21:04:11Z", "day": "2026-11-18",
    "choice": "one", "many": ["a"], "words": {"a": 1}, "inner": [{}], "several": ["one"],
}  # fmt: skip


@pytest.mark.parametrize(
    ("field", "value", "sentence"),
    [
        ("text", None, "“text” is null. Send a value, or leave it out."),
        ("text", "", "“text” is empty. Write something."),
        ("text", "abcdef", "“text” is too long: 5 characters are the most."),
        ("text", "a", "“text” is too short: 2 characters are the least."),
        ("text", ["a"], "“text” is a text. Send it in quotation marks."),
        ("code", "abc", "“code” is not written as it should be. /api/v1/docs/ shows how."),
        ("whole", "x", "“whole” is a whole number in plain digits."),
        ("whole", 10, "“whole” is 9 or less."),
        ("whole", 0, "“whole” is 1 or more."),
        ("truth", "perhaps", "“truth” is true or false, and nothing else."),
        ("moment", "noon", "“moment” is a moment such as 2026-11-18T21:04:11Z, with its zone."),
        ("day", "18.11.", "“day” is a day such as 2026-11-18."),
        ("choice", "three", "“choice” cannot be “three”. It can be: one, two."),
        ("many", "a", "“many” is a list, in brackets."),
        ("many", [], "“many” has too few: 1 are the least."),
        ("many", ["a", "b", "c"], "“many” has too many: 2 are the most."),
        ("words", [], "“words” is an object, in braces."),
        ("several", "one", "“several” is a list."),
        ("several", [], "“several” is empty. Choose at least one."),
        ("several", ["three"], "“several” cannot be “three”. It can be: one, two."),
    ],
)
def test_a_wrong_value_is_named_with_its_cure(field: str, value: Any, sentence: str) -> None:
    assert EveryField(data=RIGHT).is_valid()
    form = EveryField(data={**RIGHT, field: value})
    assert not form.is_valid()
    assert sentence_of(form.errors) == sentence


def test_a_missing_value_and_no_object_at_all() -> None:
    left_out = EveryField(data={name: value for name, value in RIGHT.items() if name != "choice"})
    assert not left_out.is_valid()
    assert sentence_of(left_out.errors) == "“choice” is missing. Send it."
    no_object: Any = EveryField(data=[])
    assert not no_object.is_valid()
    assert sentence_of(no_object.errors).startswith("Send an object in braces, such as {")


@pytest.mark.django_db
def test_what_the_framework_refuses_before_a_door_reads() -> None:
    client = signed_in("see", "read_books", "service", "adjust")
    json = {"content_type": "application/json"}
    enrol = "/api/v1/devices/enrol"
    strict = Client(enforce_csrf_checks=True)
    strict.cookies = client.cookies
    for answer, words in (
        (client.get("/api/v1/jackpots/NONE/"), "There is nothing at /api/v1/jackpots/NONE/ in your house. Look at"),
        (client.get("/api/v1/wins/77/"), "Look at /api/v1/wins/ for"),
        (client.post("/api/v1/adjustments/", {"kind": "bend"}, **json), "“kind” cannot be “bend”. It can be: adjust,"),
        (client.post(enrol, '{"code": 1,}', **json), "no JSON from line 1, column 12 on"),
        (client.post(enrol, b'{"code": "\xff"}', **json), "no JSON in UTF-8"),
        (client.post(enrol, b"x", content_type="text/plain"), "Send the body as JSON"),
        (strict.post("/api/v1/adjustments/", {}, **json), "Send it in X-CSRFToken with every POST"),
        (client.get("/api/v1/events/?since=noon"), "needs “read_trail”"),
        (client.get("/api/v1/adjustments/?since=noon"), "“since” is a moment such as"),
        (client.get("/api/v1/jackpots/?state=sleepy"), "It can be: open, suspended, retired."),
    ):  # fmt: skip
        why = answer.json()["why"]
        assert words in why
        assert FRAMEWORK.search(why) is None, why
