"""A request for other authority as it is kept: numbered, under the lock of its house, and what falls with it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date, datetime
from typing import Any, Final

from django.utils import timezone

from jackpot.authority.models import AUTHORITY, AuthorityChange
from jackpot.authority.rules.authority_preview import Found
from jackpot.books.actions.post import lock
from jackpot.people.models import Operator
from jackpot.property.models.property import Property
from jackpot.property.rules.authority_change import Differs
from jackpot.refusals import NotAllowed, NotFound
from jackpot.requests.actions.life import next_number
from jackpot.requests.rules.life import RequestState
from jackpot.signing.actions.deciding import note
from jackpot.signing.actions.kinds import kind_of

VERBS: Final = ("configure", "people")


def lock_house(premises: Property) -> tuple[Property, datetime, date]:
    """Every jackpot of the house is locked, so no swipe is under way; with the time and the gaming day of the books."""
    # Jackpots first, as every act takes its locks: the other way round, two of them could wait for each other.
    heads = list(lock(list(premises.jackpots.values_list("id", flat=True))).values())
    house = locked_house(premises)
    # The books' clock, which never runs behind an entry: by the web's own a swipe just posted could lie in the future.
    now = heads[0].now if heads else timezone.now()
    return house, now, house.gaming_day(now)


def locked_house(premises: Property) -> Property:
    return Property.objects.select_for_update(no_key=True).get(pk=premises.pk)


def new_change(
    house: Property, differing: Sequence[Differs], found: Sequence[Found], reason: str, by: Operator, **more: Any
) -> AuthorityChange:
    """The next number of the house; its row is locked."""
    return AuthorityChange.objects.create(
        kind=AUTHORITY, premises=house, number=next_number(AUTHORITY, premises=house),
        before={each.setting: each.before for each in differing}, previewed_at=timezone.now(),
        after={each.setting: each.after for each in differing}, reason=reason.strip(),
        findings=[each.plain() for each in found], asked_by=by, asked_by_name=str(by)[:100],
        **{"state": RequestState.PREVIEWED, **more},
    )  # fmt: skip


def mark_fallen(house: Property, fallen: Mapping[str, int], later: int) -> None:
    """Settings that waited and never will count say which change took their place."""
    for number in set(fallen.values()):
        row = AuthorityChange.objects.select_for_update(no_key=True, of=("self", "request_ptr")).get(
            premises=house, number=number
        )
        mine = [setting for setting, change in fallen.items() if change == number]
        row.fallen = {**row.fallen, **dict.fromkeys(mine, later)}
        row.save(update_fields=["fallen"])


def check_person(by: Operator, premises: Property) -> None:
    """Only people with one of the verbs, and of this house."""
    if not by.verbs().intersection(VERBS):
        raise NotAllowed("Authority is changed by people who may configure, or who give roles and cards.")
    # Another house is not refused but not there: a refusal would tell which houses there are.
    if by.premises_id not in (None, premises.pk):
        raise NotFound("There is no such house here.", "no_house")


def note_asked(change: AuthorityChange, by: Operator, act: str, reason: str, **more: Any) -> None:
    """The trail and every page hear what was asked for, or lowered by one person."""
    kind = kind_of(AUTHORITY)
    note(kind, change, by, act, reason, **more)
    kind.announce(change)
