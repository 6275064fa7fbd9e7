"""Keeps one throw-away PostgreSQL for a test run, and ends it when the run ends, however the run ends.

python tests/keeper.py FOLDER PID
"""

from __future__ import annotations

import json
import os
import shutil
import signal
import sys
import time
from pathlib import Path

PROJECT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(PROJECT))

from launcher.cluster import ClusterProfile  # noqa: E402  the project is not installed, only found
from launcher.places import Places  # noqa: E402
from launcher.postgres import Server  # noqa: E402

READY = "server-ready"


def lives(pid: int) -> bool:
    """A run that ended but was not collected by its parent is over too."""
    try:
        os.kill(pid, 0)
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except ProcessLookupError:
        return False
    except FileNotFoundError:
        return not Path("/proc/self").exists()
    return state != "Z"


def keep(folder: Path, pid: int) -> None:
    asked_to_stop: list[int] = []
    signal.signal(signal.SIGTERM, lambda number, _: asked_to_stop.append(number))
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    server = Server(Places(folder / "data"), ClusterProfile.FLEETING)
    try:
        server.ensure()
        draft = folder / f"{READY}.draft"
        addresses = {"admin": server.superuser_url, "app": server.addresses.app, "owner": server.addresses.owner}
        addresses["worker"] = server.addresses.worker
        draft.write_text(json.dumps(addresses))
        draft.rename(folder / READY)
        while not asked_to_stop and lives(pid) and server.died() is None:
            time.sleep(0.2)
    finally:
        server.stop()
        shutil.rmtree((folder / "data" / "postgres").resolve(), ignore_errors=True)
        shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    keep(Path(sys.argv[1]), int(sys.argv[2]))
