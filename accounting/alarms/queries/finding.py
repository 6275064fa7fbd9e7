"""What is wrong at this moment, in every house: one look at the database and one at the disk."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import Any, Final

from django.conf import settings
from django.db import connection

from accounting.alarms.queries.duties import DUTIES
from accounting.alarms.rules import AlarmFinding, AlarmKind
from accounting.days.models import BankBalance
from accounting.days.queries.cover import bank_cover
from jackpot.property.models.property import Property
from tables.floor.actions.approvals import lacking_at_tables
from tables.floor.queries.limit_sheets import open_outside_limits
from tables.rounds.queries.expected import lately_above, running_hours

TOGETHER: Final = 10  # links that are down at once: a switch or a cable rather than boxes
GAPS: Final = 3  # of one table in ten minutes; one alone is a box that was switched off in mid-word
BEHIND: Final = 256 * 1024**2  # bytes of the log without a receiver: some minutes of a busy house
DAYS_AHEAD: Final = timedelta(days=14)  # a regulator answers in days
LEAST_ROOM: Final = 2_000_000_000
LEAST_SHARE: Final = 0.05
# Each part says house, kind, subject and words. A device is late when an open table's box was not heard for a minute.
FOUND: Final = """
WITH silent AS (
  SELECT d.code, t.code AS table_code, t.premises_id, d.last_seen_at
    FROM tables_device d JOIN tables_table t ON t.id = d.table_id
   WHERE d.state = 'active' AND t.state = 'open' AND d.last_seen_at < %(now)s - interval '60 seconds'
), many AS (
  SELECT premises_id, count(*) AS silent FROM silent GROUP BY 1 HAVING count(*) >= %(together)s
), hits AS (
  SELECT j.premises_id, w.table_code || ' round ' || w.round_number AS place, min(w.marked_at) AS since
    FROM jackpot_win w JOIN jackpot_jackpot j ON j.id = w.jackpot_id
   WHERE w.state IN ('marked', 'asked', 'logged') GROUP BY 1, 2
)
SELECT premises_id, 'device late', code, 'Device ' || code || ' of ' || table_code || ' is not heard.'
  FROM silent WHERE premises_id NOT IN (SELECT premises_id FROM many)
UNION ALL
SELECT premises_id, 'links down', 'the floor', silent || ' links are down at once: look for what they share.' FROM many
UNION ALL
SELECT premises_id, CASE WHEN since < %(now)s - interval '8 minutes' THEN 'hit waits long' ELSE 'hit waits' END, place,
       'A hit at ' || place || ' has waited for more than '
       || CASE WHEN since < %(now)s - interval '8 minutes' THEN 'eight' ELSE 'three' END || ' minutes.'
  FROM hits WHERE since < %(now)s - interval '3 minutes'
UNION ALL
SELECT s.premises_id, 'sign differs', s.code, 'Sign ' || s.code || ': ' || r.why
  FROM tables_sign s CROSS JOIN LATERAL (
    SELECT why FROM jackpot_trail r WHERE r.act = 'sign_report' AND r.outcome = 'disagrees'
       AND r.object_kind = 'sign' AND r.object_key = s.code
       AND r.at > %(now)s - interval '5 minutes' ORDER BY r.id DESC LIMIT 1) r
UNION ALL
SELECT p.premises_id, 'paper', p.code, 'Printer ' || p.code || ': ' || count(*)
       || ' of its pages wait or were given up.'
  FROM accounting_printjob j JOIN accounting_printer p ON p.id = j.printer_id JOIN accounting_copy c ON c.id = j.copy_id
 WHERE j.state = 'givenup' OR j.state IN ('queued', 'failed') AND c.printed_at < %(now)s - interval '2 minutes'
 GROUP BY 1, 2, 3
UNION ALL
SELECT premises_id, 'queue', name, 'Webhook ' || name || ' takes no events.'
  FROM accounting_webhook WHERE alarmed_at IS NOT NULL AND paused_at IS NULL AND retired_at IS NULL
UNION ALL
SELECT h.id, 'queue', e.code, initcap(e.code) || ' is overdue: nobody does it.'
  FROM jackpot_errand e CROSS JOIN jackpot_property h WHERE e.owed_since < %(now)s - e.alarm_after
UNION ALL
SELECT d.premises_id, 'variance', j.code || ' on ' || d.day, 'The close of ' || d.day || ': ' || j.code
       || ' is not what its rounds and records add up to.'
  FROM accounting_daysnapshot d JOIN jackpot_jackpot j ON j.id = d.jackpot_id
 WHERE NOT d.agrees AND d.at > %(now)s - interval '36 hours'
UNION ALL
SELECT h.id, 'standby', 'the database', 'No standby follows: the next commit stands still.'
  FROM jackpot_property h
 WHERE current_setting('synchronous_standby_names') <> '' AND NOT EXISTS (
   SELECT FROM pg_stat_replication WHERE application_name <> 'fairmeter_archive')
UNION ALL
SELECT j.premises_id, 'stopped', j.code, b.why
  FROM jackpot_wentback b JOIN jackpot_jackpot j ON j.id = b.jackpot_id WHERE b.accepted_at IS NULL
UNION ALL
SELECT h.id, 'proof', p.subject, 'The proof found that ' || p.why || '. Look for who changed it: manage.py prove.'
  FROM jackpot_property h CROSS JOIN (
    SELECT subject, max(why) AS why FROM jackpot_trail
     WHERE act = 'proof found' AND outcome = 'alarm' AND at > %(now)s - interval '25 hours' GROUP BY 1) p
UNION ALL
SELECT t.premises_id, 'numbers', t.code, 'The box of ' || t.code
       || ' says round numbers that are not due, again and again: it is another box, or it lost its memory.'
  FROM jackpot_trail r JOIN tables_table t ON t.code = r.object_key
 WHERE r.object_kind = 'table' AND r.act = 'coin_in' AND r.outcome = 'refused' AND r.details ->> 'code' = 'gap'
   AND r.at > %(now)s - interval '10 minutes'
 GROUP BY 1, 3 HAVING count(*) >= %(gaps)s
UNION ALL
SELECT h.id, 'archive', 'the archive', CASE
       WHEN a.wal_status = 'lost' THEN 'The archive took nothing for too long and ended. Make room, then start again.'
       ELSE 'The archive takes nothing: the log waits for it on the disk of the books. Make room where it lies.' END
  FROM jackpot_property h CROSS JOIN pg_replication_slots a
 WHERE a.slot_name = 'fairmeter_archive' AND (a.wal_status IN ('lost', 'unreserved') OR NOT a.active
   AND pg_wal_lsn_diff(pg_current_wal_flush_lsn(), a.restart_lsn) > %(behind)s)
"""


def findings(now: datetime) -> list[AlarmFinding]:
    with connection.cursor() as cursor:
        told: dict[str, Any] = {"now": now, "together": TOGETHER, "gaps": GAPS, "behind": BEHIND}
        cursor.execute(f"{FOUND} UNION ALL {DUTIES}", told)
        found = [
            AlarmFinding(house, AlarmKind(kind), subject[:80], words[:300])
            for house, kind, subject, words in cursor.fetchall()
        ]
        cursor.execute("SELECT id FROM jackpot_property")
        houses = [house for (house,) in cursor.fetchall()]
    # What one statement can say is asked in one; these need rules that stand in Python.
    return [*found, *_disk(houses), *_limits(), *_contributions(now), *_cover(now), *_approvals(now)]


def _limits() -> Iterator[AlarmFinding]:
    """Open tables that a limit sheet overtook on the day on which it began."""
    for house in Property.objects.filter(limit_sheets__isnull=False).distinct():
        for table, why in open_outside_limits(house):
            words = f"{table} is open outside its limits. {why} Close it until then."
            yield AlarmFinding(house.pk, AlarmKind.LIMITS, table, words[:300])


def _contributions(now: datetime) -> Iterator[AlarmFinding]:
    """Tables that take in more than is within reason, this hour or the one before."""
    for house in Property.objects.filter(unreasonable_share__gt=0).order_by("id"):
        found = [*running_hours(house, now), *lately_above(house, now)]
        # Backwards, so that the running hour, which comes first, stays in the end.
        told = {each.table.code: each for each in reversed(found) if each.above}
        for code, each in sorted(told.items()):
            words = f"{each.words} Look at its sensors, its box and its play."
            yield AlarmFinding(house.pk, AlarmKind.CONTRIBUTION, code, words[:300])


def _disk(houses: list[int]) -> Iterator[AlarmFinding]:
    if not settings.DATA_DIR.exists():
        return
    room = shutil.disk_usage(settings.DATA_DIR)
    if room.free < max(LEAST_ROOM, LEAST_SHARE * room.total):
        words = f"{room.free / 1e9:.1f} GB are left where data lie; a full disk stops play. Make room."
        yield from (AlarmFinding(house, AlarmKind.DISK, "the data folder", words) for house in houses)


def _cover(now: datetime) -> Iterator[AlarmFinding]:
    """One look more for each house that has ever typed a statement of its bank."""
    for house in Property.objects.filter(pk__in=BankBalance.objects.values("premises")).order_by("id"):
        cover = bank_cover(house, now)
        if cover.missing:
            does = " By the switch of the house its jackpots stand still." if house.short_cover_suspends else ""
            words = f"{cover.sentence(house.gaming_day(now))}{does} Deposit it, and type the new balance at the close."
            yield AlarmFinding(house.pk, AlarmKind.BANK_COVER, house.code, words[:300])


def _approvals(now: datetime) -> Iterator[AlarmFinding]:
    """What plays without its approval, and what will in two weeks unless somebody sees to it; thing by thing."""
    for house in Property.objects.order_by("id"):
        today = house.gaming_day(now)
        told: dict[str, str] = {}
        for day in (today, today + DAYS_AHEAD):
            for table, missing in lacking_at_tables(house, day):
                when = "has no approval" if day == today else f"has none any more on {day} or before"
                for each in missing:
                    told.setdefault(
                        str(each), f"{table.code} plays with {each}, which {when}. Enter it with its document."
                    )
        yield from (AlarmFinding(house.pk, AlarmKind.APPROVAL, thing[:80], words) for thing, words in told.items())
