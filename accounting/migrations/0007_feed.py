"""The feed for programs: what happened, numbered after it was committed. Events stay."""

import django.db.models.deletion
import django.db.models.functions.datetime
from django.db import migrations, models

GUARD = """
CREATE TRIGGER accounting_feedevent_stays BEFORE UPDATE OR DELETE OR TRUNCATE ON accounting_feedevent
  FOR EACH STATEMENT EXECUTE FUNCTION fairmeter_refuse_change();
"""


class Migration(migrations.Migration):

    dependencies = [
        ('accounting', '0006_programs'),
        ('jackpot', '0006_one_time_code'),
    ]

    operations = [
        migrations.CreateModel(
            name='FeedHead',
            fields=[
                ('premises', models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, primary_key=True, related_name='+', serialize=False, to='jackpot.property')),
                ('last_number', models.BigIntegerField(default=0)),
            ],
        ),
        migrations.CreateModel(
            name='FeedReach',
            fields=[
                ('jackpot', models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, primary_key=True, related_name='+', serialize=False, to='jackpot.jackpot')),
                ('seq', models.BigIntegerField(default=0)),
            ],
        ),
        migrations.CreateModel(
            name='FeedEvent',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('number', models.BigIntegerField()),
                ('key', models.CharField(help_text='What it is made of; numbered once.', max_length=80)),
                ('about', models.CharField(choices=[('books', 'books'), ('requests', 'requests'), ('days', 'days')], max_length=10)),
                ('act', models.CharField(max_length=20)),
                ('subject', models.CharField(max_length=40)),
                ('at', models.DateTimeField(help_text='When it happened.')),
                ('numbered_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
                ('facts', models.JSONField()),
                ('premises', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='jackpot.property')),
            ],
            options={
                'ordering': ['number'],
                'constraints': [models.UniqueConstraint(fields=('premises', 'number'), name='event_numbers_once'), models.UniqueConstraint(fields=('premises', 'key'), name='event_numbered_once'), models.CheckConstraint(condition=models.Q(('number__gte', 1)), name='event_numbers_from_one')],
            },
        ),
        migrations.RunSQL(GUARD, "DROP TRIGGER accounting_feedevent_stays ON accounting_feedevent"),
    ]
