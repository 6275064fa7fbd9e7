"""The C programs: they compile without a warning, prove themselves as the product asks, and count what was answered."""

from __future__ import annotations

import hashlib
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from proving.bench.arrivals import read_arrivals
from proving.bench.clients import FLAGS, PROGRAMS, Client, compile_client, write_roster
from proving.house import NotCarriedOut
from tests.proving.bench.playmate import Playmate, served

SECRET = hashlib.sha256(b"a secret").digest()
PATHS = {"http": "/api/v1/tables/UTH-{}/messages", "socket": "/ws/tables/UTH-{}"}


@pytest.fixture(scope="module")
def programs(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    folder = tmp_path_factory.mktemp("clients")
    return {name: compile_client(name, folder) for name in PROGRAMS}


def played(
    program: Path,
    kind: str,
    playmate: Playmate,
    folder: Path,
    pace: float = 0,
    window_ms: int = 200,
    more: tuple[str, ...] = (),
) -> dict[str, Any]:
    with served(playmate) as port:
        lines = [(port, PATHS[kind].format(number), f"C-UTH-{number}", SECRET.hex()) for number in range(1, 4)]
        client = Client([program, write_roster(folder / "roster", lines), 50, window_ms, pace, *more])
        try:
            client.wait_for("begin")
            client.wait_for("end")
            return client.report()
        finally:
            client.stop()


def test_the_clients_are_compiled_with_every_warning_as_an_error() -> None:
    assert {"-Wall", "-Wextra", "-Werror"} <= set(FLAGS)


@pytest.mark.parametrize("kind", ["http", "socket"])
def test_every_message_is_proven_and_every_answer_counted(programs: dict[str, Path], tmp_path: Path, kind: str) -> None:
    playmate = Playmate(SECRET)
    report = played(programs[kind], kind, playmate, tmp_path)
    assert playmate.wrong == []
    assert playmate.heard == Counter(hello=3, coin_in=report["all_coin_ins"], end=report["all_ends"])
    assert 0 < report["coin_ins"] <= report["all_coin_ins"] == report["all_ends"]
    assert (report["refused"], report["lost"], report["unfinished"], report["repeats"]) == (0, 0, 0, 0)


@pytest.mark.parametrize("kind", ["http", "socket"])
def test_a_table_plays_the_rounds_it_is_told_one_after_the_other(
    programs: dict[str, Path], tmp_path: Path, kind: str
) -> None:
    playmate = Playmate(SECRET)
    played(programs[kind], kind, playmate, tmp_path)
    assert all(rounds == list(range(117, 117 + len(rounds))) for rounds in playmate.rounds.values())


@pytest.mark.parametrize("kind", ["http", "socket"])
def test_a_round_that_was_left_open_is_ended_first(programs: dict[str, Path], tmp_path: Path, kind: str) -> None:
    playmate = Playmate(SECRET)
    playmate.open_rounds = {PATHS[kind].format(1): 116}
    report = played(programs[kind], kind, playmate, tmp_path)
    assert playmate.heard["end"] == playmate.heard["coin_in"] + 1 == report["all_ends"]


@pytest.mark.parametrize("kind", ["http", "socket"])
def test_a_refusal_is_reported_with_its_sentence(programs: dict[str, Path], tmp_path: Path, kind: str) -> None:
    report = played(programs[kind], kind, Playmate(SECRET, refuse_round=120), tmp_path)
    assert (report["refused"], report["lost"]) == (3, 0)
    assert "held" in report["first_refusal"]


def test_a_paced_client_says_no_more_than_it_was_asked_to(programs: dict[str, Path], tmp_path: Path) -> None:
    report = played(programs["http"], "http", Playmate(SECRET), tmp_path, pace=40, window_ms=500)
    assert 10 <= report["coin_ins"] + report["ends"] <= 22


def test_a_wrong_secret_is_noticed_by_the_playmate(programs: dict[str, Path], tmp_path: Path) -> None:
    playmate = Playmate(hashlib.sha256(b"another").digest())
    played(programs["http"], "http", playmate, tmp_path)
    assert set(playmate.wrong) == {"signature"}


def test_a_client_that_cannot_connect_says_so(programs: dict[str, Path], tmp_path: Path) -> None:
    client = Client([programs["http"], write_roster(tmp_path / "roster", [(1, "/", "-", "-")]), 1, 1, 0])
    with pytest.raises(NotCarriedOut, match="Connection refused"):
        client.wait_for("begin")
    client.stop()


async def a_wall(scope: Any, receive: Any, send: Any) -> None:
    """Shows two versions to whoever comes with the cookie."""
    await receive()
    if (b"cookie", b"fairmeter_sign=yes") not in scope["headers"]:
        await send({"type": "websocket.close"})
        return
    await send({"type": "websocket.accept"})
    for version in (7, 8):
        text = f'{{"scene":1,"meters":[{{"code":"GRAND","version":{version},"amount":"1.00"}}]}}'
        await send({"type": "websocket.send", "text": text})
    await send({"type": "websocket.send", "text": '{"beat":"2026-01-01T00:00:00Z"}'})
    await receive()


def test_the_sign_client_notes_every_version_with_its_arrival(programs: dict[str, Path], tmp_path: Path) -> None:
    with served(a_wall) as port:
        roster = write_roster(tmp_path / "roster", [(port, "/ws/signs/LOBBY", "fairmeter_sign=yes")] * 3)
        client = Client([programs["signs"], roster, 50, 100, tmp_path / "arrivals"])
        for word in ("ready", "begin", "end"):
            client.wait_for(word)
        report = client.report()
        client.stop()
    seen = read_arrivals(tmp_path / "arrivals")
    assert sorted(zip(seen[:, 0].tolist(), seen[:, 1].tolist(), strict=True)) == [
        (sign, version) for sign in range(3) for version in (7, 8)
    ]
    assert report["signs"] == 3


def test_a_sign_that_is_not_let_in_ends_the_measurement(programs: dict[str, Path], tmp_path: Path) -> None:
    with served(a_wall) as port:
        roster = write_roster(tmp_path / "roster", [(port, "/ws/signs/LOBBY", "-")])
        client = Client([programs["signs"], roster, 50, 100, tmp_path / "arrivals"])
        with pytest.raises(NotCarriedOut, match="no WebSocket"):
            client.wait_for("ready")
        client.stop()


def test_a_client_may_be_asked_for_coin_ins_only(programs: dict[str, Path], tmp_path: Path) -> None:
    playmate = Playmate(SECRET)
    report = played(programs["http"], "http", playmate, tmp_path, more=("coin-ins",))
    assert playmate.heard == Counter(hello=3, coin_in=report["all_coin_ins"])
    assert all(rounds == list(range(117, 117 + len(rounds))) for rounds in playmate.rounds.values())


@pytest.mark.parametrize("kind", ["http", "socket"])
def test_what_was_stored_is_told_and_then_no_more(programs: dict[str, Path], tmp_path: Path, kind: str) -> None:
    playmate = Playmate(SECRET)
    report = played(programs[kind], kind, playmate, tmp_path, window_ms=60_000, more=("stored=4",))
    assert (report["all_coin_ins"], report["all_ends"], report["unfinished"]) == (12, 12, 0)
    assert report["greeted_ms"] > 0
