"""What the top of a page asks for by itself: the wins that wait, and a longer session."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render, resolve_url
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST

from jackpot.people.pages import is_here
from jackpot.property.queries import house_of
from jackpot.web.pages.access import needs
from jackpot.wins.queries.pending import PIT_VERBS, pending_wins


@never_cache
@needs(*PIT_VERBS)
def pending(request: HttpRequest) -> HttpResponse:
    """Nothing comes back while the same wins wait: so nothing is drawn or spoken anew. Ages run on in the page."""
    now = pending_wins(request.user)
    if request.GET.get("seen") == now.seen:
        return HttpResponse(status=204)
    shown = {"pending": now, "premises": house_of(request.user), "alone": True}
    return render(request, "jackpot/top/top_pending.html", shown)


@require_POST
def stay(request: HttpRequest) -> HttpResponse:
    """The session begins its hours anew; whoever is not signed in any more has none to prolong."""
    if not request.user.is_authenticated:
        return redirect("sign-in")
    # To be saved anew is what begins its hours anew.
    request.session.modified = True
    if request.headers.get("Accept") == "application/json":
        return JsonResponse({"ok": True, "ends": request.session.get_expiry_date().isoformat()})
    wanted = request.POST.get("next", "")
    return redirect(wanted if is_here(request, wanted) else resolve_url("home"))


stay.verbs = {"POST": ("anyone",)}  # type: ignore[attr-defined]
