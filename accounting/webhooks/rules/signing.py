"""How a delivery is signed, so that whoever gets it knows who sent it, when, and that nothing was changed.

    Fairmeter-Signature: t=1763500000,v1=<HMAC-SHA256 over "1763500000." and the body, in hexadecimal digits>

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


def new_secret() -> str:
    """256 bits; the whole text, with its beginning, is the key."""
    return SECRET_START + secrets.token_urlsafe(32)


def signature(secret: str, sent_at: int, body: bytes) -> str:
    """The value of the header for a body sent in this second."""
    signed = hmac.digest(secret.encode(), b"%d." % sent_at + body, "sha256").hex()
    return f"t={sent_at},v1={signed}"
