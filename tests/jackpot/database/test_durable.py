"""A commit without an answer is no success, whichever door it was for; said again, it is done once."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import psycopg
import pytest
from django.db import connection, transaction
from django.test import Client

from config.connections import pointed_at
from jackpot.books.actions.post import EntryReference, open_books
from jackpot.books.models.entry import Entry
from jackpot.books.models.jackpot import Jackpot
from jackpot.books.rules.entry_kind import EntryKind
from jackpot.books.rules.movement import NOTHING
from jackpot.canonical import request_of
from jackpot.database import under_way
from jackpot.database.durable import CommitUnknown, confirm, tells_of_a_cut
from jackpot.database.raw import ask_together
from jackpot.trail.models import Trail
from jackpot.wins.models import Win
from tables.floor.models.table import Table
from tables.rounds.models.round import Round
from tables.setup.actions.enrol import invite
from tests.builders import Casino, a_card, a_casino, a_person
from tests.controller import HttpController, SocketController, secret_for
from tests.cutting import CutWire, cut_wire
from tests.living import living
from tests.patience import PATIENCE, until
from tests.trips import trips_of

SUPERVISOR = "600000000001"


@pytest.fixture
def wire(fresh_database: str) -> Iterator[CutWire]:
    """Everything of the test goes over a wire that can be cut behind a COMMIT."""
    with cut_wire(fresh_database) as wire, pointed_at(wire.url):
        yield wire


@pytest.fixture
def casino(wire: CutWire) -> Casino:
    casino = a_casino()
    a_card(a_person("supervisor"), number=SUPERVISOR)
    return casino


def page(casino: Casino, **more: Any) -> Client:
    client = Client(raise_request_exception=False, **more)
    client.force_login(a_person("manager", may=("see", "run_tables", "service", "pay"), premises=casino.premises))
    return client


class TestDevices:
    """A coin-in and the award over HTTP, a mark over a socket: each by its own way to the database."""

    @pytest.fixture
    def live(self, casino: Casino) -> Iterator[Any]:
        with living() as live:
            yield live

    def test_a_coin_in(self, live: Any, wire: CutWire, casino: Casino) -> None:
        box = HttpController(live, casino.controller, secret_for(casino.controller))
        wire.cut_after("INSERT INTO tables_round ")
        status, answer = box.say(do="coin_in", round=1, seats=[1, 2])
        assert (status, answer["code"], wire.cuts) == (503, "unknown", 1)
        status, answer = box.say(do="coin_in", round=1, seats=[1, 2])
        assert (status, answer["repeat"]) == (200, True)
        casino.jackpot.refresh_from_db()
        assert str(casino.jackpot.meter_money) == "10001.40"

    def test_a_mark_over_a_socket_and_its_card_over_http(self, live: Any, wire: CutWire, casino: Casino) -> None:
        secret = secret_for(casino.controller)
        line = SocketController(live, casino.controller, secret)
        line.say(do="coin_in", round=1, seats=[2, 6])
        wire.cut_after('INSERT INTO "jackpot_win"')
        heard = line.say(do="mark", round=1, seat=6, hand="full_house")
        assert (heard["ok"], heard["code"], wire.cuts) == (False, "unknown", 1)
        line.say(do="mark", round=1, seat=6, hand="full_house")
        assert Win.objects.count() == 1
        box = HttpController(live, casino.controller, secret)
        assert box.say(do="confirm", round=1)[0] == 200
        wire.cut_after("jackpot_entry")
        status, answer = box.say(do="card", round=1, card=SUPERVISOR)
        assert (status, answer["code"], wire.cuts) == (503, "unknown", 2)
        box.say(do="card", round=1, card=SUPERVISOR)
        awards = Entry.objects.filter(kind=EntryKind.AWARD).count()
        assert (awards, Win.objects.get().slip) == (1, 1)
        line.close()


class TestPagesAndPrograms:
    def test_a_form_says_that_it_is_not_sure_and_what_is_looked_at_next_is(self, wire: CutWire, casino: Casino) -> None:
        client = page(casino)
        said = {"state": "held", "why": "chips on the floor"}
        wire.cut_after("held_why")
        answer = client.post("/pit/tables/UTH-01/state/", said, headers={"referer": "http://testserver/pit/"})
        assert (answer.status_code, wire.cuts) == (503, 1)
        told = answer.content.decode()
        assert "It is not sure whether this was kept" in told
        assert 'href="http://testserver/pit/"' in told
        assert client.cookies["unsure"].value == "yes"
        looked = client.get("/pit/tables/UTH-01/")
        assert (looked.status_code, client.cookies["unsure"].value) == (200, "")
        assert Table.objects.get().held_why == "chips on the floor"

    def test_a_program_is_told_to_say_it_again_with_the_same_key(self, wire: CutWire, casino: Casino) -> None:
        client = page(casino)
        wire.cut_after("tables_device")
        answer = client.post("/api/v1/devices/UTH-01-C/invite", content_type="application/json")
        assert (answer.status_code, answer.json()["code"], wire.cuts) == (503, "unknown", 1)
        assert "Idempotency-Key" in answer.json()["why"]
        assert answer.headers["Retry-After"] == "2"

    def test_enrolment_by_a_box(self, wire: CutWire, casino: Casino) -> None:
        code = invite(device=casino.controller, by="tests")
        wire.cut_after("tables_device")
        answer = Client().post("/api/v1/devices/enrol", {"code": code}, content_type="application/json")
        assert (answer.status_code, answer.json()["code"]) == (503, "unknown")
        assert "secret" not in answer.json()

    def test_signing_in(self, wire: CutWire, casino: Casino) -> None:
        a_person("dealer", password="plain words for a test", premises=casino.premises)
        wire.cut_after("django_session")
        answer = Client(raise_request_exception=False).post(
            "/sign-in/", {"username": "dealer", "password": "plain words for a test"}
        )
        assert (answer.status_code, wire.cuts) == (503, 1)
        assert "not sure" in answer.content.decode()

    def test_what_was_only_read_is_not_unsure_and_tries_again(self, casino: Casino) -> None:
        client = page(casino)
        with pointed_at("postgresql://fairmeter_app@127.0.0.1:1/nowhere?connect_timeout=2"):
            answer = client.get("/pit/")
            assert answer.status_code == 503
            assert "tries again by itself" in answer.content.decode()
            assert client.get("/api/v1/tables/").json()["code"] == "unavailable"


@contextmanager
def no_standby(test_server: Any) -> Iterator[psycopg.Connection[Any]]:
    """The server waits for a standby that is not there, for as long as this holds."""
    with psycopg.connect(test_server.admin, autocommit=True) as admin:
        admin.execute("SET synchronous_commit = local")
        try:
            admin.execute("ALTER SYSTEM SET synchronous_standby_names = 'nobody'")
            admin.execute("SELECT pg_reload_conf()")
            yield admin
        finally:
            admin.execute("ALTER SYSTEM RESET synchronous_standby_names")
            admin.execute("SELECT pg_reload_conf()")
            until(lambda: admin.execute("SHOW synchronous_standby_names").fetchone() == ("",))


class TestStandby:
    """A standby that does not answer, and somebody who cancels the wait: success with a warning."""

    @pytest.fixture
    def admin(self, test_server: Any, fresh_database: str) -> Iterator[psycopg.Connection[Any]]:
        with no_standby(test_server) as admin:
            yield admin

    @staticmethod
    def cut_short(admin: psycopg.Connection[Any], pid: int) -> threading.Thread:
        """Somebody cancels that backend's wait as soon as it has one."""

        def cancel() -> None:
            waits = "SELECT 1 FROM pg_stat_activity WHERE pid = %s AND wait_event = 'SyncRep'"
            until(lambda: admin.execute(waits, [pid]).fetchone())
            admin.execute("SELECT pg_cancel_backend(%s)", [pid])

        thread = threading.Thread(target=cancel)
        thread.start()
        return thread

    def pid(self) -> int:
        connection.ensure_connection()
        return int(connection.connection.info.backend_pid)

    def waits(self) -> None:
        """The setting has reached this connection."""

        def seen() -> bool:
            with connection.cursor() as cursor:
                cursor.execute("SET synchronous_commit = on")  # the tests' server is in a hurry otherwise
                cursor.execute("SHOW synchronous_standby_names")
                return cursor.fetchone() == ("nobody",)

        until(seen)

    @pytest.mark.parametrize("act", ["within_a_transaction", "alone", "a_repeat_that_wrote_nothing"])
    def test_a_wait_that_was_cut_short(self, act: str, fresh_database: str, admin: psycopg.Connection[Any]) -> None:
        work = {"within_a_transaction": _within_atomic, "alone": _alone, "a_repeat_that_wrote_nothing": confirm}[act]
        self.waits()
        cutter = self.cut_short(admin, self.pid())
        with pytest.raises(CommitUnknown):
            work()
        cutter.join()
        assert Trail.objects.count() >= 0, "the next statement has a connection that is not in doubt"

    def test_while_nothing_is_confirmed_no_act_and_no_sure_look_is_begun(
        self, fresh_database: str, test_server: Any, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """Each would hold a thread until the standby is back; whoever only looks goes on looking."""
        client = page(a_casino())
        monkeypatch.setattr(under_way, "HANGS_AFTER", 0.2)
        monkeypatch.setattr(under_way, "TOGETHER", 1)
        said = {"state": "held", "why": "chips on the floor"}
        with no_standby(test_server):
            hanging = threading.Thread(target=self._hangs)
            hanging.start()
            assert until(under_way.commits.hang_for)
            refused = client.post("/pit/tables/UTH-01/state/", said)
            assert (refused.status_code, "Nothing was begun" in refused.content.decode()) == (503, True)
            told = client.post("/api/v1/devices/UTH-01-C/invite", content_type="application/json")
            assert (told.status_code, told.json()["code"]) == (503, "unconfirmed")
            assert client.get("/pit/tables/UTH-01/").status_code == 200
            client.cookies["unsure"] = "yes"
            look = client.get("/pit/tables/UTH-01/")
            assert (look.status_code, look.headers["Refresh"]) == (503, "3")
            assert hanging.is_alive()
        hanging.join(PATIENCE)
        assert not under_way.commits.hang_for()
        assert client.get("/pit/tables/UTH-01/").status_code == 200
        assert client.post("/pit/tables/UTH-01/state/", said).status_code == 302

    def _hangs(self) -> None:
        self.waits()
        confirm()
        connection.close()


def _within_atomic() -> None:
    with transaction.atomic():
        Trail.objects.create(actor="tests", act="nothing")
        transaction.on_commit(lambda: pytest.fail("nobody is told of what is not certain"))


def _alone() -> None:
    with connection.cursor() as cursor:
        cursor.execute("INSERT INTO jackpot_storedanswer (actor, key, asked, answer) VALUES ('a', 'k', '', '{}')")


def test_nothing_is_doubted_where_everything_was_confirmed(fresh_database: str) -> None:
    casino = a_casino()
    confirm()
    assert (Round.objects.count(), casino.table.code) == (0, "UTH-01")


@pytest.mark.parametrize(
    ("sqlstate", "source_file", "doubts"),
    [
        ("01000", "syncrep.c", True), ("01000", "/build/src/backend/replication/syncrep.c", True),
        ("01000", None, True), ("01000", "vacuum.c", False), ("01000", "pl_exec.c", False),
        ("00000", "syncrep.c", False),
        (None, None, False),
    ],
)  # fmt: skip
def test_only_a_wait_that_was_cut_short_is_a_doubt(sqlstate: str | None, source_file: str | None, doubts: bool) -> None:
    assert tells_of_a_cut(sqlstate, source_file) is doubts


def test_a_warning_about_something_else_leaves_a_commit_certain(fresh_database: str) -> None:
    with pointed_at(fresh_database), connection.cursor() as cursor:
        cursor.execute("ANALYZE jackpot_entry")  # the working role does not own it: a warning with the very same code
        cursor.execute("SELECT 1")
        assert cursor.fetchone() == (1,)


def _only_looks() -> None:
    with transaction.atomic():
        Table.objects.count()


def _takes_back() -> None:
    with suppress(ZeroDivisionError), transaction.atomic():
        connection.writes = True
        Table.objects.update(held_why="nobody knows")
        raise ZeroDivisionError


def _writes() -> None:
    (jackpot,) = Jackpot.objects.values_list("pk", flat=True)
    with open_books([jackpot]) as books:
        books.post(jackpot, EntryKind.CONFIGURE, NOTHING, EntryReference("again", request_of({})))


class TestConfirmed:
    """A commit of our own that wrote is a confirmation of all before it, for as long as nothing more is asked."""

    @pytest.fixture(autouse=True)
    def wrote(self, fresh_database: str) -> None:
        casino = a_casino()
        with open_books([casino.jackpot.pk]) as books:
            books.post(casino.jackpot.pk, EntryKind.CONFIGURE, NOTHING, EntryReference("said", request_of({})))

    def test_nothing_is_left_to_confirm(self, tmp_path: Path) -> None:
        assert trips_of(confirm, tmp_path).trips == 0

    @pytest.mark.parametrize(
        "asks",
        [
            Table.objects.count, lambda: ask_together([("SELECT 1", ())]), lambda: list(Table.objects.iterator()),
            _only_looks, _takes_back, connection.close,
        ],
        ids=["a look", "a trip", "a cursor of the server", "what wrote nothing", "what was taken back", "a lost line"],
    )  # fmt: skip
    def test_what_was_asked_since_is_confirmed_anew(self, tmp_path: Path, asks: Callable[[], object]) -> None:
        asks()
        assert trips_of(confirm, tmp_path).trips == 1

    def test_a_cursor_that_is_older_than_the_commit_asks_too(self, tmp_path: Path) -> None:
        with connection.cursor() as older:
            _writes()
            older.execute("SELECT 1")
            assert trips_of(confirm, tmp_path).trips == 1
