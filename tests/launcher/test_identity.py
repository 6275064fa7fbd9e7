"""A node with another key file, a newer shape of the database or a second timetable: what does not start, and why."""

from __future__ import annotations

from importlib import import_module
from io import StringIO
from pathlib import Path
from typing import Any

import psycopg
import pytest
from django.core.management import call_command

from config.timekeeper import Turn
from jackpot.property.models.key_mark import KeyMark
from jackpot.trail.models import Trail
from launcher.identity import other_key, refuse_other_key, refuse_other_shape
from launcher.places import make_key_file
from launcher.sentences import CannotStart
from tests.builders import a_casino
from tests.controller import secret_for
from tests.patience import until

PROJECT = Path(__file__).resolve().parents[2]


@pytest.fixture
def two_keys(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[Path, Path]:
    monkeypatch.delenv("FAIRMETER_KEY_FILE", raising=False)
    ours, theirs = tmp_path / "ours", tmp_path / "theirs"
    for folder in (ours, theirs):
        folder.mkdir()
        make_key_file(folder)
    return ours, theirs


def test_the_first_key_leaves_its_mark_and_another_one_starts_nothing(
    fresh_database: str, two_keys: tuple[Path, Path]
) -> None:
    ours, theirs = two_keys
    for _ in range(2):
        refuse_other_key(fresh_database, ours)
    with pytest.raises(CannotStart, match=r"another key file .* Copy the house's fairmeter\.key"):
        refuse_other_key(fresh_database, theirs)
    with psycopg.connect(fresh_database) as line:
        assert other_key(line, ours) is None
        assert "another key file" in (other_key(line, theirs) or "")


def test_a_lost_key_is_replaced_with_a_reason_and_every_device_waits(fresh_database: str) -> None:
    casino = a_casino(tables=2)
    for device in casino.controllers:
        secret_for(device)
    KeyMark.objects.create(id=1, mark="another")
    call_command("adopt_key", "--why", "the safe burnt", stdout=StringIO())
    assert KeyMark.objects.get().mark != "another"
    casino.controller.refresh_from_db()
    assert (casino.controller.state, casino.controller.secret) == ("waiting", None)
    line = Trail.objects.get(act="adopt_key")
    assert (line.why, line.details["devices"]) == ("the safe burnt", 2)


def test_a_database_of_a_newer_program_is_left_alone(fresh_database: str, test_server: Any) -> None:
    refuse_other_shape(fresh_database, PROJECT)
    name = fresh_database.rpartition("/")[2].partition("?")[0]
    with psycopg.connect(test_server.url(test_server.owner, name)) as owner:
        owner.execute("INSERT INTO django_migrations (app, name, applied) VALUES ('jackpot', '9999_next', now())")
    with pytest.raises(CannotStart, match=r"newer Fairmeter .*jackpot\.9999_next"):
        refuse_other_shape(fresh_database, PROJECT)


def test_a_house_goes_on_from_all_that_became_one_migration_or_from_none(
    fresh_database: str, test_server: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    name = fresh_database.rpartition("/")[2].partition("?")[0]
    first = import_module("jackpot.migrations.0001_version_0_1").REPLACED
    with psycopg.connect(test_server.url(test_server.owner, name), autocommit=True) as owner:
        owner.execute("DELETE FROM django_migrations WHERE name = '0001_version_0_1'")
        refuse_other_shape(fresh_database, PROJECT)
        owner.execute("DELETE FROM django_migrations WHERE app = 'jackpot' AND name = %s", [first[-1]])
    with pytest.raises(CannotStart, match=rf"between two shapes \(jackpot\.{first[-1]} was not applied\)"):
        refuse_other_shape(fresh_database, PROJECT)
    monkeypatch.setenv("DATABASE_OWNER_URL", test_server.url(test_server.owner, name))
    with pytest.raises(CannotStart, match="between two shapes"):
        call_command("migrate", verbosity=0)


def test_one_keeps_the_timetable_and_another_takes_over(fresh_database: str, caplog: pytest.LogCaptureFixture) -> None:
    first, second = Turn(), Turn()
    assert first.is_ours()
    assert first.is_ours()
    assert not second.is_ours()
    assert not second.is_ours()
    assert caplog.text.count("stands by") == 1
    first.give_up()
    assert until(second.is_ours)
    assert not first.is_ours()
    for turn in (first, second):
        turn.give_up()


def test_a_turn_ends_with_its_line(fresh_database: str, test_server: Any) -> None:
    keeper, other = Turn(), Turn()
    assert keeper.is_ours()
    ends = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'fairmeter timekeeper'"
    test_server.run(ends)
    assert not keeper.is_ours()
    assert until(other.is_ours)
    other.give_up()
    keeper.give_up()
