"""Books that a test may damage: each module plays its `scene` once, each test finds it as it was played."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests import databases
from tests.scenes import changed_and_restored


@pytest.fixture
def books(
    scene: str, test_server: databases.TestServer, django_db_blocker: Any, settings: Any, tmp_path: Path
) -> Iterator[None]:
    settings.DATA_DIR = tmp_path
    with changed_and_restored(test_server, django_db_blocker, scene):
        yield
