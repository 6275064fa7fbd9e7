"""The life of a request for other authority, as a table. What is not listed is refused."""

from __future__ import annotations

import enum
from collections.abc import Mapping
from typing import Final


class AuthorityState(enum.StrEnum):
    ASKED = "asked"
    REFUSED = "refused"
    SIGNED = "signed"
    WITHDRAWN = "withdrawn"


class AuthorityAct(enum.StrEnum):
    APPROVE = "approve"
    REFUSE = "refuse"
    WITHDRAW = "withdraw"


LIFE: Final[Mapping[tuple[AuthorityState, AuthorityAct], AuthorityState]] = {
    (AuthorityState.ASKED, AuthorityAct.APPROVE): AuthorityState.SIGNED,
    (AuthorityState.ASKED, AuthorityAct.REFUSE): AuthorityState.REFUSED,
    (AuthorityState.ASKED, AuthorityAct.WITHDRAW): AuthorityState.WITHDRAWN,
    (AuthorityState.SIGNED, AuthorityAct.WITHDRAW): AuthorityState.WITHDRAWN,  # as long as something of it waits
}

SPOKEN: Final[Mapping[AuthorityState, str]] = {
    AuthorityState.ASKED: "previewed and waits for a second person",
    AuthorityState.REFUSED: "refused",
    AuthorityState.SIGNED: "signed",
    AuthorityState.WITHDRAWN: "withdrawn",
}


def after(state: AuthorityState, act: AuthorityAct) -> AuthorityState | None:
    """The state an act leads to, or None where the act is refused."""
    return LIFE.get((state, act))
