"""The laboratory asked from a command: in this process, with its progress on the terminal."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from functools import partial
from pathlib import Path
from typing import Any

from django.conf import settings

from config.management.progress import shown_on
from tables.calculation.sums import calculate
from tables.calculation.turns import turn


def calculated(questions: Iterable[Mapping[str, Any]], stream: Any) -> list[dict[str, Any]]:
    """Every answer in turn; what costs more than a second is kept for whoever asks next."""
    folder = Path(settings.DATA_DIR) / "games"
    answers = []
    with shown_on(stream) as told:
        for question in questions:

            def progress(part: float) -> None:
                if told:
                    told("Calculating", int(part * 100), 100)

            with turn(folder, json.dumps(question, sort_keys=True), progress) as inner:
                answers.append(partial(calculate, question, folder, inner)())
    return answers
