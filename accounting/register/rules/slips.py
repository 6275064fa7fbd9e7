"""The digest on a slip, and what a scanner or a person types at the cage."""

from __future__ import annotations

import hmac
import re
from dataclasses import dataclass
from typing import Final

from jackpot.money import Money

DIGEST_LENGTH: Final = 32
LARGEST_SLIP: Final = 2**63 - 1
_VERIFY: Final = re.compile(r"(?:.*/)?verify/(\d{1,19})/([0-9a-f]{32})/?", re.IGNORECASE | re.ASCII)
_TYPED: Final = re.compile(r"(?:slip|no\.?|№|#)?\s*(\d{1,19})", re.IGNORECASE | re.ASCII)


class NotASlip(ValueError):
    """What was typed or scanned names no slip."""


@dataclass(frozen=True, slots=True)
class Scanned:
    """A slip number; with the digest if it came from the QR of a page."""

    slip: int
    digest: str = ""


def slip_digest(key: bytes, slip: int, amount: Money, seal: bytes) -> str:
    """Binds number, amount and sealed entry together: a page with another amount cannot carry it."""
    # Printed pages carry it for years, so a line of another form gets another number.
    text = f"v1|{slip}|{amount}|{seal.hex()}"
    return hmac.digest(key, text.encode("ascii"), "sha256").hex()[:DIGEST_LENGTH]


def read_slip(text: str) -> Scanned:
    """ "12", "slip 12", "№ 12", or the whole address that the QR holds."""
    text = text.strip()
    if found := _VERIFY.fullmatch(text):
        return Scanned(_bounded(found.group(1)), found.group(2).lower())
    if found := _TYPED.fullmatch(text):
        return Scanned(_bounded(found.group(1)))
    raise NotASlip("Type the slip number from the page (12), or scan its QR code.")


def _bounded(digits: str) -> int:
    if not digits.isascii() or not 1 <= int(digits) <= LARGEST_SLIP:
        raise NotASlip(f"{digits[:19]} is no slip number.")
    return int(digits)
