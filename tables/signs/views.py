"""The sign's page, whose first paint already carries the figure, and the same words over HTTP."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import orjson
from django.conf import settings
from django.db import InterfaceError, OperationalError, transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_http_methods, require_safe

from jackpot.property.models.property import Property
from jackpot.refusals import NotAllowed, Refused
from tables.floor.models.device import Device
from tables.floor.models.sign import Sign
from tables.setup.actions.enrol import at_that_pace, enrol, secret_of
from tables.signs import access, feed, queries
from tables.signs.access import Asking, Watcher
from tables.signs.figures import Writing, writing
from tables.signs.queries import MeterLayout, ShownMeter, SignLayout


@require_safe
def index(request: HttpRequest) -> HttpResponse:
    """All signs, for staff and for the demo."""
    asking = Asking.by_request(request)
    demo = access.is_loopback(asking.address) and Property.objects.filter(demo=True).exists()
    if not demo and access.staff_of(asking.cookies.get(settings.SESSION_COOKIE_NAME, "")) is None:
        return _sorry(request, 403, "The list of signs is for staff. Sign in first.")
    layouts = queries.sign_layouts().values()
    found = queries.standings(meter.jackpot_id for layout in layouts for meter in layout.meters)
    signs = [{"layout": layout, "meters": _meters(layout, found)} for layout in layouts]
    return render(request, "tables/signs/sign_index.html", {"signs": signs})


@require_http_methods(["GET", "HEAD", "POST"])
def page(request: HttpRequest, code: str) -> HttpResponse:
    """The picture on the wall; a form with a one-time code makes this screen the sign's own."""
    try:
        return _page(request, code)
    except (OperationalError, InterfaceError):
        return _sorry(request, 503, "The books cannot be reached. This page tries again by itself.", again_in=5)


def _page(request: HttpRequest, code: str) -> HttpResponse:
    sign = Sign.objects.select_related("premises").filter(code=code).first()
    if sign is None:
        return _sorry(request, 404, f"There is no sign {code}. Look at the code on the sign's label.")
    if request.method == "POST":
        told = request.POST.get("enrol", "")[:40]
        return _enrol(request, sign, told) if told else _sorry(request, 400, "Open the address with its code again.")
    if "enrol" in request.GET:
        return render(request, "tables/signs/sign_enrol.html", {"sign": sign, "code": request.GET["enrol"][:40]})
    watcher = access.watcher_of(sign, Asking.by_request(request))
    if watcher is None:
        return _sorry(request, 403, f"This screen is not enrolled as sign {code}. Ask the technician for its code.")
    answer = render(
        request, "tables/signs/sign.html", _shown(queries.sign_layouts()[code], request.GET.get("type", ""))
    )
    # The first paint carries the figure: a page out of a browser's memory would show that of another day.
    answer["Cache-Control"] = "no-store"
    if watcher.device:  # the same once more: a secret that is being replaced must not fetch the newer one
        _set_cookie(answer, request.COOKIES[access.COOKIE])
    return answer


@require_safe
def snapshot(request: HttpRequest, code: str) -> HttpResponse:
    """What the sign hears over its socket, once."""
    sign = Sign.objects.select_related("premises").filter(code=code).first()
    if sign is None:
        return _refusal(404, "not_found", f"There is no sign {code}.")
    if _watcher(sign, request) is None:
        return _refusal(403, "not_allowed", f"Only sign {code} itself and staff may read this.")
    layout = queries.sign_layouts()[code]
    words = feed.words(layout, _standings(layout), datetime.now(UTC))
    return HttpResponse(words, content_type="application/json", headers={"Cache-Control": "no-store"})


def _watcher(sign: Sign, request: HttpRequest) -> Watcher | None:
    asking = Asking.by_request(request)
    return None if asking.is_foreign else access.watcher_of(sign, asking)


def _enrol(request: HttpRequest, sign: Sign, code: str) -> HttpResponse:
    """The one-time code becomes the screen's own cookie and leaves the address bar."""
    try:
        device_code = at_that_pace(str(request.META.get("REMOTE_ADDR", "")), lambda: _enrolled(sign, code))
    except Refused as refused:
        return _sorry(request, refused.status, refused.why)
    answer = redirect(reverse("sign", args=[sign.code]))
    device = Device.objects.get(code=device_code)
    _set_cookie(answer, access.token_of(device, secret_of(device)))
    return answer


@transaction.atomic
def _enrolled(sign: Sign, code: str) -> str:
    """A code of another device is not spent here: its secret would be lost."""
    enrolled = enrol(code=code)
    if enrolled.sign_code != sign.code:
        raise NotAllowed(f"This code belongs to {enrolled.device_code}, which is not sign {sign.code}.")
    return enrolled.device_code


def _set_cookie(answer: HttpResponse, token: str) -> None:
    answer.set_cookie(
        access.COOKIE, token, max_age=access.COOKIE_LIVES,
        httponly=True, samesite="Strict", secure=settings.OVER_TLS,
    )  # fmt: skip


def _shown(layout: SignLayout, asked_type: str) -> dict[str, Any]:
    kind = asked_type if asked_type in Sign.Type.values else layout.type
    found = _standings(layout)
    return {
        "sign": layout,
        "kind": kind,
        "writing": writing(layout.currency, layout.locale),
        "language": layout.locale.replace("_", "-"),
        "meters": _meters(layout, found),
        "scene": feed.scene(layout, found),
        "edition": feed.page_edition(),
    }


def _standings(layout: SignLayout) -> dict[int, ShownMeter]:
    return queries.standings(meter.jackpot_id for meter in layout.meters)


def _meters(layout: SignLayout, found: dict[int, ShownMeter]) -> list[dict[str, Any]]:
    hand = writing(layout.currency, layout.locale)
    return [_meter(meter, found[meter.jackpot_id], hand) for meter in layout.meters]


def _meter(meter: MeterLayout, standing: ShownMeter, hand: Writing) -> dict[str, Any]:
    terms = meter.terms
    amount = feed.amount(terms, standing)
    pieces = hand.pieces(amount, terms.digits)
    return {
        "code": meter.code,
        "name": meter.name,
        "version": standing.seq,
        "amount": amount,
        "digits": terms.digits,
        "written": hand.written(amount, terms.digits),
        "pieces": pieces,
        "wheels": sum(piece.kind == "wheel" for piece in pieces),
        "limit": None if terms.limit is None else hand.written(str(terms.limit), terms.digits),
        "lines": [{"name": line.name, "pays": str(line.award)} for line in terms.pay_table],
    }


def _refusal(status: int, code: str, why: str) -> HttpResponse:
    return HttpResponse(
        orjson.dumps({"ok": False, "code": code, "why": why}), content_type="application/json", status=status
    )


def _sorry(request: HttpRequest, status: int, why: str, again_in: int = 30) -> HttpResponse:
    """A wall has no keyboard: the page says what is wrong and tries again by itself."""
    return render(request, "tables/signs/sign_unknown.html", {"why": why, "again_in": again_in}, status=status)
