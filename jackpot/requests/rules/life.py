"""The life of a request of two people, as a table. What is not listed is refused, whatever is asked for."""

from __future__ import annotations

import enum
from collections.abc import Mapping
from typing import Final


class RequestState(enum.StrEnum):
    """Where a request stands. `SIGNED` waits for its moment: a reset, a gaming day; `IN_FORCE` has had it."""

    ASKED = "asked"
    PREVIEWED = "previewed"
    REFUSED = "refused"
    WITHDRAWN = "withdrawn"
    SIGNED = "signed"
    REPLACED = "replaced"
    IN_FORCE = "in_force"


class RequestAct(enum.StrEnum):
    PREVIEW = "preview"
    SIGN = "sign"
    REFUSE = "refuse"
    WITHDRAW = "withdraw"
    REPLACE = "replace"
    COUNT = "count"
    BACK_OUT = "back_out"


LIFE: Final[Mapping[tuple[RequestState, RequestAct], RequestState]] = {
    (RequestState.ASKED, RequestAct.PREVIEW): RequestState.PREVIEWED,
    (RequestState.ASKED, RequestAct.REFUSE): RequestState.REFUSED,
    (RequestState.ASKED, RequestAct.WITHDRAW): RequestState.WITHDRAWN,
    (RequestState.PREVIEWED, RequestAct.SIGN): RequestState.SIGNED,
    (RequestState.PREVIEWED, RequestAct.REFUSE): RequestState.REFUSED,
    (RequestState.PREVIEWED, RequestAct.WITHDRAW): RequestState.WITHDRAWN,
    (RequestState.SIGNED, RequestAct.WITHDRAW): RequestState.WITHDRAWN,
    (RequestState.SIGNED, RequestAct.REPLACE): RequestState.REPLACED,
    (RequestState.SIGNED, RequestAct.COUNT): RequestState.IN_FORCE,
    (RequestState.IN_FORCE, RequestAct.BACK_OUT): RequestState.SIGNED,  # of the reset that put it in force
}

OPEN: Final = frozenset({RequestState.ASKED, RequestState.PREVIEWED})  # nobody has decided yet
APPROVED: Final = frozenset({RequestState.SIGNED, RequestState.REPLACED, RequestState.IN_FORCE})  # two people signed
ENDED: Final = frozenset({RequestState.REFUSED, RequestState.WITHDRAWN, RequestState.REPLACED})  # nothing follows

SPOKEN: Final[Mapping[RequestState, str]] = {
    RequestState.ASKED: "asked for, without its preview",
    RequestState.PREVIEWED: "previewed and waits for a second person",
    RequestState.REFUSED: "refused",
    RequestState.WITHDRAWN: "withdrawn",
    RequestState.SIGNED: "approved and waits for its moment",
    RequestState.REPLACED: "replaced by a later one",
    RequestState.IN_FORCE: "in force, or was",
}


def state_after(state: RequestState, act: RequestAct) -> RequestState | None:
    """The state an act leads to, or None where the act is refused."""
    return LIFE.get((state, act))
