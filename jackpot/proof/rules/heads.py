"""Heads: where a jackpot's books stood at a moment, said outside the database and signed with the file key.

Seals alone cannot show that somebody with every right rewrote the books from some entry on and sealed them anew; a head
that was published before, and is no longer in them, can.
"""

from __future__ import annotations

import hmac
import json
from dataclasses import dataclass
from datetime import datetime

from jackpot.canonical import canonical


class NotAHead(ValueError):
    """A line of the published heads that cannot be read, or was not signed here."""


@dataclass(frozen=True, slots=True)
class SignedHead:
    """The last entry of a jackpot when it was published, and the meter after it."""

    at: str
    jackpot: str
    seq: int
    seal: str
    meter: str

    def plain(self) -> dict[str, str | int]:
        return {"at": self.at, "jackpot": self.jackpot, "seq": self.seq, "seal": self.seal, "meter": self.meter}

    def signature(self, key: bytes) -> str:
        return hmac.digest(key, canonical(self.plain()).encode("ascii"), "sha256").hex()

    def line(self, key: bytes) -> str:
        return canonical({**self.plain(), "signature": self.signature(key)})


def read_head(line: str, key: bytes | None = None) -> SignedHead:
    """A published line as a value; with the key, only one that was signed with it."""
    try:
        plain = json.loads(line)
        head = SignedHead(plain["at"], plain["jackpot"], int(plain["seq"]), plain["seal"], plain["meter"])
        datetime.fromisoformat(head.at)
        signature = str(plain["signature"])
    except (ValueError, TypeError, KeyError) as problem:
        raise NotAHead(f"it cannot be read ({problem!r})") from None
    if key is not None and not hmac.compare_digest(signature.encode(), head.signature(key).encode()):
        raise NotAHead("its signature is not of this house's key")
    return head
