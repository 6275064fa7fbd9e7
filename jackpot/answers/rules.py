"""What a key of a request looks like, and when its stored answer has been kept long enough."""

from __future__ import annotations

import re
from datetime import datetime, timedelta
from typing import Final

from jackpot.refusals import NotUnderstood

LONGEST: Final = 60
FORM: Final = "form."
_KEY: Final = re.compile(rf"[A-Za-z0-9_.:-]{{8,{LONGEST}}}")


def is_key(key: str) -> bool:
    return _KEY.fullmatch(key) is not None


def is_form_key(key: str) -> bool:
    """A form's key is kept behind a word of its own, in the same column: it is so much shorter."""
    return len(key) <= LONGEST - len(FORM) and is_key(key)


def check_key(key: str) -> None:
    """A request that moves money names itself, so that a lost answer can be asked for again."""
    if not is_key(key):
        raise NotUnderstood(
            "Send an Idempotency-Key of 8 to 60 letters and digits: the same for a repeat, a new one for a new act.",
            "idempotency_key",
        )


def forgotten_before(now: datetime, days: int) -> datetime:
    """Answers from before this moment are given to nobody any more: no caller repeats a request for so long."""
    assert days >= 1, "an answer outlives the call that lost it"
    return now - timedelta(days=days)
