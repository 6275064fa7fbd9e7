"""What tables take for their hands, declared from a gaming day on. Rows are added; a day that was dealt keeps its."""

from __future__ import annotations

from collections.abc import Sequence

from django.db import transaction
from django.utils import timezone

from jackpot.money import ZERO
from jackpot.refusals import NotAllowedNow, NotUnderstood
from jackpot.trail.actions.trail import record
from jackpot.trail.rules.objects import ObjectKind, ObjectRef
from tables.floor.models.collection import TableCollection
from tables.floor.models.table import Bank, Table
from tables.floor.queries.schedules import noted_here, schedule_stands
from tables.floor.rules.collection import FLAT, CollectionRule, FeeBasis
from tables.floor.rules.schedules import ScheduleWithdrawn, refuse_withdrawn
from tables.games.fees import NoFee
from tables.games.game import NotInThisGame
from tables.games.registry import part_of_game
from tables.rounds.models.round import Round


@transaction.atomic
def declare_collection(*, tables: Sequence[Table], rule: CollectionRule, by: str) -> list[TableCollection]:
    """The same for each of these tables, from the same day on."""
    rows = []
    for table in tables:
        _check(table, rule)
        row = TableCollection.objects.create(
            table=table, begins=rule.begins, basis=rule.basis.value, fee=rule.fee.decimal(), rule_set=rule.rule_set,
            option=rule.option,
        )  # fmt: skip
        about = ObjectRef(ObjectKind.TABLE, table.code, table.premises_id)
        record(actor=by, act="declare_collection", about=about, details={"from": str(rule.begins), "for": rule.words})
        rows.append(row)
    return rows


def _check(table: Table, rule: CollectionRule) -> None:
    if rule.basis in FLAT and not rule.fee > ZERO:
        raise NotUnderstood("Write the fee: what is taken each time, above zero.", "fee")
    if rule.basis not in FLAT and rule.fee:
        raise NotUnderstood("A fee of its own belongs to hand, player or half_hour. Leave it out.", "fee")
    if rule.basis is FeeBasis.ACTION:
        _check_schedule(table, rule)
    elif rule.rule_set or rule.option:
        raise NotUnderstood("A rule set and its option belong to action. Leave them out.", "set")
    if TableCollection.objects.filter(table=table, begins=rule.begins).exists():
        why = f"What {table.code} takes from {rule.begins} stands."
        raise NotAllowedNow(f"{why} Let another rule begin on a later day.", "from")
    today = table.premises.gaming_day(timezone.now())
    # What a dealt day took stands in its fees and its drop: a rule that reaches back would make counted boxes wrong.
    dealt = Round.objects.filter(table=table, gaming_day__gte=rule.begins, gaming_day__lt=today).first()
    if dealt is not None:
        why = f"{table.code} dealt on {dealt.gaming_day}, under what stood then."
        raise NotAllowedNow(f"{why} Begin on {today} or later.", "from")


def _check_schedule(table: Table, rule: CollectionRule) -> None:
    """A schedule of the table's own game that is not withdrawn, printed for a table of so many places."""
    try:
        rule_set = part_of_game(table.game, "collection").rule_set(rule.rule_set)
        rule_set.schedule(rule.option)
        # As it stands on the day the rule begins, not today: a withdrawal may be noted ahead.
        stands = schedule_stands(noted_here(table.premises), table.game, rule.rule_set, rule.option, rule.begins)
        refuse_withdrawn(stands, rule.rule_set, rule.option)
    except (NoFee, NotInThisGame) as why:
        raise NotUnderstood(f"{table.code}: {why}", "set") from None
    except ScheduleWithdrawn as why:
        raise NotAllowedNow(f"{table.code}: {why}", "withdrawn") from None
    if table.bank == Bank.PLAYER_DEALER and table.seats > rule_set.seats:
        places = (
            f"{table.code} has {table.seats} seats; rule set {rule.rule_set} is for at most {rule_set.seats} places."
        )
        raise NotAllowedNow(f"{places} Give the table fewer seats, or choose another rule set.", "seats")
