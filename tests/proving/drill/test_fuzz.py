"""What `drill fuzz` sends and judges; a few requests to a house of its own by the surfaces that speak its own words."""

from __future__ import annotations

import itertools
import json

import pytest

from proving.drill.fuzz import FuzzTally, drill_fuzz
from proving.drill.fuzz_doors import Doors, templates
from proving.nasty import NastyHand


def failed(tally: FuzzTally, wanted: int) -> list[str]:
    return [gate.name.partition(": ")[2] for gate in tally.gates(wanted) if not gate.holds]


def test_a_fault_of_ours_a_door_that_hangs_and_a_neighbour_who_waits_fail_their_gates() -> None:
    tally = FuzzTally("rest", waits=[(0.9, "GET /")])
    tally.note("GET /", 0.1)
    assert failed(tally, 1) == []
    assert failed(tally, 2) == ["every request is sent"]
    tally.waits.append((1.1, "GET /slow"))
    assert failed(tally, 1) == ["a neighbour waits a second at most"]
    tally.note("GET /x", 9.0, "status 500")
    assert failed(tally, 1) == ["no request is answered by a fault of ours", "a neighbour waits a second at most"]
    assert "the slowest 9.00 s, GET /x" in tally.line()


def test_every_door_is_knocked_at_and_the_same_seed_knocks_alike() -> None:
    def asked(where: str) -> str:
        return (
            json.dumps({"openapi": "3.0.3", "paths": {}, "components": {"schemas": {}}})
            if "schema" in where
            else '<input name="why">'
        )

    for surface in ("rest", "pages"):
        every = [where for where in templates() if where.startswith("/api/") is (surface == "rest")]
        one, other = (
            list(itertools.islice(Doors(asked).knocks(surface, NastyHand("1")), 3 * len(every))) for _ in range(2)
        )
        assert one == other
        met = {knock.where.split("?")[0].split("/")[1] for knock in one}
        first = {where.split("/")[1] for where in every if "(" not in where}
        assert {word for word in first if "<" not in word} <= met


@pytest.mark.deep  # `.ci/run` plays it by `drill fuzz --short`
def test_a_house_hears_nonsense_and_its_books_prove() -> None:
    drilled = drill_fuzz(["device", "socket", "sign"], requests=40, seed=3, say=lambda _: None)
    judged = [gate for gate in drilled.gates if "neighbour" not in gate.name]  # seconds of a busy machine
    assert [f"{gate.name}: {gate.against}" for gate in judged if not gate.holds] == []
    assert [gate.checked for gate in drilled.gates if "fault of ours" in gate.name] == [40, 40, 40]
