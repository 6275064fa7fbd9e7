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
import sys
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from launcher import installer
from launcher.locks import alone_in
from launcher.sentences import CannotStart, say

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
    with contextlib.suppress(FileNotFoundError):
        (folder / STAMP).unlink()
    wanted = environment.wanted()
    installer.install(folder, environment.python, environment.lists, is_new=is_new, lock=lock)
    (folder / STAMP).write_text(json.dumps(wanted))
    mark.unlink()


def _clear(folder: Path) -> None:
    """Only what is an environment, or was about to become one, is ever removed."""
    ours = (folder / UNFINISHED).exists() or (folder / "pyvenv.cfg").exists() or not any(folder.iterdir())
    if not ours:
        raise CannotStart(f"{folder} exists but is not a Python environment. Move it away and start again.")
    say(f"The environment in {folder} is incomplete; making it anew.")
    shutil.rmtree(folder)
