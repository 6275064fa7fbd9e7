"""Who is speaking: each device's secrets, kept per process, and the checks of what it signs."""

from __future__ import annotations

import hmac
import time
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from tables.floor.models.device import Device, DeviceState
from tables.gateway.actions.device import below_version
from tables.gateway.messages import proof_of, signature_of
from tables.rounds.models.round import Round
from tables.setup.actions.enrol import secrets_of

CLOCK_MAY_DIFFER: Final = 30.0
RELOAD_AFTER: Final = 1.0


@dataclass(slots=True)
class Speaker:
    """A device as this process knows it. Whether it is blocked, the batch decides under the lock."""

    id: int
    code: str
    table_code: str
    secrets: tuple[bytes, ...]
    last_sequence: int
    below_version: str | None = None
    doubted_at: float = 0.0
    person: int | None = None  # at a console: who is signed in there

    def proves(self, proof: str, nonce: str, path: str, version: str) -> bool:
        return any(_same(proof_of(secret, nonce, path, self.code, version), proof) for secret in self.secrets)

    def signed(self, signature: str, path: str, time_text: str, sequence: int, body: bytes) -> bool:
        return any(
            _same(signature_of(secret, "POST", path, time_text, sequence, body), signature) for secret in self.secrets
        )


def _same(ours: str, theirs: str) -> bool:
    """Compared in constant time, and as bytes: a stranger may send any character."""
    return hmac.compare_digest(ours.encode(), theirs.encode())


class Speakers:
    """The devices this process has met."""

    def __init__(self) -> None:
        self._known: dict[str, Speaker] = {}

    def known(self, code: str) -> Speaker | None:
        return self._known.get(code)

    def read(self, *, code: str) -> Speaker | None:
        """Reads a device anew; what the process knew of its sequence is kept, for a sequence never falls."""
        device = Device.objects.select_related("table").filter(code=code, state=DeviceState.ACTIVE).first()
        if device is None or device.table is None or device.secret is None:
            self._known.pop(code, None)
            return None
        last = Round.objects.filter(table=device.table, device=device).order_by("-number").first()
        before = self._known.get(code)
        sequence = max(last.sequence if last else 0, before.last_sequence if before else 0)
        below, doubted = below_version(device), before.doubted_at if before else 0.0
        speaker = Speaker(device.id, code, device.table.code, secrets_of(device), sequence, below, doubted)
        self._known[code] = speaker
        return speaker


def may_have_changed(speaker: Speaker) -> bool:
    """A secret may have been rotated or enrolled anew: worth one look a second, not one a forgery."""
    now = time.monotonic()
    if now - speaker.doubted_at < RELOAD_AFTER:
        return False
    speaker.doubted_at = now
    return True


def moment_of(time_text: str) -> float | None:
    """Seconds since 1970 of an X-Time: ISO 8601 with zone, or whole milliseconds."""
    try:
        if time_text.isascii() and time_text.isdigit():
            return int(time_text) / 1000
        moment = datetime.fromisoformat(time_text)
    except (ValueError, OverflowError):
        return None
    return None if moment.tzinfo is None else moment.timestamp()


def clock_agrees(time_text: str) -> bool:
    moment = moment_of(time_text)
    return moment is not None and abs(moment - time.time()) <= CLOCK_MAY_DIFFER
