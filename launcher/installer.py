"""Fills a Python environment from the locked lists, with whatever pip this machine has."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import IO

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
