"""How the states of a request are called over the API and in exports: each kind's own words, which never change."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from jackpot.requests.rules.life import RequestState

States = Mapping[str, tuple[RequestState, ...]]

ADJUSTMENT_STATES: Final[States] = {
    "requested": (RequestState.ASKED, RequestState.PREVIEWED),
    "approved": (RequestState.SIGNED, RequestState.IN_FORCE),
    "refused": (RequestState.REFUSED, RequestState.WITHDRAWN),
}
TERMS_STATES: Final[States] = {
    "draft": (RequestState.ASKED,),
    "previewed": (RequestState.PREVIEWED,),
    "refused": (RequestState.REFUSED,),
    "withdrawn": (RequestState.WITHDRAWN,),
    "waiting": (RequestState.SIGNED,),
    "replaced": (RequestState.REPLACED,),
    "activated": (RequestState.IN_FORCE,),
}
AUTHORITY_STATES: Final[States] = {
    "asked": (RequestState.ASKED, RequestState.PREVIEWED),
    "refused": (RequestState.REFUSED,),
    "signed": (RequestState.SIGNED, RequestState.IN_FORCE),
    "withdrawn": (RequestState.WITHDRAWN,),
}


def wire_state(states: States, state: str) -> str:
    """What a program is told of a state."""
    return next(word for word, known in states.items() if RequestState(state) in known)
