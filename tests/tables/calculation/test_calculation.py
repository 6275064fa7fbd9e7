"""Long sums beside the web: begun once, told how far they are, found by everybody."""

from __future__ import annotations

import json
import os
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from jackpot.refusals import NotUnderstood
from tables.calculation import worker as process
from tables.calculation.desk import PROCESSES, CalculationDesk
from tables.calculation.job import Job, next_of
from tables.calculation.sums import calculate
from tables.calculation.turns import turn
from tables.games.own_table import own_table, plain_own_table
from tables.games.packs import PrintedLine, parse_pays
from tables.games.registry import find_game

PAIRS: dict[str, Any] = {"do": "chances", "game": "uth", "bet": "pairs", "table": "PT3"}
PATIENCE = 60  # seconds, for a machine that others keep busy


@pytest.fixture
def office(tmp_path: Path) -> Iterator[CalculationDesk]:
    opened = CalculationDesk(tmp_path)
    yield opened
    opened.close()


def test_an_answer_comes_from_a_process_beside_and_is_kept(office: CalculationDesk) -> None:
    job = office.ask(PAIRS, lane="long", wait=PATIENCE)
    assert job.answer is not None
    assert len(job.answer["chances"]) == 4
    assert office.ask(PAIRS, lane="long", wait=0) is job
    assert list(office.folder.glob("uth-pairs-PT3-*.json"))


def test_what_cannot_be_calculated_is_a_sentence(office: CalculationDesk) -> None:
    with pytest.raises(NotUnderstood, match="no pairs table PT99; it has PT1"):
        office.ask({**PAIRS, "table": "PT99"}, lane="long", wait=PATIENCE)


def test_a_blind_that_no_check_has_seen_is_refused_and_its_process_lives_on(office: CalculationDesk) -> None:
    game, line = find_game("uth"), PrintedLine("straight", "Straight", parse_pays("4 for 1"))
    own = plain_own_table(own_table(game, bet="blind", code="OLD-01", title="Kept from before", lines=[line]))
    asked = {"do": "decide", "game": "uth", "own": own, "hole": "Ah 3c", "board": "2h 8h Kh 4h Ts"}
    with pytest.raises(NotUnderstood, match="“Straight” of OLD-01 pays 4 for 1"):
        office.ask(asked, lane="long", wait=PATIENCE)
    (worker,) = office._workers
    assert office.ask(PAIRS, lane="long", wait=PATIENCE).answer is not None
    assert list(office._workers) == [worker]


def test_what_nobody_foresaw_is_answered_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """At a process's end the same question would be asked of the next one, without end."""

    def broken(*_: Any) -> dict[str, Any]:
        raise ZeroDivisionError("of nobody's doing")

    monkeypatch.setattr(process, "calculate", broken)
    process._answer(json.dumps({"name": json.dumps(PAIRS)}), tmp_path)
    said = capsys.readouterr()
    assert json.loads(said.out.splitlines()[-1])["refused"] == process.UNFORESEEN
    assert "of nobody's doing" in said.err


def test_a_process_that_was_killed_is_started_anew(office: CalculationDesk) -> None:
    office.ask(PAIRS, lane="long", wait=PATIENCE)
    (worker,) = office._workers
    worker.kill()
    worker.wait()
    assert office.ask({**PAIRS, "table": "PT4"}, lane="long", wait=PATIENCE).answer is not None


def test_a_question_does_not_wait_longer_than_it_may(office: CalculationDesk) -> None:
    before = time.monotonic()
    job = office.ask(LONG, lane="long", wait=0.05)
    assert (job.answer, job.percent < 100) == (None, True)
    assert time.monotonic() - before < PATIENCE / 2, "its processes take minutes"


def test_what_waits_when_a_desk_is_closed_is_not_what_the_next_process_begins_with(office: CalculationDesk) -> None:
    for place in range(PROCESSES["long"] + 1):
        office.ask({**LONG, "place": place}, lane="long", wait=0)
    assert office.is_counting
    office.close()
    assert not office.is_counting
    assert office.ask(PAIRS, lane="long", wait=PATIENCE).answer is not None


def test_two_processes_calculate_a_thing_once_and_the_second_sees_how_far_it_is(tmp_path: Path) -> None:
    seen: list[float] = []
    entered = threading.Event()

    def second() -> None:
        with turn(tmp_path, "the same", seen.append):
            entered.set()

    with turn(tmp_path, "the same", lambda part: None) as told:
        told(0.25)
        waiting = threading.Thread(target=second)
        waiting.start()
        while 0.25 not in seen:
            time.sleep(0.01)
        assert not entered.is_set()
    waiting.join(PATIENCE)
    assert entered.is_set()


def test_a_jackpot_of_few_rows_claims_no_worst_round(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The deals are searched for all rows together."""
    from tables.calculation import sums
    from tests.jackpot.laboratory.scene import SHARED, setting

    monkeypatch.setattr(sums, "_outcomes", lambda *_: SHARED)
    plain = setting().table.plain()
    ten = {"code": "TEN", "name": "Ten", "for_one": 10, "source": "meter", "envy": None}
    everything = {"code": "ALL", "name": "All", "part": "1", "source": "meter", "envy": None}
    asked = {
        "do": "laboratory", "game": "uth",
        "setting": {"wager": "1.00", "rate": "7/10", "reserve_rate": "1/20", "seed": "200", "limit": None},
        "question": {"seats": 2, "coin_ins_a_day": 100, "days": 4, "meters": ["50"], "paths": 20},
    }  # fmt: skip
    asked["setting"]["pay_table"] = {**plain, "lines": [everything, ten]}
    whole = calculate(asked, tmp_path, lambda part: None)
    assert whole["witnesses"][0]["board"] == ["9c"]
    asked["setting"]["pay_table"] = {**plain, "lines": [ten]}
    some = calculate(asked, tmp_path, lambda part: None)
    assert (some["witnesses"], some["worst_rounds"]) == ([], [])
    assert json.loads(json.dumps(some)) == some


# The best play of every hand takes minutes; the outcomes of the published progressive ship with the program.
LONG: dict[str, Any] = {"do": "holes", "game": "uth", "bet": "blind", "table": "UTH-01"}


def test_the_same_question_of_two_people_is_one_calculation(office: CalculationDesk) -> None:
    one, other = (office.ask(LONG, lane="long", wait=0, by=person) for person in ("anna", "bruno"))
    assert one is other
    assert one.people == {"anna", "bruno"}
    assert len(office._workers) == 1


def test_a_question_ends_when_nobody_wants_it_any_more(office: CalculationDesk) -> None:
    office.ask(LONG, lane="long", wait=0, by="anna")
    office.ask(LONG, lane="long", wait=0, by="bruno")
    (worker,) = office._workers
    assert office.cancel(LONG, by="anna")
    assert worker.poll() is None
    assert not office.cancel(LONG, by="somebody else")
    assert office.cancel(LONG, by="bruno")
    worker.wait(PATIENCE)
    assert not office.cancel(LONG, by="bruno")


def test_a_short_question_never_waits_behind_long_ones(office: CalculationDesk) -> None:
    for number in range(6):
        office.ask({**LONG, "copy": number}, lane="long", wait=0, by=f"person {number}")
    assert office.ask(PAIRS, lane="short", wait=PATIENCE, by="anna").answer is not None
    running = [job for job in office._jobs.values() if job.lane == "long" and job.worker is not None]
    assert len(running) == PROCESSES["long"] <= max(os.cpu_count() or 1, 1)
    assert office.ask({**LONG, "copy": 5}, lane="long", wait=0, by="person 5").ahead == 5


def test_whoever_has_nothing_under_way_is_served_before_one_who_asks_much() -> None:
    busy = Job("under way", "long", people={"anna"})
    first, second, bruno = (
        Job(name, "long", people={who}) for name, who in (("1", "anna"), ("2", "anna"), ("3", "bruno"))
    )
    assert next_of([first, second, bruno], [busy], {"anna": 1}) is bruno
    assert next_of([first, second], [busy], {"anna": 1}) is first
    assert next_of([first, bruno], [], {"anna": 1, "bruno": 2}) is first
    assert next_of([], [busy], {}) is None


def test_progress_never_goes_back_and_tells_about_how_long_it_takes() -> None:
    job = Job("x", "long", began_at=time.monotonic() - 10)
    for part in (0.4, 0.2, 0.5):
        job.heard({"progress": part})
    assert job.progress == 0.5
    assert job.seconds_left == pytest.approx(10, abs=1)
    assert Job("y").seconds_left is None
