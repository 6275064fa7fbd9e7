"""A clock that was ahead and is put right, and one that moves while an act is being written.

One act over several jackpots has the latest of their last moments: until the clock has caught up, an entry may be as
late as the latest that any jackpot had before, and no later. That is asked only when it is later than the clock. And
what an act read before the clock moved is no forgery: the act is begun anew (40001) instead of being refused.
"""

from importlib import import_module

from django.db import migrations

GUARDS = import_module("jackpot.migrations.0006_guards")
STRICT = GUARDS.ENTRIES[: GUARDS.ENTRIES.index("CREATE TRIGGER")].replace("CREATE FUNCTION", "CREATE OR REPLACE FUNCTION")
SUMS = f"""({GUARDS._each("after.{account}_after")}) IS DISTINCT FROM
         ({GUARDS._each("coalesce(before.{account}_after, 0) + n.{account}")})"""
READ = f"""
CREATE OR REPLACE FUNCTION fairmeter_entries_follow_books() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  wrong text;
  moved boolean;
BEGIN
  SELECT j.code, NOT judged.numbers AND n.earliest >= transaction_timestamp() - interval '1 second'
                 AND n.latest <= transaction_timestamp() + interval '5 minutes'
    INTO wrong, moved
    FROM (SELECT a.jackpot_id, min(a.seq) AS first, max(a.seq) AS last, count(*) AS many,
                 min(a.occurred_at) AS earliest, max(a.occurred_at) AS latest,
                 {GUARDS._each("sum(a.{account}) AS {account}")}
            FROM added a GROUP BY a.jackpot_id) n
    LEFT JOIN public.jackpot_jackpot j ON j.id = n.jackpot_id
    LEFT JOIN LATERAL (SELECT e.* FROM public.jackpot_entry e
                        WHERE e.jackpot_id = n.jackpot_id AND e.seq = n.first - 1) before ON true
    LEFT JOIN LATERAL (SELECT e.* FROM public.jackpot_entry e
                        WHERE e.jackpot_id = n.jackpot_id AND e.seq = n.last) after ON true
    CROSS JOIN LATERAL (SELECT
           j.last_seq IS DISTINCT FROM n.last OR n.many <> n.last - n.first + 1
           OR (n.first > 1 AND before.seq IS NULL) OR coalesce(n.earliest < before.occurred_at, false)
           OR {SUMS} AS numbers) judged
   WHERE judged.numbers
      OR n.earliest < least(before.occurred_at, clock_timestamp()) - interval '10 minutes'
      OR (n.earliest < clock_timestamp() - interval '10 minutes' AND n.earliest IS DISTINCT FROM before.occurred_at)
      OR CASE WHEN n.latest > greatest(clock_timestamp() + interval '1 second', before.occurred_at)
              THEN NOT EXISTS (
                SELECT FROM public.jackpot_jackpot o CROSS JOIN LATERAL (
                  SELECT e.occurred_at FROM public.jackpot_entry e
                   WHERE e.jackpot_id = o.id AND e.seq < coalesce(
                     (SELECT min(a.seq) FROM added a WHERE a.jackpot_id = o.id), o.last_seq + 1)
                   ORDER BY e.seq DESC LIMIT 1) stood
                 WHERE stood.occurred_at >= n.latest)
              ELSE false END
   ORDER BY 2 LIMIT 1;
  IF FOUND AND moved THEN
    RAISE EXCEPTION 'the clock moved while the books of % were written; it is to be done again.', wrong
      USING ERRCODE = 'serialization_failure';
  ELSIF FOUND THEN
    RAISE EXCEPTION 'what was to be added to the books of % does not go on where they stand.', coalesce(wrong, 'nobody')
      USING ERRCODE = 'integrity_constraint_violation';
  END IF;
  RETURN NULL;
END $$;
"""


class Migration(migrations.Migration):

    dependencies = [
        ('jackpot', '0024_tick_or_record'),
    ]

    operations = [
        migrations.RunSQL(READ, STRICT),
    ]
