"""How a delivery is signed, so that whoever gets it knows who sent it, when, and that nothing was changed.

    Fairmeter-Signature: t=1763500000,v1=<HMAC-SHA256 over "1763500000." and the body, in hexadecimal digits>

While a secret gives way to another both sign, the newer first: a second `v1` stands behind the first one.

The time stands under the signature: a receiver that refuses what is older than five minutes cannot be told an old
delivery again by somebody who listened. Within the five minutes the numbers of the events tell a repeat.
"""

from __future__ import annotations

import hmac
import secrets
from typing import Final

SIGNATURE_HEADER: Final = "Fairmeter-Signature"
WEBHOOK_HEADER: Final = "Fairmeter-Webhook"
SECRET_START: Final = "fmw_"
USUAL_GRACE: Final = 24  # hours in which the earlier secret signs too
MOST_GRACE: Final = 24 * 14


def new_secret() -> str:
    """256 bits; the whole text, with its beginning, is the key."""
    return SECRET_START + secrets.token_urlsafe(32)


def signature(secret: str, sent_at: int, body: bytes, *, before: str = "") -> str:
    """The value of the header for a body sent in this second; `before` is the earlier secret while it still signs."""
    each = [hmac.digest(key.encode(), b"%d." % sent_at + body, "sha256").hex() for key in (secret, before) if key]
    return ",".join([f"t={sent_at}", *(f"v1={signed}" for signed in each)])
