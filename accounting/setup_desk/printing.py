"""The sheet of one-time codes, with a QR that a box or a screen reads instead of fingers."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from django.urls import reverse

from accounting.paper.printing.seals import house_address, qr_of
from accounting.paper.printing.typeset import code_sheet_document
from accounting.paper.rules.copies import paper_of
from accounting.setup_desk.actions.codes import DeviceCode
from jackpot.property.models.property import Property
from tables.setup.actions.enrol import CODE_LIVES


def code_sheet(premises: Property, codes: Sequence[DeviceCode], now: datetime) -> bytes:
    """A PDF on the paper of the house's country."""
    local, until = now.astimezone(premises.zone), (now + CODE_LIVES).astimezone(premises.zone)
    facts = {
        "title": "Device codes", "house": premises.name, "at": int(now.timestamp()),
        "printed": f"printed {local:%Y-%m-%d %H:%M}", "until": f"{until:%Y-%m-%d %H:%M}",
        "codes": [_shown(each) for each in codes],
    }  # fmt: skip
    return code_sheet_document(facts, paper_of(premises.locale))


def _shown(each: DeviceCode) -> dict[str, Any]:
    """A screen opens its sign's address; a box is told the code itself."""
    device = each.device
    if device.sign is not None:
        says = f"{house_address()}{reverse('sign', kwargs={'code': device.sign.code})}?enrol={each.code}"
        place, how = f"sign {device.sign.code}", "Read it with the screen’s own browser: it becomes this sign."
    else:
        assert device.table is not None, "a device stands at one table or hangs as one sign"
        says, place = each.code, f"table {device.table.code}"
        how = "Read it or type it at the box when it asks to be enrolled."
    return {
        "device": device.code, "kind": device.get_kind_display(), "place": place, "code": each.code,
        "says": says, "qr": qr_of(says), "how": how,
    }  # fmt: skip
