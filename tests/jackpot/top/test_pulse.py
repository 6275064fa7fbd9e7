from __future__ import annotations

import pytest
from django.db import OperationalError
from django.test import Client

from jackpot.top import api as pulse


def test_health_asks_the_database_nothing(client: Client) -> None:
    assert client.get("/api/v1/health").json() == {"ok": True}


@pytest.mark.django_db
def test_ready_when_the_database_takes_writes(client: Client) -> None:
    assert client.get("/api/v1/ready").json() == {"ok": True, "overdue": [], "stopped": []}


def test_not_ready_while_the_database_is_away(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    class Away:
        def cursor(self) -> None:
            raise OperationalError("no server")

    monkeypatch.setattr(pulse, "connection", Away())
    answer = client.get("/api/v1/ready")
    assert answer.status_code == 503
    assert answer.json()["code"] == "unavailable"
