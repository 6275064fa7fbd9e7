"""Limit sheets that a house enters with their reference; rows are added, never changed."""

import django.db.models.deletion
from django.db import migrations, models


GUARD = """
CREATE TRIGGER tables_enteredlimits_stays BEFORE UPDATE OR DELETE OR TRUNCATE ON tables_enteredlimits
  FOR EACH STATEMENT EXECUTE FUNCTION fairmeter_refuse_change();
"""


class Migration(migrations.Migration):

    dependencies = [
        ('jackpot', '0019_games_and_banks'),
        ('tables', '0013_marks_read'),
    ]

    operations = [
        migrations.CreateModel(
            name='EnteredLimits',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('begins', models.DateField()),
                ('ends', models.DateField(help_text='Its last day, where it names one.', null=True)),
                ('game', models.CharField(max_length=20)),
                ('code', models.CharField(max_length=20)),
                ('reference', models.CharField(help_text='The rule or letter that authorizes it.', max_length=120)),
                ('least', models.PositiveIntegerField(help_text='The smallest posted minimum, in whole units of the currency.')),
                ('most', models.PositiveIntegerField(help_text='The largest wager.')),
                ('premises', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='limit_sheets', to='jackpot.property')),
            ],
            options={
                'verbose_name_plural': 'entered limits',
                'ordering': ['premises_id', 'begins', 'code'],
                'constraints': [models.UniqueConstraint(fields=('premises', 'game', 'code', 'begins'), name='limits_entered_once_a_day'), models.CheckConstraint(condition=models.Q(('most__gte', models.F('least'))), name='limits_most_not_below_least')],
            },
        ),
        migrations.RunSQL(GUARD, "DROP TRIGGER tables_enteredlimits_stays ON tables_enteredlimits"),
    ]
