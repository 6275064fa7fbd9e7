"""The life of a request for other terms, as a table. What is not listed is refused."""

from __future__ import annotations

import enum
from collections.abc import Mapping
from typing import Final


class ChangeState(enum.StrEnum):
    DRAFT = "draft"
    PREVIEWED = "previewed"
    REFUSED = "refused"
    WITHDRAWN = "withdrawn"
    WAITING = "waiting"
    REPLACED = "replaced"
    ACTIVATED = "activated"


class ChangeAct(enum.StrEnum):
    PREVIEW = "preview"
    APPROVE = "approve"
    REFUSE = "refuse"
    WITHDRAW = "withdraw"
    REPLACE = "replace"
    ACTIVATE = "activate"
    BACK_OUT = "back_out"


LIFE: Final[Mapping[tuple[ChangeState, ChangeAct], ChangeState]] = {
    (ChangeState.DRAFT, ChangeAct.PREVIEW): ChangeState.PREVIEWED,
    (ChangeState.DRAFT, ChangeAct.REFUSE): ChangeState.REFUSED,
    (ChangeState.DRAFT, ChangeAct.WITHDRAW): ChangeState.WITHDRAWN,
    (ChangeState.PREVIEWED, ChangeAct.APPROVE): ChangeState.WAITING,
    (ChangeState.PREVIEWED, ChangeAct.REFUSE): ChangeState.REFUSED,
    (ChangeState.PREVIEWED, ChangeAct.WITHDRAW): ChangeState.WITHDRAWN,
    (ChangeState.WAITING, ChangeAct.WITHDRAW): ChangeState.WITHDRAWN,
    (ChangeState.WAITING, ChangeAct.REPLACE): ChangeState.REPLACED,
    (ChangeState.WAITING, ChangeAct.ACTIVATE): ChangeState.ACTIVATED,
    (ChangeState.ACTIVATED, ChangeAct.BACK_OUT): ChangeState.WAITING,
}

OPEN: Final = frozenset({ChangeState.DRAFT, ChangeState.PREVIEWED})  # nobody has decided yet
APPROVED: Final = frozenset({ChangeState.WAITING, ChangeState.REPLACED, ChangeState.ACTIVATED})  # two people signed

SPOKEN: Final[Mapping[ChangeState, str]] = {
    ChangeState.DRAFT: "a draft without its preview",
    ChangeState.PREVIEWED: "previewed and waits for a second person",
    ChangeState.REFUSED: "refused",
    ChangeState.WITHDRAWN: "withdrawn",
    ChangeState.WAITING: "approved and waits for the next reset",
    ChangeState.REPLACED: "replaced by a later one",
    ChangeState.ACTIVATED: "in force, or was",
}


def after(state: ChangeState, act: ChangeAct) -> ChangeState | None:
    """The state an act leads to, or None where the act is refused."""
    return LIFE.get((state, act))
