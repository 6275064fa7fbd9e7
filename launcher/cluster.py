"""A cluster of PostgreSQL: made once, whole or not at all, with our settings written into it."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Mapping
from enum import Enum
from pathlib import Path

from launcher.account import ServerAccount
from launcher.binaries import Binaries
from launcher.sentences import CannotStart

SUPERUSER = "postgres"
MEGABYTE = 1024 * 1024


class ClusterProfile(Enum):
    """What a power cut may cost."""

    DURABLE = "nothing that was acknowledged"
    FLEETING = "everything: for tests"


COMMON = {
    "max_connections": "100",
    "max_wal_size": "2GB",
    "min_wal_size": "128MB",
    "wal_compression": "on",
    "checkpoint_timeout": "10min",
    "jit": "off",
    "timezone": "UTC",
    "log_timezone": "UTC",
    "log_line_prefix": "%m [%p] %u ",
    "unix_socket_permissions": "0700",
    "password_encryption": "scram-sha-256",
}
BY_PROFILE = {
    ClusterProfile.DURABLE: {"fsync": "on", "full_page_writes": "on", "synchronous_commit": "on"},
    ClusterProfile.FLEETING: {
        "fsync": "off",
        "full_page_writes": "off",
        "wal_compression": "off",
        "max_wal_size": "512MB",
        "autovacuum_naptime": "5min",
    },
}


def shared_buffers(memory: int) -> int:
    """An eighth of the machine's memory in megabytes, but 64 at least and 1024 at most."""
    return min(max(memory // MEGABYTE // 8, 64), 1024)


def memory_here() -> int:
    """The machine's memory, or the container's share of it."""
    machine = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    try:
        share = Path("/sys/fs/cgroup/memory.max").read_text().strip()
    except OSError:
        return machine
    return min(machine, int(share)) if share.isdigit() else machine


def settings_of(profile: ClusterProfile, memory: int) -> dict[str, str]:
    return COMMON | {"shared_buffers": f"{shared_buffers(memory)}MB"} | BY_PROFILE[profile]


def clean_environment(environ: Mapping[str, str]) -> dict[str, str]:
    """Without libpq's variables: someone's PGPORT or PGOPTIONS is not meant for our private server."""
    return {name: value for name, value in environ.items() if not name.startswith("PG")} | {"LC_ALL": "C"}


def cluster_in(folder: Path, binaries: Binaries, account: ServerAccount, profile: ClusterProfile) -> Path:
    """The cluster of this folder, made if it is not there yet."""
    cluster = folder / "cluster"
    if not cluster.exists():
        draft = folder / "cluster.unfinished"
        shutil.rmtree(draft, ignore_errors=True)
        _initdb(draft, binaries, account, profile)
        draft.rename(cluster)
    _assert_same_major(cluster, binaries)
    return cluster


def _initdb(draft: Path, binaries: Binaries, account: ServerAccount, profile: ClusterProfile) -> None:
    command = [
        binaries.program("initdb"),
        *("--pgdata", str(draft), "--username", SUPERUSER, "--auth=trust", "--data-checksums", "--no-instructions"),
        *("--encoding=UTF8", "--locale=C", "--locale-provider=builtin", "--builtin-locale=C.UTF-8"),
    ]
    for name, value in settings_of(profile, memory_here()).items():
        command += ["--set", f"{name}={value}"]
    if profile is ClusterProfile.FLEETING:
        command.append("--no-sync")
    made = subprocess.run(
        command, check=False, capture_output=True, text=True, env=clean_environment(os.environ), **account.popen
    )
    if made.returncode != 0:
        raise CannotStart(f"PostgreSQL could not make its folder {draft}: {_last_words(made.stderr)}")


def _last_words(output: str) -> str:
    lines = [line for line in output.strip().splitlines() if line.startswith("initdb: ")]
    return " ".join(lines or output.strip().splitlines()[-2:]) or "it gave no reason"


def _assert_same_major(cluster: Path, binaries: Binaries) -> None:
    major = int((cluster / "PG_VERSION").read_text())
    if major != binaries.major:
        raise CannotStart(
            f"The books in {cluster} were written by PostgreSQL {major}; this environment brings {binaries.major}. "
            "Back up with the version that wrote them, then restore into a new data folder (docs/operations.md)."
        )
