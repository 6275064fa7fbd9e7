"""What waits for a number of the feed is a queue that the database fills: a round costs what is new."""

import django.db.models.deletion
from django.db import migrations, models

# Whichever act takes the step, the row of its number waits in the same transaction.
QUEUE = """
CREATE FUNCTION fairmeter_request_awaits_number() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  INSERT INTO accounting_unnumberedevent (premises_id, about, source, step)
  SELECT NEW.premises_id, 'requests', NEW.id, step
    FROM (VALUES ('asked', NEW.asked_at, OLD.asked_at), ('decided', NEW.decided_at, OLD.decided_at),
                 ('withdrawn', NEW.withdrawn_at, OLD.withdrawn_at)) AS steps (step, now, before)
   WHERE now IS NOT NULL AND before IS NULL
  ON CONFLICT DO NOTHING;
  RETURN NULL;
END $$;
CREATE FUNCTION fairmeter_day_awaits_number() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  INSERT INTO accounting_unnumberedevent (premises_id, about, source, step)
  VALUES (NEW.premises_id, 'days', NEW.id, '') ON CONFLICT DO NOTHING;
  RETURN NULL;
END $$;
CREATE TRIGGER jackpot_request_awaits_number AFTER INSERT OR UPDATE OF asked_at, decided_at, withdrawn_at
  ON jackpot_request FOR EACH ROW EXECUTE FUNCTION fairmeter_request_awaits_number();
CREATE TRIGGER accounting_daysignature_awaits_number AFTER INSERT ON accounting_daysignature
  FOR EACH ROW EXECUTE FUNCTION fairmeter_day_awaits_number();
"""
# Behind the triggers, which hold up whoever writes: so nothing falls between this look and the first row of theirs.
WAITING = """
INSERT INTO accounting_unnumberedevent (premises_id, about, source, step)
SELECT r.premises_id, 'requests', r.id, steps.step
  FROM jackpot_request r
 CROSS JOIN LATERAL (VALUES ('asked', r.asked_at), ('decided', r.decided_at), ('withdrawn', r.withdrawn_at))
       AS steps (step, at)
 WHERE steps.at IS NOT NULL AND NOT EXISTS (
       SELECT FROM accounting_feedevent e
        WHERE e.premises_id = r.premises_id AND e.key = 'request/' || r.id || '/' || steps.step)
 ORDER BY steps.at;
INSERT INTO accounting_unnumberedevent (premises_id, about, source, step)
SELECT d.premises_id, 'days', d.id, '' FROM accounting_daysignature d
 WHERE NOT EXISTS (SELECT FROM accounting_feedevent e
                    WHERE e.premises_id = d.premises_id AND e.key = 'day/' || d.id)
 ORDER BY d.id;
"""
NO_QUEUE = """
DROP TRIGGER accounting_daysignature_awaits_number ON accounting_daysignature;
DROP TRIGGER jackpot_request_awaits_number ON jackpot_request;
DROP FUNCTION fairmeter_day_awaits_number();
DROP FUNCTION fairmeter_request_awaits_number();
"""


class Migration(migrations.Migration):

    dependencies = [
        ('accounting', '0002_fee_counts'),
        ('jackpot', '0001_initial'),
    ]

    operations = [
        migrations.CreateModel(
            name='UnnumberedEvent',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('about', models.CharField(choices=[('books', 'books'), ('requests', 'requests'), ('days', 'days')], max_length=10)),
                ('source', models.BigIntegerField(help_text='Key of the request, or of the signature of a day.')),
                ('step', models.CharField(blank=True, help_text='asked, decided or withdrawn, of a request.', max_length=10)),
                ('premises', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='jackpot.property')),
            ],
            options={
                'ordering': ['id'],
                'indexes': [models.Index(fields=['premises', 'id'], name='unnumbered_in_turn')],
                'constraints': [models.UniqueConstraint(fields=('about', 'source', 'step'), name='unnumbered_once')],
            },
        ),
        migrations.RunSQL(QUEUE, NO_QUEUE),
        migrations.RunSQL(WAITING, migrations.RunSQL.noop),
    ]
