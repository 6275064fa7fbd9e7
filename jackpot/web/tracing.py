"""Traces for an OpenTelemetry collector, by switch: requests, tasks and their statements as OTLP over HTTP, in JSON.

Its library would bring twenty packages for what is one POST. A collector that is away, or slow, costs nothing: spans
wait in a bounded queue, and what does not fit is dropped. No parameter of a statement leaves the house.
"""

from __future__ import annotations

import atexit
import json
import logging
import queue
import re
import secrets
import threading
import time
import urllib.request
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import Any, Final

from django.conf import settings

WAITING: Final = 2_000
AT_ONCE: Final = 500
EVERY: Final = 1.0
PATIENCE: Final = 5.0
SERVER, INTERNAL, CLIENT = 2, 1, 3
FAILED: Final = 2
# https://www.w3.org/TR/trace-context/: version, trace, parent, flags
PARENT: Final = re.compile(r"00-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-[0-9a-f]{2}")
log = logging.getLogger(__name__)


@dataclass(slots=True)
class TraceSpan:
    """One piece of work, from its beginning to its end."""

    name: str
    kind: int
    trace: str
    parent: str = ""
    facts: dict[str, str | int] = field(default_factory=dict)
    id: str = field(default_factory=lambda: secrets.token_hex(8))
    began: int = field(default_factory=time.time_ns)
    ended: int = 0
    failed: bool = False

    def plain(self) -> dict[str, Any]:
        """As OTLP's JSON has it: numbers of 64 bits are strings there."""
        status = {"status": {"code": FAILED}} if self.failed else {}
        return {
            "traceId": self.trace, "spanId": self.id, "parentSpanId": self.parent, "name": self.name, "kind": self.kind,
            "startTimeUnixNano": str(self.began), "endTimeUnixNano": str(self.ended), "attributes": _facts(self.facts),
        } | status  # fmt: skip


def _facts(facts: Mapping[str, str | int]) -> list[dict[str, Any]]:
    return [
        {"key": key, "value": {"intValue": str(fact)} if isinstance(fact, int) else {"stringValue": fact}}
        for key, fact in facts.items()
    ]


class TraceExporter:
    """A thread that sends what is ready once a second; begun by the first span, ended with the process."""

    def __init__(self, collector: str) -> None:
        self._address = f"{collector.rstrip('/')}/v1/traces"
        self._ready: queue.Queue[TraceSpan] = queue.Queue(WAITING)
        self._over = threading.Event()
        self._counting = threading.Lock()
        self._thread = threading.Thread(target=self._run, name="traces", daemon=True)
        self._thread.start()
        self.dropped = 0
        atexit.register(self.close)

    def put(self, span: TraceSpan) -> None:
        try:
            self._ready.put_nowait(span)
        except queue.Full:
            self._drop(1)

    def close(self) -> None:
        self._over.set()
        # No longer than a collector may take: nobody waits for traces at the end of a process.
        self._thread.join(PATIENCE)
        self._drop(self._ready.qsize())

    def _drop(self, spans: int) -> None:
        """Whoever measures and whoever sends count in threads of their own."""
        with self._counting:
            self.dropped += spans

    def _run(self) -> None:
        while not self._over.wait(EVERY):
            self._send()
        self._send()

    def _send(self) -> None:
        while spans := self._taken():
            resource = {"attributes": _facts({"service.name": "fairmeter"})}
            scope = {"scope": {"name": "fairmeter"}, "spans": [span.plain() for span in spans]}
            body = json.dumps({"resourceSpans": [{"resource": resource, "scopeSpans": [scope]}]}).encode()
            asked = urllib.request.Request(self._address, body, {"Content-Type": "application/json"})
            try:
                urllib.request.urlopen(asked, timeout=PATIENCE).close()
            except OSError as trouble:
                self._drop(len(spans))
                log.info("the collector of traces took nothing: %s", trouble)
                # The rest waits for the next second: a collector that is away is not asked portion by portion.
                return

    def _taken(self) -> list[TraceSpan]:
        taken: list[TraceSpan] = []
        while len(taken) < AT_ONCE:
            try:
                taken.append(self._ready.get_nowait())
            except queue.Empty:
                break
        return taken


_current: ContextVar[TraceSpan | None] = ContextVar("trace_span", default=None)
_exporters: dict[str, TraceExporter] = {}
_making = threading.Lock()


def exporter() -> TraceExporter | None:
    """None where no collector is named: then nothing is measured at all."""
    collector: str = settings.TRACES_URL
    if not collector:
        return None
    with _making:
        if collector not in _exporters:
            _exporters[collector] = TraceExporter(collector)
        return _exporters[collector]


@contextmanager
def traced(name: str, kind: int = INTERNAL, parent: str = "", **facts: str | int) -> Iterator[TraceSpan | None]:
    """Measures what happens inside as a span of the one around it, or of the caller that `parent` names."""
    out = exporter()
    if out is None:
        yield None
        return
    above, known = _current.get(), PARENT.fullmatch(parent)
    # A caller that traces finds our work within its own; else it hangs under what is under way here.
    trace, over = (known[1], known[2]) if known else (above.trace, above.id) if above else (secrets.token_hex(16), "")
    span = TraceSpan(name, kind, trace, over, dict(facts))
    token = _current.set(span)
    try:
        yield span
    except BaseException:
        span.failed = True
        raise
    finally:
        _current.reset(token)
        span.ended = time.time_ns()
        out.put(span)
