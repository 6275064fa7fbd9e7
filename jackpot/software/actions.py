"""The install log and the self-check: which program serves, and whether its files are still those that began to."""

from __future__ import annotations

import platform
from datetime import timedelta
from pathlib import Path
from typing import Final

from django.conf import settings
from django.db import connection, transaction

from jackpot.errands.rules import Rhythm
from jackpot.software.models import InstalledBuild
from jackpot.trail.actions.trail import record
from jackpot.trail.rules.objects import ObjectKind, ObjectRef
from launcher.build import build_of, differing, manifest, named

SELF_CHECK: Final = Rhythm("check the program", every=timedelta(days=1), alarm_after=timedelta(minutes=10))
SERVER: Final = "Server"
_ONE_AT_A_TIME: Final = 0x666D6275696C64  # the advisory lock of the install log


class FilesChanged(Exception):
    """The program's files are not those that began to serve; nobody installed what is there now."""


@transaction.atomic
def note_build(*, project: Path) -> InstalledBuild:
    """At a start: another build than the last one's is a line of the install log and of the trail."""
    # Nodes of one house may start at the same moment: one line for one program.
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_xact_lock(%s)", [_ONE_AT_A_TIME])
    files = manifest(project)
    build, last = build_of(files), InstalledBuild.objects.order_by("id").last()
    # The usual start: the program of the last one.
    if last is not None and last.build == build:
        return last
    changed = [] if last is None else differing(last.files, files)
    row = InstalledBuild.objects.create(
        program=settings.PROGRAM, build=build, before="" if last is None else last.build, host=platform.node()[:120],
        files=files, changed=changed,
    )  # fmt: skip
    details = {"build": build, "before": row.before, "files": len(files), "changed": len(changed)}
    record(actor=SERVER, act="install", about=ObjectRef(ObjectKind.BUILD, build[:12]), details=details)
    return row


def check_program(*, project: Path) -> None:
    """Once a day while it serves: a file that was changed under it is an alarm until the program is started anew."""
    last = InstalledBuild.objects.order_by("id").last()
    wrong = [] if last is None else differing(last.files, manifest(project))
    if wrong:
        raise FilesChanged(f"{len(wrong)} files are not those that began to serve: {named(wrong)}. Start it again.")
