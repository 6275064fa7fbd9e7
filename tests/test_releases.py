"""A house of every release comes to the shape of today: restored, migrated, and proven from the first cent."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Final

import psycopg
import pytest
from django.core.management import call_command
from django.core.management.commands import migrate

from config.connections import pointed_at
from jackpot.books.models.entry import Entry
from jackpot.wins.models import Win
from launcher.dumps import restore
from launcher.heads import heads_beside, last_entries, read_heads
from tables.floor.actions.restored import hold_restored
from tables.rounds.models.round import Round
from tables.rounds.queries.prove import prove
from tests.databases import TestServer

RELEASES: Final = Path(__file__).resolve().parent.parent / "releases"
KEPT: Final = sorted(RELEASES.glob("*.dump"))


def test_there_is_a_release_to_come_from() -> None:
    assert KEPT
    assert all(heads_beside(each).exists() for each in KEPT)


@pytest.fixture
def empty(test_server: TestServer) -> Iterator[str]:
    name = test_server.next_name()
    test_server.run("CREATE DATABASE {name} OWNER {owner}", name=name, owner=test_server.owner_role)
    yield name
    test_server.drop(name)


@pytest.mark.parametrize("kept", KEPT, ids=lambda kept: kept.stem)
def test_a_house_of_that_release_lives_on(
    kept: Path, empty: str, test_server: TestServer, django_db_blocker: pytest.FixtureRequest
) -> None:
    owner, app = test_server.url(test_server.owner, empty), test_server.url(test_server.app, empty)
    restore(owner, kept)
    with django_db_blocker.unblock():  # type: ignore[attr-defined]
        with pointed_at(owner):
            call_command(migrate.Command(), verbosity=0, interactive=False)
        with psycopg.connect(owner) as migrated:
            assert last_entries(migrated) == read_heads(heads_beside(kept))
        with pointed_at(app):
            verdict = prove()
            assert verdict.holds, [str(each) for each in verdict.findings.listed]
            assert min(Entry.objects.count(), Round.objects.count()) > 100
            assert Win.objects.filter(state="paid").exists()
        with pointed_at(owner):
            assert hold_restored() == 12
