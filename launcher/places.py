"""Where an installation keeps its things: one data folder with its key file, and a private folder for the socket."""

from __future__ import annotations

import contextlib
import fcntl
import hashlib
import hmac
import os
import secrets
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from launcher.cluster import HOME_OF_ROOTS_SERVER, ServerAccount, home_of_roots_server
from launcher.sentences import CannotStart


class Taken(Exception):
    """Someone else holds this lock."""


@contextlib.contextmanager
def alone_in(folder: Path, *, on_wait: Callable[[], None] | None = None, wait: bool = True) -> Iterator[int]:
    """Holds the folder's lock; the kernel frees it when the holder dies, however it dies."""
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        _take(descriptor, on_wait, wait)
        yield descriptor
    finally:
        os.close(descriptor)


def _take(descriptor: int, on_wait: Callable[[], None] | None, wait: bool) -> None:
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        if not wait:
            raise Taken from None
        if on_wait:
            on_wait()
        fcntl.flock(descriptor, fcntl.LOCK_EX)


FILE_NAME = "fairmeter.key"


def make_key_file(folder: Path) -> Path:
    """Makes the key file once; a second starter finds the first one's."""
    path = folder / FILE_NAME
    if path.exists():
        return path
    draft = folder / f".{FILE_NAME}.{secrets.token_hex(4)}"
    draft.touch(mode=0o600)
    draft.write_text(secrets.token_hex(32))
    with contextlib.suppress(FileExistsError):
        os.link(draft, path)  # whole or not at all: a reader never meets a half-written key
    draft.unlink()
    return path


def read_master(folder: Path) -> bytes:
    """The key of this installation; without a file (checks, type checker) one for this run only."""
    path = Path(os.environ.get("FAIRMETER_KEY_FILE") or folder / FILE_NAME)
    if path.is_file():
        return bytes.fromhex(path.read_text().strip())
    return secrets.token_bytes(32)


def drawn(master: bytes, purpose: str) -> bytes:
    return hmac.digest(master, purpose.encode(), "sha256")


SOCKET_NAME = ".s.PGSQL.5432"
LONGEST_SOCKET_PATH = 107  # bytes that a Unix socket address holds


@dataclass(frozen=True)
class Places:
    """The folders of one installation."""

    data: Path

    @property
    def server(self) -> Path:
        """PostgreSQL's folder; for root it may be a link to one its account can reach."""
        return self.data / "postgres"

    @property
    def logs(self) -> Path:
        return self.data / "logs"

    @property
    def static(self) -> Path:
        return self.data / "static"

    @property
    def prepared(self) -> Path:
        return self.data / "prepared.json"


def data_places(project: Path, environ: Mapping[str, str], chosen: str | None = None) -> Places:
    folder = chosen or environ.get("FAIRMETER_DATA") or project / "data"
    return Places(Path(folder).expanduser().resolve())


def make_data_folder(places: Places) -> None:
    """The data folder is private; root's may be passed through, since PostgreSQL's account lives inside it."""
    try:
        if not places.data.exists():
            places.data.mkdir(parents=True)
            places.data.chmod(0o700 if os.geteuid() else 0o711)
        for folder in (places.logs, places.static):
            folder.mkdir(exist_ok=True, mode=0o700)
    except OSError as why:
        raise CannotStart(
            f"Fairmeter cannot write its data folder {places.data} ({why.strerror}). "
            "Give this account the right to write there, or choose another folder: --data DIR or FAIRMETER_DATA=DIR."
        ) from None
    if not os.access(places.data, os.W_OK | os.X_OK):
        owner = places.data.stat().st_uid
        raise CannotStart(
            f"The data folder {places.data} belongs to another account (number {owner}) and is closed to this one. "
            "Run this command as that account, or choose another folder: --data DIR or FAIRMETER_DATA=DIR."
        )


def make_server_folder(places: Places, account: ServerAccount) -> Path:
    """PostgreSQL's folder, owned by its account and certainly reachable by it."""
    folder = places.server
    if not folder.is_symlink() and not folder.exists():
        folder.mkdir(mode=0o700)
        account.owns(folder)
        if not account.can("-w", folder):
            folder.rmdir()
            folder.symlink_to(_folder_for_root(places, account))
    return folder.resolve()


def _folder_for_root(places: Places, account: ServerAccount) -> Path:
    """A new folder each time: a fresh copy of a project never meets the books of a deleted one."""
    name = places.data.parent.name.replace(" ", "-").strip(".") or "books"
    folder = home_of_roots_server() / f"{name}-{secrets.token_hex(4)}"
    folder.mkdir(mode=0o700)
    account.owns(folder)
    if not account.can("-w", folder):
        folder.rmdir()
        raise CannotStart(
            f"The account `{account.name}`, which runs PostgreSQL for root, can reach neither {places.data} nor "
            f"{HOME_OF_ROOTS_SERVER}. Choose a data folder it can enter: --data DIR."
        )
    return folder


def socket_folder(places: Places, account: ServerAccount, environ: Mapping[str, str]) -> Path:
    """The same answer for the same data folder, short enough for a socket's address."""
    digest = hashlib.sha256(os.fsencode(places.data)).hexdigest()[:12]
    runtime = environ.get("XDG_RUNTIME_DIR")
    if runtime and account.name is None:
        folder = Path(runtime) / f"fairmeter-{digest}"
        if _is_private(Path(runtime), account.uid) and _short_enough(folder):
            return folder
    return Path("/tmp") / f"fairmeter-{os.geteuid()}-{digest}"


def make_socket_folder(folder: Path, account: ServerAccount) -> None:
    """Made by us and closed to others, or refused: anyone may write to /tmp."""
    try:
        folder.mkdir(mode=0o700)
    except FileExistsError:
        if not _is_private(folder, account.uid):
            raise CannotStart(
                f"{folder} exists, but it is not a private folder of the account that runs PostgreSQL. "
                f"Look at who made it, remove it, and start again: rm -r {folder}"
            ) from None
        return
    account.owns(folder)


def _short_enough(folder: Path) -> bool:
    return len(os.fsencode(folder / SOCKET_NAME)) <= LONGEST_SOCKET_PATH


def _is_private(folder: Path, uid: int) -> bool:
    try:
        seen = os.lstat(folder)
    except OSError:
        return False
    # A folder and no link to one, closed to everybody else.
    return seen.st_uid == uid and seen.st_mode & 0o170077 == 0o040000
