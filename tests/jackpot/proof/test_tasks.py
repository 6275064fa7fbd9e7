from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from config.celery import TIMETABLE
from jackpot.proof.actions.heads import heads_path
from jackpot.proof.tasks import publish_heads
from tests.builders import a_jackpot


@pytest.mark.django_db
def test_the_heads_are_published_by_the_timetable_and_may_be_twice(settings: Any, tmp_path: Path) -> None:
    settings.DATA_DIR = tmp_path
    a_jackpot("GRAND")
    assert publish_heads.name in {entry["task"] for entry in TIMETABLE.values()}
    publish_heads()
    publish_heads()
    assert len(heads_path().read_text().splitlines()) == 1
