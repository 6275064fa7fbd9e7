"""Hands that a player banks, told before the deal with their bets and their fee; added, never changed."""

import django.db.models.deletion
import jackpot.money_field
from django.conf import settings
from django.db import migrations, models


TABLES = ("tables_bankedhand", "tables_spotwager")
GUARD = """
CREATE TRIGGER {0}_stays BEFORE UPDATE OR DELETE OR TRUNCATE ON {0}
  FOR EACH STATEMENT EXECUTE FUNCTION fairmeter_refuse_change();
"""


class Migration(migrations.Migration):

    dependencies = [
        ('tables', '0008_noted_schedules'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='BankedHand',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('number', models.BigIntegerField(help_text='Of its round.')),
                ('banker', models.PositiveSmallIntegerField(help_text="The player-dealer's seat: there lies the button.")),
                ('in_a_row', models.PositiveSmallIntegerField(help_text='Which hand in a row that seat banks.')),
                ('passed', models.CharField(blank=True, help_text='Seats that did not take the bank before, as digits.', max_length=9)),
                ('bank_wager', jackpot.money_field.AmountField()),
                ('action', jackpot.money_field.AmountField(help_text="The total action: all wagers before the cards, without the bank's.")),
                ('basis', models.CharField(blank=True, choices=[('hand', 'each hand'), ('player', 'each player in a hand'), ('half_hour', 'each half hour with a hand'), ('action', 'total action, by a schedule of the game'), ('none', 'nothing any more')], max_length=10)),
                ('rule_set', models.CharField(blank=True, max_length=20)),
                ('option', models.PositiveSmallIntegerField(default=0)),
                ('fee', jackpot.money_field.AmountField(help_text='What the player-dealer pays; it goes into the drop box before the deal.')),
                ('gaming_day', models.DateField()),
                ('at', models.DateTimeField()),
                ('request', models.BinaryField(help_text='sha-256 of what was told.')),
                ('dealer', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('device', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='tables.device')),
                ('table', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='banked_hands', to='tables.table')),
            ],
            options={
                'ordering': ['table_id', '-number'],
            },
        ),
        migrations.CreateModel(
            name='SpotWager',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('seat', models.PositiveSmallIntegerField()),
                ('wager', models.CharField(max_length=20)),
                ('amount', jackpot.money_field.AmountField()),
                ('hand', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='wagers', to='tables.bankedhand')),
            ],
            options={
                'ordering': ['hand_id', 'seat', 'id'],
            },
        ),
        migrations.AddIndex(
            model_name='bankedhand',
            index=models.Index(fields=['gaming_day'], name='banked_hand_by_day'),
        ),
        migrations.AddConstraint(
            model_name='bankedhand',
            constraint=models.UniqueConstraint(fields=('table', 'number'), name='banked_hand_told_once'),
        ),
        migrations.AddConstraint(
            model_name='bankedhand',
            constraint=models.CheckConstraint(condition=models.Q(('in_a_row__gte', 1), ('in_a_row__lte', 2)), name='bank_two_hands_in_a_row_at_most'),
        ),
        migrations.AddConstraint(
            model_name='bankedhand',
            constraint=models.CheckConstraint(condition=models.Q(('action__gt', 0), ('bank_wager__gt', 0), ('fee__gte', 0)), name='banked_hand_has_action'),
        ),
        migrations.AddConstraint(
            model_name='spotwager',
            constraint=models.UniqueConstraint(fields=('hand', 'seat', 'wager'), name='spot_wager_once'),
        ),
        migrations.AddConstraint(
            model_name='spotwager',
            constraint=models.CheckConstraint(condition=models.Q(('amount__gt', 0)), name='spot_wager_above_zero'),
        ),
        *(migrations.RunSQL(GUARD.format(table), f"DROP TRIGGER {table}_stays ON {table}") for table in TABLES),
    ]
