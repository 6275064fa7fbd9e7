"""`manage.py up`: what was asked for, whether it may be done, and then the house."""

from __future__ import annotations

import argparse
import os
import socket
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from launcher import ports
from launcher.build import NotAsListed, refuse_unlisted
from launcher.house import Site, Stack
from launcher.installation import Installation
from launcher.places import Taken, alone_in, data_places
from launcher.sentences import CannotStart, complain
from launcher.switches import directory_issuer, idle_minutes
from launcher.unfinished import refuse_unfinished

SINCE = "FAIRMETER_STARTED_AT"  # set by the first of the processes that became this one
DEMO_CASINO = Path("accounting") / "house_file" / "casinos" / "emerald.toml"


@dataclass(frozen=True)
class Wishes:
    """What the person typed after `up`."""

    casino: str | None
    port: int
    listen: str
    certificate: str | None
    key: str | None
    data: str | None
    demo: bool
    simulate: bool
    processes: int

    @property
    def open_to_others(self) -> bool:
        return not ports.is_loopback(self.listen)


def add_wishes(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--casino", metavar="FILE", help="load this casino file first (load_casino)")
    parser.add_argument("--port", type=int, default=8000, help="port to listen on (8000)")
    parser.add_argument(
        "--listen", "--host", metavar="ADDR", default="127.0.0.1", help="address to listen on (127.0.0.1)"
    )
    parser.add_argument("--certificate", metavar="FILE", help="TLS certificate; needed for other than this machine")
    parser.add_argument("--key", metavar="FILE", help="private key of the certificate")
    parser.add_argument("--data", metavar="DIR", help="data folder (FAIRMETER_DATA, else `data` in the project)")
    parser.add_argument("--no-demo", dest="demo", action="store_false", help="leave an empty database empty")
    parser.add_argument("--simulate", action="store_true", help="also let simulated tables play")
    parser.add_argument("--processes", type=int, default=1, metavar="N", help="web processes (1)")


def up(project: Path, arguments: Sequence[str]) -> int:
    """Starts everything, and stops everything it started when asked to."""
    parser = argparse.ArgumentParser(prog="manage.py up", description="Start Fairmeter. Ctrl-C stops what it started.")
    add_wishes(parser)
    wishes = Wishes(**vars(parser.parse_args(list(arguments))))
    refuse_open_without_certificate(wishes)
    directory_issuer(os.environ)
    idle_minutes(os.environ)  # what the web would not start with is said before anything is
    refuse_another_program(project)
    installation = Installation.found(data_places(project, os.environ, wishes.data), os.environ)
    installation.make_folders()
    try:
        # Never two on one data folder: whoever comes second is told so at once and does not wait.
        with alone_in(installation.places.data, wait=False):
            refuse_unfinished(installation.places)
            return _live(project, arguments, wishes, installation)
    except Taken:
        raise CannotStart(
            f"Fairmeter is already running on the data folder {installation.places.data}. Stop that one with Ctrl-C, "
            "or give this one a folder of its own: --data DIR"
        ) from None


def refuse_open_without_certificate(wishes: Wishes) -> None:
    if bool(wishes.certificate) != bool(wishes.key):
        raise CannotStart("--certificate and --key belong together: give both.")
    for name in (wishes.certificate, wishes.key):
        if name and not Path(name).is_file():
            raise CannotStart(f"There is no file {name}.")
    if wishes.open_to_others and not wishes.certificate:
        raise CannotStart(
            f"{wishes.listen} can be reached from other machines, so Fairmeter listens there with TLS only: "
            "add --certificate FILE --key FILE, or leave --listen out."
        )


def refuse_another_program(project: Path) -> None:
    """A program that came with the list of its files serves only as that list says."""
    try:
        refuse_unlisted(project)
    except NotAsListed as why:
        raise CannotStart(str(why)) from None


def _live(project: Path, arguments: Sequence[str], wishes: Wishes, installation: Installation) -> int:
    with _listener(wishes, arguments) as listener:
        site = site_of(wishes, listener.getsockname()[1])
        house = Stack(project, installation, site, listener)
        house.live(
            casino=wishes.casino,
            # Everybody knows the demo's passwords: it is not made where others could reach it.
            demo=str(project / DEMO_CASINO) if wishes.demo and not wishes.open_to_others else None,
            simulate=wishes.simulate,
            since=float(os.environ.get(SINCE) or time.time()),
        )
    return 0


def _listener(wishes: Wishes, arguments: Sequence[str]) -> socket.socket:
    try:
        return ports.listen(wishes.listen, wishes.port, arguments)
    except ports.PortTaken as taken:
        if taken.free is None or not sys.stdin.isatty():
            raise
        complain(str(taken))
        if input(f"Use {taken.free} now? [Y/n] ").strip().lower() not in ("", "y", "yes"):
            raise CannotStart("Not started.") from None
        return ports.listen(wishes.listen, taken.free, arguments)


def site_of(wishes: Wishes, port: int) -> Site:
    """How the outside world names this server, told to the settings unless someone told them already."""
    scheme = "https" if wishes.certificate else "http"
    names = ["127.0.0.1", "localhost", "[::1]"]
    if wishes.open_to_others:
        wildcard = wishes.listen in ("0.0.0.0", "::")
        names += [socket.gethostname(), socket.getfqdn()] if wildcard else [wishes.listen]
    return Site(
        scheme, wishes.listen, port, tuple(dict.fromkeys(names)), wishes.certificate, wishes.key, wishes.processes
    )
