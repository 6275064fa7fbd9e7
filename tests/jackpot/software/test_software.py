"""The install log, and the check that what serves is still what began to."""

from __future__ import annotations

from pathlib import Path

import pytest
from django.db import DatabaseError, transaction

from jackpot.errands import actions as errands
from jackpot.errands.models import Errand
from jackpot.software.actions import SELF_CHECK, FilesChanged, check_program, note_build
from jackpot.software.models import InstalledBuild
from jackpot.software.queries import build_serving
from jackpot.trail.models import Trail

pytestmark = pytest.mark.django_db


@pytest.fixture
def program(tmp_path: Path) -> Path:
    (tmp_path / "jackpot").mkdir()
    (tmp_path / "manage.py").write_text("one")
    (tmp_path / "jackpot" / "money.py").write_text("two")
    return tmp_path


def test_another_build_is_a_line_of_the_log_and_the_same_one_is_none(program: Path) -> None:
    first = note_build(project=program)
    assert note_build(project=program) == first
    (program / "jackpot" / "money.py").write_text("three")
    (program / "jackpot" / "more.py").write_text("four")
    second = note_build(project=program)
    assert (second.before, second.changed) == (first.build, ["jackpot/money.py", "jackpot/more.py"])
    assert InstalledBuild.objects.count() == 2
    assert build_serving() == second.build[:12]
    told = [row.details for row in Trail.objects.filter(act="install").order_by("id")]
    assert [(row["before"], row["files"], row["changed"]) for row in told] == [("", 2, 0), (first.build, 3, 2)]


def test_a_file_changed_under_a_program_that_serves_is_an_alarm(program: Path) -> None:
    check_program(project=program)  # nothing was ever noted: nothing to compare with
    note_build(project=program)
    check_program(project=program)
    (program / "manage.py").write_text("another")
    with pytest.raises(FilesChanged, match=r"1 files are not those that began to serve: manage\.py"):
        check_program(project=program)
    errands.put_up([SELF_CHECK])
    assert not errands.do_errand(code=SELF_CHECK.code, work=lambda: check_program(project=program))
    assert "manage.py" in Errand.objects.get(code=SELF_CHECK.code).last_error


def test_the_log_is_added_to_and_never_changed(program: Path) -> None:
    note_build(project=program)
    for change in (
        lambda: InstalledBuild.objects.update(program="other"),
        lambda: InstalledBuild.objects.all().delete(),
    ):
        with pytest.raises(DatabaseError), transaction.atomic():
            change()
