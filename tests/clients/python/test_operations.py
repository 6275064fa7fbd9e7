"""The client against the OpenAPI document: every method's address is there, with exactly the filters it takes."""

from __future__ import annotations

import inspect
import re
import typing
from collections.abc import Iterator
from functools import cache
from typing import Any

import pytest
from drf_spectacular.generators import SchemaGenerator

from fairmeter_client import House

OF_THE_LISTING = {"totals"}  # asked by Listing.totals()


@cache
def paths() -> Any:
    return SchemaGenerator().get_schema(request=None, public=True)["paths"]


def methods() -> Iterator[Any]:
    for name, method in inspect.getmembers(House, inspect.isfunction):
        if hasattr(method, "reads"):
            yield pytest.param(method, id=name)


def asked_with(method: Any) -> tuple[set[str], int]:
    """The names of its filters, and how many words its address takes."""
    filters, words = set(), 0
    hints = typing.get_type_hints(method)
    for name, each in inspect.signature(method).parameters.items():
        if name == "self":
            continue
        if each.kind is inspect.Parameter.VAR_KEYWORD:
            (filters_of,) = typing.get_args(hints[name])
            filters |= set(typing.get_type_hints(filters_of))
        elif method.reads == "feed/":
            filters.add(name)
        else:
            words += 1
    return filters, words


@pytest.mark.parametrize("method", list(methods()))
def test_every_method_asks_what_the_document_knows(method: Any) -> None:
    operation = paths()[f"/api/v1/{method.reads}"]["get"]
    filters, words = asked_with(method)
    known = {each["name"] for each in operation["parameters"] if each["in"] == "query"}
    assert filters == known - OF_THE_LISTING
    assert words == len(re.findall(r"\{\w+\}", method.reads))
    assert {"programToken": []} in operation["security"], "a token opens it"


def test_every_public_method_that_asks_says_what() -> None:
    silent = {name for name, method in inspect.getmembers(House, inspect.isfunction) if not hasattr(method, "reads")}
    assert {name for name in silent if not name.startswith("_")} == {"follow"}
