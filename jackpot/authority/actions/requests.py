"""A request for other authority as it is kept: numbered, locked, moved along its life, and told to the trail."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date, datetime
from typing import Any, Final

from django.db.models import Max
from django.utils import timezone

from jackpot.authority.models import AuthorityChange
from jackpot.authority.rules.authority_life import SPOKEN, AuthorityAct, AuthorityState, after
from jackpot.authority.rules.authority_preview import Found
from jackpot.books import events
from jackpot.books.actions.post import lock
from jackpot.people.models import Operator
from jackpot.property.models.property import Property
from jackpot.property.rules.authority_change import Differs
from jackpot.refusals import NotAllowed, NotAllowedNow, NotFound, NotUnderstood
from jackpot.trail.actions.trail import record

VERBS: Final = ("configure", "people")
LONGEST_REASON: Final = 200


def hold_still(premises: Property) -> tuple[Property, datetime, date]:
    """Every jackpot of the house is locked, so no swipe is under way; with the time and the gaming day of the books."""
    heads = list(lock(list(premises.jackpots.values_list("id", flat=True))).values())
    house = locked_house(premises)
    now = heads[0].now if heads else timezone.now()
    return house, now, house.gaming_day(now)


def locked_house(premises: Property) -> Property:
    return Property.objects.select_for_update(no_key=True).get(pk=premises.pk)


def new_change(
    house: Property, differing: Sequence[Differs], found: Sequence[Found], reason: str, by: Operator, **more: Any
) -> AuthorityChange:
    """The next number of the house; its row is locked."""
    last = AuthorityChange.objects.filter(premises=house).aggregate(last=Max("number"))["last"] or 0
    return AuthorityChange.objects.create(
        premises=house, number=last + 1, before={each.setting: each.before for each in differing},
        after={each.setting: each.after for each in differing}, reason=reason.strip(),
        findings=[each.plain() for each in found], asked_by=by, **{"state": AuthorityState.ASKED, **more},
    )  # fmt: skip


def mark_fallen(house: Property, fallen: Mapping[str, int], later: int) -> None:
    """Settings that waited and never will count say which change took their place."""
    for number in set(fallen.values()):
        row = AuthorityChange.objects.select_for_update(no_key=True).get(premises=house, number=number)
        mine = [setting for setting, change in fallen.items() if change == number]
        row.fallen = {**row.fallen, **dict.fromkeys(mine, later)}
        row.save(update_fields=["fallen"])


def move_on(change: AuthorityChange, act: AuthorityAct) -> None:
    """One step along a request's life; a step that is not listed is refused."""
    state = after(AuthorityState(change.state), act)
    if state is None:
        spoken_state = SPOKEN[AuthorityState(change.state)]
        raise NotAllowedNow(f"Change {change.number} is {spoken_state}; look at it again.", "not_now")
    change.state = state


def of_house(change_id: int, by: Operator) -> AuthorityChange:
    """A request of the house of whoever looks, who also may decide about it."""
    change = AuthorityChange.objects.select_related("premises").filter(id=change_id).first()
    if change is None:
        raise NotFound("There is no such change.", "no_change")
    check_person(by, change.premises)
    return change


def locked(change_id: int, by: Operator) -> AuthorityChange:
    """The request as it stands now; whoever decides about it at the same moment waits."""
    of_house(change_id, by)
    rows = AuthorityChange.objects.select_for_update(no_key=True, of=("self",))
    return rows.select_related("premises", "asked_by", "card__operator").get(id=change_id)


def note(change: AuthorityChange, by: Operator, act: str, why: str = "", **details: Any) -> None:
    subject = f"card {change.card.last_four}" if change.card else change.premises.code
    record(actor=str(by), act=act, subject=subject, why=why, details={"change": change.number, **details})
    events.notify(f"authority {change.premises.code}")


def check_person(by: Operator, premises: Property) -> None:
    """Only people with one of the verbs, and of this house."""
    if not by.verbs().intersection(VERBS):
        raise NotAllowed("Authority is changed by people who may configure, or who give roles and cards.")
    if by.premises_id not in (None, premises.pk):
        raise NotFound("There is no such house here.", "no_house")


def check_reason(reason: str) -> None:
    if not reason.strip() or len(reason) > LONGEST_REASON:
        raise NotUnderstood("Say why in 1 to 200 characters.", "reason")
