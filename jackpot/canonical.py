"""One text for one value: what digests are made of."""

from __future__ import annotations

import hashlib
import json
from typing import Any


def canonical(plain: Any) -> str:
    """JSON with sorted keys and no spaces, ASCII only; the same value always gives the same text."""
    return json.dumps(plain, sort_keys=True, separators=(",", ":"), ensure_ascii=True, allow_nan=False)


def digest_of(text: str) -> str:
    return hashlib.sha256(text.encode("ascii")).hexdigest()


def digest_of_value(plain: Any) -> str:
    """The digest of a value's one text."""
    return digest_of(canonical(plain))


def request_of(plain: Any) -> bytes:
    """The digest of what was asked: the same act asked twice is the same, another one is not."""
    return hashlib.sha256(canonical(plain).encode("ascii")).digest()
