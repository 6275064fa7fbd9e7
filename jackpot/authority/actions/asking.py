"""Other thresholds, PIN rule and policies of a house: asked for by one person, each setting from its own day on."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date, datetime
from typing import Any

from django.db import transaction
from django.utils import timezone

from jackpot.authority.actions.requests import check_person, locked_house, mark_fallen, new_change, note_asked
from jackpot.authority.actions.seen import cards_seen, wins_seen
from jackpot.authority.models import AuthorityChange
from jackpot.authority.rules.authority_preview import Found, preview
from jackpot.people.models import Operator
from jackpot.property.models.property import Property
from jackpot.property.rules.authority import thresholds_of
from jackpot.property.rules.authority_change import (
    AuthorityRefused,
    Differs,
    Step,
    differences,
    read,
    sign,
    spoken,
    waiting,
)
from jackpot.refusals import NotAllowedNow, NotUnderstood
from jackpot.signing.actions.deciding import check_reason


def look_ahead(*, premises: Property, wished: Mapping[str, Any]) -> tuple[list[Differs], list[Found]]:
    """What such settings would change and would have meant for the last wins; nothing is asked for."""
    now = timezone.now()
    # What counts on this gaming day, not what is signed: a step that waits may yet fall and is no “before”.
    values = premises.authority_at((now, premises.gaming_day(now)))
    differing = differences(values, _read(wished))
    then = thresholds_of({**values, **{each.setting: each.after for each in differing}})
    found = preview(differing, thresholds_of(values), then, wins_seen(premises), cards_seen(premises, now))
    return differing, found


@transaction.atomic
def ask(*, premises: Property, wished: Mapping[str, Any], reason: str, by: Operator) -> AuthorityChange:
    """A request that changes nothing yet. Its preview is kept with it: the second person signs what was seen."""
    check_person(by, premises)
    check_reason(reason)
    # The house alone, not its jackpots: asking changes no authority, so a swipe may go on meanwhile.
    house = locked_house(premises)
    differing, found = look_ahead(premises=house, wished=wished)
    if not differing:
        raise NotAllowedNow(f"These are the settings of {house.code} already. Change at least one.", "no_change")
    _check_not_waiting(house, differing)
    change = new_change(house, differing, found, reason, by)
    note_asked(change, by, "ask", reason, changes=[str(each) for each in differing])
    return change


def sign_settings(house: Property, change: AuthorityChange, moment: datetime, day: date) -> list[Step]:
    """What takes authority away counts from now on, the rest from the next gaming day; what waited for it falls."""
    values = house.authority_at((moment, day))
    # The preview counted wins against these very values; on others the second person would sign what nobody saw.
    moved = next((name for name, before in change.before.items() if values[name] != before), None)
    if moved is not None:
        raise NotAllowedNow(
            f"Since change {change.number} was asked for, “{moved.replace('_', ' ')}” became "
            f"{spoken(moved, values[moved])}. Ask for it anew.", "stale",
        )  # fmt: skip
    signed = sign(house.authority_steps, change.differs, change=change.number, moment=moment, day=day)
    _keep(house, signed.steps)
    # Each setting has one step that waits: a raise signed before a lowering never comes into force after it (0009).
    mark_fallen(house, {step.setting: step.change for step in signed.replaced}, change.number)
    return signed.new


def let_settings_go(house: Property, change: AuthorityChange, moment: datetime, day: date) -> list[str]:
    """What waits of this change never counts; what counts already stays."""
    # A step that has come into force is history: other authority is asked for, never taken out of the list.
    steps = house.authority_steps
    gone = [step for step in waiting(steps, moment, day) if step.change == change.number]
    _keep(house, [step for step in steps if step not in gone])
    return [step.setting for step in gone]


def _keep(house: Property, steps: Sequence[Step]) -> None:
    house.authority = [step.plain() for step in steps]
    house.save(update_fields=["authority"])


def _check_not_waiting(house: Property, differing: Sequence[Differs]) -> None:
    now = timezone.now()
    waits = {step.setting: step for step in waiting(house.authority_steps, now, house.gaming_day(now))}
    for each in differing:
        step = waits.get(each.setting)
        # Alone it would change nothing but its number; beside other settings it is asked for with them, as one change.
        if step is not None and step.value == each.after and len(differing) == 1:
            why = f"{each.label} {each.becomes} is signed and counts from {step.day:%d %b %Y}: change {step.change}."
            raise NotAllowedNow(why, "waits")


def _read(wished: Mapping[str, Any]) -> dict[str, Any]:
    try:
        return {name: read(name, given) for name, given in wished.items()}
    except AuthorityRefused as why:
        raise NotUnderstood(str(why), "setting") from None
