from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

from config.connections import pointed_at
from jackpot.database.heartbeat import Heartbeat
from jackpot.top import api as pulse


def test_health_asks_the_database_nothing(client: Client) -> None:
    assert client.get("/api/v1/health").json() == {"ok": True}


@pytest.mark.django_db
def test_ready_when_a_commit_comes_through(client: Client) -> None:
    told = {"ok": True, "overdue": [], "stopped": [], "held": [], "why": ""}
    assert client.get("/api/v1/ready").json() == told


def test_not_ready_while_the_database_is_away(client: Client, fresh_database: str) -> None:
    with pointed_at("postgresql://fairmeter_app@127.0.0.1:1/nowhere"):
        pulse.heartbeat._came_through = None
        answer = client.get("/api/v1/ready")
    assert answer.status_code == 503
    assert "takes no writes" in answer.json()["why"]


def test_not_ready_while_commits_hang(
    client: Client, fresh_database: str, monkeypatch: pytest.MonkeyPatch, test_server: Any
) -> None:
    """It can be read as before; what does not come through is a commit."""
    held = Heartbeat()
    monkeypatch.setattr(pulse, "heartbeat", held)
    monkeypatch.setattr("jackpot.database.heartbeat.BEAT", "SELECT pg_sleep(600)")
    answer = client.get("/api/v1/ready")
    assert answer.status_code == 503
    assert "A commit has been waiting" in answer.json()["why"]
    assert client.get("/api/v1/health").status_code == 200
    ends = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query LIKE '%sleep(600)%'"
    test_server.run(f"{ends} AND pid <> pg_backend_pid()")
