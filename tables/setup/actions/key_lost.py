"""The key file is lost: what it closed can be opened by nobody, and a new one counts from here on."""

from __future__ import annotations

from django.db import transaction
from django.utils import timezone

from jackpot.property.models.key_mark import KeyMark
from jackpot.trail.actions.trail import record
from tables.floor.models.device import Device, DeviceState
from tables.setup.actions.enrol import end_secrets


@transaction.atomic
def adopt_key(*, mark: str, by: str, why: str) -> int:
    """Every secret ends, since no node can read it any more; returns how many devices wait for a code."""
    before = KeyMark.objects.select_for_update().first()
    # Blocked devices are not touched: when they are unblocked their secret goes anyway.
    enrolled = list(Device.objects.select_related("table").filter(state=DeviceState.ACTIVE).order_by("code"))
    for device in enrolled:
        end_secrets(device=device, by=by, why=why)
    KeyMark.objects.update_or_create(id=1, defaults={"mark": mark, "since": timezone.now()})
    told = {"before": before.mark[:8] if before else "", "now": mark[:8], "devices": len(enrolled)}
    record(actor=by, act="adopt_key", why=why, details=told)
    return len(enrolled)
