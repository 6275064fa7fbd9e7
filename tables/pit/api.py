"""Figures for a monitoring system, in Prometheus' text form: few, cheap, and none that a sign does not show anyway."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from ipaddress import ip_address
from typing import Any

from django.db import connection
from django.http import HttpResponse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request

from jackpot.books.queries import differing_rows, stopped_jackpots
from jackpot.money import text_of_units, units_of
from jackpot.web.api.access import ReadsOrRefused
from jackpot.web.api.doors import Door

Sample = tuple[Mapping[str, str], str]
METERS = (
    "SELECT code, meter, last_seq, extract(epoch FROM clock_timestamp() - last_at) FROM jackpot_jackpot ORDER BY code"
)
TABLES = """
SELECT t.code, t.state, coalesce((SELECT max(number) FROM tables_round r WHERE r.table_id = t.id), 0)
  FROM tables_table t ORDER BY t.code
"""
DEVICES = """
SELECT kind, count(*) FILTER (WHERE last_seen_at > clock_timestamp() - interval '5 seconds'), count(*)
  FROM tables_device WHERE state = 'active' GROUP BY kind ORDER BY kind
"""

ERRANDS = "SELECT code, clock_timestamp() - owed_since > alarm_after FROM jackpot_errand ORDER BY code"


class NearbyOrReads(ReadsOrRefused):
    """A scraper on this machine asks without signing in; whoever comes from elsewhere, or through a proxy, may not."""

    def has_permission(self, request: Request, view: Any) -> bool:
        return _asked_here(request) or super().has_permission(request, view)


class Metrics(Door):
    """Meters, age of the last entry, rounds, devices heard within five seconds, work that is overdue."""

    permission_classes = [NearbyOrReads]

    @extend_schema(responses={(200, "text/plain"): OpenApiTypes.STR})
    def get(self, _: Request) -> HttpResponse:
        text = "".join(line + "\n" for line in _lines())
        return HttpResponse(text, content_type="text/plain; version=0.0.4; charset=utf-8")


def _asked_here(request: Request) -> bool:
    if request.META.get("HTTP_X_FORWARDED_FOR") or request.META.get("HTTP_FORWARDED"):
        return False
    try:
        return ip_address(str(request.META.get("REMOTE_ADDR", ""))).is_loopback
    except ValueError:
        return False


def _lines() -> Iterator[str]:
    meters, tables, devices = _rows(METERS), _rows(TABLES), _rows(DEVICES)
    exact = [({"jackpot": code}, text_of_units(units_of(meter))) for code, meter, _, _ in meters]
    entries = [({"jackpot": code}, str(seq)) for code, _, seq, _ in meters]
    ages = [({"jackpot": code}, str(age)) for code, _, _, age in meters if age is not None]
    rounds = [({"table": code}, str(last)) for code, _, last in tables]
    opened = [({"table": code}, str(int(state == "open"))) for code, state, _ in tables]
    heard = [({"kind": kind}, str(count)) for kind, count, _ in devices]
    active = [({"kind": kind}, str(count)) for kind, _, count in devices]
    yield from _family("fairmeter_meter", "gauge", "Exact amount in the meter.", exact)
    yield from _family("fairmeter_entries_total", "counter", "Entries in the books.", entries)
    yield from _family("fairmeter_last_entry_age_seconds", "gauge", "Age of the last entry.", ages)
    yield from _family("fairmeter_rounds_total", "counter", "Rounds begun at the table.", rounds)
    yield from _family("fairmeter_table_open", "gauge", "1 while the table is open.", opened)
    yield from _family("fairmeter_devices_heard", "gauge", "Enrolled devices heard within five seconds.", heard)
    yield from _family("fairmeter_devices_active", "gauge", "Enrolled devices.", active)
    yield from _errands()
    stopped = [({"jackpot": each.code}, "1") for each in differing_rows()]
    yield from _family("fairmeter_row_differs", "gauge", "1 for a jackpot whose row is not its last entry.", stopped)
    back = [({"jackpot": each.code}, "1") for each in stopped_jackpots() if each.went_back]
    yield from _family("fairmeter_books_went_back", "gauge", "1 for a jackpot whose books went back.", back)


def _errands() -> Iterator[str]:
    overdue = [({"errand": code}, str(int(late))) for code, late in _rows(ERRANDS)]
    yield from _family("fairmeter_errand_overdue", "gauge", "1 while work that comes round is overdue.", overdue)


def _family(name: str, kind: str, what: str, samples: Iterable[Sample]) -> Iterator[str]:
    yield f"# HELP {name} {what}"
    yield f"# TYPE {name} {kind}"
    for labels, value in samples:
        named = ",".join(f'{label}="{word}"' for label, word in labels.items())
        yield f"{name}{{{named}}} {value}"


def _rows(statement: str) -> list[tuple[Any, ...]]:
    with connection.cursor() as cursor:
        cursor.execute(statement)
        return list(cursor.fetchall())
