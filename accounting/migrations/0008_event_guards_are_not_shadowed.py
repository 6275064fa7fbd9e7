"""What waits for its number waits in the real table, also in a session that has one of its own by that name."""

from django.db import migrations

QUEUE = """
CREATE OR REPLACE FUNCTION fairmeter_request_awaits_number() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  INSERT INTO public.accounting_unnumberedevent (premises_id, about, source, step)
  SELECT NEW.premises_id, 'requests', NEW.id, step
    FROM (VALUES ('asked', NEW.asked_at, OLD.asked_at), ('decided', NEW.decided_at, OLD.decided_at),
                 ('withdrawn', NEW.withdrawn_at, OLD.withdrawn_at)) AS steps (step, now, before)
   WHERE now IS NOT NULL AND before IS NULL
  ON CONFLICT DO NOTHING;
  RETURN NULL;
END $$;
CREATE OR REPLACE FUNCTION fairmeter_day_awaits_number() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  INSERT INTO public.accounting_unnumberedevent (premises_id, about, source, step)
  VALUES (NEW.premises_id, 'days', NEW.id, '') ON CONFLICT DO NOTHING;
  RETURN NULL;
END $$;
"""


class Migration(migrations.Migration):

    dependencies = [
        ('accounting', '0007_piles'),
    ]

    operations = [
        migrations.RunSQL(QUEUE, migrations.RunSQL.noop),
    ]
