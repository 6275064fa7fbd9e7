"""Webhooks: what was registered stays; what moves is how far each has come."""

import django.contrib.postgres.fields
import django.db.models.deletion
import django.db.models.functions.datetime
from django.conf import settings
from django.db import migrations, models

STANDS = """
CREATE FUNCTION fairmeter_webhook_stands() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  IF TG_OP <> 'UPDATE' THEN
    RAISE EXCEPTION 'A webhook is retired, not deleted.' USING ERRCODE = 'restrict_violation';
  END IF;
  IF (NEW.premises_id, NEW.name, NEW.address, NEW.kinds, NEW.secret_sealed, NEW.registered_by_id, NEW.registered_at)
     IS DISTINCT FROM
     (OLD.premises_id, OLD.name, OLD.address, OLD.kinds, OLD.secret_sealed, OLD.registered_by_id, OLD.registered_at)
  THEN
    RAISE EXCEPTION 'What was registered never changes. Retire the webhook and register another.'
      USING ERRCODE = 'restrict_violation';
  END IF;
  IF OLD.retired_at IS NOT NULL AND NEW.retired_at IS DISTINCT FROM OLD.retired_at THEN
    RAISE EXCEPTION 'A retired webhook stays retired.' USING ERRCODE = 'restrict_violation';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER accounting_webhook_stands BEFORE UPDATE OR DELETE ON accounting_webhook
  FOR EACH ROW EXECUTE FUNCTION fairmeter_webhook_stands();
"""
FALLS = """
DROP TRIGGER accounting_webhook_stands ON accounting_webhook;
DROP FUNCTION fairmeter_webhook_stands();
"""


class Migration(migrations.Migration):

    dependencies = [
        ('accounting', '0003_feed_queue'),
        ('jackpot', '0001_initial'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='Webhook',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('name', models.CharField(help_text='The program behind the address.', max_length=60)),
                ('address', models.CharField(max_length=500)),
                ('kinds', django.contrib.postgres.fields.ArrayField(base_field=models.CharField(max_length=40), help_text='books, books/award …', size=None)),
                ('secret_sealed', models.BinaryField(help_text='What it signs with, readable with the file key only.')),
                ('registered_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
                ('last_number', models.BigIntegerField(help_text='Every event up to this number is delivered, or not wanted.')),
                ('next_try_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), help_text='Nothing is sent before this moment.')),
                ('claim', models.BigIntegerField(default=0, help_text='Rises with each worker that takes it, and with each replay.')),
                ('claimed_until', models.DateTimeField(help_text='A worker is at it; nobody else is until then.', null=True)),
                ('last_tried_at', models.DateTimeField(null=True)),
                ('last_answer', models.CharField(blank=True, help_text='What came of the last delivery, in words.', max_length=200)),
                ('delivered_at', models.DateTimeField(help_text='When it last took something.', null=True)),
                ('deliveries', models.BigIntegerField(default=0, help_text='How often it took something.')),
                ('tries', models.PositiveIntegerField(default=0, help_text='Failures in a row.')),
                ('failing_since', models.DateTimeField(null=True)),
                ('alarmed_at', models.DateTimeField(help_text='When the trail was told that it fails for long.', null=True)),
                ('paused_at', models.DateTimeField(null=True)),
                ('retired_at', models.DateTimeField(null=True)),
                ('paused_by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('premises', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='webhooks', to='jackpot.property')),
                ('registered_by', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('retired_by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'ordering': ['-id'],
                'constraints': [models.CheckConstraint(condition=models.Q(('kinds__len__gt', 0)), name='webhook_wants_something'), models.CheckConstraint(condition=models.Q(('last_number__gte', 0)), name='webhook_number_from_nothing'), models.CheckConstraint(condition=models.Q(models.Q(('paused_at__isnull', True), ('paused_by__isnull', True)), models.Q(('paused_at__isnull', False), ('paused_by__isnull', False)), _connector='OR'), name='webhook_paused_by_somebody'), models.CheckConstraint(condition=models.Q(models.Q(('retired_at__isnull', True), ('retired_by__isnull', True)), models.Q(('retired_at__isnull', False), ('retired_by__isnull', False)), _connector='OR'), name='webhook_retired_by_somebody'), models.CheckConstraint(condition=models.Q(models.Q(('failing_since__isnull', True), ('tries', 0)), models.Q(('failing_since__isnull', False), ('tries__gt', 0)), _connector='OR'), name='webhook_fails_since_some_time')],
            },
        ),
        migrations.RunSQL(STANDS, FALLS),
    ]
