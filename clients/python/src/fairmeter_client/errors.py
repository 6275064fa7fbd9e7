"""What can go wrong: exceptions with the sentence of the house. `code` is for programs, the text for people."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final


class HouseError(Exception):
    """Everything that this package raises about a house."""


class HouseUnreachable(HouseError):
    """Nobody answered."""


class NotAHouse(HouseError):
    """Something answered that is no Fairmeter: check the address."""


class FairmeterRefused(HouseError):
    """The house refused, and changed nothing."""

    def __init__(self, why: str, code: str, status: int) -> None:
        super().__init__(why)
        self.why = why
        self.code = code
        self.status = status


class NotUnderstoodThere(FairmeterRefused):
    """A filter or a value that the house does not know; the sentence names those that it does."""


class TokenNotTaken(FairmeterRefused):
    """The token is unknown, ended or revoked. Ask an administrator of the house for another."""


class NotAllowedHere(FairmeterRefused):
    """The token does not open this, or it is a person's to do."""


class NotFoundHere(FairmeterRefused):
    """There is no such thing in the house of the token."""


class Clash(FairmeterRefused):
    """What is there does not allow it now."""


class TryAgainLater(FairmeterRefused):
    """Nothing was changed; ask again after `seconds`."""

    def __init__(self, why: str, code: str, status: int, seconds: float) -> None:
        super().__init__(why, code, status)
        self.seconds = seconds


BY_STATUS: Final[Mapping[int, type[FairmeterRefused]]] = {
    400: NotUnderstoodThere, 401: TokenNotTaken, 403: NotAllowedHere, 404: NotFoundHere, 409: Clash,
}  # fmt: skip
LATER: Final = frozenset({429, 503})


def refusal(status: int, code: str, why: str, retry_after: str | None) -> FairmeterRefused:
    """The exception for an answer of the house."""
    if status in LATER:
        return TryAgainLater(why, code, status, int(retry_after) if retry_after and retry_after.isdigit() else 1)
    return BY_STATUS.get(status, FairmeterRefused)(why, code, status)
