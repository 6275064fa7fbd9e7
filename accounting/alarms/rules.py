"""What rings, in which words, and where it may be told. Pure."""

from __future__ import annotations

import enum
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final
from urllib.parse import urlsplit

from accounting.mail.letters import MAILBOX
from accounting.webhooks.rules.address import address_refusal

QUIET_BEFORE_END: Final = timedelta(seconds=30)  # a link that flutters rings once
GIVEN_UP_AFTER: Final = timedelta(days=1)


class AlarmKind(enum.StrEnum):
    """Each thing that somebody has to know of at once, wherever they stand."""

    DEVICE_LATE = "device late"
    LINKS_DOWN = "links down"
    SIGN_DIFFERS = "sign differs"
    HIT_WAITS = "hit waits"
    HIT_WAITS_LONG = "hit waits long"
    PAPER = "paper"
    QUEUE = "queue"
    DISK = "disk"
    STANDBY = "standby"
    VARIANCE = "variance"
    STOPPED = "stopped"
    PROOF = "proof"
    NUMBERS = "numbers"
    ARCHIVE = "archive"
    CARD_LOCKED = "card locked"
    SIGN_IN_LOCKED = "sign-in locked"
    LIMITS = "limits"
    APPROVAL = "approval"
    RETIRED_MONEY = "retired money"
    BANK_COVER = "bank cover"
    KEY_LATE = "key late"
    SEAL = "seal"
    SLIP_BOOK = "slip book"
    CONTRIBUTION = "contribution"


LOUD: Final = frozenset(
    {
        AlarmKind.LINKS_DOWN, AlarmKind.SIGN_DIFFERS, AlarmKind.HIT_WAITS_LONG, AlarmKind.DISK, AlarmKind.STANDBY,
        AlarmKind.STOPPED, AlarmKind.PROOF, AlarmKind.BANK_COVER,
    }
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class AlarmFinding:
    """One thing that is wrong in one house at this moment."""

    house: int
    kind: AlarmKind
    subject: str
    words: str

    @property
    def key(self) -> tuple[int, str, str]:
        return self.house, self.kind.value, self.subject


@dataclass(frozen=True, slots=True)
class RingingAlarm:
    """One that rings already: its key, and since when nobody found it any more."""

    key: tuple[int, str, str]
    quiet_since: datetime | None = None


@dataclass(frozen=True, slots=True)
class AlarmChanges:
    """What to do with the list: ring these, end those; these are quiet for now, those are back."""

    ring: Sequence[AlarmFinding]
    end: Sequence[tuple[int, str, str]]
    hush: Sequence[tuple[int, str, str]]
    back: Sequence[tuple[int, str, str]]


def changes(found: Iterable[AlarmFinding], ringing: Iterable[RingingAlarm], now: datetime) -> AlarmChanges:
    """An alarm ends when nothing was found of it for half a minute; what is found again before, never stopped."""
    by_key: Mapping[tuple[int, str, str], AlarmFinding] = {each.key: each for each in found}
    # By house, kind and subject: words change with every minute that something lasts, and it still is one alarm.
    known = {each.key: each for each in ringing}
    silent = [each for key, each in known.items() if key not in by_key]
    return AlarmChanges(
        ring=[each for key, each in by_key.items() if key not in known],
        end=[each.key for each in silent if each.quiet_since and now - each.quiet_since >= QUIET_BEFORE_END],
        hush=[each.key for each in silent if each.quiet_since is None],
        back=[key for key, each in known.items() if key in by_key and each.quiet_since is not None],
    )


def where_refusal(address: str) -> str:
    """What is wrong with an address for alarms, with its cure; nothing where they may be sent to it."""
    scheme, _, rest = address.partition(":")
    if scheme == "mailto":
        return "" if MAILBOX.fullmatch(rest) else "Write the mailbox as mailto:pit@casino.example."
    if scheme in ("ntfy", "ntfy+http"):
        topic = urlsplit(address).path.strip("/")
        if not re.fullmatch(r"[A-Za-z0-9_-]{1,64}", topic):
            return "Write host and topic, such as ntfy://ntfy.example/pit."
        return address_refusal(web_address(address))
    if scheme in ("http", "https"):
        return address_refusal(address)
    return "Begin with mailto:, https:// or ntfy://, such as mailto:pit@casino.example."


def web_address(address: str) -> str:
    """Where an HTTP request goes: ntfy is one, too."""
    if address.startswith("ntfy+http:"):
        return "http:" + address.removeprefix("ntfy+http:")
    return "https:" + address.removeprefix("ntfy:") if address.startswith("ntfy:") else address
