"""Every request over the API that changed something, said again under its key: nothing may happen a second time.

A plugin (`-p tests.said_twice`): the suite's own tests of the API become the cases of this one, and what each door did
is told at the end (`docs/development.md`).
"""

from __future__ import annotations

import itertools
import os
from collections import Counter
from typing import Any, Final

import pytest

TOLD: Final[Counter[tuple[str, str]]] = Counter()
_KEYS: Final = itertools.count(1)


def generic(client: Any, method: str, path: str, *args: Any, **told: Any) -> Any:
    """In the place of the test client's own: a request that was done is sent once more, letter by letter."""
    from django.test.client import RequestFactory  # a plugin is loaded before Django is

    from jackpot.trail.models import Trail
    from jackpot.web.api.once import ACTING, HEADER, REPEATED

    plain: Any = RequestFactory.generic
    if method.lower() not in ACTING or not path.startswith("/api/v1/"):
        return plain(client, method, path, *args, **told)
    told["headers"] = {HEADER: f"twice-{os.getpid()}-{next(_KEYS):06}", **(told.get("headers") or {})}
    first = plain(client, method, path, *args, **told)
    if not 200 <= first.status_code < 300 or first.headers.get(REPEATED):
        return first
    name, lines = first.resolver_match.url_name, Trail.objects.count()
    again = plain(client, method, path, *args, **told)
    if again.status_code == 409 and again.json()["code"] == "done_before":
        TOLD[name, "acts once, and does not keep its answer"] += 1
        return first
    if again.headers.get(REPEATED) is None:
        TOLD[name, "acts again"] += 1
        return first
    TOLD[name, "acts once"] += 1
    assert again.status_code == first.status_code, f"{name}: {again.content[:300]!r}"
    assert Trail.objects.count() == lines, f"{name} did something twice"
    secret = getattr(first.resolver_match.func.cls, "tells_once", ())
    assert _bare(again.json(), secret) == _bare(first.json(), secret), name
    assert not any(word in again.content.decode() for word in _secrets(first.json(), secret)), name
    return first


def _bare(said: Any, secret: tuple[str, ...]) -> Any:
    match said:
        case dict():
            return {name: _bare(each, secret) for name, each in said.items() if name not in (*secret, "repeat")}
        case list():
            return [_bare(each, secret) for each in said]
    return said


def _secrets(said: Any, secret: tuple[str, ...]) -> list[str]:
    match said:
        case dict():
            here = [each for name, each in said.items() if name in secret and isinstance(each, str)]
            return here + [word for each in said.values() for word in _secrets(each, secret)]
        case list():
            return [word for each in said for word in _secrets(each, secret)]
    return []


@pytest.fixture(autouse=True)
def said_twice(monkeypatch: pytest.MonkeyPatch) -> None:
    from django.test import Client

    monkeypatch.setattr(Client, "generic", generic)


def pytest_terminal_summary(terminalreporter: Any) -> None:
    for (name, what), times in sorted(TOLD.items()):
        terminalreporter.write_line(f"{name}: {what}, {times} times")
