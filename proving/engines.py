"""Programs of others that drills and tests need: the system's own, or Debian's packages unpacked beside us.

Nothing is installed: a package is fetched with `apt-get download` and unpacked into a folder of ours, so the machine
keeps running what it ran. Python's Patroni comes from PyPI into such a folder, for the account that runs PostgreSQL.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from launcher.children import wait_until
from launcher.cluster import Binaries, ServerAccount, home_of_roots_server
from launcher.doctor import OLDEST_SERVER
from launcher.places import alone_in

PACKAGES: Final[Mapping[str, tuple[str, ...]]] = {
    "redis-server": (
        "redis-server", "redis-tools", "libjemalloc2", "liblua5.1-0", "liblzf1", "lua-bitop", "lua-cjson",
    ),
    "etcd": ("etcd-server",),
    "haproxy": ("haproxy", "liblua5.3-0", "libopentracing-c-wrapper0", "libopentracing1"),
    "nginx": ("nginx",),
    "libfaketime": ("libfaketime",),
}  # fmt: skip
PATRONI: Final = ("patroni[etcd3]==4.1.5", "psycopg[binary]==3.3.9")
OUT_OF_THE_WAY: Final = ("/usr/bin", "/usr/sbin", "/usr/local/bin", "/usr/local/sbin")
FETCHING: Final = 180.0


class NoEngine(Exception):
    """A program is neither here nor to be had; the sentence says which and how to get it."""


@dataclass(frozen=True, slots=True)
class Engine:
    """A program that can be started, and the words of environment that it needs."""

    program: Path
    environ: Mapping[str, str]


def home_of_engines() -> Path:
    """Where what was fetched is kept for the next time; root's PostgreSQL account can read it there."""
    home = home_of_roots_server() if os.geteuid() == 0 else Path(__file__).resolve().parent / "build"
    folder = home / "engines"
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def engine(name: str) -> Engine:
    """The system's own program, what was fetched before, or what Debian gives now."""
    here = shutil.which(name, path=os.pathsep.join([os.environ.get("PATH", ""), *OUT_OF_THE_WAY]))
    if here is not None:
        return Engine(Path(here), {})
    home = home_of_engines()
    with alone_in(home):
        folder = home / name
        if not folder.exists():
            _fetched(name, folder)
    return _unpacked(name, folder)


def false_clock_library() -> Path:
    """Debian's libfaketime: what is started with it reads the time of day from a file."""
    found = next(iter(sorted(Path("/usr/lib").glob("*-linux-gnu*/faketime/libfaketimeMT.so.1"))), None)
    if found is not None:
        return found
    home = home_of_engines()
    with alone_in(home):
        folder = home / "libfaketime"
        if not folder.exists():
            _fetched("libfaketime", folder)
    return next(iter(sorted(folder.glob("usr/lib/*/faketime/libfaketimeMT.so.1"))))


def _unpacked(name: str, folder: Path) -> Engine:
    for place in ("usr/bin", "usr/sbin"):
        if (program := folder / place / name).exists():
            libraries = os.pathsep.join(str(found) for found in sorted((folder / "usr" / "lib").glob("*-linux-gnu*")))
            return Engine(program, {"LD_LIBRARY_PATH": libraries} if libraries else {})
    raise NoEngine(f"{folder} holds no {name}; remove that folder and try again.")


def _fetched(name: str, folder: Path) -> None:
    packages = PACKAGES[name]
    if shutil.which("apt-get") is None or shutil.which("dpkg-deb") is None:
        raise NoEngine(f"{name} is not installed, and this is no Debian that could fetch it. Install it and try again.")
    with tempfile.TemporaryDirectory(dir=folder.parent) as draft:
        # Debian's own account for downloads could not write here; we are the ones who asked.
        done = _run(["apt-get", "-qq", "-o", "APT::Sandbox::User=root", "download", *packages], Path(draft))
        archives = sorted(Path(draft).glob("*.deb"))
        if done.returncode != 0 or len(archives) < len(packages):
            why = " ".join(done.stderr.split())[-300:]
            raise NoEngine(f"{name} is not installed and could not be fetched: {why} (try: apt-get install {name})")
        whole = Path(draft) / "whole"
        for archive in archives:
            _run(["dpkg-deb", "-x", str(archive), str(whole)], Path(draft))
        whole.chmod(0o755)
        whole.rename(folder)


def _run(command: Sequence[str], folder: Path) -> subprocess.CompletedProcess[str]:
    try:
        return subprocess.run(
            command, cwd=folder, check=False, capture_output=True, text=True, stdin=subprocess.DEVNULL, timeout=FETCHING
        )
    except subprocess.TimeoutExpired:
        raise NoEngine(f"`{command[0]}` did not end within {FETCHING:.0f} s.") from None


def postgres_with_tls(account: ServerAccount) -> Binaries | None:
    """The system's own PostgreSQL, newest first: the wheel's was built without TLS. None where there is none."""
    found = sorted(Path("/usr/lib/postgresql").glob("*"), key=lambda folder: _number(folder.name), reverse=True)
    for folder in found:
        made = Binaries(folder, _number(folder.name))
        if made.major >= OLDEST_SERVER and account.can("-x", Path(made.program("postgres"))):
            return made
    return None


def _number(text: str) -> int:
    return int(text) if text.isdigit() else 0


@dataclass(frozen=True, slots=True)
class PatroniPackages:
    """Patroni of today's major version, and a Python that the database's account can run it with."""

    python: Path
    folder: Path

    @property
    def environ(self) -> Mapping[str, str]:
        return {"PYTHONPATH": str(self.folder), "PYTHONDONTWRITEBYTECODE": "1"}


def patroni_for(account: ServerAccount) -> PatroniPackages:
    python = _python_for(account)
    home = home_of_engines()
    with alone_in(home):
        folder = home / f"patroni-{PATRONI[0].partition('==')[2]}-{sys.version_info.major}.{sys.version_info.minor}"
        if not folder.exists():
            _install_patroni(folder)
    return PatroniPackages(python, folder)


def _python_for(account: ServerAccount) -> Path:
    """Ours, or the system's of the same version where ours lies in somebody's home."""
    named = f"python{sys.version_info.major}.{sys.version_info.minor}"
    for candidate in (sys.executable, f"/usr/bin/{named}", f"/usr/local/bin/{named}"):
        if Path(candidate).exists() and account.can("-x", Path(candidate).resolve()):
            return Path(candidate)
    raise NoEngine(f"The account `{account.name}` can run no {named}: install Debian's package {named}.")


def _install_patroni(folder: Path) -> None:
    builder = getattr(sys, "_base_executable", None) or sys.executable
    with tempfile.TemporaryDirectory(dir=folder.parent) as draft:
        whole = Path(draft) / "whole"
        options = ("--quiet", "--no-input", "--no-compile", "--disable-pip-version-check", "--target", str(whole))
        done = _run([builder, "-m", "pip", "install", *options, *PATRONI], Path(draft))
        if done.returncode != 0:
            raise NoEngine(f"Patroni could not be had from PyPI: {' '.join(done.stderr.split())[-300:]}")
        _run(["chmod", "-R", "a+rX", str(whole)], Path(draft))
        whole.rename(folder)


class RedisServer:
    """A Redis of our own on one loopback port, without a disk: what it forgets must not matter."""

    def __init__(self, folder: Path, port: int) -> None:
        self.port, self._folder = port, folder
        self._engine = engine("redis-server")
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def url(self) -> str:
        return f"redis://127.0.0.1:{self.port}/0"

    @property
    def command(self) -> list[str]:
        quiet = ("--bind", "127.0.0.1", "--save", "", "--appendonly", "no", "--loglevel", "warning")
        return [str(self._engine.program), "--port", str(self.port), *quiet, "--dir", str(self._folder)]

    def start(self) -> None:
        with (self._folder / "redis.log").open("ab") as words:
            self._process = subprocess.Popen(
                self.command, env=dict(os.environ) | dict(self._engine.environ), stdin=subprocess.DEVNULL,
                stdout=words, stderr=words, start_new_session=True,
            )  # fmt: skip
        if not wait_until(self.answers, 20.0, 0.05):
            raise NoEngine(f"Redis did not start: {(self._folder / 'redis.log').read_text()[-500:]}")

    def answers(self) -> bool:
        import redis

        try:
            with redis.Redis(port=self.port, socket_connect_timeout=1) as client:
                return bool(client.ping())
        except redis.RedisError:
            return False

    def kill(self) -> None:
        """kill -9, as the worst crash would."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            self._process = None
