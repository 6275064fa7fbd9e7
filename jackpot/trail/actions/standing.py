"""Whether the trail can be written. While it cannot, nothing that moves money or rights goes on."""

from __future__ import annotations

import logging
from typing import Final

from django.db import DatabaseError, transaction

from jackpot.refusals import Refused
from jackpot.trail.models import Trail

PROBE: Final = "probe"
# A database that is away or busy, a conflict, an act that failed before its line, a line that cannot be stored as it
# is: the act itself knows what to do about these, and they say nothing of the next line.
NOT_OF_THE_TRAIL: Final = ("08", "22", "25P", "40", "53300", "55P03", "57")
log = logging.getLogger(__name__)

silence: Final[list[str]] = []  # the sentence, while no line can be written; of this process


class TrailSilent(Refused):
    """Who did it could not be written down: so it is not done."""

    code = "trail_silent"
    status = 503


def why_silent() -> str:
    """The sentence that says why money stands still; empty while the trail is written."""
    return silence[0] if silence else ""


def tells_of_the_trail(trouble: Exception) -> bool:
    """Whether no other line could be written either."""
    sqlstate = getattr(trouble.__cause__, "sqlstate", None)
    return sqlstate is not None and not sqlstate.startswith(NOT_OF_THE_TRAIL)


def note_silence(trouble: Exception) -> TrailSilent:
    """A line could not be written: from here on nothing is posted in this process until a line can be written."""
    first = str(trouble).strip().partition("\n")[0][:200]
    sentence = (
        f"The trail cannot be written ({first}). Nothing that moves money or rights goes on until it can. "
        "Call the technician; cards and hits wait as they are."
    )
    if not silence:
        log.error("%s", sentence)
    silence[:] = [sentence]
    return TrailSilent(sentence)


def try_the_trail() -> str:
    """Writes a line and takes it back at once; what every process that posts does each second. Returns the sentence.

    A database that does not answer at all says nothing of the trail: then nothing can be posted anyway.
    """
    try:
        with transaction.atomic():
            Trail.objects.create(actor="server", act=PROBE)
            transaction.set_rollback(True)
    except DatabaseError as trouble:
        if not tells_of_the_trail(trouble):
            raise
        note_silence(trouble)
    else:
        if silence:
            log.warning("the trail can be written again")
        silence.clear()
    return why_silent()
