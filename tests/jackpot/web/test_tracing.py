"""Traces go to a collector of the test's own on loopback; without the switch nothing is measured."""

from __future__ import annotations

import threading
import urllib.request
from typing import Any

import pytest
from django.test import Client

from jackpot.web import tracing
from jackpot.web.tracing import PARENT, traced
from tests.accounting.webhooks.receiver import Receiver, a_receiver
from tests.builders import a_jackpot, a_person
from tests.patience import PATIENCE, until

TRACE, CALLER = "a" * 32, "b" * 16


def spans(collector: Receiver) -> list[dict[str, Any]]:
    return [
        span
        for heard in collector.heard
        for resource in heard.told["resourceSpans"]
        for scope in resource["scopeSpans"]
        for span in scope["spans"]
    ]


@pytest.mark.django_db
def test_a_request_and_its_statements_are_one_trace_of_whoever_called(settings: Any) -> None:
    a_jackpot("GRAND")
    desk = Client()
    desk.force_login(a_person("reader", may=("see",)))
    with a_receiver() as collector:
        settings.TRACES_URL = f"http://127.0.0.1:{collector.port}"
        answer = desk.get("/jackpots/GRAND/", headers={"traceparent": f"00-{TRACE}-{CALLER}-01"})
        until(lambda: any(span["kind"] == tracing.SERVER for span in spans(collector)))
        heard = spans(collector)
        tracing.exporter().close()  # type: ignore[union-attr]
    assert collector.heard[0].path == "/v1/traces"
    request = next(span for span in heard if span["kind"] == tracing.SERVER)
    facts = {each["key"]: next(iter(each["value"].values())) for each in request["attributes"]}
    assert (request["traceId"], request["parentSpanId"]) == (TRACE, CALLER)
    assert request["name"] == "GET jackpots/<code:code>/"
    assert facts["http.response.status_code"] == str(answer.status_code)
    statements = [span for span in heard if span["kind"] == tracing.CLIENT]
    assert statements
    assert {span["parentSpanId"] for span in statements} == {request["spanId"]}
    assert all(int(span["startTimeUnixNano"]) <= int(span["endTimeUnixNano"]) for span in heard)
    assert "reader" not in str(heard), "no parameter leaves the house"


def test_without_the_switch_nothing_is_measured() -> None:
    with traced("work") as span:
        assert span is None


def test_a_collector_that_is_away_costs_no_time_and_loses_spans_only(
    settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nobody waits for what is sent: all is measured before the collector is found to be away."""
    settings.TRACES_URL = "http://127.0.0.1:9"
    measured, send = threading.Event(), urllib.request.urlopen
    later = lambda *asked, **how: measured.wait(PATIENCE) and send(*asked, **how)  # noqa: E731
    monkeypatch.setattr("jackpot.web.tracing.urllib.request.urlopen", later)
    for _ in range(3 * tracing.WAITING):
        with traced("work"):
            pass
    measured.set()
    out = tracing.exporter()
    assert out is not None
    out.close()
    assert out.dropped == 3 * tracing.WAITING


def test_what_fails_is_marked(settings: Any) -> None:
    with a_receiver() as collector:
        settings.TRACES_URL = f"http://127.0.0.1:{collector.port}"
        with pytest.raises(ValueError, match="broken"), traced("outer"), traced("inner"):
            raise ValueError("broken")
        until(lambda: len(spans(collector)) == 2)
        tracing.exporter().close()  # type: ignore[union-attr]
    inner, outer = spans(collector)
    assert (inner["parentSpanId"], inner["traceId"]) == (outer["spanId"], outer["traceId"])
    assert (inner["status"]["code"], outer["status"]["code"]) == (tracing.FAILED, tracing.FAILED)


@pytest.mark.parametrize(
    "given", ["", "00-" + "0" * 32 + f"-{CALLER}-01", f"00-{TRACE}-{'0' * 16}-01", f"01-{TRACE}-x-01"]
)
def test_a_caller_that_names_no_trace_begins_a_new_one(given: str) -> None:
    assert PARENT.fullmatch(given) is None
