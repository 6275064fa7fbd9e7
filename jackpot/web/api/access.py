"""Who may come through a door of the API: nobody, unless the door says for whom it is open."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from rest_framework.permissions import SAFE_METHODS, BasePermission
from rest_framework.request import Request

from jackpot.refusals import NotAllowed, Refused

ANYONE: Final = "anyone"  # open without signing in: health, the documentation, a device that shows its one-time code
READERS: Final[Mapping[str, tuple[str, ...]]] = {"GET": ("see",)}


class NotSignedIn(Refused):
    code = "not_signed_in"
    status = 401


class ReadsOrRefused(BasePermission):
    """A door names, per method, the verbs of which a person needs one; a method it does not name is closed."""

    def has_permission(self, request: Request, view: Any) -> bool:
        wanted = wanted_verbs(view, request.method or "GET")
        if ANYONE in wanted:
            return True
        if not request.user.is_authenticated:
            raise NotSignedIn("Sign in first.")
        if not hasattr(view, (request.method or "GET").lower()):
            return True  # what a door never does is refused to everybody alike, with what it does instead
        if not request.user.verbs().intersection(wanted):
            needed = " or ".join(f"“{verb}”" for verb in wanted) or "nothing that you could have"
            raise NotAllowed(f"Your roles do not allow this; it needs {needed}. Ask an administrator.")
        return True


def wanted_verbs(view: Any, method: str) -> tuple[str, ...]:
    """The verbs that open a method; looking at a door (HEAD, OPTIONS) needs what reading through it needs."""
    verbs: Mapping[str, tuple[str, ...]] = getattr(view, "verbs", READERS)
    if method not in verbs and method in SAFE_METHODS:
        return verbs.get("GET") or next(iter(verbs.values()))
    return verbs.get(method, ())
