"""The surveillance checklist of a round's hits: who looked, when, and what the camera's clock said."""

from __future__ import annotations

from typing import Final

from django.db import transaction
from django.utils import timezone

from jackpot.people.models import Operator
from jackpot.refusals import NotAllowed, NotAllowedNow, NotUnderstood
from jackpot.trail.actions.trail import record
from jackpot.trail.rules import objects
from jackpot.wins.queries.of_round import wins_of
from jackpot.wins.rules.round_ref import RoundRef
from tables.hits.models.surveillance import SurveillanceTick
from tables.hits.rules.surveillance import CAMERA_TIME, ITEMS
from tables.rounds.models.round import Round

VERBS: Final = ("camera", "verify", "approve")


def refuse_unwatched(round_: Round) -> None:
    """Where the house says so nobody approves before everything on its list was ticked off."""
    house, place = round_.table.premises, RoundRef(round_.table.code, round_.number)
    ticks = SurveillanceTick.objects.filter(
        premises=house, table_code=place.table_code, round_number=place.round_number
    )
    done = set(ticks.values_list("item", flat=True))
    missing = [ITEMS[item].lower() for item in house.surveillance if item in ITEMS and item not in done]
    if missing:
        why = f"Surveillance has not ticked off yet: {', '.join(missing)}."
        raise NotAllowedNow(f"{why} It does so on the page of the hit; then it is approved.", "surveillance")


@transaction.atomic
def tick_off(*, round_: Round, item: str, note: str, operator: Operator) -> SurveillanceTick:
    """One thing of the list, once; the second who ticks it hears who was first."""
    house, place = round_.table.premises, RoundRef(round_.table.code, round_.number)
    if not operator.verbs().intersection(VERBS):
        raise NotAllowed(f"{operator} has no role that looks at hits. Surveillance or a supervisor ticks this.", "verb")
    if item not in house.surveillance or item not in ITEMS:
        raise NotUnderstood(f"{house} has no “{item}” on its checklist.", "item")
    if item == CAMERA_TIME and not note:
        raise NotUnderstood("Write the camera and what its clock says, such as “camera 7, 02:14:09”.", "note")
    if not wins_of(place).exists():
        raise NotAllowedNow(f"Round {place.round_number} at {place.table_code} has no hit to look at.", "no_hit")
    once = {"premises": house, "table_code": place.table_code, "round_number": place.round_number, "item": item}
    facts = {"note": note, "operator": operator, "at": timezone.now()}
    # Looked at once a round and item: a unique key decides between two who tick at the same moment.
    tick, new = SurveillanceTick.objects.get_or_create(**once, defaults=facts)
    if not new:
        raise NotAllowedNow(f"{ITEMS[item]} was ticked by {tick.operator} already. It stays.", "ticked")
    record(
        actor=operator,
        act="surveillance_tick",
        about=objects.round_played(place.table_code, place.round_number),
        details={"item": item, "note": note},
    )
    return tick
