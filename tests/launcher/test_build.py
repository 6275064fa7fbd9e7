"""Which program is installed: a digest for each file, one for all, and a list that it is held against."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from launcher.build import LIST, NotAsListed, build_of, differing, listed, manifest, read_list, refuse_unlisted
from launcher.sentences import CannotStart
from launcher.up import refuse_another_program


@pytest.fixture
def program(tmp_path: Path) -> Path:
    for name in ("manage.py", "jackpot/money.py", "templates/base.html", "jackpot/__pycache__/money.pyc", "data/file"):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"# {name}\n")
    return tmp_path


def test_every_file_of_the_program_is_in_it_and_nothing_that_a_start_makes(program: Path) -> None:
    assert sorted(manifest(program)) == ["jackpot/money.py", "manage.py", "templates/base.html"]


def test_the_list_is_the_one_that_sha256sum_checks(program: Path) -> None:
    (program / LIST).write_text(listed(manifest(program)))
    subprocess.run(["sha256sum", "--check", "--status", LIST], cwd=program, check=True)
    assert read_list((program / LIST).read_text()) == manifest(program)


def test_one_changed_byte_is_another_build_and_is_named(program: Path) -> None:
    before = manifest(program)
    (program / "jackpot" / "money.py").write_text("# jackpot/money.pz\n")
    after = manifest(program)
    assert build_of(before) != build_of(after)
    assert differing(before, after) == ["jackpot/money.py"]


def test_without_a_list_a_program_starts_and_beside_one_only_as_it_says(program: Path) -> None:
    refuse_unlisted(program)
    (program / LIST).write_text(listed(manifest(program)))
    refuse_unlisted(program)
    (program / "templates" / "base.html").unlink()
    (program / "jackpot" / "more.py").write_text("")
    with pytest.raises(
        NotAsListed, match=r"names: jackpot/more.py, templates/base.html\. Install the listed one again"
    ):
        refuse_unlisted(program)
    with pytest.raises(CannotStart, match=LIST):
        refuse_another_program(program)


@pytest.mark.parametrize("line", ["", "abc  manage.py", f"{'0' * 64} manage.py", f"{'0' * 64}  "])
def test_a_list_that_cannot_be_read_starts_nothing(program: Path, line: str) -> None:
    (program / LIST).write_text(f"{listed(manifest(program))}{line}\n")
    with pytest.raises(NotAsListed, match=r"line 4 is no digest with a path"):
        refuse_unlisted(program)
