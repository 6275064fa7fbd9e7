"""A house of the benchmark's own, and nothing left of it."""

from __future__ import annotations

from pathlib import Path

import pytest

from launcher.places import Places, alone_in
from proving import house as houses
from proving.house import NotCarriedOut, ProvingHouse, house, kept_house, sweep
from proving.wires import MessageSignature, controller_of
from tables.gateway.messages import signature_of


@pytest.fixture
def yard(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(houses, "BUILD", tmp_path)
    return tmp_path


def test_a_house_is_durable_and_leaves_no_folder_and_no_socket(yard: Path) -> None:
    with house() as ours:
        assert ours.durable() == {"fsync": "on", "synchronous_commit": "on", "full_page_writes": "on"}
        books, sockets = ours.places.server.resolve(), ours.server.sockets
        assert books.exists()
    assert list(yard.iterdir()) == []
    assert not books.exists()
    assert not sockets.exists()


def test_a_house_that_is_kept_is_found_again_with_its_books(tmp_path: Path) -> None:
    for _ in ("made", "opened again"):
        with kept_house(tmp_path) as ours, ours.connect() as connection:
            connection.execute("CREATE TABLE IF NOT EXISTS lasting (number int)")
            connection.execute("INSERT INTO lasting VALUES (1)")
            (counted,) = connection.execute("SELECT count(*) FROM lasting").fetchone() or (0,)
        sweep(tmp_path.parent)
    assert counted == 2


def test_a_house_without_durability_measures_nothing(yard: Path) -> None:
    with house() as ours:
        with ours.connect() as connection:
            connection.execute("ALTER ROLE postgres SET synchronous_commit = off")
        with pytest.raises(NotCarriedOut, match="without durability"):
            ours.durable()


def test_a_child_of_the_house_sees_nothing_of_the_callers_installation(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DATABASE_URL", "postgresql://someone@/precious")
    monkeypatch.setenv("FAIRMETER_KEY_FILE", "/precious/key")
    monkeypatch.setenv("REDIS_URL", "redis://precious")
    places = Places(tmp_path)
    ours = ProvingHouse(places)
    seen = ours.environment()
    ours.listener.close()
    assert "precious" not in " ".join(f"{name}={value}" for name, value in seen.items())
    assert seen["FAIRMETER_DATA"] == str(tmp_path)


def test_what_a_killed_benchmark_left_is_swept_and_a_running_one_is_spared(tmp_path: Path) -> None:
    left, running, foreign = (tmp_path / name for name in ("house-left", "house-running", "mine"))
    for folder in (left, running, foreign):
        folder.mkdir()
    with alone_in(running):
        sweep(tmp_path)
    assert (left.exists(), running.exists(), foreign.exists()) == (False, True, True)


def test_a_message_is_signed_in_the_words_of_the_protocol() -> None:
    told = {"device": "C-S-001", "place": "S-001", "secret": "ab" * 32}
    signed = MessageSignature(controller_of(told))
    first, second = signed.headers(b"{}"), signed.headers(b"{}")
    moment, sequence = first["X-Time"], int(first["X-Sequence"])
    due = signature_of(bytes.fromhex("ab" * 32), "POST", "/api/v1/tables/S-001/messages", moment, sequence, b"{}")
    assert (first["X-Device"], first["X-Signature"]) == ("C-S-001", due)
    assert int(second["X-Sequence"]) > sequence
