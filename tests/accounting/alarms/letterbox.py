"""A mail server of the test's own on loopback: takes letters, or refuses the mailbox."""

from __future__ import annotations

import socketserver
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from email import message_from_bytes, policy
from email.message import EmailMessage
from typing import Any


@dataclass
class Letterbox:
    letters: list[EmailMessage] = field(default_factory=list)
    refuses: bool = False
    port: int = 0

    @property
    def url(self) -> str:
        return f"smtp://127.0.0.1:{self.port}"


class Clerk(socketserver.StreamRequestHandler):
    box: Letterbox

    def handle(self) -> None:
        self.say("220 letterbox")
        while line := self.rfile.readline():
            word = line[:4].upper().strip()
            if word == b"RCPT" and self.box.refuses:
                self.say("550 nobody of that name")
            elif word == b"DATA":
                self.say("354 go on")
                self.keep()
            elif word == b"QUIT":
                self.say("221 bye")
                return
            else:
                self.say("250 fine")

    def keep(self) -> None:
        text = b""
        while (line := self.rfile.readline()) != b".\r\n":
            text += line
        letter: Any = message_from_bytes(text, policy=policy.default)
        self.box.letters.append(letter)
        self.say("250 kept")

    def say(self, words: str) -> None:
        self.wfile.write(words.encode() + b"\r\n")


@contextmanager
def letterbox() -> Iterator[Letterbox]:
    box = Letterbox()
    clerk = type("ClerkOfThis", (Clerk,), {"box": box})
    with socketserver.ThreadingTCPServer(("127.0.0.1", 0), clerk) as server:
        server.daemon_threads = True
        box.port = server.server_address[1]
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
        thread.start()
        yield box
        server.shutdown()
        thread.join(10)
