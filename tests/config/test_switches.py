"""The switches that docs/operations.md names, each run with what it names: a real Redis, and a host that is dead."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import parse_qs, quote, urlsplit

import psycopg
import pytest
import redis
from django.db import connection
from django.utils import timezone

from config.celery import app
from config.connections import pointed_at
from config.timekeeper import CHORES
from jackpot.errands import actions as errands
from jackpot.errands.models import Errand
from jackpot.proof.tasks import HEADS, publish_heads
from launcher.children import Child
from launcher.doctor import broker
from launcher.house import worker_command
from proving.engines import NoEngine, RedisServer
from proving.house import free_port
from tests.builders import a_jackpot
from tests.databases import TestServer
from tests.patience import until

PROJECT = Path(__file__).resolve().parents[2]
DONE_ITSELF = f"nobody came for {CHORES[0].name}"  # what the worker's log says of a bell that brought nobody


@pytest.fixture
def redis_server(tmp_path: Path) -> Iterator[RedisServer]:
    try:
        server = RedisServer(tmp_path, free_port())
        server.start()
    except NoEngine as why:
        pytest.skip(str(why))
    yield server
    server.kill()


@pytest.fixture
def worker(
    request: pytest.FixtureRequest, fresh_database: str, tmp_path: Path, redis_server: RedisServer
) -> Iterator[Child]:
    """The worker as the house starts it, told of Redis by the switch that the test names."""
    told = dict.fromkeys(("REDIS_URL", "CELERY_BROKER_URL"), "") | {request.param: redis_server.url}
    environ = {**os.environ, "DATABASE_URL": fresh_database, "FAIRMETER_DATA": str(tmp_path), **told}
    child = Child("worker", [*worker_command(), "--loglevel", "WARNING"], environ, tmp_path, PROJECT)
    child.start()
    yield child
    child.stop(patience=10)


@pytest.mark.parametrize("worker", ["REDIS_URL", "CELERY_BROKER_URL"], indirect=True)
def test_a_bell_over_redis_is_heard_and_redis_may_die_and_come_back(
    worker: Child, redis_server: RedisServer, tmp_path: Path
) -> None:
    a_jackpot("GRAND")
    until(lambda: Errand.objects.filter(done_at__isnull=False).exists(), log_of(worker))
    _heads_are_due_and_go_out(tmp_path)
    assert DONE_ITSELF not in log_of(worker), "the bell over Redis brought nobody"

    redis_server.kill()
    _heads_are_due_and_go_out(tmp_path)
    assert DONE_ITSELF in log_of(worker), "without Redis nobody hears the bell"
    assert worker.alive

    redis_server.start()
    until(lambda: b"celery" in b" ".join(_listening(redis_server)), "the worker came back to Redis")
    before = log_of(worker).count(DONE_ITSELF)
    _heads_are_due_and_go_out(tmp_path)
    assert (worker.alive, log_of(worker).count(DONE_ITSELF)) == (True, before)


@pytest.mark.parametrize("worker", ["REDIS_URL"], indirect=True)
def test_redis_may_die_while_messages_wait_in_the_workers_hands(
    worker: Child, redis_server: RedisServer, tmp_path: Path, test_server: TestServer
) -> None:
    """What was taken and not begun cannot be given back to a broker that is gone; that is no reason to end."""
    a_jackpot("GRAND")
    until(lambda: Errand.objects.filter(done_at__isnull=False).exists(), log_of(worker))
    owner = test_server.url(test_server.owner, str(connection.settings_dict["NAME"]))
    with redis.Redis(port=redis_server.port) as client, psycopg.connect(owner) as elsewhere:
        elsewhere.execute("LOCK TABLE jackpot_errand IN ACCESS EXCLUSIVE MODE")  # all hands of the worker are full
        with app.connection_for_write(redis_server.url) as line:
            for _ in range(12):
                publish_heads.apply_async(connection=line, retry=False)
        until(lambda: client.hlen("unacked") > 0, "messages wait in the worker's hands")
        redis_server.kill()
        until(lambda: "Cannot connect to redis" in log_of(worker) or not worker.alive, "the line is lost")
    assert worker.alive
    _heads_are_due_and_go_out(tmp_path)


def _heads_are_due_and_go_out(folder: Path) -> None:
    (folder / "heads.jsonl").unlink(missing_ok=True)
    Errand.objects.update(owed_since=timezone.now(), due_at=timezone.now())
    until(lambda: not errands.is_due(HEADS.code), "the heads go out")
    until((folder / "heads.jsonl").exists)


def _listening(server: RedisServer) -> list[bytes]:
    """The queues that somebody waits at: Redis tells what each client did last."""
    with redis.Redis(port=server.port) as client:
        waits = any(each["cmd"] == "brpop" for each in client.client_list())
    return [b"celery"] if waits else []


def log_of(worker: Child) -> str:
    path = worker.log_folder / "worker.log"
    return path.read_text() if path.exists() else ""


def test_doctor_says_whether_the_named_redis_answers(redis_server: RedisServer) -> None:
    assert broker({"REDIS_URL": redis_server.url}).well is True
    redis_server.kill()
    away = broker({"REDIS_URL": redis_server.url})
    assert (away.well, "does not answer" in away.words) == (False, True)


def test_a_dead_host_in_the_database_address_is_passed_over(fresh_database: str) -> None:
    """Several hosts in one URL, the first of them gone: the product reads and writes at the next one."""
    alive = parse_qs(urlsplit(fresh_database).query)
    sockets, port = alive["host"][0], alive["port"][0]
    name, role = urlsplit(fresh_database).path, urlsplit(fresh_database).netloc
    several = (
        f"postgresql://{role}{name}?host=127.0.0.1,{sockets}&port={free_port()},{port}"
        f"&target_session_attrs=read-write&connect_timeout=2&passfile={quote(alive['passfile'][0], safe='')}"
    )
    with pointed_at(several):
        a_jackpot("GRAND")
        with connection.cursor() as cursor:
            cursor.execute("SELECT current_database(), pg_is_in_recovery()")
            assert cursor.fetchone() == (name.lstrip("/"), False)
