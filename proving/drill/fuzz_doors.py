"""Every door of the web, found by itself: its address, the words it asks for, and what is sent there instead."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final
from urllib.parse import quote, urlencode

from django.urls import URLPattern, URLResolver, get_resolver

from proving.house import NotCarriedOut
from proving.nasty import NastyHand, apt, spoilt

SCHEMA: Final = "/api/v1/schema/"
MOST_LOOKS: Final = 10
FEED: Final = "/api/v1/feed/"
FIELD: Final = re.compile(r"<(?:input|select|textarea|button)[^>]*\bname=\"([^\"]+)\"")
PLACE: Final = re.compile(r"<(?:\w+:)?(\w+)>")
QUERY: Final = (
    "q", "kind", "day", "before", "state", "jackpot", "table", "seen", "next", "cursor", "limit", "order", "tab",
)  # fmt: skip
KNOWN: Final = ("GRAND", "S-001", "C-S-001", "SIGN-0001", "PROVING", "uth", "coin-in-table", "2026-11-20")
FORM: Final = "application/x-www-form-urlencoded"


@dataclass(frozen=True, slots=True)
class Knock:
    """One request."""

    method: str
    where: str
    body: bytes = b""
    kind: str = "application/json"

    def __str__(self) -> str:
        return f"{self.method} {ascii(self.where)[:160]} {ascii(self.body)[:200]}"


def templates(resolver: URLResolver | None = None, before: str = "/") -> Iterator[str]:
    """Every address of the house, with the places that a code or number takes."""
    for each in (resolver or get_resolver()).url_patterns:
        where = before + str(each.pattern)
        if isinstance(each, URLPattern):
            yield where
        else:
            yield from templates(each, where)


class Doors:
    """What every door asks for, as it says itself: the API by its document, the pages by their forms."""

    def __init__(self, get: Callable[[str], str]) -> None:
        self._get = get
        every = [each for each in templates() if "(?" not in each]
        self._rest = [each for each in every if each.startswith("/api/") and not each.endswith("/messages")]
        self._pages = [each for each in every if not each.startswith("/api/")]

    def knocks(self, surface: str, hand: NastyHand) -> Iterator[Knock]:
        """Without an end, door after door."""
        if surface == "feed":
            while True:
                words = spoilt(["after", "limit", "cursor", "order", "strange"], hand)
                yield Knock("GET", f"{FEED}?{_query(words)}")
        while True:
            yield from self._at_rest(hand) if surface == "rest" else self._at_pages(hand)

    def _at_rest(self, hand: NastyHand) -> Iterator[Knock]:
        document = json.loads([self._written(form) for form in ("yaml", "json")][-1])
        parts = document["components"]["schemas"]
        while True:
            for template in self._rest:
                methods = document["paths"].get(PLACE.sub(r"{\1}", template), {})
                asked = [each["name"] for each in methods.get("get", {}).get("parameters", ()) if each["in"] == "query"]
                yield Knock("GET", f"{_filled(template, hand)}?{_query(spoilt([*asked, 'strange'], hand))}")
                taken = methods.get("post", {}).get("requestBody")
                body: Any = apt(next(iter(taken["content"].values()))["schema"], parts) if taken else {}
                method = hand.dice.choice(("POST", "POST", "PUT", "DELETE", "PATCH"))
                yield Knock(method, _filled(template, hand), hand.body(body if isinstance(body, Mapping) else {}))

    def _written(self, form: str) -> str:
        """A process of its own writes it when somebody asks first; a busy machine takes its time."""
        for _ in range(MOST_LOOKS):
            told = self._get(f"{SCHEMA}?format={form}")
            if "openapi" in told[:200]:
                return told
            time.sleep(1)
        raise NotCarriedOut("The document of the API was not written.")

    def _at_pages(self, hand: NastyHand) -> Iterator[Knock]:
        fields = sorted({name for each in self._pages for name in FIELD.findall(self._page(each, hand))})
        fields = [name for name in fields if name != "csrfmiddlewaretoken"]
        while True:
            for template in self._pages:
                yield Knock("GET", f"{_filled(template, hand)}?{_query(spoilt([*QUERY, *fields], hand))}")
                chosen = hand.dice.sample(fields, min(len(fields), 12))
                form = urlencode(hand.fields(chosen), errors="replace").encode()
                yield Knock("POST", _filled(template, hand), form, FORM)

    def _page(self, template: str, hand: NastyHand) -> str:
        return self._get(_filled(template, hand, known=True))


def _query(words: Mapping[str, str]) -> str:
    return urlencode({name: text[:2000] for name, text in words.items()})


def _filled(template: str, hand: NastyHand, *, known: bool = False) -> str:
    """A code of the house or a small number where one belongs; every third time what nobody means."""

    def word(place: re.Match[str]) -> str:
        if not known and hand.dice.random() < 0.3:
            return quote(hand.text()[:300].encode("utf-8", "surrogatepass"), safe="")
        codes = "code" in place[1] or place[1] in ("jackpot", "table", "device", "sign", "kind", "name")
        return hand.dice.choice(KNOWN) if codes else str(hand.dice.randint(1, 3))

    return PLACE.sub(word, template)
