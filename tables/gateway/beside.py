"""A process beside the gateway: what it does there has a Python of its own, and hearing does not wait for it.

It is a fork of the gateway's, made before that has a thread, a loop or a connection. Each of its lines is a socket
pair with a thread at the far end, asked one thing at a time in plain values. It ends when the gateway does; should it
end first, whoever asked is told so, and the gateway does the work by itself from then on.
"""

from __future__ import annotations

import asyncio
import gc
import logging
import marshal
import os
import signal
import socket
import sys
import threading
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, Final, NamedTuple

from django.db import connection

from jackpot.books import events
from jackpot.trail.actions.standing import silence
from launcher.web import THREADS_TAKE_TURNS

Serve = Callable[[Any], Any]
_SIZE: Final = 4
_AT_ONCE: Final = 256 * 1024
log = logging.getLogger(__name__)


class SideGone(Exception):
    """The process beside has ended; what became of the question is not known."""


class SideNews(NamedTuple):
    """What comes back with every answer, for the listeners and pages of the gateway's process."""

    moved: Sequence[int]  # jackpots
    silence: Sequence[str]  # of the trail


class SideLine:
    """The gateway's end of one line."""

    def __init__(self, end: socket.socket) -> None:
        end.setblocking(False)
        self._end: socket.socket | None = end

    @property
    def is_open(self) -> bool:
        return self._end is not None

    async def ask(self, question: Any) -> Any:
        """One question at a time, and never cancelled: its answer would be taken for the next one's."""
        assert self._end is not None
        try:
            await asyncio.get_running_loop().sock_sendall(self._end, _framed((tuple(silence), question)))
            told, answer = await self._hear(self._end)
        except OSError as gone:
            if self.is_open:
                log.error("A process beside the gateway has ended. The gateway does its work by itself now.")
            self.close()
            raise SideGone("The process that was asked has ended.") from gone
        take_in(SideNews(*told))
        return answer

    async def _hear(self, end: socket.socket) -> Any:
        heard = bytearray()
        while len(heard) < _SIZE or len(heard) < _SIZE + int.from_bytes(heard[:_SIZE], "big"):
            more = await asyncio.get_running_loop().sock_recv(end, _AT_ONCE)
            if not more:
                raise ConnectionResetError
            heard += more
        return marshal.loads(heard[_SIZE:])

    def close(self) -> None:
        """Also under a question: a loop that still waits for its answer would keep a merely closed end open."""
        if self._end is not None:
            with suppress(OSError):
                self._end.shutdown(socket.SHUT_RDWR)
            self._end.close()
            self._end = None


class SideProcess:
    """A child that serves its lines and nothing else."""

    def __init__(self, pid: int, ends: Sequence[socket.socket]) -> None:
        self._pid = pid
        self.lines = [SideLine(end) for end in ends]

    @classmethod
    def begin(cls, serves: Sequence[Serve]) -> SideProcess:
        """One line for each of what it serves. To be called before anything else lives in this process."""
        assert threading.active_count() == 1, "a fork takes one thread with it"
        pairs = [socket.socketpair() for _ in serves]
        pid = os.fork()
        for ours, theirs in pairs:
            (theirs if pid else ours).close()  # an end that both hold would never tell that the other is gone
        if pid == 0:
            _live([(serve, theirs) for serve, (_, theirs) in zip(serves, pairs, strict=True)])
        return cls(pid, [ours for ours, _ in pairs])

    def close(self) -> None:
        """After the last answer: it reads the end of its lines and goes."""
        for line in self.lines:
            line.close()
        with suppress(ChildProcessError):
            os.waitpid(self._pid, 0)


def take_in(told: SideNews) -> None:
    """What this process keeps in memory for its signs and pages, as if it had done the work itself."""
    if told.silence and not silence:
        silence[:] = told.silence  # its own look, once a second, finds whether that is over
    if told.moved:
        events.announce(frozenset(told.moved))


# The other end


def _live(lines: Sequence[tuple[Serve, socket.socket]]) -> None:
    """Never returns: whoever began this process knows nothing of what it would do next."""
    try:
        signal.signal(signal.SIGINT, signal.SIG_IGN)  # it ends when its lines do, after the commit under way
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        _let_go_of_all_but({0, 1, 2, *(end.fileno() for _, end in lines)})
        events.listen(note_moved)
        gc.freeze()
        sys.setswitchinterval(THREADS_TAKE_TURNS)
        threads = [threading.Thread(target=serve_line, args=line) for line in lines]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    except Exception:
        log.exception("a process beside the gateway could not begin")
    finally:
        os._exit(0)


def _let_go_of_all_but(kept: set[int]) -> None:
    """The socket that callers come to, above all: it would stay open behind the gateway."""
    for each in list(Path("/proc/self/fd").iterdir()):
        if int(each.name) not in kept:
            with suppress(OSError):
                os.close(int(each.name))


class _Moved(threading.local):
    """The jackpots that the work of this line's thread moved."""

    def __init__(self) -> None:
        self.ids: set[int] = set()


_moved: Final = _Moved()


def note_moved(ids: frozenset[int]) -> None:
    """Said in the thread that committed."""
    _moved.ids |= ids


def serve_line(serve: Serve, end: socket.socket) -> None:
    """Until the gateway closes it; what is under way is finished first."""
    try:
        while (heard := _hear_next(end)) is not None:
            silence[:], question = heard
            answer = serve(question)
            told = SideNews(tuple(_moved.ids), tuple(silence))
            _moved.ids.clear()
            end.sendall(_framed((tuple(told), answer)))
    except OSError:
        pass  # nobody listens any more
    finally:
        end.close()
        connection.close()


def _framed(said: Any) -> bytes:
    body = marshal.dumps(said)
    return len(body).to_bytes(_SIZE, "big") + body


def _hear_next(end: socket.socket) -> Any:
    """The next question; None where there will be none."""
    head = _read(end, _SIZE)
    body = _read(end, int.from_bytes(head, "big")) if head else b""
    return marshal.loads(body) if body else None


def _read(end: socket.socket, size: int) -> bytes:
    read = bytearray()
    while len(read) < size:
        more = end.recv(size - len(read))
        if not more:
            return b""
        read += more
    return bytes(read)
