"""Every command's way to Django: a trouble on it is one sentence."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from launcher.front import _for_tests, shared_out, workers

PROJECT = Path(__file__).resolve().parents[2]


@pytest.mark.parametrize("command", [("load_casino", "accounting/house_file/casinos/emerald.toml"), ("prove",)])
def test_a_database_without_tables_is_a_sentence_with_its_cure(command: tuple[str, ...]) -> None:
    with tempfile.TemporaryDirectory(prefix="fairmeter front ") as folder:
        Path(folder).chmod(0o711)  # root's PostgreSQL account must reach it
        of_its_own = ("DATABASE_URL", "DATABASE_OWNER_URL", "DATABASE_ADMIN_URL")
        environ = {name: value for name, value in os.environ.items() if name not in of_its_own}
        said = subprocess.run(
            [sys.executable, "manage.py", *command], cwd=PROJECT, capture_output=True, text=True, check=False,
            timeout=120, env=environ | {"FAIRMETER_DATA": f"{folder}/data"},
        )  # fmt: skip
    assert said.returncode == 1
    assert "python3 manage.py migrate" in said.stderr
    assert "Traceback" not in said.stderr


@pytest.mark.parametrize(
    ("said", "heard"),
    [
        ((), ["-n", "3"]),
        (("-q",), ["-n", "3", "-q"]),
        (("-n", "4"), ["-n", "4"]),
        (("-n0",), ["-n0"]),
        (("tests/jackpot",), ["tests/jackpot"]),
        (("--pdb",), ["--pdb"]),
        (("--version",), ["--version"]),
    ],
)
def test_the_whole_run_is_shared_by_workers_and_nothing_else_is(
    said: tuple[str, ...], heard: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("os.cpu_count", lambda: 2)
    assert shared_out(said) == heard


@pytest.mark.parametrize(("processors", "many"), [(None, 2), (1, 2), (2, 3), (64, 4)])
def test_there_is_one_worker_more_than_processors(
    processors: int | None, many: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("os.cpu_count", lambda: processors)
    assert workers() == many


def test_a_clean_tree_costs_the_tests_no_compiled_modules(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("PYTHONPYCACHEPREFIX", raising=False)
    monkeypatch.setenv("PYTHONDONTWRITEBYTECODE", "1")
    wanted = _for_tests()
    assert "PYTHONDONTWRITEBYTECODE" not in wanted
    assert Path(wanted["PYTHONPYCACHEPREFIX"]).is_relative_to(sys.prefix)
    monkeypatch.delenv("PYTHONDONTWRITEBYTECODE")
    assert "PYTHONPYCACHEPREFIX" not in _for_tests(), "whoever did not ask for one finds them where Python keeps them"
