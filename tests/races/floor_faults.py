"""Faults that a hurried hand could put into what is remembered of the floor: the walk must notice each."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import pytest

from tables.rounds.actions import round as round_acts
from tables.rounds.queries import floor_facts
from tables.rounds.queries.floor_facts import RememberedTable, RememberedTables
from tests.tampering import tamper

Plant = Callable[[pytest.MonkeyPatch], object]


def _stands(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(RememberedTable, "stands", lambda known, heads: True)


def _links(_: pytest.MonkeyPatch) -> None:
    tamper("ALTER TABLE tables_link DISABLE TRIGGER tables_link_counts")
    tamper("ALTER TABLE tables_furtherwager DISABLE TRIGGER tables_furtherwager_counts")
    tamper("ALTER TABLE tables_table DISABLE TRIGGER tables_table_counts")


def _duties(_: pytest.MonkeyPatch) -> None:
    tamper("ALTER TABLE tables_tableduty DISABLE TRIGGER tables_tableduty_counts")


def _numbers(patch: pytest.MonkeyPatch) -> None:
    nothing = "SELECT 0 FROM unnest(%s::bigint[], %s::bigint[]) AS sent(device_id, generation)"
    patch.setattr(round_acts, "SPENT", nothing)


def _open_rounds(patch: pytest.MonkeyPatch) -> None:
    plays = RememberedTable.plays

    def ended_at_once(known: RememberedTable, *played: Any) -> None:
        plays(known, *played)
        known.ended = True

    patch.setattr(RememberedTable, "plays", ended_at_once)


def _old_times(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(RememberedTable, "times", lambda known: known.facts.last_played)


def _old_secrets(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(floor_facts.SpeakingDevice, "newest", lambda device, generation: True)
    right = RememberedTables.recall

    def whoever_speaks(tables: Any, code: str, device_id: int, generation: Any, *of_the_round: Any) -> Any:
        known = tables._tables.get(code)
        if known is not None:
            device_id, generation = known.device_id, known.generation
        return right(tables, code, device_id, generation, *of_the_round)

    patch.setattr(RememberedTables, "recall", whoever_speaks)


FAULTS: Final[dict[str, Plant]] = {
    "what is remembered stands whatever changed": _stands,
    "a table that is changed is counted nowhere": _links,
    "a dealer who comes is counted nowhere": _duties,
    "a number that was spent is not asked": _numbers,
    "a round counts as ended when it begins": _open_rounds,
    "times of rounds are those of the last look": _old_times,
    "whoever speaks is who spoke before": _old_secrets,
}
