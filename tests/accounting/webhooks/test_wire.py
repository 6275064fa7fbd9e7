"""One POST over a real socket: every way in which the other side may fail ends in time and in a sentence."""

from __future__ import annotations

import socket
import time

import pytest

from accounting.webhooks.actions.wire import post_events
from tests.accounting.webhooks.receiver import BREAK_OFF, DRIP, HANG, a_receiver

BODY = b'{"events":[]}'


def test_a_delivery_is_taken_with_2xx_and_arrives_as_it_was_signed() -> None:
    with a_receiver(202) as program:
        answer = post_events(program.address, BODY, {"Fairmeter-Webhook": "3"})
    assert (answer.taken, answer.why) == (True, "It answered 202 (Accepted).")
    (heard,) = program.heard
    assert (heard.path, heard.body, heard.headers["Fairmeter-Webhook"]) == ("/events?from=house", BODY, "3")


@pytest.mark.parametrize(
    ("status", "why"),
    [
        (500, "It answered 500 (Internal Server Error). A delivery counts once it answers 2xx."),
        (404, "It answered 404 (Not Found). A delivery counts once it answers 2xx."),
        (799, "It answered 799. A delivery counts once it answers 2xx."),
    ],
)
def test_any_other_answer_is_a_failure(status: int, why: str) -> None:
    with a_receiver(status) as program:
        answer = post_events(program.address, BODY, {})
    assert (answer.taken, answer.why) == (False, why)


def test_a_redirect_is_not_followed() -> None:
    with a_receiver(200) as elsewhere, a_receiver(307, location=elsewhere.address) as program:
        answer = post_events(program.address, BODY, {})
    assert not answer.taken
    assert "A redirect is not followed" in answer.why
    assert elsewhere.heard == []


@pytest.mark.parametrize("how", [HANG, DRIP])
def test_whoever_is_slow_is_cut_off_in_time(how: int) -> None:
    with a_receiver(how) as program:
        begun = time.monotonic()
        answer = post_events(program.address, BODY, {}, seconds=0.4)
        took = time.monotonic() - begun
    assert answer.why == f"127.0.0.1:{program.port} gave no answer within 0.4 seconds."
    assert took < 5


def test_every_other_way_to_fail_has_its_sentence() -> None:
    with a_receiver(BREAK_OFF) as program:
        assert "broke off before it answered" in post_events(program.address, BODY, {}).why
        encrypted = post_events(program.address.replace("http:", "https:"), BODY, {})
        assert "does not speak https" in encrypted.why
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    assert f"Nobody listens at 127.0.0.1:{port}" in post_events(f"http://127.0.0.1:{port}/", BODY, {}).why
