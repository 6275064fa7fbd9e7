"""Devices as a technician sees them: where each stands, whether it is heard, and the way in and out of silence."""

from __future__ import annotations

from typing import Final

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.utils import timezone

from jackpot.web.pages.access import needs
from jackpot.web.pages.listing import coded_list
from jackpot.web.pages.posting import posts, word
from tables.floor.models.device import Device, DeviceState
from tables.floor.queries.device_lists import devices_of
from tables.setup.actions.enrol import block, end_earlier_secret, end_secrets, speaks_beside, unblock

READERS: Final = ("read_books", "service")  # who audits looks at everything; only who serves them silences them
PAGE: Final = 100
FACES: Final = {
    DeviceState.WAITING: ("late", "◐"),
    DeviceState.ACTIVE: ("ok", "●"),
    DeviceState.BLOCKED: ("down", "▲"),
}


@needs(*READERS)
def devices(request: HttpRequest) -> HttpResponse:
    """Every device of the house."""
    rows = devices_of(request.user).select_related("table__premises", "sign__premises")
    listed = coded_list(rows, request.GET, PAGE)
    shown = {"rows": [_shown(row) for row in listed.rows], "list": listed}
    return render(request, "tables/setup/devices.html", shown)


@needs(*READERS)
def device(request: HttpRequest, code: str) -> HttpResponse:
    """One device, with the form that blocks it or lets it come back for whoever serves it."""
    row, colour, mark = _shown(_device(request, code))
    until = row.earlier_until
    shown = {
        "row": row, "colour": colour, "mark": mark, "blocked": row.state == DeviceState.BLOCKED,
        "active": row.state == DeviceState.ACTIVE, "earlier": bool(until and until > timezone.now()),
        "earlier_generation": row.generation - 1,
        "beside": speaks_beside(row) if row.state == DeviceState.BLOCKED else None,
    }  # fmt: skip
    return render(request, "tables/setup/device.html", shown)


@posts("service", back_to="device")
def device_block(request: HttpRequest, *, code: str) -> str:
    """From now on no process hears it."""
    block(device=_device(request, code), by=request.user.get_username(), why=word(request, "why"))
    return f"{code} is blocked: nothing that it says is heard."


@posts("service", back_to="device")
def device_unblock(request: HttpRequest, *, code: str) -> str:
    """It may be enrolled again; what it knew as its secret opens nothing any more."""
    unblock(device=_device(request, code), by=request.user.get_username(), why=word(request, "why"))
    return f"{code} may be enrolled again. A console does so by itself; a box needs a new one-time code."


@posts("service", back_to="device")
def device_secrets(request: HttpRequest, *, code: str) -> str:
    """Secrets end now: the earlier one that a rotation had spared, or all of them."""
    row, why = _device(request, code), word(request, "why")
    if request.POST.get("what") == "earlier":
        end_earlier_secret(device=row, by=request.user.get_username(), why=why)
        return f"The earlier secret of {code} has ended; the newest goes on."
    end_secrets(device=row, by=request.user.get_username(), why=why)
    return f"No secret of {code} is heard any more. It comes back with a new one-time code."


def _device(request: HttpRequest, code: str) -> Device:
    rows = devices_of(request.user).select_related("table__premises", "sign__premises")
    row: Device = get_object_or_404(rows, code=code)
    return row


def _shown(row: Device) -> tuple[Device, str, str]:
    colour, mark = FACES[DeviceState(row.state)]
    return row, colour, mark
