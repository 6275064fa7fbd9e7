"""A jackpot's row that was changed behind its books stops that jackpot, whoever changed it and whoever looks first."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from io import StringIO
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.test import Client
from django.utils import timezone

from jackpot.books.actions import post
from jackpot.books.actions.post import BooksDiffer
from jackpot.books.actions.row_watch import _told, watch_rows
from jackpot.books.models.entry import Entry
from jackpot.books.models.jackpot import Version
from jackpot.books.rules.equation import Standing, difference
from jackpot.database.raw import ask_together
from jackpot.money import Money
from jackpot.trail.models import Trail
from tables.floor.models.device import Device
from tables.gateway.actions.device import hold_table
from tables.hits.actions.undo import void_round
from tables.rounds.actions import round as batch
from tables.rounds.actions.round import post_messages
from tables.rounds.queries.prove import prove
from tables.rounds.rules.round import CoinInRequest, DeviceRequest, Outcome, PostedAnswer, Refusal
from tables.signs import queries as sign_queries
from tests.builders import Casino, a_casino, a_controller, a_jackpot, a_sign, a_table
from tests.jackpot.books.api_scene import signed_in
from tests.patience import until
from tests.tables.hits.test_hit import ref_b
from tests.tampering import tamper

NOON = datetime(2026, 11, 18, 12, tzinfo=UTC)
ENTRY = Standing(812, b"s" * 32, NOON, 5, (-100, 100, 0, 0, 0, 0, 0, 0))


@pytest.mark.parametrize(
    ("row", "told"),
    [
        (ENTRY, None),
        (ENTRY._replace(seq=811), "it stands at entry 811, the books end with entry 812"),
        (ENTRY._replace(balances=(-200, 200, 0, 0, 0, 0, 0, 0)), "its contributed is -0.000002, after entry 812 it is"),
        (ENTRY._replace(balances=(-100, 500_000_000_100, 0, 0, 0, 0, 0, 0)), "its meter is 5000.000001, after entry"),
        (ENTRY._replace(version_id=6), "it names other terms than entry 812 was posted by"),
        (ENTRY._replace(seal=b"t" * 32), "its seal is not the seal of entry 812"),
        (ENTRY._replace(at=NOON + timedelta(days=1)), "its last moment is 2026-11-19T12:00:00+00:00, that of entry"),
        (ENTRY._replace(at=None), "its last moment is none"),
    ],
)
def test_the_sentence_names_what_differs_and_what_to_do(row: Standing, told: str | None) -> None:
    sentence = difference("GRAND", row, ENTRY)
    if told is None:
        assert sentence is None
    else:
        assert sentence is not None
        assert told in sentence
        assert sentence.endswith("sets the row back (manage.py set_right GRAND).")


CHANGES = {
    "meter": "meter = meter + 5000, house = house - 5000",
    "reserve": "reserve = reserve + 0.01, house = house - 0.01",
    "head put back": "last_seq = last_seq - 1",
    "head put on": "last_seq = last_seq + 5",
    "seal": r"seal = '\x" + "ab" * 32 + "'",
    "clock": "last_at = last_at + interval '2 days'",
    "terms": "version_id = (SELECT max(id) FROM jackpot_version)",
}


def changed(columns: str, code: str = "GRAND") -> None:
    """As only somebody with every right on the server can write it."""
    tamper(f"UPDATE jackpot_jackpot SET {columns} WHERE code = %s", [code])


@pytest.fixture
def another_process() -> Callable[[], None]:
    """Forgets what this process wrote: what it does next is what any other would do."""
    return post._written_last.clear


@pytest.fixture
def watched() -> Iterator[Callable[[], list[str]]]:
    _told.clear()
    yield lambda: [each.code for each in watch_rows()]
    _told.clear()


def floor() -> Casino:
    casino = a_casino(tables=3)
    known = casino.jackpot.versions.get()
    Version.objects.create(
        jackpot=casino.jackpot, number=2, terms=known.terms, digest=known.digest,
        requested_by="nobody", approved_by="nobody",
    )  # fmt: skip
    Device.objects.update(state="active")
    return casino


def coin_in(casino: Casino, number: int = 1, place: int = 0) -> Outcome:
    table, device = casino.tables[place], casino.controllers[place]
    return post_messages([DeviceRequest(table.code, device.id, 1, CoinInRequest(number, "12"))])[0]


def entries() -> list[int]:
    return list(Entry.objects.order_by("jackpot_id", "seq").values_list("seq", flat=True))


@pytest.mark.django_db
class TestAChangedRow:
    @pytest.mark.parametrize("columns", CHANGES.values(), ids=CHANGES)
    @pytest.mark.parametrize("fresh", [True, False], ids=["another process", "the process that wrote it"])
    def test_counts_nothing_more(self, another_process: Callable[[], None], columns: str, fresh: bool) -> None:
        casino = floor()
        assert isinstance(coin_in(casino), PostedAnswer)
        before = entries()
        changed(columns)
        if fresh:
            another_process()
        refused = coin_in(casino, place=1)
        assert isinstance(refused, Refusal)
        assert (refused.code, "The row of GRAND" in refused.why) == ("books_differ", True)
        assert entries() == before

    @pytest.mark.parametrize("columns", [CHANGES["meter"], CHANGES["clock"]], ids=["meter", "clock"])
    def test_stops_that_jackpot_alone_and_lends_its_time_to_no_other(self, columns: str) -> None:
        boxes = [a_controller(a_table(f"{code}-1", a_jackpot(code))) for code in ("GRAND", "MINI")]
        Device.objects.update(state="active")
        changed(columns)
        places = [(box.code.removesuffix("-C"), box.id) for box in boxes]
        asks = [DeviceRequest(table, device, 1, CoinInRequest(1, "1")) for table, device in places]
        stopped, plays = post_messages(asks)
        assert isinstance(stopped, Refusal)
        assert isinstance(plays, PostedAnswer)
        assert Entry.objects.get(jackpot__code="MINI", kind="coin_in").occurred_at < timezone.now() + timedelta(hours=1)

    def test_no_act_seals_it_and_a_table_is_held_all_the_same(self, another_process: Callable[[], None]) -> None:
        scene = ref_b()
        scene.coin_in("12")
        before = entries()
        changed(CHANGES["meter"])
        another_process()
        with pytest.raises(BooksDiffer, match=r"its meter is 25001\.40, after entry 2 it is 20001\.40"):
            scene.mark(1, "royal")
        with pytest.raises(BooksDiffer):
            void_round(table_code="UTH-01", round_number=1, reason="misdeal", by="tests")
        assert entries() == before
        hold_table(table_code="UTH-01", why="its jackpot stands still", by="tests")

    def test_is_told_once_and_again_when_it_is_right(self, watched: Callable[[], list[str]]) -> None:
        floor()
        assert watched() == []
        changed(CHANGES["meter"])
        assert [watched(), watched()] == [["GRAND"]] * 2
        _told.clear()  # the worker sees it too
        assert watched() == ["GRAND"]
        line = Trail.objects.get(act="row differs")
        assert (line.outcome, line.object_key, "its meter is 15000.00" in line.why) == ("alarm", "GRAND", True)
        changed("meter = meter - 5000, house = house + 5000")
        assert [watched(), watched()] == [[], []]
        assert Trail.objects.filter(act="row agrees").count() == 1

    def test_is_never_shown_on_a_sign_which_says_why_it_stands_still(self) -> None:
        casino = floor()
        a_sign("WALL-1", casino.jackpot)
        coin_in(casino)
        changed(CHANGES["meter"])
        standing = sign_queries.standings([casino.jackpot.pk])[casino.jackpot.pk]
        assert standing.meter == Money.of("10001.40")
        assert "stands still: its books are being looked at" in sign_queries.sign_layouts()["WALL-1"].notice

    def test_is_an_alarm_on_the_pit_at_home_for_the_balancer_and_the_scraper(self) -> None:
        casino = floor()
        changed(CHANGES["meter"])
        person = signed_in("run_tables", "see", premises=casino.premises)
        for page in ("/pit/", "/"):
            assert "GRAND is stopped." in person.get(page).content.decode(), page
        assert Client().get("/api/v1/ready").json()["stopped"] == ["GRAND"]
        assert 'fairmeter_row_differs{jackpot="GRAND"} 1' in Client().get("/api/v1/metrics").content.decode()

    @pytest.mark.parametrize("columns", CHANGES.values(), ids=CHANGES)
    def test_is_set_right_from_its_last_entry_and_plays_again(self, columns: str) -> None:
        casino = floor()
        coin_in(casino)
        changed(columns)
        with pytest.raises(CommandError, match="Say in a few words"):
            call_command("set_right", "GRAND", why=" ")
        told = StringIO()
        call_command("set_right", "GRAND", why="the contractor's script", stdout=told)
        assert "The row of GRAND is not what its books say" in told.getvalue()
        assert isinstance(coin_in(casino, place=1), PostedAnswer)
        assert prove().holds
        assert Trail.objects.get(act="set_row_right").why == "the contractor's script"
        with pytest.raises(CommandError, match="Nothing to set right"):
            call_command("set_right", "GRAND", why="again")


class CountedTrips:
    """How many trips an act makes, and how many statements go with them."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.trips: list[int] = []

        def noted(questions: Any) -> Any:
            self.trips.append(len(questions))
            return ask_together(questions)

        for module in (post, batch):
            monkeypatch.setattr(module, "ask_together", noted)

    def of(self, act: Callable[[], object]) -> list[int]:
        self.trips.clear()
        act()
        return [statements for statements in self.trips if statements]


@pytest.mark.django_db
def test_a_coin_in_costs_no_statement_more_and_after_another_process_one_but_no_trip(
    monkeypatch: pytest.MonkeyPatch, another_process: Callable[[], None]
) -> None:
    casino = floor()
    coin_in(casino)
    counted = CountedTrips(monkeypatch)
    assert counted.of(lambda: coin_in(casino, place=1)) == [1, 1, 1, 1], "lock, look, rounds, entries"
    another_process()
    assert counted.of(lambda: coin_in(casino, place=2)) == [1, 2, 1, 1], "the doubt goes with the look"


@pytest.mark.race
def test_the_watch_of_a_running_server_tells_within_seconds(live: Any) -> None:
    floor()
    changed(CHANGES["meter"])
    until(lambda: Trail.objects.filter(act="row differs").exists())
