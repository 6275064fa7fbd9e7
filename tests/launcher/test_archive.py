"""The archive of our own server: its rules, and a moment that comes back with everything committed before it."""

from __future__ import annotations

import gzip
import json
import shutil
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

import psycopg
import pytest

from launcher.archive.copies import SLOT, current_folder, give_up, make_base
from launcher.archive.folder import (
    NOTE,
    ArchiveFolder,
    ArchiveLimits,
    BaseCopy,
    HeldCopy,
    archive_root,
    base_is_due,
    clear,
    folders,
    next_folder,
    no_longer_kept,
    own_name,
)
from launcher.archive.health import archive
from launcher.archive.keeper import ArchiveKeeper
from launcher.archive.moment import restore_to, way_to, ways
from launcher.archive.segments import SEGMENT_BYTES, following, missing, segment_of, unbroken, unpack
from launcher.installation import Installation
from launcher.passwords import comes_in_without
from launcher.places import Places
from launcher.postgres import Server
from launcher.sentences import CannotStart
from launcher.unfinished import is_unfinished
from tests.patience import until

NOW = datetime(2026, 11, 19, 3, 12, tzinfo=UTC)
A, B = "0000000100000000000000FE", "0000000100000000000000FF"
C, D = "000000010000000100000000", "000000010000000100000001"


def test_a_segment_is_followed_into_the_next_log() -> None:
    assert following(A) == B
    assert following(B) == C
    assert following("0000000300000007000000FF") == "000000030000000800000000"


def test_the_log_runs_to_the_first_segment_that_is_missing() -> None:
    assert unbroken([A, B, C, D], B) == [B, C, D]
    assert unbroken([A, C, D], A) == [A]
    assert missing([A, C, D], A) == B
    assert missing([B, C], A) == A
    assert missing([A, B, C, D], A) is None
    assert missing([], A) is None


def test_other_files_are_no_segments() -> None:
    assert segment_of(Path(f"{A}.gz")) == segment_of(Path(f"{A}.gz.partial")) == segment_of(Path(A)) == A
    assert segment_of(Path("reached.json")) is None
    assert segment_of(Path(f"{A}.gz.draft")) is None


def test_a_segment_that_was_cut_off_is_read_as_far_as_it_goes(tmp_path: Path) -> None:
    packed = gzip.compress(bytes(range(256)) * 4096)
    (tmp_path / f"{A}.gz.partial").write_bytes(packed[: len(packed) // 2])
    unpack(tmp_path / f"{A}.gz.partial", tmp_path / A)
    plain = (tmp_path / A).read_bytes()
    assert len(plain) == SEGMENT_BYTES
    assert plain[:1024] == bytes(range(256)) * 4


def test_the_newest_file_of_a_segment_wins(tmp_path: Path) -> None:
    for name in (f"{A}.gz.partial", f"{A}.gz", f"{B}.gz.partial"):
        (tmp_path / name).touch()
    assert {name: path.name for name, path in ArchiveFolder(tmp_path).segments().items()} == {
        A: f"{A}.gz",
        B: f"{B}.gz.partial",
    }


def copied(days_ago: float, size: int = 10) -> HeldCopy:
    base = BaseCopy(Path(f"/base-{days_ago}"), NOW - timedelta(days=days_ago), A, None, size)
    return HeldCopy(base, size)


def test_a_copy_goes_when_the_next_one_is_old_enough() -> None:
    held = [copied(9), copied(8), copied(7), copied(6), copied(1)]
    assert [base.folder.name for base in no_longer_kept(held, NOW, ArchiveLimits(days=7))] == ["base-9", "base-8"]


def test_room_is_made_with_the_oldest_and_never_with_the_newest() -> None:
    half = 1024**3 // 2
    held = [copied(3, half), copied(2, half), copied(1, half)]
    assert [base.folder.name for base in no_longer_kept(held, NOW, ArchiveLimits(7, 1))] == ["base-3"]
    assert no_longer_kept([copied(30, 5 * half)], NOW, ArchiveLimits(7, 1)) == []


def based(folder: ArchiveFolder, ended: datetime, needs: str) -> BaseCopy:
    place = folder.path / f"base-{ended:%Y%m%dT%H%M%S}"
    place.mkdir()
    (place / NOTE).write_text(json.dumps({"ended": ended.isoformat(), "needs": needs, "zone": None}))
    return BaseCopy.read(place)


def test_the_log_before_the_oldest_copy_goes_with_the_copy_that_needed_it(tmp_path: Path) -> None:
    first, second = next_folder(tmp_path, "7"), next_folder(tmp_path, "7")
    based(first, NOW - timedelta(days=20), A)
    for name in (A, B, C):
        (second.path / f"{name}.gz").touch()
    gone = based(second, NOW - timedelta(days=10), A)
    kept = based(second, NOW - timedelta(days=8), C)
    assert [one.folder for one in clear(folders(tmp_path), NOW, ArchiveLimits(days=7))][-1] == gone.folder
    assert folders(tmp_path) == [second]
    assert (second.bases(), list(second.segments())) == ([kept], [C])


def test_a_copy_is_due_every_day_and_before_the_log_is_too_long(tmp_path: Path) -> None:
    folder = next_folder(tmp_path, "7")
    assert clear([folder], NOW, ArchiveLimits()) == []
    assert base_is_due(folder, NOW, ArchiveLimits())
    based(folder, NOW - timedelta(hours=23), A)
    assert not base_is_due(folder, NOW, ArchiveLimits())
    assert base_is_due(folder, NOW + timedelta(hours=1), ArchiveLimits())
    with (folder.path / f"{A}.gz").open("wb") as log:
        log.truncate(600 * 1024**2)
    assert base_is_due(folder, NOW, ArchiveLimits(7, 1))


def test_the_archive_lies_where_it_was_told_to(tmp_path: Path) -> None:
    places = Places(tmp_path)
    assert archive_root(places, {}) == tmp_path / "archive"
    assert archive_root(places, {"FAIRMETER_ARCHIVE": "/mnt/other"}) == Path("/mnt/other")
    assert archive_root(places, {"FAIRMETER_ARCHIVE": "no"}) is None
    assert ArchiveLimits.of({"FAIRMETER_ARCHIVE_DAYS": "3"}) == ArchiveLimits(3, 20)
    with pytest.raises(CannotStart, match="FAIRMETER_ARCHIVE_GB is a whole number"):
        ArchiveLimits.of({"FAIRMETER_ARCHIVE_GB": "plenty"})


def test_the_archives_of_two_houses_are_told_apart_and_one_is_named(tmp_path: Path) -> None:
    """A copy that was restored for a trial has its server's number as well, and a name of its own."""
    names = []
    for data, hours in (("house", 5), ("trial", 1)):
        (tmp_path / data).mkdir()
        names.append(own_name(Places(tmp_path / data), "7"))
        based(next_folder(tmp_path, names[-1]), NOW - timedelta(hours=hours), A)
    assert own_name(Places(tmp_path / "house"), "7") == names[0] != names[1]
    with pytest.raises(CannotStart, match=r"holds the archives of 2 houses\. Name one with --archive") as refused:
        ways(tmp_path)
    assert all(str(tmp_path / name) in str(refused.value) for name in names)
    for given in (tmp_path / names[0], tmp_path / f"{names[0]}-001"):
        assert way_to(given, NOW).folder.path == tmp_path / f"{names[0]}-001"
    with pytest.raises(CannotStart, match="holds no base copy"):
        ways(tmp_path / "9")


@pytest.fixture
def folder(monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Under /tmp itself, so that root's PostgreSQL account can reach it."""
    monkeypatch.delenv("FAIRMETER_ARCHIVE", raising=False)
    made = Path(tempfile.mkdtemp(prefix="fairmeter archive "))
    made.chmod(0o711)
    yield made
    for name in ("lost", "new-0", "new-1"):
        shutil.rmtree((made / name / "postgres").resolve(), ignore_errors=True)
    shutil.rmtree(made, ignore_errors=True)


class Acknowledged:
    """A table in which each row was committed before the next one was said; what a client remembers of it."""

    def __init__(self, server: Server) -> None:
        self.server = server
        self.last = 0
        self.run("CREATE TABLE said (number int PRIMARY KEY)")

    def run(self, statement: str) -> None:
        with psycopg.connect(self.server.addresses.owner, autocommit=True) as connection:
            connection.execute(statement.encode())

    def say(self, count: int) -> datetime:
        """Returns a moment at which all of it was acknowledged and nothing later was said."""
        with psycopg.connect(self.server.addresses.owner, autocommit=True) as connection:
            for _ in range(count):
                self.last += 1
                connection.execute("INSERT INTO said VALUES (%s)", [self.last])
        time.sleep(0.01)
        moment = datetime.now(UTC)
        time.sleep(0.01)
        return moment


def read_in(server: Server) -> list[int]:
    server.ensure()
    with psycopg.connect(server.addresses.owner) as connection:
        rows = connection.execute("SELECT number FROM said ORDER BY 1").fetchall()
    return [number for (number,) in rows]


@dataclass(frozen=True)
class LostHouse:
    """An archive, and what clients were told before each of two moments."""

    root: Path
    moments: dict[datetime, int]
    health: str


@pytest.fixture
def lost_house(folder: Path, monkeypatch: pytest.MonkeyPatch) -> LostHouse:
    """Its receiver is killed between the two moments: the server keeps the log until the next one is there."""
    monkeypatch.setattr("launcher.archive.keeper.BETWEEN_LOOKS", 0.1)
    lost, root = Server(Places(folder / "lost")), folder / "lost" / "archive"
    lost.ensure()
    said = Acknowledged(lost)
    said.say(3)
    keeper = ArchiveKeeper(lost, root, ArchiveLimits(), settling=0)

    def reaches(moment: datetime) -> bool:
        keeper.turn()
        return keeper.folder is not None and (keeper.folder.reached or moment) > moment

    try:
        first = said.say(0)
        until(lambda: reaches(first) and keeper.folder is not None and keeper.folder.bases() != [])
        moment = said.say(40)
        assert keeper.receiver is not None
        keeper.receiver.kill()
        keeper.receiver.wait()
        later = said.say(20)
        until(lambda: reaches(later))
        said.say(5)
        (finding,) = archive(Installation(lost.places, lost, lost.addresses))
    finally:
        keeper.stop()
        lost.stop()
    return LostHouse(root, {moment: 43, later: 63}, str(finding))


def test_a_moment_comes_back_with_all_that_was_committed_before_it_and_nothing_later(
    folder: Path, lost_house: LostHouse
) -> None:
    assert lost_house.health.startswith("ok    archive      Every moment since")
    for number, (moment, count) in enumerate(lost_house.moments.items()):
        new = Server(Places(folder / f"new-{number}"))
        restore_to(new, lost_house.root, moment)
        assert is_unfinished(new.places), "until its tables are held nothing serves it"
        assert read_in(new) == list(range(1, count + 1))
        assert not comes_in_without(new.superuser_url)  # the doors that the replay opened are closed again
        new.stop()
        with pytest.raises(CannotStart, match="already holds books"):
            restore_to(new, lost_house.root, moment)


def test_what_the_archive_does_not_reach_leaves_nothing_behind(folder: Path, lost_house: LostHouse) -> None:
    new = Server(Places(folder / "new-0"))
    with pytest.raises(CannotStart, match=r"The archive ends before .* it is whole up to"):
        restore_to(new, lost_house.root, datetime.now(UTC) + timedelta(hours=1))
    with pytest.raises(CannotStart, match="The archive begins at"):
        restore_to(new, lost_house.root, NOW - timedelta(days=900))
    with pytest.raises(CannotStart, match="holds no base copy"):
        restore_to(new, folder / "elsewhere", None)
    assert list(new.places.server.resolve().iterdir()) == []
    restore_to(new, lost_house.root, None)
    assert read_in(new)[:63] == list(range(1, 64))
    new.stop()


def test_a_place_that_was_given_up_begins_another_log(folder: Path) -> None:
    server, root = Server(Places(folder / "lost")), folder / "archive"
    server.ensure()
    try:
        first = current_folder(server, root)
        assert current_folder(server, root) == first
        make_base(server, first)
        give_up(server)
        second = current_folder(server, root)
        assert (first.path.name[-3:], second.path.name[-3:]) == ("001", "002")
        with psycopg.connect(server.superuser_url) as connection:
            held = connection.execute("SELECT slot_name FROM pg_replication_slots").fetchall()
        assert held == [(SLOT,)]
        (finding,) = archive(Installation(server.places, server, server.addresses))
        assert str(finding).startswith("note  archive")
    finally:
        server.stop()
