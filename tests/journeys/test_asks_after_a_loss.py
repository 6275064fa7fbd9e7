"""T11 and T24 in a house that is killed and lost: an acknowledged chip stands, and last night's copy is made whole.

Both are played with the figures of a seed (own_figures.py). Nothing is left of the lost house but its backup, its key
file and what its boxes keep.
"""

from __future__ import annotations

import json
import shutil
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from launcher.dumps import back_up
from proving.house import ProvingHouse, house
from tables.simulator.journal import BoxJournal
from tests.journeys.own_figures import UNIT, Meter
from tests.journeys.power_cut_scene import CAGE
from tests.journeys.test_half_way import Mortal
from tests.journeys.visitor import Visitor
from tests.living import Live
from tests.oracle.doors import Box
from tests.oracle.recorder import Recorder, Shown
from tests.patience import until

KEY, AFTER, BEFORE = "fairmeter.key", 30, 4  # more rounds than one message of a journal carries


class KeepingTable(Mortal):
    """A box with a journal, over chips that its figures count beside it."""

    def __init__(self, ours: ProvingHouse, made: dict[str, str], figures: Meter) -> None:
        super().__init__(ours, made)
        self.figures, self.journal = figures, BoxJournal()
        self.begun = datetime.now(UTC) - timedelta(hours=3)

    def plays(self, times: int) -> None:
        for _ in range(times):
            number, seats = len(self.journal.rounds) + 1, self.figures.seats()
            self.told("coin_in", round=number, seats=seats)
            self.figures.counts(seats)
            self.journal.counted(number, seats)
            self.journal.rounds[number]["at"] = (self.begun + number * timedelta(minutes=1)).isoformat()
            self.told("end", round=number)
            self.journal.ended(number)

    def moves_to(self, ours: ProvingHouse) -> None:
        self.ours, self.box.live = ours, Live(ours.ports[0])

    def hello(self) -> dict[str, Any]:
        return self.told("hello", device=self.box.device.code, version="2.0.0", profile="card")

    def tells_all(self) -> list[dict[str, Any]]:
        """Its journal, message by message, for as long as the house asks for more."""
        heard = [self.told("journal", **self.journal.words_from(self.hello()["restored"]["from"]))]
        while heard[-1]["restored"] == "missing" and heard[-1]["posted"]:
            heard.append(self.told("journal", **self.journal.words_from(heard[-1]["from"])))
        return heard


def stands(ours: ProvingHouse) -> tuple[int, int]:
    with ours.connect() as books:
        row = books.execute("SELECT meter, reserve FROM jackpot_jackpot").fetchone()
    assert row is not None
    return int(row[0] * UNIT), int(row[1] * UNIT)


def newest(sign: Recorder, amount: str) -> Shown:
    """The frame in which the sign shows this; not one before it is lower than another."""
    until(lambda: sign.heard and sign.heard[-1].told["meters"][0]["amount"] == amount, f"{amount} on the sign")
    shown = [each.figures()["GRAND"] for each in sign.heard]
    assert shown == sorted(shown)
    return sign.heard[-1]


@pytest.mark.drill
@pytest.mark.deep
def test_t11_a_killed_server_keeps_the_chips_it_acknowledged() -> None:
    """N.J.A.C. 13:69E-1.39B (h): kill -9 right behind the answer; the chips once, the sign at or above what it said."""
    figures = Meter.of("T11")
    with house() as ours:
        told = json.loads(ours.run("tests.journeys.power_cut_scene", json.dumps({**figures.terms(), "sign": "WALL"})))
        ours.open_door()
        table, other = (KeepingTable(ours, each, figures) for each in told[:2])
        box = Box("", told[2]["device"], bytes.fromhex(told[2]["secret"]))
        sign = Recorder(ours.ports[0], "WALL", box)
        for each in (table, other):
            each.plays(3)
        before = newest(sign, figures.shown).figures()["GRAND"]
        for _ in range(3):
            number, seats = len(table.journal.rounds) + 1, figures.seats(least=5)
            table.told("coin_in", round=number, seats=seats)
            ours.kill_web(0.0)
            figures.counts(seats)
            table.journal.counted(number, seats)
            assert table.told("coin_in", round=number, seats=seats)["repeat"] is True
            table.told("end", round=number)
            assert stands(ours) == figures.stands
            with ours.connect() as books:
                counted = books.execute(
                    "SELECT count(*) FROM jackpot_entry"
                    " WHERE kind = 'coin_in' AND table_code = %s AND round_number = %s",
                    [table.code, number],
                ).fetchone()
            assert counted == (1,)
            sign.close()
            sign = Recorder(ours.ports[0], "WALL", box)
            until(lambda sign=sign: len(sign.heard))  # type: ignore[misc]
            assert sign.heard[0].figures()["GRAND"] >= before
            before = newest(sign, figures.shown).figures()["GRAND"]
        sign.close()
        assert json.loads(ours.run("proving.proof", "0"))["findings"] == []


@pytest.mark.drill
@pytest.mark.deep
def test_t24_last_nights_copy_and_the_journals_of_the_boxes_come_to_the_lost_figure(tmp_path: Path) -> None:
    """25 CFR 543.20: to the sub-cent; a box that tells it otherwise keeps its table held, and nothing is assumed."""
    figures, copy = Meter.of("T24"), tmp_path / "last-night.dump"
    with house() as lost:
        made = json.loads(lost.run("tests.journeys.power_cut_scene", json.dumps({**figures.terms(), "tables": 3})))
        lost.open_door()
        tables = first, second, liar = [KeepingTable(lost, each, figures) for each in made]
        for each in tables:
            each.plays(BEFORE)
        back_up(lost.environ["DATABASE_OWNER_URL"], copy)
        for each in (first, second):
            each.plays(AFTER)
        assert stands(lost) == figures.stands
        shutil.copy(lost.places.data / KEY, tmp_path / KEY)
    with house(lay_out=lambda places: shutil.copy(tmp_path / KEY, places.data / KEY)) as ours:
        ours.run("manage", "restore", str(copy))
        assert stands(ours) < figures.stands
        ours.open_door()
        for each in tables:
            each.moves_to(ours)
        liar.journal.rounds[2]["seats"] = [seat for seat in range(1, 8) if seat not in liar.journal.rounds[2]["seats"]]
        assert [liar.tells_all()[-1]["restored"], liar.hello()["state"]] == ["differs", "held"]
        for each in (first, second):
            heard = each.tells_all()
            assert (heard[-1]["restored"], sum(told["posted"] for told in heard)) == ("agrees", AFTER)
        assert stands(ours) == figures.stands
        pit = Visitor(f"http://127.0.0.1:{ours.ports[0]}", "pit", CAGE)
        for each in tables:
            pit.presses(f"pit/tables/{each.code}/state/", state="open", why="compared with its box")
        assert [each.hello()["state"] for each in tables] == ["open", "open", "held"]
        first.plays(2)
        assert liar.box.say(id=1, do="coin_in", round=BEFORE + 1, seats=[1])[1]["code"] == "held"
        assert stands(ours) == figures.stands
        assert json.loads(ours.run("proving.proof", "0"))["findings"] == []
