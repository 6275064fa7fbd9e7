"""What became of hands that a player banked, wager by wager; added, never changed."""

import django.db.models.deletion
import jackpot.money_field
from django.conf import settings
from django.db import migrations, models

TABLES = ("tables_handsettlement", "tables_settledwager")
GUARD = """
CREATE TRIGGER {0}_stays BEFORE UPDATE OR DELETE OR TRUNCATE ON {0}
  FOR EACH STATEMENT EXECUTE FUNCTION fairmeter_refuse_change();
"""


class Migration(migrations.Migration):

    dependencies = [
        ('tables', '0015_room_for_ends'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.AddField(
            model_name='bankedhand',
            name='shared',
            field=models.JSONField(db_default={}, default=dict, help_text='Players of each spot that more than one plays.'),
        ),
        migrations.CreateModel(
            name='HandSettlement',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('collected', jackpot.money_field.AmountField(help_text='Of losing wagers.')),
                ('paid', jackpot.money_field.AmountField(help_text='To winning wagers.')),
                ('uncovered', jackpot.money_field.AmountField(help_text="Due beyond the bank's wager: neither paid nor taken, it went back.")),
                ('at', models.DateTimeField()),
                ('request', models.BinaryField(help_text='sha-256 of what was told.')),
                ('dealer', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('device', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='tables.device')),
                ('hand', models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, related_name='settlement', to='tables.bankedhand')),
            ],
            options={
                'ordering': ['hand_id'],
            },
        ),
        migrations.CreateModel(
            name='SettledWager',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('place', models.PositiveSmallIntegerField(help_text='In the order of settling.')),
                ('seat', models.PositiveSmallIntegerField()),
                ('wager', models.CharField(max_length=20)),
                ('stake', jackpot.money_field.AmountField()),
                ('due', jackpot.money_field.AmountField(help_text='By the cards: above zero it won, below zero it lost.')),
                ('moved', jackpot.money_field.AmountField(help_text="What of it the bank's wager covered.")),
                ('settlement', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='parts', to='tables.handsettlement')),
            ],
            options={
                'ordering': ['settlement_id', 'place'],
            },
        ),
        migrations.AddConstraint(
            model_name='handsettlement',
            constraint=models.CheckConstraint(condition=models.Q(('collected__gte', 0), ('paid__gte', 0), ('uncovered__gte', 0)), name='hand_settled_from_zero_up'),
        ),
        migrations.AddConstraint(
            model_name='settledwager',
            constraint=models.UniqueConstraint(fields=('settlement', 'seat', 'wager'), name='wager_settled_once'),
        ),
        migrations.AddConstraint(
            model_name='settledwager',
            constraint=models.UniqueConstraint(fields=('settlement', 'place'), name='wagers_settled_in_order'),
        ),
        migrations.AddConstraint(
            model_name='settledwager',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('due__gte', 0), ('moved__gte', 0), ('moved__lte', models.F('due'))), models.Q(('due__lt', 0), ('moved__gte', models.F('due')), ('moved__lte', 0)), _connector='OR'), name='wager_moved_within_its_due'),
        ),
        *(migrations.RunSQL(GUARD.format(table), f"DROP TRIGGER {table}_stays ON {table}") for table in TABLES),
    ]
