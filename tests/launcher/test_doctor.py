"""What the doctor says of the address on win pages."""

from __future__ import annotations

import psycopg
import pytest

from launcher.doctor import _is_demo, public_address
from tests.builders import a_property
from tests.databases import TestServer


@pytest.mark.parametrize(
    ("environ", "demo", "words"),
    [
        ({}, False, "Warning: their codes name no address that a phone could open"),
        ({"FAIRMETER_ORIGINS": "http://127.0.0.1:8000,http://localhost:8000"}, False, "which is this machine only"),
        ({"FAIRMETER_PUBLIC_URL": "https://[::1]:8443"}, False, "Warning"),
        ({"FAIRMETER_ORIGINS": "http://127.0.0.1:8000"}, True, "for the demo that is meant"),
        ({"FAIRMETER_PUBLIC_URL": "https://meter.example"}, True, "open https://meter.example."),
        ({"FAIRMETER_PUBLIC_URL": "https://meter.example", "FAIRMETER_ORIGINS": "http://[::1]"}, False, "open https"),
    ],
)
def test_a_code_that_no_phone_can_open_is_told_outside_the_demo(
    environ: dict[str, str], demo: bool, words: str
) -> None:
    found = public_address(environ, demo=demo)
    assert words in found.words
    assert found.well is (True if "open https://meter" in found.words else None)


@pytest.mark.parametrize("demo", [True, False])
def test_whether_it_is_a_demo_is_asked_of_the_database(
    fresh_database: str, test_server: TestServer, demo: bool
) -> None:
    a_property(demo=demo)
    with psycopg.connect(fresh_database) as connection:
        assert _is_demo(connection) is demo
