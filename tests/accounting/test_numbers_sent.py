"""Whatever a program sends as a number or a time is read by one reader, whichever door it comes to."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver
from rest_framework import serializers

from jackpot.web.api.doors import Door
from jackpot.web.api.fields import CalendarDay, WholeNumber, ZonedMoment
from tests.builders import a_casino, a_person

LOOSE = (serializers.IntegerField, serializers.DecimalField, serializers.FloatField, serializers.DateTimeField,
         serializers.DateField, serializers.TimeField, serializers.DurationField)  # fmt: skip
STRICT = (WholeNumber, CalendarDay, ZonedMoment)
SENT = ("Asked", "Word", "Words", "Wish")  # as the forms of what is sent are named


def views(patterns: list[URLPattern | URLResolver]) -> Iterator[type]:
    for each in patterns:
        if isinstance(each, URLResolver):
            yield from views(each.url_patterns)
        else:
            view: Any = getattr(each.callback, "view_class", None) or getattr(each.callback, "cls", None)
            if view is not None:
                yield view


def sent_forms() -> set[type[serializers.Serializer[Any]]]:
    """What the doors read a question or a body by, and every other form that is named as one."""
    doors = {view for view in views(get_resolver().url_patterns) if issubclass(view, Door)}
    forms: set[Any] = {door.asks for door in doors}
    waiting: list[Any] = [serializers.Serializer]
    while waiting:
        kind = waiting.pop()
        waiting += kind.__subclasses__()
        if kind.__name__.endswith(SENT) and kind.__module__.split(".")[0] in ("jackpot", "tables", "accounting"):
            forms.add(kind)
    # What a controller says is told there for the document only; tables/gateway/messages.py reads it.
    return {form for form in forms if form.__module__ != "tables.gateway.api.words"}


def loose(field: Any, path: str) -> Iterator[str]:
    """The fields below this one that the library would read in its own way: １２, 1_000, 12.0, 2026-W47-3."""
    if isinstance(field, serializers.ListSerializer | serializers.ListField | serializers.DictField):
        yield from loose(field.child, f"{path}[]")
    elif isinstance(field, serializers.BaseSerializer):
        for name, inner in getattr(field, "fields", {}).items():
            yield from loose(inner, f"{path}.{name}")
    elif isinstance(field, LOOSE) and not isinstance(field, STRICT) and not field.read_only:
        yield path


def test_no_door_reads_a_number_or_a_time_in_a_way_of_its_own() -> None:
    forms = sent_forms()
    assert len(forms) > 40
    found = [loose(form(), form.__name__) for form in sorted(forms, key=lambda each: each.__name__)]
    assert [path for paths in found for path in paths] == []


@pytest.mark.django_db
@pytest.mark.parametrize("written", ["１２", "٣", "1_000", "12.0", "+12", "1e5", "9" * 5000, "49,50", "%00"])
def test_coin_ins_are_plain_digits(client: Client, written: str) -> None:
    a_casino()
    client.force_login(a_person("reader", may=("see", "read_books")))
    answer = client.get("/api/v1/games/uth/par-sheets/trips/UTH-01/", {"coin_ins": written})
    assert (answer.status_code, "whole number from 1 to" in answer.json()["why"]) == (400, True)


@pytest.mark.django_db
@pytest.mark.parametrize(
    "written",
    ["２０２６-11-19T00:00:00Z", "2026-W47-3", "20261119T000000Z", "2026-11-19", "2026-11-19T00:00",
     "0001-01-01T00:00:00+23:59", "2026-02-30T00:00:00Z"],
)  # fmt: skip
def test_a_moment_has_its_zone(client: Client, written: str) -> None:
    a_casino()
    client.force_login(a_person("reader", may=("see", "read_trail")))
    answer = client.get("/api/v1/events/", {"since": written})
    assert (answer.status_code, "with its zone" in answer.json()["why"]) == (400, True)
    assert client.get("/api/v1/events/", {"since": "2026-11-19T00:00:00.5+01:00"}).status_code == 200
