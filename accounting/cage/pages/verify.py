"""What the QR on a win page opens, for anybody: genuine or not, the amount, the state. Nothing about the player."""

from __future__ import annotations

from typing import Final

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from accounting.paper.printing.seals import genuine
from jackpot.wins.rules.win_life import WinState

STATES: Final = {
    WinState.LOGGED: ("Approved", "late", "It is not to be paid yet: the table has not finished its part."),
    WinState.OWED: ("Not paid yet", "ok", "It is to be paid once, against this slip number."),
    WinState.PAID: ("Paid", "late", "It has been paid and is not to be paid again."),
    WinState.BACKED_OUT: ("Void", "down", "It was backed out and is not to be paid."),
}


@never_cache
@require_safe
def verify(request: HttpRequest, number: str, digest: str) -> HttpResponse:
    win = genuine(int(number), digest)
    word, look, cure = STATES[WinState(win.state)] if win else ("", "", "")
    shown = {"win": win, "number": number, "word": word, "look": look, "cure": cure}
    return render(request, "accounting/cage/verify.html", shown)


verify.verbs = {"GET": ("anyone",)}  # type: ignore[attr-defined]
