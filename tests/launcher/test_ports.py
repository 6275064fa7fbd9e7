"""The address is taken before anything starts, and a taken one is explained."""

from __future__ import annotations

import socket

import pytest

from launcher import ports
from launcher.sentences import CannotStart


def test_a_busy_port_is_named_with_the_next_free_one_and_the_command_to_use_it() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(ports.PortTaken) as told:
            ports.listen("127.0.0.1", port, ["--data", "my data", "--port", str(port)])
    assert f"Port {port} on 127.0.0.1 is taken" in str(told.value)
    assert f"python3 manage.py up --data 'my data' --port {told.value.free}" in str(told.value)
    assert told.value.free is not None
    assert told.value.free > port


def test_a_port_left_a_moment_ago_can_be_taken_again() -> None:
    with ports.listen("127.0.0.1", 0) as first:
        port = first.getsockname()[1]
        with socket.create_connection(("127.0.0.1", port)):
            first.accept()[0].close()
    ports.listen("127.0.0.1", port).close()


@pytest.mark.parametrize(
    ("typed", "kept"),
    [
        (["--port", "8000", "--simulate"], ["--simulate"]),
        (["--port=8000", "--data", "d"], ["--data", "d"]),
        (["--data", "--port"], ["--data"]),
        ([], []),
    ],
)
def test_the_suggested_command_keeps_everything_but_the_port(typed: list[str], kept: list[str]) -> None:
    assert ports.without_port(typed) == kept


@pytest.mark.parametrize(
    ("address", "is_ours_alone"),
    [("127.0.0.1", True), ("127.0.0.9", True), ("::1", True), ("localhost", True), ("0.0.0.0", False), ("::", False),
     ("10.1.2.3", False), ("casino.example", False)],
)  # fmt: skip
def test_only_loopback_counts_as_this_machine_alone(address: str, is_ours_alone: bool) -> None:
    assert ports.is_loopback(address) is is_ours_alone


def test_an_address_of_another_machine_is_refused_in_a_sentence() -> None:
    with pytest.raises(CannotStart, match=r"cannot listen on 192\.0\.2\.1 port 8000"):
        ports.listen("192.0.2.1", 8000)
