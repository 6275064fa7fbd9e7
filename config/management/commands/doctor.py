"""Looks at everything an installation needs and says in plain words what is wrong."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from typing import Any

import psycopg
from django.conf import settings
from django.core.management.base import BaseCommand, CommandParser
from django.db import connection
from django.db.migrations.executor import MigrationExecutor

from jackpot.people.actions.directory import check_directory
from jackpot.refusals import Refused
from launcher import doctor
from launcher.archive.health import archive
from launcher.doctor import HealthFinding
from launcher.identity import other_shape
from launcher.installation import Installation
from launcher.places import Places
from launcher.sentences import CannotStart


class Command(BaseCommand):
    help = "Look at environment, data, disk, database, worker, port and browser, and say what is wrong."
    # It has to speak where a failing check would keep every other command silent.
    requires_system_checks = []

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--port", type=int, default=8000)

    def handle(self, *args: Any, **options: Any) -> None:
        findings = []
        for finding in examined(Places(settings.DATA_DIR), options["port"]):
            # As it is found: where a look takes long, one sees which it is.
            self.stdout.write(str(finding))
            findings.append(finding)
        if any(finding.well is False for finding in findings):
            self.stdout.write("\nSomething needs care: see the lines marked BAD.")
            # For whoever asks from a script.
            sys.exit(1)
        self.stdout.write("\nAll is well.")


def examined(places: Places, port: int) -> Iterator[HealthFinding]:
    yield doctor.environment(settings.BASE_DIR, os.environ)
    yield doctor.program(settings.BASE_DIR)
    yield doctor.data_folder(places)
    yield doctor.key_file(places, os.environ)
    yield doctor.disk(places)
    yield doctor.broker(os.environ)
    yield doctor.port(port)
    yield doctor.browser(os.environ)
    yield from directory()
    yield from in_the_database(places)


def directory() -> Iterator[HealthFinding]:
    """Of a house that signs people in through one; the passwords here open meanwhile."""
    if not settings.DIRECTORY_ISSUER:
        return
    try:
        check_directory()
    except Refused as refused:
        yield HealthFinding(False, "directory", refused.why)
    else:
        yield HealthFinding(True, "directory", f"{settings.DIRECTORY_ISSUER} answers, and its keys can be read.")


def in_the_database(places: Places) -> Iterator[HealthFinding]:
    """Starts our PostgreSQL for as long as it is looked at, if it is not running."""
    installation = Installation.found(places, os.environ)
    if installation.server and not places.server.exists():
        yield HealthFinding(None, "database", "Not made yet; the first `up` makes it.")
        return
    try:
        with installation.running():
            yield from doctor.database(installation)
            yield from archive(installation)
            yield migrations(installation)
    except CannotStart as sentence:
        yield HealthFinding(False, "database", str(sentence))


def migrations(installation: Installation) -> HealthFinding:
    """Some to come are the next start's work; some that this program does not know stop it."""
    with psycopg.connect(installation.addresses.app) as books:
        other = other_shape(books, settings.BASE_DIR)
    if other is not None:
        return HealthFinding(False, "migrations", other)
    executor = MigrationExecutor(connection)
    plan = executor.migration_plan(executor.loader.graph.leaf_nodes())
    if not plan:
        return HealthFinding(True, "migrations", "All are applied.")
    return HealthFinding(None, "migrations", f"{len(plan)} are not applied yet; the next `up` applies them.")
