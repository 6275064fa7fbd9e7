"""A message that came in one piece, read without a parser's callbacks: they cost more than all that they find.

Only what says itself the plain way is read here; for everything else the answer is None and a real parser reads it.
Whatever is read here, the parsers of HTTP and WebSocket read as the same (`tests/launcher/test_whole.py`).
"""

from __future__ import annotations

import re
from typing import Final, NamedTuple

try:
    from websockets.speedups import apply_mask
except ImportError:  # a machine for which nobody built it
    from websockets.utils import apply_mask

LONGEST_HEAD: Final = 2_048
# A request line without a query, then lines `Name: value` whose value neither begins nor ends with a blank.
_HEAD: Final = re.compile(rb"POST (/[A-Za-z0-9/_.-]*) HTTP/1\.1((?:\r\n[A-Za-z0-9-]+: [!-~](?:[ -~]*[!-~])?){1,20})")
# What changes how a message is to be read or answered is not among them.
_HARMLESS: Final = frozenset(
    b"host user-agent accept accept-encoding content-type content-length "
    b"x-device x-time x-sequence x-signature traceparent".split()
)
_TEXT_AT_ONCE: Final = 0x81  # a whole text message: the last frame, and the first
_MASKED: Final = 0x80


class WholeRequest(NamedTuple):
    """A POST with its headers, their names in small letters."""

    address: bytes
    headers: list[tuple[bytes, bytes]]
    body: bytes


def whole_request(data: bytes) -> WholeRequest | None:
    """One POST and nothing behind it, which asks for nothing but its answer on a line that stays."""
    end = data.find(b"\r\n\r\n", 0, LONGEST_HEAD)
    head = _HEAD.fullmatch(data, 0, end) if end > 0 else None
    if head is None:
        return None
    headers, length = [], None
    for line in head[2][2:].split(b"\r\n"):
        name, _, value = line.partition(b": ")
        name = name.lower()
        if name not in _HARMLESS:
            return None
        if name == b"content-length":
            if length is not None:
                return None
            length = value
        headers.append((name, value))
    body = data[end + 4 :]
    return WholeRequest(head[1], headers, body) if length == b"%d" % len(body) else None


def whole_text(data: bytes) -> bytes | None:
    """The words of one masked text frame of a client, which is a whole message with nothing behind it."""
    if len(data) < 6 or data[0] != _TEXT_AT_ONCE:
        return None
    size, mask_at = data[1] - _MASKED, 2
    if size == 126:
        size, mask_at = int.from_bytes(data[2:4], "big"), 4
        if size < 126:
            return None
    if not 0 <= size == len(data) - mask_at - 4 or data[1] == 0xFF:
        return None
    return apply_mask(data[mask_at + 4 :], data[mask_at : mask_at + 4])
