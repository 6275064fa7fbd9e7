"""What the doctor says of the address on win pages."""

from __future__ import annotations

from pathlib import Path

import psycopg
import pytest

from launcher.doctor import _is_demo, public_address, workers_rights
from launcher.installation import Installation
from launcher.places import Places
from launcher.postgres import Addresses
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


@pytest.mark.parametrize(
    ("worker", "well", "words"),
    [
        (
            "",
            None,
            "The worker works as fairmeter_app, the web's role. Give it one of its own with DATABASE_WORKER_URL",
        ),
        ("app", None, "the web's role"),
        ("owner", None, "fairmeter_owner, which may make wins and payments"),
        ("worker", True, "The worker works as fairmeter_worker, which makes no win and no payment."),
    ],
)
def test_a_house_that_gives_the_worker_no_role_of_its_own_is_told(
    fresh_database: str, test_server: TestServer, worker: str, well: bool | None, words: str
) -> None:
    if not test_server.worker:
        pytest.skip("this server was given without the worker's role")
    address = worker and str(getattr(test_server, worker))
    installation = Installation(Places(Path("/nowhere")), None, Addresses(test_server.app, test_server.owner, address))
    with psycopg.connect(fresh_database) as connection:
        found = workers_rights(connection, installation)
    assert (found.well, words in found.words) == (well, True), found.words


def test_a_role_without_its_rights_is_told_how_to_get_them(fresh_database: str, test_server: TestServer) -> None:
    nobody = Addresses(test_server.app, test_server.owner, "postgresql://pg_monitor@/x")
    with psycopg.connect(fresh_database) as connection:
        found = workers_rights(connection, Installation(Places(Path("/nowhere")), None, nobody))
    assert (found.well, found.words) == (False, "pg_monitor has no rights yet. Give them: manage.py migrate")
