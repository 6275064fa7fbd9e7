"""What the QR on a win page opens, for anybody: genuine or not, the amount, the state. Nothing about the player."""

from __future__ import annotations

from datetime import timedelta
from typing import Final

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from accounting.paper.printing.seals import genuine
from jackpot.pacing.actions import TooSoon, count_try, take_try_back
from jackpot.pacing.rules import TryPace
from jackpot.trail.actions.trail import record_once_a_minute
from jackpot.trail.rules import objects
from jackpot.wins.rules.win_life import WinState

LOOK_UPS: Final = TryPace("verify", free=20, longest=timedelta(minutes=1))
STATES: Final = {
    WinState.LOGGED: ("Approved", "late", "It is not to be paid yet: the table has not finished its part."),
    WinState.OWED: ("Not paid yet", "ok", "It is to be paid once, against this slip number."),
    WinState.PAID: ("Paid", "late", "It has been paid and is not to be paid again."),
    WinState.BACKED_OUT: ("Void", "down", "It was backed out and is not to be paid."),
}


@never_cache
@require_safe
def verify(request: HttpRequest, number: str, digest: str) -> HttpResponse:
    """Who guesses codes is slowed where it comes from. The trail has what was answered, with the address: of a slip and
    an outcome one line a minute. What is refused as too soon was not looked at and adds none.
    """
    address = str(request.META.get("REMOTE_ADDR", ""))
    try:
        # Counted before it is looked at and taken back when it was right: tries at the same moment all count.
        count_try(LOOK_UPS, address, "Codes of slips")
    except TooSoon as soon:
        return render(request, "accounting/cage/verify.html", {"number": number, "wait": soon.why}, status=soon.status)
    win = genuine(int(number), digest)
    if win is not None:
        take_try_back(LOOK_UPS, address)
    outcome, about = ("refused", None) if win is None else ("done", objects.slip(win.slip, win.premises_id))
    # Anybody may ask here as fast as a page loads: a look at this slip with this outcome adds one line a minute.
    record_once_a_minute(actor=address, act="look", about=about, subject=f"slip {number}", outcome=outcome)
    word, look, cure = STATES[WinState(win.state)] if win else ("", "", "")
    shown = {"win": win, "number": number, "word": word, "look": look, "cure": cure}
    return render(request, "accounting/cage/verify.html", shown)


verify.verbs = {"GET": ("anyone",)}  # type: ignore[attr-defined]
