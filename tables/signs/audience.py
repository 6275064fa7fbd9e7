"""Who listens to one sign, and when they are to be told: at most four times a second, never silent for long."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from functools import cached_property
from typing import Final

from websockets.frames import Frame, Opcode

GAP = 0.25
WHOLE_EVERY: Final = 10.0
BEAT_EVERY: Final = 3.0
AT_A_TIME: Final = 100


@dataclass(frozen=True)
class Words:
    """What is said to many at once."""

    text: str

    @cached_property
    def frame(self) -> bytes:
        """As it goes over the wire; made once, whoever listens."""
        # Only clients mask their frames; and unmasked the same bytes serve every screen.
        return bytes(Frame(Opcode.TEXT, self.text.encode()).serialize(mask=False))


class Listener:
    """One connected client. A slow one keeps only the newest words: nothing piles up behind it.

    Where the server can write a ready-made frame (`write`; false when the client does not keep up), no task wakes.
    """

    def __init__(
        self,
        send: Callable[[str], Awaitable[None]],
        close: Callable[[int], Awaitable[None]] | None = None,
        device: tuple[str, int] | None = None,
        write: Callable[[bytes], bool] | None = None,
    ) -> None:
        self._send, self._close, self.device, self._write = send, close, device, write
        self._newest: Words | None = None
        self._sending = False
        self._leaving: int | None = None
        self._given = asyncio.Event()

    def give(self, words: Words) -> None:
        if self._write is not None and not self._behind and self._write(words.frame):
            return
        self._newest = words
        self._given.set()

    def give_beat(self, beat: Words) -> None:
        """A beat never displaces a figure that waits to be sent."""
        if self._newest is None:
            self.give(beat)

    def dismiss(self, code: int) -> None:
        self._leaving = code
        self._given.set()

    @property
    def _behind(self) -> bool:
        """Older words are still on their way: what is written past them would arrive before them."""
        return self._sending or self._newest is not None or self._leaving is not None

    async def pump(self) -> None:
        """Sends what is given until the client is dismissed; waiting for one client holds up no other."""
        with contextlib.suppress(OSError, RuntimeError):  # the client went away while it was being told
            while self._leaving is None:
                await self._given.wait()
                self._given.clear()
                words, self._newest = self._newest, None
                if words is not None and self._leaving is None:
                    self._sending = True
                    await self._send(words.text)
                    self._sending = False
            if self._close is not None:
                await self._close(self._leaving)


@dataclass(slots=True)
class Audience:
    """The listeners of one sign in this process."""

    code: str
    listeners: set[Listener] = field(default_factory=set)
    newcomers: list[Listener] = field(default_factory=list)
    told: object = None
    told_at: float = float("-inf")
    heard_at: float = float("-inf")

    def join(self, listener: Listener) -> None:
        self.listeners.add(listener)
        self.newcomers.append(listener)

    def leave(self, listener: Listener) -> None:
        self.listeners.discard(listener)
        with contextlib.suppress(ValueError):
            self.newcomers.remove(listener)

    def is_free(self, now: float) -> bool:
        return now >= self.told_at + GAP

    def due_at(self, sight: object) -> float:
        """When this state is to be told: at once or when the gap is over; the same state again after ten seconds."""
        if self.newcomers:
            return float("-inf")
        return self.told_at + (WHOLE_EVERY if sight == self.told else GAP)

    def listeners_due(self, sight: object, now: float) -> list[Listener]:
        """Whom to tell this state now: everybody when it is due, else those who have just come."""
        came, self.newcomers = self.newcomers, []
        if now < self.due_at(sight):
            return came
        self.told, self.told_at, self.heard_at = sight, now, now
        return list(self.listeners)

    def wants_beat(self, now: float) -> bool:
        if now < self.heard_at + BEAT_EVERY:
            return False
        self.heard_at = now
        return True


async def spread(listeners: list[Listener], words: Words, beat: bool = False) -> None:
    """Gives the same words to all; the loop gets its turn after every hundred."""
    for number, listener in enumerate(listeners, start=1):
        if beat:
            listener.give_beat(words)
        else:
            listener.give(words)
        if number % AT_A_TIME == 0:
            await asyncio.sleep(0)
