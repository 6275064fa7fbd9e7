"""One asking, one answer: who repeats a request under its own key hears what was answered the first time."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final

from jackpot.canonical import canonical, digest_of
from jackpot.refusals import AlreadyPosted, NotUnderstood
from jackpot.trail.actions.trail import record
from jackpot.trail.models import Trail

ACT: Final = "answer_once"
_KEY: Final = re.compile(r"[A-Za-z0-9_.:-]{8,60}")


def check_key(key: str) -> None:
    """A request that moves money names itself, so that a lost answer can be asked for again."""
    if not _KEY.fullmatch(key):
        raise NotUnderstood(
            "Send an Idempotency-Key of 8 to 60 letters and digits: the same for a repeat, a new one for a new act.",
            "idempotency_key",
        )


def answered(*, actor: str, key: str, asked: Mapping[str, Any]) -> dict[str, Any] | None:
    """The stored answer of this person's request, or None; the same key with other words is a clash."""
    line = Trail.objects.filter(subject=_subject(key), act=ACT, actor=actor[:80]).order_by("-id").first()
    if line is None:
        return None
    if line.details["asked"] != _digest(asked):
        raise AlreadyPosted("This Idempotency-Key was used for another request. Draw a new one.")
    return {**line.details["answer"], "repeat": True}


def remember(*, actor: str, key: str, asked: Mapping[str, Any], answer: Mapping[str, Any]) -> None:
    """Keeps an answer under its key, in the trail, where nothing is ever changed."""
    record(actor=actor, act=ACT, subject=_subject(key), details={"asked": _digest(asked), "answer": dict(answer)})


def _subject(key: str) -> str:
    return f"key {key}"


def _digest(asked: Mapping[str, Any]) -> str:
    return digest_of(canonical(dict(asked)))
