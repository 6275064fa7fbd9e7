"""The acts of two people on a jackpot that need nothing of the floor, one module each.

The floor looks at games and rounds before a transfer and a retirement: `tables/requests/actions/adjusting.py` has them.
"""

from __future__ import annotations

from typing import Final

from jackpot.adjusting.actions.adjust import AdjustMoney
from jackpot.adjusting.actions.back_out import BackOutWin
from jackpot.adjusting.actions.difference import DecideDifference
from jackpot.adjusting.actions.frame import AdjustmentKind
from jackpot.adjusting.actions.suspend import ResumeJackpot, SuspendJackpot

ADJUSTMENTS: Final[tuple[AdjustmentKind, ...]] = (
    AdjustMoney(), SuspendJackpot(), ResumeJackpot(), BackOutWin(), DecideDifference(),
)  # fmt: skip
