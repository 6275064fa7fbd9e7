from __future__ import annotations

import logging
import re
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from jackpot.web import request_id
from jackpot.web.request_id import HEADER, NamesRequests, named_request
from tests.builders import a_jackpot, a_person


@pytest.mark.django_db
def test_a_request_bears_one_name_in_its_answer_and_in_every_statement() -> None:
    a_jackpot("GRAND")
    desk = Client()
    desk.force_login(a_person("reader", may=("see",)))
    with CaptureQueriesContext(connection) as asked:
        answer = desk.get("/jackpots/", headers={HEADER: "proxy-0123456789"})
    assert answer.headers[HEADER] == "proxy-0123456789"
    statements = [each["sql"] for each in asked if not each["sql"].startswith(("SAVEPOINT", "RELEASE"))]
    assert statements
    assert all(sql.endswith("/* request proxy-0123456789 */") for sql in statements)
    assert request_id.current_request() == "-", "it ends with its request"


@pytest.mark.parametrize("given", ["", "short", "a" * 65, "*/ DROP TABLE x; --", "tab\there12", "ümläut-12345"])
def test_what_is_no_name_is_replaced_by_one_of_ours(given: str) -> None:
    headers: dict[str, Any] = {"HTTP_X_REQUEST_ID": given}
    answer = Client().get("/api/v1/health", **headers)
    assert re.fullmatch("[0-9a-f]{16}", answer.headers[HEADER])


def test_a_refusal_bears_its_name_too() -> None:
    answer = Client().get("/api/v1/health", headers={HEADER: "refused-12345"}, HTTP_HOST="evil.example")
    assert (answer.status_code, answer.headers[HEADER]) == (400, "refused-12345")


def test_a_line_of_the_log_says_whose_it_is() -> None:
    line = logging.LogRecord("fairmeter", logging.WARNING, "x.py", 1, "late", None, None)
    with named_request("a-task-12345"):
        NamesRequests().filter(line)
    assert vars(line)["request_id"] == "a-task-12345"
