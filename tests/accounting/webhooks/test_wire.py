"""One POST over a real socket: every way in which the other side may fail ends in time and in a sentence."""

from __future__ import annotations

import contextlib
import socket
import threading
import time
from typing import Any

import pytest

from accounting.webhooks.actions.wire import post_events
from accounting.webhooks.rules.reach import WebhookReach
from tests.accounting.webhooks.receiver import BREAK_OFF, DRIP, HANG, a_receiver
from tests.patience import PATIENCE

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
    assert took < PATIENCE / 2, "as long as the other side pleases"


def test_every_other_way_to_fail_has_its_sentence() -> None:
    with a_receiver(BREAK_OFF) as program:
        assert "broke off before it answered" in post_events(program.address, BODY, {}).why
        encrypted = post_events(program.address.replace("http:", "https:"), BODY, {})
        assert "does not speak https" in encrypted.why
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    assert f"Nobody listens at 127.0.0.1:{port}" in post_events(f"http://127.0.0.1:{port}/", BODY, {}).why


def test_a_name_that_is_not_looked_up_in_time_holds_nobody_up(monkeypatch: pytest.MonkeyPatch) -> None:
    released = threading.Event()
    monkeypatch.setattr(socket, "getaddrinfo", lambda *_, **__: released.wait(PATIENCE) and [])
    begun = time.monotonic()
    answer = post_events("http://slow.example/", BODY, {}, seconds=0.3)
    assert answer.why == "slow.example:80 gave no answer within 0.3 seconds."
    assert time.monotonic() - begun < PATIENCE / 2, "as long as the name takes"
    released.set()


@pytest.mark.parametrize(("first", "then", "taken"), [("127.0.0.1", "169.254.169.254", True),
                                                     ("169.254.169.254", "127.0.0.1", False)])  # fmt: skip
def test_a_name_that_leads_elsewhere_the_second_time_is_asked_once(
    first: str, then: str, taken: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What was judged is what is spoken to: the number goes to the socket, and the name to nobody any more."""
    led, spoken_to, connects = [first, then], [], socket.create_connection

    def leads(_: str, port: int, **__: Any) -> Any:
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (led.pop(0), port))]

    def opened(where: tuple[str, int], *how: Any) -> socket.socket:
        spoken_to.append(where[0])
        monkeypatch.setattr(socket, "getaddrinfo", looked_up)  # the number itself is looked up below this
        return connects(where, *how)

    looked_up = socket.getaddrinfo
    with a_receiver(200) as program:
        port = int(program.address.split(":")[2].split("/")[0])
        monkeypatch.setattr(socket, "getaddrinfo", leads)
        monkeypatch.setattr(socket, "create_connection", opened)
        answer = post_events(f"http://rebinds.example:{port}/", BODY, {}, seconds=5)
    assert (answer.taken, spoken_to, led) == (taken, ["127.0.0.1"] if taken else [], [then])


def test_a_handshake_that_never_ends_is_cut_off() -> None:
    """Whoever takes the connection and says one byte of TLS now and then."""
    with socket.create_server(("127.0.0.1", 0)) as server:

        def drip() -> None:
            line, _ = server.accept()
            with line, contextlib.suppress(OSError):
                line.sendall(b"\x16\x03\x03\x40\x00")
                while not over.wait(0.05):
                    line.sendall(b"\x00")
                ended_by_itself.append(True)

        over, ended_by_itself = threading.Event(), list[bool]()
        dripping = threading.Thread(target=drip, daemon=True)
        dripping.start()
        answer = post_events(f"https://127.0.0.1:{server.getsockname()[1]}/", BODY, {}, seconds=0.5)
        assert "gave no answer within 0.5 seconds" in answer.why
        over.wait(0.2)
        over.set()
        dripping.join()
        assert not ended_by_itself, "whoever dripped was hung up on"


@pytest.mark.parametrize(
    ("reach", "taken"), [("", True), ("127.0.0.0/8", True), ("localhost", True), ("10.0.0.0/8,books.example", False)]
)
def test_events_go_only_where_the_installation_sends_to(settings: Any, reach: str, taken: bool) -> None:
    settings.WEBHOOK_REACH = reach
    with a_receiver(200) as program:
        answer = post_events(program.address.replace("127.0.0.1", "localhost"), BODY, {})
    assert answer.taken is taken, answer.why
    if not taken:
        assert "leads nowhere that this installation sends to" in answer.why
        assert program.heard == []


def test_a_reach_is_read_strictly() -> None:
    reach = WebhookReach.of("books.example, .casino.example ,10.2.0.0/16,fd00::/8")
    assert reach.chosen("Books.Example.", ["192.0.2.7"]) == ["192.0.2.7"]
    assert reach.chosen("a.casino.example", ["192.0.2.7"]) == ["192.0.2.7"]
    assert reach.chosen("evilcasino.example", ["192.0.2.7", "10.2.3.4", "fd00::1"]) == ["10.2.3.4", "fd00::1"]
    with pytest.raises(ValueError, match=r"10\.2\.0\.1"):
        WebhookReach.of("10.2.0.1/16")


NOBODYS = ["169.254.169.254", "fe80::1%eth0", "0.0.0.0", "::", "224.0.0.1", "ff02::1", "255.255.255.255",
           "::ffff:169.254.169.254", "::169.254.169.254", "64:ff9b::169.254.169.254", "64:ff9b:1::a9fe:a9fe",
           "2002:a9fe:a9fe::1", "fd00:ec2::254", "fd20:ce::254", "100.100.100.200", "192.0.0.192",
           "64:ff9b::100.100.100.200"]  # fmt: skip


@pytest.mark.parametrize("number", NOBODYS)
def test_no_name_leads_to_where_a_machine_tells_its_own_secrets(number: str) -> None:
    """A name that somebody points there after it was registered, and a number written so that it looks like a name."""
    for told in ("", "books.example", ".example"):
        assert WebhookReach.of(told).chosen("books.example", [number, "192.0.2.7"]) == ["192.0.2.7"]


def test_a_network_that_is_named_is_meant() -> None:
    assert WebhookReach.of("169.254.0.0/16").chosen("x", ["169.254.169.254"]) == ["169.254.169.254"]
    assert WebhookReach.of("books.example, fe80::/10").chosen("books.example", ["fe80::1"]) == ["fe80::1"]


@pytest.mark.parametrize("number", ["::1", "127.0.0.1", "2001:db8::7", "fd00::7", "100.64.0.7", "64:ff9b::192.0.2.7"])
def test_a_program_of_the_house_is_reached_wherever_it_stands(number: str) -> None:
    assert WebhookReach.of("").chosen("books.example", [number]) == [number]


@pytest.mark.parametrize("address", ["http://0xA9FEA9FE/latest/", "http://2852039166/latest/", "http://169.254.43518/"])
def test_a_number_written_as_a_name_reaches_nothing_of_the_machine(address: str) -> None:
    answer = post_events(address, b"{}", {}, seconds=2.0)
    assert (answer.taken, "leads nowhere that this installation sends to" in answer.why) == (False, True), answer.why
