"""The trail: who did or tried what."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from jackpot.trail.models import Trail


def record(
    *,
    actor: str,
    act: str,
    subject: str = "",
    outcome: str = "done",
    why: str = "",
    details: Mapping[str, Any] | None = None,
) -> Trail:
    """One line of the trail, inside the act's own transaction."""
    return Trail.objects.create(
        actor=actor[:80], act=act[:40], subject=subject[:80], outcome=outcome[:20], why=why, details=dict(details or {})
    )
