"""The acts of two people on a jackpot, one module each."""

from __future__ import annotations

from typing import Final

from jackpot.adjusting.actions.adjust import AdjustMoney
from jackpot.adjusting.actions.back_out import BackOutWin
from jackpot.adjusting.actions.difference import DecideDifference
from jackpot.adjusting.actions.frame import AdjustmentKind
from jackpot.adjusting.actions.retire import RetireJackpot
from jackpot.adjusting.actions.suspend import ResumeJackpot, SuspendJackpot
from jackpot.adjusting.actions.transfer import TransferMoney

ADJUSTMENTS: Final[tuple[AdjustmentKind, ...]] = (
    AdjustMoney(), TransferMoney(), SuspendJackpot(), ResumeJackpot(), RetireJackpot(), BackOutWin(),
    DecideDifference(),
)  # fmt: skip
