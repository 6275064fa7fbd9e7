"""The addresses that `bench size` asks: python -m proving.size_addresses WORDS prints them as a JSON list.

Every address that answers a GET is on it, filled with what stands in the house, but for those named below with their
reason; the long lists are also asked as people ask them: filtered, jumped into, searched.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterator, Mapping
from datetime import date
from typing import Any, Final

# What does not read the books, and what does not exist in this house.
LEFT_OUT: Final = (
    "lab", "par", "api-laboratory", "api-game", "api-par", "api-own", "api-jackpot-par", "api-jackpot-which",
    "api-jackpot-actual", "own-page", "one-time-code", "begin", "sign-in", "train", "tour", "schema", "api-schema",
    "api-docs", "api-nowhere", "api-proof", "proof", "verify", "sign-snapshot", "rule-card", "check-photo",
    "adjustment-ask", "to-directory", "from-directory", "own-directory",
)  # fmt: skip
# A screen on the wall, a press, steps behind a password, a way to another page, a form for a day that is closed; a key
# and a book of slips, of registers that are empty in this house.
ALONE: Final = frozenset(
    {
        *("sign", "sign-out", "second-factor", "passkey-asked", "slip", "day-reopen", "custody-one", "slip-book"),
        *("adjustments", "adjustment", "authority-change", "config-change"),
    }
)
LEFT_OUT_ENDS: Final = (
    "-csv",
    "-file",
    "-png",
    "preview",
    "-receipt",
    "hit-page",
    "win-page",
    "slip-page",
    "copy",
    "export",
)
ASKED: Final = (
    "/rounds/?table={table}", "/rounds/?day={day}", "/rounds/?before=1000", "/jackpots/GRAND/ledger/?kind=award",
    "/jackpots/GRAND/ledger/?table={table}", "/jackpots/GRAND/ledger/?day={day}", "/jackpots/GRAND/ledger/?before=200",
    "/api/v1/jackpots/GRAND/entries/?kind=award", "/api/v1/jackpots/GRAND/entries/?table={table}",
    "/api/v1/jackpots/GRAND/entries/?cursor=100", "/api/v1/rounds/?table={table}", "/api/v1/wins/?table={table}",
    "/office/wins/?day={day}", "/office/find/?q={slip}", "/office/find/?q={table}", "/office/find/?q=GRAND",
    "/office/requests/?kind=adjustments",
    "/tables/?q={table}", "/pit/?q={table}", "/devices/?q={table}",
)  # fmt: skip


def addresses(words: Mapping[str, Any]) -> Iterator[str]:
    from accounting.reports.queries.catalogue import REPORTS

    for name, needs in sorted(_readable()):
        if name in ("report", "api-report"):
            yield from (_filled(name, {"code": report.code}) for report in REPORTS.values())
        elif (values := _values(name, needs, words)) is not None:
            yield _filled(name, values)
    yield from (each.format(**words) for each in ASKED)


def _readable() -> Iterator[tuple[str, tuple[str, ...]]]:
    from django.urls import URLPattern, URLResolver, get_resolver

    def walk(resolver: Any) -> Iterator[URLPattern]:
        for each in resolver.url_patterns:
            yield from walk(each) if isinstance(each, URLResolver) else [each]

    for pattern in walk(get_resolver()):
        name, view = str(pattern.name), pattern.callback
        left_out = name in ALONE or name.startswith(LEFT_OUT) or name.endswith(LEFT_OUT_ENDS)
        if not left_out and "GET" in _methods(view):
            yield name, tuple(sorted(pattern.pattern.converters))


def _methods(view: Any) -> set[str]:
    verbs = getattr(view, "verbs", None) or getattr(getattr(view, "view_class", None) or view, "verbs", None)
    cls = getattr(view, "cls", None)
    return set(verbs or getattr(cls, "verbs", None) or {"GET"})


def _values(name: str, needs: tuple[str, ...], words: Mapping[str, Any]) -> dict[str, Any] | None:
    """What the address is filled with; nothing where this house has no such thing."""
    of_a_table = ("table", "pit", "console", "round", "checklist", "api-table", "api-round", "api-checklist")
    code = words["table"] if name.startswith(of_a_table) else "GRAND"
    day = date.fromisoformat(words["day"])
    if name.startswith(("device", "api-device")):
        code = f"{words['table']}-C"
    known: dict[str, Any] = {
        "code": code, "seq": 1, "username": "supervisor", "day": day, "on": day, "part": "tables",
        "slip": words["slip"],
    }  # fmt: skip
    if name in ("slip", "office-win", "office-win-why", "cage-slip"):
        known["number"] = words["slip"]
    if name in ("round", "api-round"):
        known["number"] = words["round"]
    if name == "api-win":
        known["id"] = words["win"]
    values = {need: known.get(need) for need in needs}
    return None if None in values.values() else values


def _filled(name: str, values: Mapping[str, Any]) -> str:
    from django.urls import reverse

    return reverse(name, kwargs=dict(values))


if __name__ == "__main__":
    import django

    os.environ["DJANGO_SETTINGS_MODULE"] = "config.settings"
    django.setup()
    sys.stdout.write(json.dumps(list(dict.fromkeys(addresses(json.loads(sys.argv[1]))))))
