"""The environment is made once, found again, and made anew when something cut it short. pip is the only fake."""

from __future__ import annotations

import json
import stat
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from launcher import environment as subject
from launcher.environment import Environment, environment_of, holds, pins, python_to_go_on_with
from launcher.sentences import CannotStart
from tests.patience import PATIENCE

LIST = "django==5.2.19 \\\n    --hash=sha256:aa\nuvloop==0.23.0 ; sys_platform != 'win32' \\\n    --hash=sha256:bb\n"


class Pip:
    """Stands in for the installer: leaves a Python behind, and counts."""

    def __init__(self) -> None:
        self.runs = 0
        self.saw_new: list[bool] = []
        self.then: Callable[[], None] = lambda: None

    def install(self, folder: Path, python: Path, lists: list[Path], *, is_new: bool, lock: int) -> None:
        self.runs += 1
        self.saw_new.append(is_new)
        python.parent.mkdir(parents=True, exist_ok=True)
        python.write_text("#!/bin/sh\n")
        python.chmod(python.stat().st_mode | stat.S_IXUSR)
        (folder / "pyvenv.cfg").touch()
        self.then()


@pytest.fixture
def pip(monkeypatch: pytest.MonkeyPatch) -> Pip:
    fake = Pip()
    monkeypatch.setattr(subject, "install", fake.install)
    monkeypatch.setattr(subject, "holds", lambda lists: False)
    return fake


@pytest.fixture
def project(tmp_path: Path) -> Path:
    folder = tmp_path / "a project with spaces"
    folder.mkdir()
    (folder / "requirements.txt").write_text(LIST)
    (folder / "requirements-dev.txt").write_text("pytest==9.0.0\n")
    return folder


def of(project: Path, *, for_tests: bool = False, **environ: str) -> Environment:
    return environment_of(project, environ, for_tests=for_tests)


def test_the_first_start_makes_an_environment_in_the_project(project: Path, pip: Pip) -> None:
    python = python_to_go_on_with(of(project))
    assert python == project / ".venv" / "bin" / "python"
    assert pip.saw_new == [True]


def test_the_second_start_skips_pip(project: Path, pip: Pip) -> None:
    python_to_go_on_with(of(project))
    python_to_go_on_with(of(project))
    assert pip.runs == 1


def test_another_locked_list_brings_pip_back_to_the_same_environment(project: Path, pip: Pip) -> None:
    python_to_go_on_with(of(project))
    (project / "requirements.txt").write_text(LIST + "orjson==3.11.0\n")
    python_to_go_on_with(of(project))
    assert pip.saw_new == [True, False]


def test_test_tools_are_added_once_and_serve_up_as_well(project: Path, pip: Pip) -> None:
    python_to_go_on_with(of(project))
    python_to_go_on_with(of(project, for_tests=True))
    python_to_go_on_with(of(project))
    assert pip.runs == 2


def test_an_installation_that_was_killed_is_made_anew(project: Path, pip: Pip) -> None:
    rubble = project / ".venv" / "lib" / "half-a-package"
    rubble.parent.mkdir(parents=True)
    rubble.touch()
    (project / ".venv" / subject.UNFINISHED).touch()
    python_to_go_on_with(of(project))
    assert pip.saw_new == [True]
    assert not rubble.exists()


def test_an_environment_whose_python_has_vanished_is_made_anew(project: Path, pip: Pip) -> None:
    python_to_go_on_with(of(project))
    (project / ".venv" / "bin" / "python").unlink()
    python_to_go_on_with(of(project))
    assert pip.saw_new == [True, True]


def test_an_interrupted_pip_leaves_the_mark_that_tells_the_next_start(project: Path, pip: Pip) -> None:
    pip.then = lambda: (_ for _ in ()).throw(KeyboardInterrupt)
    with pytest.raises(KeyboardInterrupt):
        python_to_go_on_with(of(project))
    assert (project / ".venv" / subject.UNFINISHED).exists()
    assert not of(project).ready()


def test_a_folder_that_is_no_environment_is_never_removed(project: Path, pip: Pip) -> None:
    (project / ".venv").mkdir()
    (project / ".venv" / "thesis.txt").write_text("years of work")
    with pytest.raises(CannotStart, match="not a Python environment"):
        python_to_go_on_with(of(project))
    assert (project / ".venv" / "thesis.txt").exists()


def test_two_starters_install_once(project: Path, pip: Pip) -> None:
    at_work, go_on = threading.Event(), threading.Event()
    pip.then = lambda: (at_work.set(), go_on.wait(PATIENCE), None)[2]
    first = threading.Thread(target=python_to_go_on_with, args=[of(project)])
    second = threading.Thread(target=python_to_go_on_with, args=[of(project)])
    first.start()
    assert at_work.wait(PATIENCE)
    second.start()
    go_on.set()
    first.join(PATIENCE)
    second.join(PATIENCE)
    assert pip.runs == 1


def test_a_python_that_already_has_everything_makes_no_other(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(subject, "holds", lambda lists: True)
    assert python_to_go_on_with(of(project)) is None
    assert not (project / ".venv").exists()


def test_the_environment_may_lie_elsewhere(project: Path, pip: Pip, tmp_path: Path) -> None:
    python = python_to_go_on_with(of(project, FAIRMETER_ENVIRONMENT=str(tmp_path / "ci")))
    assert python == tmp_path / "ci" / "bin" / "python"


def test_without_write_permission_the_sentence_names_the_folder_and_the_cure(
    project: Path, pip: Pip, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(self: Path, *args: object, **options: object) -> None:
        raise PermissionError(13, "Permission denied", str(self))

    environment = of(project)
    monkeypatch.setattr(Path, "mkdir", refuse)
    with pytest.raises(CannotStart, match=r"\.venv.*FAIRMETER_ENVIRONMENT"):
        python_to_go_on_with(environment)


def test_a_stamp_that_cannot_be_read_counts_as_none(project: Path, pip: Pip) -> None:
    python_to_go_on_with(of(project))
    (project / ".venv" / subject.STAMP).write_text('["half a st')
    python_to_go_on_with(of(project))
    assert pip.runs == 2


def test_the_stamp_names_this_python_and_the_digest_of_each_list(project: Path, pip: Pip) -> None:
    python_to_go_on_with(of(project, for_tests=True))
    stamp = json.loads((project / ".venv" / subject.STAMP).read_text())
    assert set(stamp) == {"python", "requirements.txt", "requirements-dev.txt"}


def test_pins_are_read_with_their_markers() -> None:
    django, uvloop = pins(LIST)
    assert (django.name, django.versions, django.on_some_machines) == ("django", {"5.2.19"}, False)
    assert (uvloop.name, uvloop.versions, uvloop.on_some_machines) == ("uvloop", {"0.23.0"}, True)


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("no-such-package-anywhere==1.0", False),
        ("no-such-package-anywhere==1.0 ; sys_platform == 'win32'", True),
        ("pytest==0.0.1", False),
    ],
)
def test_a_package_counts_as_held_only_in_its_pinned_version(tmp_path: Path, line: str, expected: bool) -> None:
    path = tmp_path / "requirements.txt"
    path.write_text(line + "\n")
    assert holds([path]) is expected


def test_pip_keeps_the_users_mirror_but_not_what_would_install_elsewhere(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PIP_INDEX_URL", "https://mirror.example/simple")
    monkeypatch.setenv("PIP_TARGET", "/somewhere/else")
    environ = subject.pip_environment()
    assert environ["PIP_INDEX_URL"] == "https://mirror.example/simple"
    assert "PIP_TARGET" not in environ
    assert environ["PIP_USER"] == "0"
