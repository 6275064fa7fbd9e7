"""A program that listens: a real HTTP server of the test's own, which answers as it is told and keeps what it heard."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Final

from tests.patience import PATIENCE

HANG: Final = 0  # instead of a status: says nothing until the test is over
DRIP: Final = 1  # one letter at a time, never a whole answer
BREAK_OFF: Final = 2


@dataclass
class Heard:
    """One request as it came."""

    path: str
    headers: dict[str, str]
    body: bytes

    @property
    def told(self) -> Any:
        return json.loads(self.body)

    @property
    def numbers(self) -> list[int]:
        return [each["number"] for each in self.told["events"]]


@dataclass
class Receiver:
    """What it answers, in turn; the last answer is given for ever. `taken` are the bodies it answered 2xx to."""

    answers: list[int] = field(default_factory=lambda: [200])
    heard: list[Heard] = field(default_factory=list)
    taken: list[Heard] = field(default_factory=list)
    over: threading.Event = field(default_factory=threading.Event)
    lock: threading.Lock = field(default_factory=threading.Lock)
    location: str = ""
    port: int = 0

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.port}/events?from=house"

    @property
    def numbers(self) -> list[int]:
        return [number for each in self.taken for number in each.numbers]

    def next_answer(self, heard: Heard) -> int:
        with self.lock:
            self.heard.append(heard)
            answer = self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]
            if 200 <= answer < 300:
                self.taken.append(heard)
            return answer


class Listens(BaseHTTPRequestHandler):
    receiver: Receiver

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"]))
        answer = self.receiver.next_answer(Heard(self.path, dict(self.headers.items()), body))
        if answer == BREAK_OFF:
            self.close_connection = True
        elif answer == HANG:
            self.receiver.over.wait(PATIENCE)
        elif answer == DRIP:
            self.drip()
        else:
            self.answer_at_length(answer)

    def answer_at_length(self, answer: int) -> None:
        self.send_response(answer)
        if self.receiver.location:
            self.send_header("Location", self.receiver.location)
        self.end_headers()
        self.wfile.write(b"<h1>what this says is read by nobody</h1>" * 10_000)

    def drip(self) -> None:
        self.wfile.write(b"HTTP/1.1 200 OK\r\nX-Slow: ")
        while not self.receiver.over.wait(0.05):
            self.wfile.write(b"a")

    def log_message(self, *_: Any) -> None: ...

    def handle(self) -> None:
        with suppress(OSError):  # whoever asked has hung up, as some tests want
            super().handle()


@contextmanager
def a_receiver(*answers: int, location: str = "") -> Iterator[Receiver]:
    told = Receiver(answers=list(answers) or [200], location=location)
    server = ThreadingHTTPServer(("127.0.0.1", 0), type("ListensForThis", (Listens,), {"receiver": told}))
    server.daemon_threads = True
    told.port = server.server_address[1]
    thread = threading.Thread(target=server.serve_forever, args=[0.02], daemon=True)
    thread.start()
    try:
        yield told
    finally:
        told.over.set()
        server.shutdown()
        server.server_close()
        thread.join()
