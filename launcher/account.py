"""PostgreSQL refuses to run as root; then it runs as an account that is already there. None is ever made."""

from __future__ import annotations

import os
import pwd
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from launcher.sentences import CannotStart

CANDIDATES = ("postgres", "nobody")
HOME_OF_ROOTS_SERVER = Path("/var/lib/fairmeter")


@dataclass(frozen=True)
class ServerAccount:
    """Who runs PostgreSQL: `name` is None when it is ourselves."""

    name: str | None
    uid: int
    gid: int

    @property
    def popen(self) -> dict[str, Any]:
        """Where a child of this account starts: as itself, and in a folder it can certainly enter."""
        place: dict[str, Any] = {"cwd": "/"}
        if self.name is None:
            return place
        return place | {"user": self.uid, "group": self.gid, "extra_groups": []}

    def owns(self, path: Path) -> None:
        if self.name is not None:
            os.chown(path, self.uid, self.gid)

    def can(self, test: str, path: Path) -> bool:
        """Asks the system rather than reading mode bits: parents, mounts and access lists count too."""
        question = ["/bin/sh", "-c", f'test {test} "$0"', str(path)]
        return subprocess.run(question, check=False, capture_output=True, **self.popen).returncode == 0


def home_of_roots_server() -> Path:
    """Open to be passed through, whatever root's umask says."""
    home = HOME_OF_ROOTS_SERVER
    if not home.exists():
        home.mkdir(parents=True)
        home.chmod(0o755)
    return home


def server_account() -> ServerAccount:
    """Ourselves, or for root the first candidate that this machine knows."""
    if os.geteuid() != 0:
        return ServerAccount(None, os.geteuid(), os.getegid())
    for name in CANDIDATES:
        try:
            known = pwd.getpwnam(name)
        except KeyError:
            continue
        return ServerAccount(name, known.pw_uid, known.pw_gid)
    raise CannotStart(
        "PostgreSQL cannot run as root and this machine has neither the account `postgres` nor `nobody`. "
        "Start Fairmeter as a normal user, or set DATABASE_URL to a PostgreSQL of your own."
    )
