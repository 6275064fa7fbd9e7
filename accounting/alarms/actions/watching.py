"""The list of alarms is brought up to date: what is newly wrong rings, what is over ends; both are told by message."""

from __future__ import annotations

from datetime import datetime

from django.db import connection, transaction
from django.utils import timezone

from accounting.alarms.models import AlarmAddress, AlarmMessage, HouseAlarm
from accounting.alarms.queries.finding import findings
from accounting.alarms.rules import AlarmFinding, RingingAlarm, changes
from jackpot.errands.actions import SERVER
from jackpot.trail.actions.trail import record

ALONE = 7_307_190_431  # one watcher at a time, however many workers there are


@transaction.atomic
def watch_alarms(now: datetime | None = None) -> int:
    """Returns how many began to ring. A worker that finds another one at it does nothing."""
    with connection.cursor() as cursor:
        # Tried and not waited for: the one who has it sees the same, and this one looks again with its next turn.
        cursor.execute("SELECT pg_try_advisory_xact_lock(%s)", [ALONE])
        if cursor.fetchone() != (True,):
            return 0
    moment = now or timezone.now()
    rows = {_key(row): row for row in HouseAlarm.objects.filter(ended_at=None)}
    due = changes(findings(moment), [RingingAlarm(key, row.quiet_since) for key, row in rows.items()], moment)
    for finding in due.ring:
        _ring(finding, moment)
    for key in due.end:
        _end(rows[key], moment)
    for keys, quiet in ((due.hush, moment), (due.back, None)):
        HouseAlarm.objects.filter(pk__in=[rows[key].pk for key in keys]).update(quiet_since=quiet)
    return len(due.ring)


def _key(row: HouseAlarm) -> tuple[int, str, str]:
    return row.premises_id, row.kind, row.subject


def _ring(finding: AlarmFinding, now: datetime) -> None:
    alarm = HouseAlarm.objects.create(
        premises_id=finding.house, kind=finding.kind.value, subject=finding.subject, words=finding.words, since=now
    )
    record(actor=SERVER, act="alarm", subject=str(alarm), outcome="alarm", why=alarm.words)
    # In the transaction that rings it: an alarm without its messages would be told to nobody.
    _tell(alarm, ended=False)


def _end(alarm: HouseAlarm, now: datetime) -> None:
    alarm.ended_at = now
    alarm.save(update_fields=["ended_at"])
    record(actor=SERVER, act="alarm over", subject=str(alarm), why=f"It rang since {alarm.since:%Y-%m-%d %H:%M} UTC.")
    _tell(alarm, ended=True)


def _tell(alarm: HouseAlarm, *, ended: bool) -> None:
    told = AlarmAddress.objects.filter(premises=alarm.premises_id, ended_at=None)
    heard = told if alarm.is_loud else told.filter(loud_only=False)
    AlarmMessage.objects.bulk_create(AlarmMessage(address=each, alarm=alarm, ended=ended) for each in heard)
