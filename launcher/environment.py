"""The Python environment: made once, found again in milliseconds. Standard library only: it runs before all else."""

from __future__ import annotations

import contextlib
import hashlib
import importlib.metadata
import json
import os
import platform
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from launcher.places import alone_in
from launcher.sentences import CannotStart, say

OLDEST_PIP = (22, 3)  # the first that can install into another Python
NO_PIP = (
    "This Python ({python}) has neither pip nor ensurepip. Install one of them and start again; on Debian and Ubuntu: "
    "apt-get install python3-pip"
)


def install(folder: Path, python: Path, lists: Sequence[Path], *, is_new: bool, lock: int) -> None:
    """Makes the environment if it is new, then lets pip bring it to the locked lists.

    pip inherits the starters' lock: should we be killed, nobody touches the folder before pip has ended too.
    """
    since = time.monotonic()
    count = sum(path.read_text().count("==") for path in lists)
    say(f"Preparing the Python environment in {folder}: {count} packages, once.")
    pip = [builder(), "-m", "pip", "--python", str(python)]
    if not _is_new_enough(_version_of_pip(builder())):
        pip = [str(python), "-m", "pip"]
        is_new = is_new or not _version_of_pip(str(python))
    if is_new:
        _make_empty(folder, with_pip=pip[0] == str(python))
    _run_pip([*pip, *_arguments(lists)], folder / "install.log", count, lock)
    say(f"The environment is ready after {time.monotonic() - since:.0f} s.")


def builder() -> str:
    """The Python outside any environment: none can rebuild the one it runs in."""
    return getattr(sys, "_base_executable", None) or sys.executable


def _version_of_pip(python: str) -> tuple[int, ...]:
    asked = _ask([python, "-m", "pip", "--version"])
    found = re.match(r"pip (\d+)\.(\d+)", asked.stdout)
    return tuple(int(part) for part in found.groups()) if found and asked.returncode == 0 else ()


def _is_new_enough(version: tuple[int, ...]) -> bool:
    return version >= OLDEST_PIP


def _make_empty(folder: Path, *, with_pip: bool) -> None:
    options = [] if with_pip else ["--without-pip"]
    made = _ask([builder(), "-m", "venv", *options, str(folder)])
    if made.returncode != 0:
        if with_pip:
            raise CannotStart(NO_PIP.format(python=builder()))
        raise CannotStart(f"Python could not make an environment in {folder}: {_last_lines(made.stdout + made.stderr)}")


def _ask(command: Sequence[str]) -> subprocess.CompletedProcess[str]:
    return subprocess.run(command, check=False, capture_output=True, text=True, stdin=subprocess.DEVNULL)


def _arguments(lists: Sequence[Path]) -> list[str]:
    # Python compiles what it imports on first use; compiling all of it would only make the first start slower.
    options = ["install", "--require-hashes", "--no-deps", "--no-compile", "--no-input", "--progress-bar=off"]
    for path in lists:
        options += ["--requirement", str(path)]
    return [*options, "--disable-pip-version-check", "--root-user-action=ignore"]


def pip_environment() -> dict[str, str]:
    """The user's own pip settings stay (mirrors, certificates, proxies), but for those that install elsewhere."""
    kept = {name: value for name, value in os.environ.items() if name not in ("PIP_TARGET", "PIP_PREFIX", "PYTHONHOME")}
    return kept | {"PIP_USER": "0"}


def _run_pip(command: Sequence[str], log: Path, count: int, lock: int) -> None:
    with (
        log.open("w") as written,
        subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            env=pip_environment(),
            pass_fds=(lock,),
        ) as pip,
    ):
        try:
            _follow(pip, written, count)
        # Else it would go on alone in a folder for which nobody waits any more.
        except BaseException:
            pip.terminate()
            raise
    _clear_progress()
    if pip.returncode != 0:
        raise CannotStart(
            f"pip could not install what Fairmeter needs:\n{_last_lines(log.read_text())}\n"
            f"The whole story is in {log}. Behind a proxy or a mirror of your own, pip's usual settings "
            "(PIP_INDEX_URL, PIP_CERT, pip.conf) are honoured."
        )


def _follow(pip: subprocess.Popen[str], written: IO[str], count: int) -> None:
    assert pip.stdout is not None
    fetched = 0
    for line in pip.stdout:
        written.write(line)
        if line.startswith("Collecting "):
            fetched += 1
            _show_progress(fetched, count, line.split()[1])


def _show_progress(fetched: int, count: int, name: str) -> None:
    if sys.stdout.isatty():
        sys.stdout.write(f"\r\x1b[K  {fetched} of {count}  {name.partition('==')[0]}")
        sys.stdout.flush()


def _clear_progress() -> None:
    if sys.stdout.isatty():
        sys.stdout.write("\r\x1b[K")


def _last_lines(text: str, count: int = 12) -> str:
    return "\n".join(f"  {line}" for line in text.strip().splitlines()[-count:])


STAMP = "fairmeter-stamp.json"
UNFINISHED = "fairmeter-unfinished"
PIN = re.compile(r"^([A-Za-z0-9._-]+)(?:\[[^\]]*\])?==(\S+)\s*(;)?")


@dataclass(frozen=True)
class Pin:
    """One package of a locked list; some have a version for each of several machines."""

    name: str
    versions: frozenset[str]
    on_some_machines: bool


@dataclass(frozen=True)
class Environment:
    """A folder with a Python of its own and what the locked lists ask for."""

    project: Path
    folder: Path
    for_tests: bool

    @property
    def python(self) -> Path:
        return self.folder / "bin" / "python"

    @property
    def lists(self) -> list[Path]:
        names = ["requirements.txt", "requirements-dev.txt"] if self.for_tests else ["requirements.txt"]
        return [self.project / name for name in names]

    @property
    def is_this_one(self) -> bool:
        return Path(sys.prefix).resolve() == self.folder.resolve()

    def wanted(self) -> dict[str, str]:
        """What the stamp must say: this Python's version and kind of machine, and each list by its digest."""
        python = f"{sys.version_info[0]}.{sys.version_info[1]} {platform.machine()}"
        return {"python": python} | {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in self.lists}

    def stamp(self) -> dict[str, str]:
        try:
            read = json.loads((self.folder / STAMP).read_text())
        except (OSError, ValueError):
            return {}
        return read if isinstance(read, dict) else {}

    def ready(self) -> bool:
        """A stamp may say more than is wanted: an environment with test tools also serves `up`."""
        return self.wanted().items() <= self.stamp().items() and os.access(self.python, os.X_OK)


def environment_of(project: Path, environ: Mapping[str, str], *, for_tests: bool) -> Environment:
    chosen = environ.get("FAIRMETER_ENVIRONMENT")
    folder = Path(chosen).expanduser().absolute() if chosen else project / ".venv"
    return Environment(project, folder, for_tests)


def python_to_go_on_with(environment: Environment) -> Path | None:
    """The Python that has everything, made if need be; None when it is the one that is running."""
    if not environment.ready():
        if holds(environment.lists):
            return None
        _make_while_others_wait(environment)
    return None if environment.is_this_one else environment.python


def holds(lists: Iterable[Path]) -> bool:
    """Whether the running Python already has what is pinned: a container or a CI image made it so.

    A line with a marker is for some machines only, so its package may also be absent.
    """
    return all(_fits(_installed(pin.name), pin) for path in lists for pin in pins(path.read_text()))


def _fits(installed: str | None, pin: Pin) -> bool:
    return pin.on_some_machines if installed is None else installed in pin.versions


def pins(text: str) -> list[Pin]:
    found: dict[str, Pin] = {}
    for line in text.splitlines():
        match = PIN.match(line)
        if match:
            name, version, marker = match.groups()
            earlier = found.get(name, Pin(name, frozenset(), on_some_machines=False))
            found[name] = Pin(name, earlier.versions | {version}, earlier.on_some_machines or bool(marker))
    return list(found.values())


def _installed(name: str) -> str | None:
    try:
        return importlib.metadata.version(name)
    except importlib.metadata.PackageNotFoundError:
        return None


def _make_while_others_wait(environment: Environment) -> None:
    where = environment.folder.parent
    try:
        where.mkdir(parents=True, exist_ok=True)
        with alone_in(
            where, on_wait=lambda: say("Another start is preparing the environment; waiting for it.")
        ) as lock:
            if not environment.ready():
                _make(environment, lock)
    except PermissionError as why:
        raise CannotStart(_closed_to_us(environment, why)) from None
    except OSError as why:
        if isinstance(why.filename, (str, bytes, os.PathLike)):
            raise CannotStart(_closed_to_us(environment, why)) from None
        raise


def _closed_to_us(environment: Environment, why: OSError) -> str:
    return (
        f"Fairmeter cannot make its Python environment in {environment.folder} ({why.strerror}). Give this account the "
        "right to write there, or copy the project to a folder of its own, or name folders it can write: "
        "FAIRMETER_ENVIRONMENT=~/fairmeter-environment FAIRMETER_DATA=~/fairmeter-data python3 manage.py up"
    )


def _make(environment: Environment, lock: int) -> None:
    """A mark goes in first and comes out last: what a kill -9 leaves behind is recognised and made anew."""
    folder, mark = environment.folder, environment.folder / UNFINISHED
    if mark.exists() or (folder.exists() and not os.access(environment.python, os.X_OK)):
        _clear(folder)
    is_new = not folder.exists()
    folder.mkdir(exist_ok=True)
    mark.touch()
    # The stamp goes first: half of what is new must not pass for all of what was there.
    with contextlib.suppress(FileNotFoundError):
        (folder / STAMP).unlink()
    # Read before pip runs: a list that is changed meanwhile makes the next start look again.
    wanted = environment.wanted()
    install(folder, environment.python, environment.lists, is_new=is_new, lock=lock)
    (folder / STAMP).write_text(json.dumps(wanted))
    mark.unlink()


def _clear(folder: Path) -> None:
    """Only what is an environment, or was about to become one, is ever removed."""
    ours = (folder / UNFINISHED).exists() or (folder / "pyvenv.cfg").exists() or not any(folder.iterdir())
    if not ours:
        raise CannotStart(f"{folder} exists but is not a Python environment. Move it away and start again.")
    say(f"The environment in {folder} is incomplete; making it anew.")
    shutil.rmtree(folder)
