"""The running house: PostgreSQL, web, worker, and the one who watches over them."""

from __future__ import annotations

import contextlib
import http.client
import os
import select
import signal
import socket
import ssl
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import FrameType
from typing import ClassVar

import psycopg

from launcher.archive.copies import give_up
from launcher.archive.folder import ArchiveLimits, archive_root
from launcher.children import Child, spawn, turn_log_over
from launcher.identity import refuse_other_key, refuse_other_shape
from launcher.installation import Casino, Installation, Prepared, casino_in, is_prepared
from launcher.ports import is_loopback
from launcher.postgres import WORKER_PROCESS, Server, loose_settings, words_of
from launcher.sentences import CannotStart, say

BLINK = 0.1  # seconds between two looks at the children
BETWEEN_LOOKS_AT_LOGS = 10.0
SECONDS_TO_LEAVE = 20.0
SECONDS_TO_STOP = 12.0
SECONDS_TO_FIRST_PAGE = 60.0
STOP_SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


@dataclass(frozen=True)
class Site:
    """Where the web listens and under which names it may be called."""

    scheme: str
    address: str
    port: int
    names: tuple[str, ...]
    certificate: str | None
    key: str | None
    processes: int

    @property
    def url(self) -> str:
        shown = "127.0.0.1" if self.address in ("0.0.0.0", "::") else self.address
        return f"{self.scheme}://{f'[{shown}]' if ':' in shown else shown}:{self.port}/"

    @property
    def loopback(self) -> bool:
        return is_loopback(self.address)

    def environment(self) -> dict[str, str]:
        """Settings for the children; what the person set by hand stays."""
        told = {
            "FAIRMETER_HOSTS": ",".join(self.names),
            "FAIRMETER_ORIGINS": ",".join(f"{self.scheme}://{name}:{self.port}" for name in self.names),
            "FAIRMETER_TLS": "yes" if self.certificate else "",
        }
        return {name: os.environ.get(name) or value for name, value in told.items()}


@dataclass
class Trouble:
    """PostgreSQL is away: since when, and when it is tried again, later each time and never given up."""

    since: float | None = None
    not_before: float = 0.0
    pause: float = 0.0

    FIRST_PAUSE: ClassVar[float] = 1.0
    LONGEST_PAUSE: ClassVar[float] = 30.0

    def __bool__(self) -> bool:
        return self.since is not None

    @property
    def is_due(self) -> bool:
        return self.since is not None and time.monotonic() >= self.not_before

    def begins(self) -> None:
        self.since, self.not_before, self.pause = time.monotonic(), 0.0, 0.0

    def failed(self) -> float:
        self.pause = min(self.LONGEST_PAUSE, self.pause * 2 or self.FIRST_PAUSE)
        self.not_before = time.monotonic() + self.pause
        return self.pause

    def over(self) -> float:
        assert self.since is not None, "what did not begin is not over"
        lasted, self.since = time.monotonic() - self.since, None
        return lasted


class Stack:
    """Starts in order, watches, stops in the reverse order. One thread; the children do the work."""

    def __init__(self, project: Path, installation: Installation, site: Site, listener: socket.socket) -> None:
        self.project = project
        self.installation = installation
        self.places = installation.places
        self.site = site
        self.listener = listener
        self.environ = os.environ | installation.environment() | site.environment()
        self.children: list[Child] = []
        self.looked_at_server = 0.0
        self.looked_at_logs = 0.0
        self.server_trouble = Trouble()

    def live(self, *, casino: str | None, demo: str | None, simulate: bool, since: float) -> None:
        """Until a signal asks us to stop."""
        try:
            with stop_signals_interrupt() as asked_to_stop:
                self._start(casino, demo, simulate, since)
                while not asked_to_stop():
                    self._look_after()
                    time.sleep(BLINK)
                raise KeyboardInterrupt
        except KeyboardInterrupt:
            say("\nStopping …")
        finally:
            self.stop()
        say(f"Stopped. The books are in {self.places.data if self.installation.server else 'your PostgreSQL'}.")

    def _start(self, casino: str | None, demo: str | None, simulate: bool, since: float) -> None:
        self._start_server()
        # Before anything is migrated: an older program changes nothing in a newer database.
        refuse_other_shape(self.installation.addresses.owner, self.project)
        held = self._prepare(casino, demo)
        # Only now: the table of the mark comes with the migrations.
        refuse_other_key(self.installation.addresses.owner, self.places.data)
        self._refuse_demo_in_public(held)
        ready = [self._start_web(number) for number in range(1, self.site.processes + 1)]
        self._wait_for_web(ready)
        self._first_page()
        self._greet(held, since)
        self._add(WORKER_PROCESS, [*worker_command(), "--loglevel", "WARNING"])
        self._keep_archive()
        if simulate:
            self._add(
                "simulate", [sys.executable, "manage.py", "simulate", "--url", self.site.url.rstrip("/")], forever=False
            )

    def _keep_archive(self) -> None:
        """Of our own PostgreSQL only; where none is wanted, the server need not hold its log back for one."""
        server = self.installation.server
        if server is None:
            return
        if archive_root(self.places, self.environ) is None:
            give_up(server)
            return
        ArchiveLimits.of(self.environ)  # a number that is none is said now and not in a log
        self._add("archive", [sys.executable, "-m", "launcher.archive.keeper"])

    def _start_server(self) -> None:
        if self.installation.server:
            self.installation.server.ensure()
            return
        try:
            with psycopg.connect(self.installation.addresses.app, connect_timeout=10) as connection:
                loose = loose_settings(connection)
        except psycopg.OperationalError as why:
            raise CannotStart(f"The PostgreSQL that DATABASE_URL names does not answer: {why}") from None
        self._try_the_workers_address()
        for name, value in loose.items():
            say(f"Warning: on your PostgreSQL {name} is {value}; it should be on (docs/operations.md).")

    def _try_the_workers_address(self) -> None:
        """Said now and not by a worker that ends again and again."""
        mine = self.installation.addresses.worker
        try:
            if mine:
                psycopg.connect(mine, connect_timeout=10).close()
        except psycopg.OperationalError as why:
            raise CannotStart(f"The PostgreSQL does not let DATABASE_WORKER_URL in: {why}") from None

    def _prepare(self, casino: str | None, demo: str | None) -> Casino:
        """Runs the preparation when something is new; a second start skips it."""
        owner = self.installation.addresses.owner
        held = casino_in(owner)
        wants_demo = demo is not None and held.properties == 0 and Path(demo).is_file()
        if casino or wants_demo or not is_prepared(Prepared.read(self.places.prepared), held, self.project):
            wishes = (("--casino", casino and str(Path(casino).resolve())), ("--demo", demo))
            command = [sys.executable, "-m", "config.prepare"]
            command += [word for name, value in wishes if value for word in (name, value)]
            self._run(command)
            held = casino_in(owner)
        return held

    def _run(self, command: Sequence[str]) -> None:
        process = spawn(command, env=self.environ, cwd=self.project)
        try:
            if process.wait() != 0:
                raise CannotStart("The database could not be prepared; nothing was left running.")
        finally:
            if process.poll() is None:
                process.terminate()
                process.wait()

    def _refuse_demo_in_public(self, held: Casino) -> None:
        if held.demo and not self.site.loopback:
            raise CannotStart(
                f"This database holds the demo casino, whose passwords everyone knows; it is served on this machine "
                f"only, not on {self.site.address}. Give a real casino a folder of its own: --data DIR --casino FILE"
            )

    def _add(self, name: str, command: list[str], *, pass_fds: Sequence[int] = (), forever: bool = True) -> Child:
        child = Child(name, command, words_of(name, self.environ), self.places.logs, self.project, pass_fds, forever)
        self.children.append(child)
        child.start()
        return child

    def _start_web(self, number: int) -> int:
        """Returns the end of a pipe on which the new process says that it accepts."""
        ours, theirs = os.pipe()
        command = [sys.executable, "-m", "launcher.web", "--socket", str(self.listener.fileno())]
        if self.site.certificate and self.site.key:
            command += ["--certificate", str(Path(self.site.certificate).resolve())]
            command += ["--key", str(Path(self.site.key).resolve())]
        name = "web" if self.site.processes == 1 else f"web-{number}"
        child = self._add(name, [*command, "--ready", str(theirs)], pass_fds=(self.listener.fileno(), theirs))
        os.close(theirs)
        child.command = command  # a later one has nobody to tell
        child.pass_fds = (self.listener.fileno(),)
        return ours

    def _wait_for_web(self, ready: Sequence[int]) -> None:
        """An end of file without a word means that the process died on its way."""
        deadline = time.monotonic() + SECONDS_TO_FIRST_PAGE
        for end in ready:
            heard, _, _ = select.select([end], [], [], max(0.0, deadline - time.monotonic()))
            told = os.read(end, 1) if heard else b""
            os.close(end)
            if not told:
                raise CannotStart(f"The web server did not start. {self._last_words('web')}")

    def _last_words(self, name: str) -> str:
        path = next(iter(sorted(self.places.logs.glob(f"{name}*.log"))), None)
        lines = path.read_text(errors="replace").strip().splitlines()[-3:] if path else []
        return "Its last words: " + " / ".join(lines) + f" (all of it: {path})"

    def _first_page(self) -> None:
        status = fetch(self.site)
        if status >= 500:
            say(f"Warning: the first page answered {status}. {self._last_words('web')}")

    def _greet(self, held: Casino, since: float) -> None:
        say(f"\nFairmeter is ready after {time.time() - since:.1f} s.\n")
        say(f"  Open        {self.site.url}")
        say(f"  Data        {self.places.data}   (log files in its folder `logs`)")
        logins = Prepared.read(self.places.prepared).logins if held.demo else []
        for number, login in enumerate(logins):
            say(f"  {'Demo logins' if number == 0 else '           '} {login}")
        if held.properties == 0:
            self._tell_founding_code()
        say("\nCtrl-C stops everything that was started here.")

    def _tell_founding_code(self) -> None:
        """An empty database is founded by whoever sees this terminal. The code is no secret of the books' and ends."""
        asked = [sys.executable, "manage.py", "founding_code"]
        answer = subprocess.run(asked, env=self.environ, cwd=self.project, capture_output=True, text=True, check=False)
        if answer.returncode == 0:
            say(f"  A new house {self.site.url}begin/   with the founding code {answer.stdout.strip()}")

    def _look_after(self) -> None:
        self._look_after_server()
        self._look_after_logs()
        for child in list(self.children):
            if child.process is not None and not child.alive:
                self._bury(child)
            if child.process is None and child.forever and time.monotonic() >= child.not_before:
                self._start_again(child)

    def _look_after_logs(self) -> None:
        """A full disk has no room for an older log either."""
        if time.monotonic() - self.looked_at_logs < BETWEEN_LOOKS_AT_LOGS:
            return
        self.looked_at_logs = time.monotonic()
        for path in self.places.logs.glob("*.log"):
            with contextlib.suppress(OSError):
                turn_log_over(path)

    def _start_again(self, child: Child) -> None:
        """A full disk has no room for its log either; that is no reason to end."""
        try:
            child.start()
        except OSError as problem:
            say(f"The {child.name} process cannot be started ({problem}); trying again in {child.put_off():.0f} s.")

    def _bury(self, child: Child) -> None:
        how = child.bury()
        if child.forever:
            say(f"The {child.name} process ended ({how}); starting it again in {child.pause_left:.1f} s.")
            return
        self.children.remove(child)
        say(f"`{child.name}` has ended ({how}); its words are in {self.places.logs / child.name}.log.")

    def _look_after_server(self) -> None:
        """Ours is a child whose death is seen at once; one that we only joined is asked now and then."""
        server = self.installation.server
        if server is None:
            return
        how = server.died()
        joined = not server.ours and not self.server_trouble
        if how is None and joined and time.monotonic() - self.looked_at_server > 2.0:
            self.looked_at_server = time.monotonic()
            how = None if server.answers() else "it was not ours"
        if how is not None:
            say(f"PostgreSQL ended ({how}); starting it again.")
            self.server_trouble.begins()
        if self.server_trouble.is_due:
            self._start_server_again(server)

    def _start_server_again(self, server: Server) -> None:
        """However often it fails: a full disk is emptied by somebody, and then the house goes on by itself."""
        try:
            server.ensure()
        except (CannotStart, OSError, psycopg.Error) as problem:
            pause = self.server_trouble.failed()
            say(f"{problem} Trying again in {pause:.0f} s; the web says meanwhile that it is not ready.")
            return
        say(f"PostgreSQL runs again after {self.server_trouble.over():.1f} s.")

    def stop(self) -> None:
        """Visitors first: a simulated table ends its round and counts while the web still answers."""
        visitors = [child for child in self.children if not child.forever]
        self._stop_together(visitors, SECONDS_TO_LEAVE)
        self._stop_together([child for child in self.children if child.forever], SECONDS_TO_STOP)
        self.children.clear()
        if self.installation.server:
            self.installation.server.stop()

    def _stop_together(self, children: Sequence[Child], patience: float) -> None:
        for child in children:
            child.ask_to_stop()
        deadline = time.monotonic() + patience
        for child in children:
            child.stop(max(0.1, deadline - time.monotonic()))


def worker_command() -> list[str]:
    """One process: the worker and its timekeeper."""
    lean = ("--without-gossip", "--without-mingle", "--without-heartbeat")
    return [sys.executable, "-m", "celery", "-A", "config", "-q", "worker", "-P", "threads", *lean]


def fetch(site: Site) -> int:
    """The status of the first page, or 500 when nothing came."""
    address = "127.0.0.1" if site.address in ("0.0.0.0", "::") else site.address
    if site.scheme == "https":
        trusting = ssl._create_unverified_context()  # our own certificate, over our own machine
        asked: http.client.HTTPConnection = http.client.HTTPSConnection(
            address, site.port, timeout=30, context=trusting
        )
    else:
        asked = http.client.HTTPConnection(address, site.port, timeout=30)
    with contextlib.closing(asked):
        try:
            asked.request("GET", "/", headers={"Host": f"{site.names[0]}:{site.port}"})
            return asked.getresponse().status
        except OSError:
            return 500


@contextlib.contextmanager
def stop_signals_interrupt() -> Iterator[Callable[[], bool]]:
    """The first signal interrupts whatever is under way; the stopping that follows is not interrupted again.

    Python drops what is raised inside a finaliser or a hook of fork(), so whether a signal came can also be asked.
    """
    came: list[int] = []

    def interrupt(number: int, _frame: FrameType | None) -> None:
        came.append(number)
        for each in STOP_SIGNALS:
            signal.signal(each, signal.SIG_IGN)
        raise KeyboardInterrupt

    for each in STOP_SIGNALS:
        signal.signal(each, interrupt)
    yield lambda: bool(came)
