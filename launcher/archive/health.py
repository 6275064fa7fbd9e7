"""What may be wrong with the archive, and how far back one can go."""

from __future__ import annotations

import os
from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import Final

import psycopg

from launcher.archive.copies import SLOT
from launcher.archive.folder import ELSEWHERE, ArchiveFolder, archive_root, folders, own_name
from launcher.archive.moment import in_utc
from launcher.doctor import HealthFinding
from launcher.installation import Installation

ABOUT: Final = "archive"
BEHIND: Final = timedelta(minutes=5)
_SLOT: Final = """
SELECT (SELECT system_identifier::text FROM pg_control_system()), wal_status, active,
       pg_wal_lsn_diff(pg_current_wal_flush_lsn(), restart_lsn)::bigint, clock_timestamp()
  FROM pg_replication_slots WHERE slot_name = %s
"""


def archive(installation: Installation) -> Iterator[HealthFinding]:
    """Of our own server only, which must run; somebody else's has its own tool."""
    if installation.server is None:
        return
    root = archive_root(installation.places, os.environ)
    if root is None:
        yield HealthFinding(None, ABOUT, f"{ELSEWHERE} is `no`: after a loss there is the last backup and no more.")
        return
    with psycopg.connect(installation.addresses.app) as connection:
        row = connection.execute(_SLOT, [SLOT]).fetchone()
    found = folders(root, f"{own_name(installation.places, row[0])}-") if row is not None and root.is_dir() else []
    if row is None or not found:
        yield HealthFinding(None, ABOUT, f"None yet; `up` begins it in {root}.")
        return
    yield _judged(found[-1], *row[1:])


def _judged(folder: ArchiveFolder, status: str, active: bool, behind: int, now: datetime) -> HealthFinding:
    bases, gap = folder.bases(), folder.gap()
    if status == "lost":
        why = "The server could not keep its log any longer for an archive that took nothing."
        return HealthFinding(False, ABOUT, f"{why} Make room in {folder.path.parent}; `up` then begins anew.")
    if gap is not None:
        cure = "Make a new base: python3 manage.py backup"
        return HealthFinding(False, ABOUT, f"{gap} is missing in {folder.path}; later moments are lost. {cure}")
    if not bases:
        cure = "A minute after `up` there is one, or: python3 manage.py backup"
        return HealthFinding(None, ABOUT, f"No base copy yet, so no moment to go back to. {cure}")
    reach = folder.reached
    words = f"Every moment since {in_utc(bases[0].ended)}, up to {in_utc(reach) if reach else 'an unknown one'}"
    late = reach is None or now - reach > BEHIND
    copies = "1 base copy" if len(bases) == 1 else f"{len(bases)} base copies"
    if active and behind and late:
        return HealthFinding(False, ABOUT, f"{words}; {behind:,} bytes wait. Is there room? See archive.log.")
    if not active and behind:
        return HealthFinding(None, ABOUT, f"{words}; {behind:,} bytes follow when the house runs.")
    return HealthFinding(True, ABOUT, f"{words}; {copies} in {folder.path}.")
