"""What two people decide below the office, whose own kinds `accounting/apps.py` adds.

A new kind is one folder and one line in one of the two: docs/requests.md.
"""

from __future__ import annotations

from typing import Any, Final

from jackpot.adjusting.actions.adjust import AdjustMoney
from jackpot.adjusting.actions.back_out import BackOutWin
from jackpot.adjusting.actions.difference import DecideDifference
from jackpot.adjusting.actions.suspend import ResumeJackpot, SuspendJackpot
from jackpot.adjusting.actions.underpayment import PayUnderpaid
from jackpot.approvals.actions import EnterApproval
from jackpot.authority.actions.deciding import ChangeAuthority
from jackpot.signing.actions.kinds import RequestKind
from tables.requests.actions.adjusting import RetireOnTheFloor, TransferOnTheFloor
from tables.requests.actions.configure import TermsOnTheFloor
from tables.requests.actions.restored import AcceptRestored

KINDS: Final[tuple[RequestKind[Any], ...]] = (
    AdjustMoney(), TransferOnTheFloor(), SuspendJackpot(), ResumeJackpot(), RetireOnTheFloor(), BackOutWin(),
    DecideDifference(), PayUnderpaid(), TermsOnTheFloor(), ChangeAuthority(), EnterApproval(), AcceptRestored(),
)  # fmt: skip
