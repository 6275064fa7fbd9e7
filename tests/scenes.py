"""A scene played once for a module, and restored after every test that changes it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from django.db import transaction

from config.connections import pointed_at
from tests.databases import TestServer


@contextmanager
def played(server: TestServer, blocker: Any, play: Callable[[], object]) -> Iterator[str]:
    """A database of its own in which the scene has been played; yields its name."""
    name = server.clone(server.next_name())
    with blocker.unblock(), pointed_at(server.url(server.app, name)):
        play()
    yield name
    server.drop(name)


@contextmanager
def changed_and_restored(server: TestServer, blocker: Any, scene: str) -> Iterator[None]:
    """Django as superuser in a played scene; whatever a test does to it, guards included, is rolled back."""
    with blocker.unblock(), pointed_at(server.url(server.admin, scene)), transaction.atomic():
        yield
        transaction.set_rollback(True)
