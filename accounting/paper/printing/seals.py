"""What ties a page to the books: the seal of its entry, and the QR that anybody may ask whether it is genuine."""

from __future__ import annotations

import hmac
import io
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from django.conf import settings
from django.urls import reverse

from accounting.register import queries
from accounting.register.rules.slips import slip_digest
from jackpot.money import ZERO, Money
from jackpot.wins.models import Win

SHOWN: Final = 16
NOBODYS_SEAL: Final = bytes(32)


@dataclass(frozen=True, slots=True)
class Sealed:
    """The entry that fixed the award, the address that vouches for the page, and that address as a QR (SVG)."""

    name: str
    short: str
    digest: str
    address: str
    qr: str
    reserve_moved: Money


def sealed(win: Win, amount: Money) -> Sealed:
    """By its award entry; until the key is turned to RUN there is none yet, then by the entry that logged it."""
    assert win.slip is not None
    entry = queries.sealing_entries(win)[-1]
    # Under a key that the paper does not show: who knows slip, amount and seal can still make no code.
    digest = slip_digest(slips_key(), win.slip, amount, bytes(entry.seal))
    address = house_address() + reverse("verify", kwargs={"number": str(win.slip), "digest": digest})
    moved = Money(entry.movement.reserve)
    return Sealed(
        f"{win.jackpot.code} {entry.seq:,}", bytes(entry.seal).hex()[:SHOWN], digest, address, qr_of(address), moved
    )


def slips_key() -> bytes:
    """Drawn from the file key for this purpose alone."""
    return hmac.digest(settings.MASTER_KEY, b"slips", "sha256")


def house_address() -> str:
    """Where a phone reaches this house, as far as the server was told; else the QR holds the path alone."""
    address: str = settings.PUBLIC_URL
    return address


@lru_cache(maxsize=256)
def qr_of(address: str) -> str:
    import segno

    drawn = io.BytesIO()
    # Trying all eight masks for the prettiest costs as much as setting the page; a reader takes any.
    segno.make(address, error="m", micro=False, mask=3).save(
        drawn, kind="svg", xmldecl=False, svgns=True, border=2, omitsize=True
    )
    return drawn.getvalue().decode("ascii")


def genuine(slip: int, digest: str) -> Win | None:
    """The win of a slip if the digest is of it, whether it was printed before or after the key was turned to RUN.

    The digest says which house's slip it is. A wrong digest, a wrong slip and a slip that does not exist all cost the
    same in a house of its own: two digests, both compared.
    """
    known: list[Win | None] = [*queries.slips_numbered(slip)]
    return next((win for win in known or [None] if _vouched(win, slip, digest)), None)


def _vouched(win: Win | None, slip: int, digest: str) -> bool:
    amount = (win.amount_money if win else None) or ZERO
    # The two newest: a page that was printed before the key was turned to RUN carries the seal of the log.
    seals = [bytes(entry.seal) for entry in queries.sealing_entries(win)][-2:] if win else []
    seals += [NOBODYS_SEAL] * (2 - len(seals))
    right = [slip_digest(slips_key(), slip, amount, seal) for seal in seals]
    # A list, and not `any` over a generator: that would stop at the first that fits, and its time would tell.
    fits = [hmac.compare_digest(each.encode(), digest.encode()) for each in right]
    return win is not None and any(fits)
