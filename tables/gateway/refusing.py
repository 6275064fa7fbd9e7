"""The refusal that a problem becomes: a word for programs, a sentence for people, the status of HTTP."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from typing import Final, NamedTuple

from django.db import DatabaseError, DataError, IntegrityError, InterfaceError

from jackpot.refusals import Refused
from jackpot.web.rules.doubt import GIVEN_UP, sqlstate_of
from jackpot.web.rules.doubt import HELD as HELD_BY_OTHERS
from tables.gateway.batcher import TooBusy
from tables.gateway.messages import Message, NotAMessage
from tables.gateway.speakers import Speaker
from tables.rounds.actions.round import BOOKS_HELD, OutcomeUnknown
from tables.rounds.rules.round import REPLAY, SECRET_ENDED

STATUS: Final[Mapping[str, int]] = {
    "blocked": 403, "wrong_table": 403, "no_table": 404, "no_round": 404, "seats": 400, "not_a_message": 400,
    "busy": 503, "unknown": 503, BOOKS_HELD: 503, SECRET_ENDED: 401, REPLAY: 401,
}  # fmt: skip
REFUSED: Final = 409
log = logging.getLogger(__name__)


class RefusalWords(NamedTuple):
    """Nothing was changed, or nobody knows."""

    code: str
    why: str
    status: int


def refusal_of(problem: Exception, speaker: Speaker, message: Message) -> RefusalWords:
    match problem:
        case NotAMessage():
            return with_status("not_a_message", str(problem))
        case Refused():
            return RefusalWords(problem.code, problem.why, problem.status)
        case TooBusy():
            return with_status("busy", "The server has too much to do. Say it again in a second.")
        case IntegrityError() | DataError():
            why = f"The books refused this: {str(problem).splitlines()[0]}. Nothing was changed; tell the technician."
            return with_status("not_posted", why)
        case _ if sqlstate_of(problem) in GIVEN_UP:
            return with_status("busy", HELD_BY_OTHERS)
        case _:
            if not isinstance(problem, OutcomeUnknown | DatabaseError | InterfaceError):
                log.error("%s of %s failed", message.do, speaker.table_code, exc_info=problem)
            why = "The database did not confirm. Say it again: it is counted once, whatever happened."
            return with_status("unknown", why)


def with_status(code: str, why: str) -> RefusalWords:
    """The status that a word has by itself."""
    return RefusalWords(code, why, STATUS.get(code, REFUSED))
