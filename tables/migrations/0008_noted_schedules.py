"""How collection schedules stand from a gaming day on; rows are added, never changed."""

import django.db.models.deletion
from django.db import migrations, models


GUARD = """
CREATE TRIGGER tables_notedschedule_stays BEFORE UPDATE OR DELETE OR TRUNCATE ON tables_notedschedule
  FOR EACH STATEMENT EXECUTE FUNCTION fairmeter_refuse_change();
"""


class Migration(migrations.Migration):

    dependencies = [
        ('tables', '0007_numbers_of_each_secret'),
    ]

    operations = [
        migrations.CreateModel(
            name='NotedSchedule',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('begins', models.DateField()),
                ('game', models.CharField(max_length=20)),
                ('rule_set', models.CharField(max_length=20)),
                ('option', models.PositiveSmallIntegerField(default=0, help_text='0: every option of the rule set.')),
                ('status', models.CharField(choices=[('approved', 'approved'), ('under_review', 'approved, under review'), ('withdrawn', 'withdrawn')], max_length=12)),
                ('reference', models.CharField(help_text='The letter, approval or notice that says so.', max_length=120)),
                ('premises', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='noted_schedules', to='jackpot.property')),
            ],
            options={
                'ordering': ['premises_id', 'begins', 'rule_set', 'option'],
                'constraints': [models.UniqueConstraint(fields=('premises', 'game', 'rule_set', 'option', 'begins'), name='schedule_noted_once_a_day')],
            },
        ),
        migrations.RunSQL(GUARD, "DROP TRIGGER tables_notedschedule_stays ON tables_notedschedule"),
    ]
