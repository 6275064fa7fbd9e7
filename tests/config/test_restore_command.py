"""What `restore` refuses before it touches anything."""

from __future__ import annotations

from pathlib import Path

import pytest
from django.core.management import CommandError, call_command


def test_either_a_file_or_a_moment(tmp_path: Path) -> None:
    for given in ([], [str(tmp_path / "b.dump"), "--to", "latest"]):
        with pytest.raises(CommandError, match="either the file of a backup or a moment"):
            call_command("restore", *given)


def test_a_moment_of_somebody_elses_server_is_its_own_tools_affair(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DATABASE_URL", "postgresql://app@db.example/fairmeter")
    with pytest.raises(CommandError, match="its log is kept by a tool of its own"):
        call_command("restore", "--to", "latest")


def test_the_archive_has_to_be_named(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv("DATABASE_URL", raising=False)
    monkeypatch.delenv("FAIRMETER_ARCHIVE", raising=False)
    with pytest.raises(CommandError, match="Which archive"):
        call_command("restore", "--to", "latest")
    with pytest.raises(CommandError, match="holds no base copy"):
        call_command("restore", "--to", "2026-11-19 03:12", "--archive", str(tmp_path))
