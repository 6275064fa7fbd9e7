"""A second person decides about other authority, or it is taken back."""

from __future__ import annotations

from django.db import transaction
from django.utils import timezone

from jackpot.authority.actions.asking import let_settings_go, sign_settings
from jackpot.authority.actions.level import let_level_go, sign_level
from jackpot.authority.actions.requests import check_reason, hold_still, locked, move_on, note, of_house
from jackpot.authority.models import AuthorityChange
from jackpot.authority.rules.authority_life import AuthorityAct, AuthorityState
from jackpot.people.models import Operator
from jackpot.refusals import NotAllowed, NotAllowedNow


@transaction.atomic
def approve(*, change_id: int, by: Operator) -> AuthorityChange:
    """The second person's word. What takes authority away counts from now on, the rest from the next gaming day."""
    found = of_house(change_id, by)
    house, moment, day = hold_still(found.premises)
    change = locked(change_id, by)
    _check_second(change, by)
    move_on(change, AuthorityAct.APPROVE)
    steps = sign_level(change, moment, day) if change.card_id else sign_settings(house, change, moment, day)
    change.decided_by, change.decided_at, change.steps = by, moment, [step.plain() for step in steps]
    change.save(update_fields=["state", "decided_by", "decided_at", "steps"])
    told = {step.setting: str(step.day or "at once") for step in steps}
    note(change, by, "approve_authority", counts=told, changes=[str(each) for each in change.differs])
    return change


@transaction.atomic
def refuse(*, change_id: int, why: str, by: Operator) -> AuthorityChange:
    """The second person says no, and why."""
    change = locked(change_id, by)
    if change.asked_by_id == by.pk:
        raise NotAllowed(f"{by} asked for this; withdraw it instead of refusing it.", "same_person")
    check_reason(why)
    move_on(change, AuthorityAct.REFUSE)
    change.decided_by, change.decided_at, change.decided_why = by, timezone.now(), why.strip()
    change.save(update_fields=["state", "decided_by", "decided_at", "decided_why"])
    note(change, by, "refuse_authority", why)
    return change


@transaction.atomic
def withdraw(*, change_id: int, why: str, by: Operator) -> AuthorityChange:
    """A request is taken back by whoever asked; what waits for its day, by anyone who may sign such changes.

    What waits only gives authority, so one person is enough to let it fall. What counts already stays.
    """
    found = of_house(change_id, by)
    house, moment, day = hold_still(found.premises)
    change = locked(change_id, by)
    check_reason(why)
    if change.state == AuthorityState.ASKED and change.asked_by_id != by.pk:
        raise NotAllowed(f"{change.asked_by} asked for this. Refuse it, or let {change.asked_by} withdraw it.")
    if change.state == AuthorityState.SIGNED:
        gone = let_level_go(change, day) if change.card_id else let_settings_go(house, change, moment, day)
        if not gone:
            why_not = f"All of change {change.number} counts already. Ask for another change."
            raise NotAllowedNow(why_not, "in_force")
        change.fallen = {**change.fallen, **dict.fromkeys(gone)}
    move_on(change, AuthorityAct.WITHDRAW)
    change.withdrawn_by, change.withdrawn_at, change.withdrawn_why = by, moment, why.strip()
    change.save(update_fields=["state", "fallen", "withdrawn_by", "withdrawn_at", "withdrawn_why"])
    note(change, by, "withdraw_authority", why, fallen=sorted(change.fallen))
    return change


def _check_second(change: AuthorityChange, by: Operator) -> None:
    if change.asked_by_id == by.pk:
        raise NotAllowed(f"{by} asked for this change; a second, different person approves it.", "same_person")
    if change.card is not None and change.card.operator_id == by.pk:
        raise NotAllowed("Nobody raises a card of their own. Another person signs this.", "own_card")
