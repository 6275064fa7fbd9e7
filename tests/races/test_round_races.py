"""Rounds under real threads on real PostgreSQL: whoever comes in between, a coin-in counts once or not at all."""

from __future__ import annotations

import random
import threading
from collections import Counter
from collections.abc import Callable, Sequence

import psycopg
import pytest
from psycopg.conninfo import conninfo_to_dict

from jackpot.books.models.jackpot import Jackpot
from jackpot.money import Money
from jackpot.refusals import Refused
from tables.floor.actions.state import set_table_state
from tables.floor.models.device import Device
from tables.floor.models.table import Table, TableState
from tables.hits.actions.undo import recount_round, void_round
from tables.rounds.actions.round import OutcomeUnknown, post_messages
from tables.rounds.models.round import Round, RoundState
from tables.rounds.queries.counted import coin_in_entries
from tables.rounds.queries.prove import prove
from tables.rounds.rules.round import CoinInRequest, DeviceRequest, EndRequest, Outcome, PostedAnswer, Refusal
from tables.setup.actions.enrol import block, enrol, invite
from tables.setup.actions.floor import TableDescription, alter_table
from tests.builders import Casino, a_casino, a_controller, a_jackpot, a_table
from tests.databases import TestServer
from tests.patience import until
from tests.races.test_books import at_once

pytestmark = pytest.mark.race
MANY = 16


def opened(**of_the_casino: object) -> Casino:
    casino = a_casino(**of_the_casino)  # type: ignore[arg-type]
    for device in casino.controllers:
        enrol(code=invite(device=device, by="tests"))
    return casino


def said(device: Device, ask: CoinInRequest | EndRequest) -> DeviceRequest:
    assert device.table is not None
    return DeviceRequest(device.table.code, device.id, 1, ask)


def says(device: Device, ask: CoinInRequest | EndRequest) -> Outcome:
    return post_messages([said(device, ask)])[0]


def plays_until(device: Device, over: threading.Event, seats: str = "1") -> list[Outcome]:
    """Plays rounds one after the other, as a controller does, whatever it is answered."""
    outcomes: list[Outcome] = []
    number = 1
    while not over.is_set():
        outcomes.append(says(device, CoinInRequest(number, seats)))
        if isinstance(outcomes[-1], PostedAnswer):
            says(device, EndRequest(number))
            number += 1
    return outcomes


def meter(jackpot: Jackpot) -> str:
    jackpot.refresh_from_db()
    return str(jackpot.meter_money)


def books_prove() -> bool:
    verdict = prove()
    assert verdict.holds, verdict.plain()["findings"]
    return True


def test_sixteen_threads_say_the_same_round_and_it_counts_once(fresh_database: str) -> None:
    casino = opened()
    outcomes: list[Outcome] = []
    assert at_once(lambda _: outcomes.append(says(casino.controller, CoinInRequest(1, "125"))), MANY) == []
    answers = {outcome.answer for outcome in outcomes if isinstance(outcome, PostedAnswer)}
    assert len(answers) == 1
    assert Counter(isinstance(one, PostedAnswer) and one.repeat for one in outcomes) == {True: MANY - 1, False: 1}
    assert meter(casino.jackpot) == "10002.10"


def test_sixteen_threads_with_different_seats_leave_one_round_and_fifteen_clashes(fresh_database: str) -> None:
    casino = opened()
    outcomes: list[Outcome] = []
    seats = [f"{first}{second}" for first in "1234" for second in "567"] + ["12", "13", "14", "23"]
    assert at_once(lambda number: outcomes.append(says(casino.controller, CoinInRequest(1, seats[number]))), MANY) == []
    assert Counter(one.code if isinstance(one, Refusal) else "posted" for one in outcomes) == {"posted": 1, "clash": 15}
    assert meter(casino.jackpot) == "10001.40"
    assert books_prove()


def test_whole_batches_of_the_same_messages_from_several_processes_count_once(fresh_database: str) -> None:
    """Every process has its own order: rounds and their ends would deadlock if nobody tried again."""
    casino = opened(tables=8)
    for number in range(1, 6):
        for asked in (CoinInRequest(number, "1357"), EndRequest(number)):
            batch = [said(device, asked) for device in casino.controllers]
            heard: list[dict[str, Outcome]] = []

            def post(
                thread: int, batch: Sequence[DeviceRequest] = batch, heard: list[dict[str, Outcome]] = heard
            ) -> None:
                mixed = random.Random(thread).sample(batch, len(batch))
                outcomes = post_messages(mixed)
                heard.append({one.table_code: outcome for one, outcome in zip(mixed, outcomes, strict=True)})

            assert at_once(post, 4) == []
            for table in casino.tables:
                told = [outcomes[table.code] for outcomes in heard]
                assert sorted(isinstance(one, PostedAnswer) and one.repeat for one in told) == [False, True, True, True]
    assert meter(casino.jackpot) == "10112.00"
    assert books_prove()


def test_tables_whose_levels_name_the_jackpots_in_opposite_order(fresh_database: str) -> None:
    grand, mini = a_jackpot("GRAND", rate="60"), a_jackpot("MINI", rate="10", pay_table=only_a_part())
    tables = [a_table(f"UTH-{n:02d}", *((grand, mini) if n % 2 else (mini, grand))) for n in range(8)]
    devices = [a_controller(table) for table in tables]
    for device in devices:
        enrol(code=invite(device=device, by="tests"))

    def play(place: int) -> None:
        for number in range(1, 26):
            assert isinstance(says(devices[place], CoinInRequest(number, "1234567")), PostedAnswer)
            assert isinstance(says(devices[place], EndRequest(number)), PostedAnswer)

    assert at_once(play, 8) == []
    assert (meter(grand), meter(mini)) == ("10840.00", "10140.00")
    assert books_prove()


def only_a_part() -> dict[str, object]:
    return {"code": "mini", "lines": [{"code": "royal_flush", "name": "Royal flush", "part": "1"}]}


@pytest.mark.parametrize("stopped_by", ["hold", "close", "block"])
def test_nothing_is_counted_after_the_commit_that_stops_a_table(fresh_database: str, stopped_by: str) -> None:
    casino = opened(tables=4)
    over = threading.Event()
    counted_at_the_stop: list[int] = []

    def stop() -> None:
        until(Round.objects.filter(table=casino.table).exists)
        if stopped_by == "block":
            block(device=Device.objects.get(id=casino.controller.id), by="tests")
        else:
            state = TableState.HELD if stopped_by == "hold" else TableState.CLOSED
            set_table_state(table=Table.objects.get(id=casino.table.id), state=state, by="tests", why="dead spot")
        counted_at_the_stop.append(Round.objects.filter(table=casino.table).count())
        others = Round.objects.exclude(table=casino.table)
        enough = others.count() + 9
        until(lambda: others.count() > enough)  # the other tables play on
        over.set()

    def act(number: int) -> None:
        stop() if number == 4 else plays_until(casino.controllers[number], over)

    assert at_once(act, 5) == []
    assert counted_at_the_stop == [Round.objects.filter(table=casino.table).count()]
    assert counted_at_the_stop[0] > 0
    assert Round.objects.exclude(table=casino.table).count() > 3 * 3
    assert books_prove()


def test_a_hold_decided_on_an_older_look_at_the_table_is_still_a_hold(fresh_database: str) -> None:
    """Two people at two screens: the second one's screen is a moment old, his word still counts."""
    casino = opened()
    set_table_state(table=casino.table, state=TableState.HELD, by="first", why="dead spot")
    old_look = Table.objects.get(id=casino.table.id)
    set_table_state(table=casino.table, state=TableState.OPEN, by="first")
    set_table_state(table=old_look, state=TableState.HELD, by="second", why="still dead")
    refusal = says(casino.controller, CoinInRequest(1, "1"))
    assert isinstance(refusal, Refusal)
    assert refusal.code == "held"


def test_links_that_change_between_rounds_never_split_a_coin_in(fresh_database: str) -> None:
    grand, mini = a_jackpot("GRAND", rate="60"), a_jackpot("MINI", rate="10", pay_table=only_a_part())
    tables = [a_table(f"UTH-{n:02d}", grand) for n in range(4)]
    devices = [a_controller(table) for table in tables]
    for device in devices:
        enrol(code=invite(device=device, by="tests"))
    over = threading.Event()
    changed: list[int] = []
    refused: set[str] = set()

    def change() -> None:
        facts = TableDescription(wager=Money.of("1.00"), game="uth")
        for number in range(60):
            levels = [(grand, mini), (mini,), (mini, grand), (grand,)][number % 4]
            try:
                alter_table(table=Table.objects.get(code="UTH-00"), facts=facts, jackpots=levels, by="tests")
            except Refused as refusal:
                refused.add(refusal.code)
            else:
                changed.append(len(levels))
        over.set()

    def act(number: int) -> None:
        change() if number == 4 else plays_until(devices[number], over, "12")

    assert at_once(act, 5) == []
    assert len(changed) > 3
    assert refused <= {"round_open"}
    linked = Counter(len(coin_in_entries(round_)) for round_ in Round.objects.filter(table=tables[0]))
    assert set(linked) <= {1, 2}
    assert books_prove()


@pytest.mark.parametrize("undo", ["void", "recount"])
def test_an_undo_races_with_the_end_and_with_the_next_coin_in(fresh_database: str, undo: str) -> None:
    casino = opened(tables=2)
    device, other = casino.controllers
    refused: set[str] = set()

    def undoes(number: int) -> None:
        try:
            if undo == "void":
                void_round(table_code="UTH-01", round_number=number, reason="shuffler malfunction", by="supervisor")
            else:
                recount_round(table_code="UTH-01", round_number=number, seats="12", spots="", by="supervisor")
        except Refused as refusal:
            refused.add(refusal.code)

    def ends(number: int) -> None:
        assert isinstance(says(device, EndRequest(number)), PostedAnswer)
        says(device, CoinInRequest(number + 1, "1"))

    for number in range(1, 31):
        says(device, CoinInRequest(number, "1"))
        acts: list[Callable[[int], None]] = [ends, undoes, lambda number: says_at(other, number)]
        assert at_once(lambda place, acts=acts, number=number: acts[place](number), len(acts)) == []  # type: ignore[misc]
    assert refused <= {"round_over"}
    assert Round.objects.filter(table=casino.table).exclude(number=31).exclude(state=RoundState.OPEN).count() == 30
    assert books_prove()


def says_at(device: Device, number: int) -> None:
    assert isinstance(says(device, CoinInRequest(number, "7")), PostedAnswer)
    assert isinstance(says(device, EndRequest(number)), PostedAnswer)


def test_two_voids_of_one_round_take_its_contributions_back_once(fresh_database: str) -> None:
    casino = opened()
    says(casino.controller, CoinInRequest(1, "12345"))
    told: list[object] = []

    def void(_: int) -> None:
        told.append(void_round(table_code="UTH-01", round_number=1, reason="misdeal", by="tests")["repeat"])

    assert at_once(void, 8) == []
    assert sorted(map(bool, told)) == [False] + [True] * 7
    assert meter(casino.jackpot) == "10000.00"
    assert books_prove()


FAILS_AT_FIRST = """
CREATE SEQUENCE tries;
CREATE FUNCTION fail_at_first() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF nextval('tries') <= {times} THEN RAISE EXCEPTION 'as the server would say' USING ERRCODE = '{state}'; END IF;
  RETURN NEW;
END $$;
GRANT USAGE ON SEQUENCE tries TO PUBLIC;
CREATE TRIGGER fail_at_first BEFORE INSERT ON tables_round FOR EACH ROW EXECUTE FUNCTION fail_at_first();
"""


def fails_at_first(server: TestServer, url: str, state: str, times: int) -> None:
    """The database refuses the first tries, as it would after a deadlock; a sequence does not roll back."""
    with psycopg.connect(server.url(server.owner, str(conninfo_to_dict(url)["dbname"]))) as owner:
        owner.execute(FAILS_AT_FIRST.format(times=times, state=state).encode())


@pytest.mark.parametrize("state", ["40P01", "40001"])
def test_a_batch_that_falls_to_a_deadlock_is_tried_again(
    fresh_database: str, test_server: TestServer, state: str
) -> None:
    casino = opened()
    fails_at_first(test_server, fresh_database, state, 2)
    outcome = says(casino.controller, CoinInRequest(1, "12"))
    assert isinstance(outcome, PostedAnswer)
    assert not outcome.repeat
    assert meter(casino.jackpot) == "10001.40"
    assert books_prove()


def test_a_batch_that_never_gets_through_is_not_acknowledged_and_leaves_nothing(
    fresh_database: str, test_server: TestServer
) -> None:
    casino = opened()
    fails_at_first(test_server, fresh_database, "40P01", 1_000)
    with pytest.raises(OutcomeUnknown):
        says(casino.controller, CoinInRequest(1, "12"))
    assert meter(casino.jackpot) == "10000.00"
    assert not Round.objects.exists()


def test_one_message_the_database_refuses_harms_none_of_its_batch(fresh_database: str, test_server: TestServer) -> None:
    casino = opened(tables=4)
    with psycopg.connect(test_server.url(test_server.owner, str(conninfo_to_dict(fresh_database)["dbname"]))) as db:
        db.execute(f"ALTER TABLE tables_round ADD CONSTRAINT odd CHECK (table_id <> {casino.tables[2].id})".encode())
    outcomes = post_messages([said(device, CoinInRequest(1, "12")) for device in casino.controllers])
    assert [isinstance(outcome, PostedAnswer) for outcome in outcomes] == [True, True, False, True]
    assert meter(casino.jackpot) == "10004.20"
    assert books_prove()
