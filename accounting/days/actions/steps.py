"""Whichever step of a gaming day's life a door asks for."""

from __future__ import annotations

from datetime import date
from typing import assert_never

from accounting.days.actions.closing import close_day, sign_day, take_signature_back
from accounting.days.actions.reopening import ReopenDay, ask_to_reopen, waiting_reopening
from accounting.days.models import DaySignature
from accounting.days.rules.day_life import DayAct
from jackpot.people.models import Operator
from jackpot.property.models.property import Property
from jackpot.requests.models import Request
from jackpot.signing.actions import Proof, authenticate_approver, sign, turn_down


def take_step(
    *, premises: Property, day: date, act: DayAct, by: Operator, why: str = "", proof: Proof
) -> DaySignature | Request:
    """The step with its signature, or the request that it is a step of. Only reopening asks for proof of presence."""
    match act:
        case DayAct.SIGN:
            return sign_day(premises=premises, day=day, by=by)
        case DayAct.CLOSE:
            return close_day(premises=premises, day=day, by=by)
        case DayAct.BACK:
            return take_signature_back(premises=premises, day=day, by=by, why=why)
        case DayAct.ASK:
            return ask_to_reopen(premises=premises, day=day, by=by, why=why)
        case DayAct.KEEP:
            kept: Request = turn_down(request_id=waiting_reopening(premises, day).pk, by=by, reason=why)
            return kept
        case DayAct.REOPEN:
            row = waiting_reopening(premises, day)
            signs = authenticate_approver(operator=by, premises=premises, proof=proof, verbs=ReopenDay.may_sign)
            opened: Request = sign(request_id=row.pk, approver=signs)
            return opened
        case _:
            assert_never(act)
