"""Who is speaking: each device's secrets, kept per process, and the checks of what it signs."""

from __future__ import annotations

import hmac
import time
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final, NamedTuple

from django.utils import timezone

from jackpot.database.raw import ask_together
from tables.floor.models.device import Device, DeviceState
from tables.floor.models.table import Table
from tables.floor.queries.components import VersionRules, rules_at, why_kept_closed
from tables.floor.queries.secrets import DeviceStanding
from tables.gateway.messages import MOST_SEATS, proof_of, signature_of
from tables.setup.actions.enrol import DeviceSecret, secrets_of

CLOCK_MAY_DIFFER: Final = 30.0
RELOAD_AFTER: Final = 1.0
_LAST: Final = """
SELECT asked.id, last.device_id, last.generation, last.sequence FROM unnest(%s::bigint[]) AS asked(id)
 CROSS JOIN LATERAL (
   SELECT r.device_id, r.generation, r.sequence FROM tables_round r
    WHERE r.table_id = asked.id ORDER BY r.number DESC LIMIT 1) last
"""


@dataclass(slots=True)
class Speaker:
    """A device as this process knows it. Whether it is heard, each act asks the database again."""

    id: int
    code: str
    table_code: str
    secrets: tuple[DeviceSecret, ...]
    spent: dict[int, int]  # the highest number of each generation of its secret
    below_version: str | None = None
    doubted_at: float = 0.0
    person: int | None = None  # at a console: who is signed in there
    rules_at: datetime | None = None  # of the newest rule of software that `below_version` knows
    seats: int = MOST_SEATS  # of its table
    outdated: bool = False  # its secrets or its table are others now; it is read again before it is heard

    def proved(self, proof: str, nonce: str, path: str, version: str) -> int | None:
        """The generation of the secret that answers the challenge."""
        return self._fits(proof, lambda secret: proof_of(secret, nonce, path, self.code, version))

    def signed(self, signature: str, path: str, time_text: str, sequence: int, body: bytes) -> int | None:
        """The generation of the secret that signed."""
        return self._fits(signature, lambda secret: signature_of(secret, "POST", path, time_text, sequence, body))

    def knows(self, standing: DeviceStanding | None) -> bool:
        """Whether what is kept here is still what the database has."""
        if standing is None or standing.state != DeviceState.ACTIVE or standing.table_code != self.table_code:
            return False
        if (standing.rules_at, standing.seats) != (self.rules_at, self.seats):
            return False
        generations = {secret.generation for secret in self.secrets if secret.lasts(timezone.now())}
        return generations == {standing.generation, standing.generation - standing.earlier_holds}

    def spends(self, numbers: Mapping[int, int]) -> None:
        """What was spent elsewhere is spent here."""
        for generation, number in numbers.items():
            self.spent[generation] = max(self.spent.get(generation, 0), number)

    def _fits(self, theirs: str, ours: Callable[[bytes], str]) -> int | None:
        for secret in self.secrets:  # the newest first: it is nearly always that one
            if _same(ours(secret.key), theirs) and secret.lasts(timezone.now()):
                return secret.generation
        return None


def _same(ours: str, theirs: str) -> bool:
    """Compared in constant time, and as bytes: a stranger may send any character."""
    return hmac.compare_digest(ours.encode(), theirs.encode())


class Speakers:
    """The devices this process has met."""

    def __init__(self) -> None:
        self._known: dict[str, Speaker] = {}

    def known(self, code: str) -> Speaker | None:
        speaker = self._known.get(code)
        return None if speaker is None or speaker.outdated else speaker

    def __bool__(self) -> bool:
        return bool(self._known)

    def compare(self, standings: Mapping[str, DeviceStanding]) -> None:
        """What was blocked, ended, rotated or enrolled anew meanwhile is read again; its numbers are kept."""
        for code, speaker in list(self._known.items()):
            standing = standings.get(code)
            if standing is None or not speaker.knows(standing):
                speaker.outdated = True
            else:  # what another process heard of it
                speaker.spends(
                    {
                        standing.generation: standing.heard_sequence,
                        standing.generation - 1: standing.earlier_sequence,
                    }
                )

    def read(self, *, codes: Sequence[str]) -> list[Speaker | None]:
        """Reads devices anew; what the process knew of their numbers is kept."""
        rows = Device.objects.select_related("table").filter(code__in=codes, state=DeviceState.ACTIVE)
        devices = {device.code: device for device in rows if device.secret is not None}
        tables = [device.table for device in devices.values() if device.table is not None]
        rules, last = rules_at(tables), _last_rounds(tables)
        for code in codes:
            device = devices.get(code)
            if device is not None and device.table is not None:
                self._known[code] = self._made(device, device.table, rules[device.table.premises_id], last)
            elif code in self._known:
                self._known[code].outdated = True
        return [self.known(code) for code in codes]

    def _made(self, device: Device, table: Table, rules: VersionRules, last: Mapping[int, SpokenRound]) -> Speaker:
        before = self._known.get(device.code)
        spent, below = _spent(device, last.get(table.pk)), why_kept_closed(table, rules)
        speaker = Speaker(device.id, device.code, table.code, secrets_of(device), spent, below)
        if before is not None:
            # What was heard here in the last second is not in the database yet.
            speaker.spends(before.spent)
            speaker.doubted_at = before.doubted_at
        speaker.rules_at, speaker.seats = rules.newest, table.seats
        return speaker


class SpokenRound(NamedTuple):
    """Which device said the last word of a table's last round, with which number of which secret."""

    device_id: int | None
    generation: int | None
    sequence: int


def _last_rounds(tables: Collection[Table]) -> dict[int, SpokenRound]:
    """By table."""
    (rows,) = ask_together([(_LAST, [[table.pk for table in tables]])])
    return {row[0]: SpokenRound(*row[1:]) for row in rows}


def _spent(device: Device, last: SpokenRound | None) -> dict[int, int]:
    """What its secrets have spent: on acts, on refusals, and on its table's last round.

    A round before the last is counted and over; said again it would only hear its stored answer.
    """
    newest = max(device.last_sequence, device.heard_sequence)
    numbers = {device.generation: newest, device.generation - 1: device.earlier_sequence}
    if last is not None and last.device_id == device.pk and last.generation in numbers:
        numbers[last.generation] = max(numbers[last.generation], last.sequence)
    return numbers


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
