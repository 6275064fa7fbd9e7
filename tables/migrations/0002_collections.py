"""What tables take for their hands from a gaming day on; rows are added, never changed."""

import django.db.models.deletion
import jackpot.money_field
from django.db import migrations, models


GUARD = """
CREATE TRIGGER tables_tablecollection_stays BEFORE UPDATE OR DELETE OR TRUNCATE ON tables_tablecollection
  FOR EACH STATEMENT EXECUTE FUNCTION fairmeter_refuse_change();
"""


class Migration(migrations.Migration):

    dependencies = [
        ('tables', '0001_initial'),
    ]

    operations = [
        migrations.CreateModel(
            name='TableCollection',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('begins', models.DateField()),
                ('basis', models.CharField(choices=[('hand', 'each hand'), ('player', 'each player in a hand'), ('half_hour', 'each half hour with a hand'), ('action', 'total action, by a schedule of the game'), ('none', 'nothing any more')], max_length=10)),
                ('fee', jackpot.money_field.AmountField(help_text='0 where a schedule of the game says it.')),
                ('rule_set', models.CharField(blank=True, max_length=20)),
                ('option', models.PositiveSmallIntegerField(default=0)),
                ('table', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='collections', to='tables.table')),
            ],
            options={
                'ordering': ['table_id', 'begins'],
                'constraints': [models.UniqueConstraint(fields=('table', 'begins'), name='collection_of_a_day_once')],
            },
        ),
        migrations.RunSQL(GUARD, "DROP TRIGGER tables_tablecollection_stays ON tables_tablecollection"),
    ]
