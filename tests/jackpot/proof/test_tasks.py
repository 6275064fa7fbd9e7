from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from jackpot.errands import actions as errands
from jackpot.errands.models import Errand
from jackpot.proof.queries.heads import heads_path
from jackpot.proof.tasks import HEADS, heads_are_due, publish_heads
from tests.builders import a_jackpot


@pytest.mark.django_db
def test_the_heads_are_published_when_due_and_may_be_twice(settings: Any, tmp_path: Path) -> None:
    settings.DATA_DIR = tmp_path
    a_jackpot("GRAND")
    errands.put_up([HEADS])
    assert heads_are_due()
    publish_heads()
    assert not heads_are_due()
    publish_heads()
    assert len(heads_path().read_text().splitlines()) == 1
    errand = Errand.objects.get()
    assert (errand.due_at - errand.done_at, errand.tries) == (HEADS.every, 0)
