"""Two did the same in one instant: each looked first, and the database's unique key let one of them through."""

from __future__ import annotations

import logging
from typing import Any, Final

from jackpot.refusals import Refused
from jackpot.web.rules.doubt import sqlstate_of

log = logging.getLogger(__name__)
TAKEN: Final = "23505"  # the database's own word for a unique key that is there already
# A number that the database itself draws: one drawn twice is a fault of ours and nobody else's act.
DRAWN: Final = "(id)="
WHY: Final = "Somebody did the same in this moment, and that counted; nothing of yours was kept. Look, then try again."


class SameMoment(Refused):
    """Whoever asks again meets what stands by now, in the act's own sentence."""

    code = "same_moment"


def same_moment(problem: BaseException) -> SameMoment | None:
    """The refusal of a unique key that was taken meanwhile; None leaves every other broken rule a fault of ours."""
    if sqlstate_of(problem) != TAKEN:
        return None
    key = getattr(getattr(problem.__cause__, "diag", None), "message_detail", None) or ""
    return None if DRAWN in key else SameMoment(WHY)


def noted_same_moment(request: Any, problem: BaseException) -> SameMoment | None:
    """For pages and programs: in the log stands which key it was, and whoever keeps the trail reads the refusal."""
    refused = same_moment(problem)
    if refused is not None:
        log.warning("%s %s: %s (%s)", request.method, request.path, refused.code, str(problem).partition("\n")[0])
        request.refused = refused
    return refused
