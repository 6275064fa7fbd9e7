"""One name for one request wherever it leaves a trace: answer, log of web and worker, the statements of the database.

A proxy in front may bring it (`X-Request-ID`); else it is made here. It says nothing of who asks.
"""

from __future__ import annotations

import logging
import re
import secrets
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from contextvars import ContextVar
from http import HTTPStatus
from typing import Any, Final

from django.db import connection
from django.http import HttpRequest, HttpResponseBase

from jackpot.web.tracing import CLIENT, SERVER, TraceSpan, traced

HEADER: Final = "X-Request-ID"
GIVEN: Final = re.compile(r"[A-Za-z0-9-]{8,64}")
NONE: Final = "-"
_current: ContextVar[str] = ContextVar("request_id", default=NONE)


def current_request() -> str:
    return _current.get()


@contextmanager
def named_request(name: str, task: str = "") -> Iterator[str]:
    """Everything that is logged or asked of the database meanwhile bears this name."""
    before = _current.set(name if GIVEN.fullmatch(name) else secrets.token_hex(8))
    try:
        with connection.execute_wrapper(_with_its_name), traced(f"task {task}") if task else nullcontext():
            yield _current.get()
    finally:
        _current.reset(before)


def _with_its_name(execute: Callable[..., Any], sql: Any, params: Any, many: bool, context: Any) -> Any:
    """At the end, where PostgreSQL's log and pg_stat_activity show it; only letters, digits and hyphens come in."""
    # What is composed is no text yet, and goes without the name.
    named = f"{sql} /* request {current_request()} */" if isinstance(sql, str) else sql
    with traced("statement", CLIENT, **{"db.system.name": "postgresql", "db.query.text": str(sql)}):
        return execute(named, params, many, context)


class NamedRequests:
    """The outermost middleware: a refusal of any other bears the name, too."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self._get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        with (
            named_request(request.headers.get(HEADER, "")) as name,
            traced(str(request.method), SERVER, request.headers.get("traceparent", ""), fairmeter_request=name) as span,
        ):
            response = self._get_response(request)
            response.headers[HEADER] = name
            if span is not None:
                _describe(span, request, response)
            return response


def _describe(span: TraceSpan, request: HttpRequest, response: HttpResponseBase) -> None:
    """By the address's pattern: what stands in its place may be a slip or a person."""
    route = request.resolver_match.route if request.resolver_match else ""
    span.name = f"{request.method} {route}".strip()
    span.facts |= {"http.route": route, "http.response.status_code": response.status_code}
    span.failed = response.status_code >= HTTPStatus.INTERNAL_SERVER_ERROR


class NamesRequests(logging.Filter):
    """Gives every line of the log the name of the request, or of the task, that it belongs to."""

    def filter(self, record: logging.LogRecord) -> bool:
        record.request_id = current_request()
        return True
