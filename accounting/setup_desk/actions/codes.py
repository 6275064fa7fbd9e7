"""One-time codes for many devices at once, as they are needed on the day when boxes are hung."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from django.db import transaction

from jackpot.refusals import NotUnderstood
from tables.floor.models.device import Device
from tables.setup.actions.enrol import invite

MOST_CODES: Final = 200


@dataclass(frozen=True, slots=True)
class DeviceCode:
    """A device with its code, which is told this once and kept nowhere."""

    device: Device
    code: str


@transaction.atomic
def invite_many(*, devices: Sequence[Device], by: str) -> list[DeviceCode]:
    """A new code for each; an older one becomes useless. One that is blocked refuses all of them."""
    if not 0 < len(devices) <= MOST_CODES:
        raise NotUnderstood(f"Choose 1 to {MOST_CODES} devices that shall get a code.", "devices")
    # In the one transaction: a sheet of codes of which some count and some do not would be found out at the boxes.
    return [DeviceCode(device, invite(device=device, by=by)) for device in devices]
