"""What the sealed request of a `log` says of the win: its row is held against it."""

from __future__ import annotations

from typing import Any

from jackpot.money import text_of_units


def logged(win_id: str | int) -> dict[str, Any]:
    """The request of every `log`; all that those of before said."""
    return {"act": "log", "win": int(win_id), "by": "approval", "why": ""}


def logged_as(
    seat: int, line: str, envy_of: str | int | None, number: int | None, slip: int | None, amount: int | None
) -> dict[str, Any]:
    """What was approved, as its request says it: nobody moves it to another seat, hand or slip unseen."""
    return {
        "seat": seat, "line": line, "envy_of": int(envy_of) if envy_of else None, "number": number, "slip": slip,
        "amount": None if amount is None else text_of_units(amount),
    }  # fmt: skip
