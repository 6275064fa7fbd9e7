"""How a collection schedule stands from a gaming day on, noted by the house. Rows are added, never changed."""

from __future__ import annotations

from django.db import transaction

from jackpot.property.models.property import Property
from jackpot.refusals import NotAllowedNow, NotUnderstood
from jackpot.trail.actions.trail import record
from jackpot.trail.rules import objects
from tables.floor.models.schedule import NotedSchedule
from tables.floor.rules.schedules import ScheduleStanding
from tables.games.fees import NoFee
from tables.games.game import NotInThisGame
from tables.games.registry import part_of_game


@transaction.atomic
def note_schedule(*, premises: Property, standing: ScheduleStanding, by: str) -> NotedSchedule:
    """Approved, under review or withdrawn, with the letter that says so; from its day on tables go by it."""
    _check(premises, standing)
    row = NotedSchedule.objects.create(
        premises=premises, begins=standing.begins, game=standing.game, rule_set=standing.rule_set,
        option=standing.option, status=standing.status.value, reference=standing.reference,
    )  # fmt: skip
    details = {"from": str(standing.begins), "game": standing.game, "says": standing.words}
    record(actor=by, act="note_schedule", about=objects.house(premises.code), why=standing.reference, details=details)
    return row


def _check(premises: Property, standing: ScheduleStanding) -> None:
    try:
        rule_set = part_of_game(standing.game, "collection").rule_set(standing.rule_set)
        if standing.option:
            rule_set.schedule(standing.option)
    except (NoFee, NotInThisGame) as why:
        raise NotUnderstood(str(why), "set") from None
    if not standing.reference.strip():
        raise NotUnderstood("Name what says so: the letter, approval or notice.", "reference")
    same = NotedSchedule.objects.filter(
        premises=premises, game=standing.game, rule_set=standing.rule_set, option=standing.option,
        begins=standing.begins,
    )  # fmt: skip
    if same.exists():
        stands = (
            f"What {standing.words.partition(':')[0]} is from {standing.begins} stands. Let another word begin later."
        )
        raise NotAllowedNow(stands, "from")
