"""Money that was paid in error and came back: a kind of entry, and its sealed record, which stays as it is."""

import django.db.models.deletion
import django.db.models.expressions
import jackpot.money_field
from django.conf import settings
from django.db import migrations, models


GUARD = """
CREATE TRIGGER jackpot_windowreceipt_stays BEFORE UPDATE OR DELETE OR TRUNCATE ON jackpot_windowreceipt
  FOR EACH STATEMENT EXECUTE FUNCTION fairmeter_refuse_change();
"""


class Migration(migrations.Migration):

    dependencies = [
        ('jackpot', '0001_initial'),
    ]

    operations = [
        migrations.AlterField(
            model_name='entry',
            name='kind',
            field=models.CharField(choices=[('opening', 'seed posted'), ('take_over', 'taken over from another system'), ('coin_in', 'coin-in'), ('void', 'round voided'), ('recount', 'round counted again'), ('mark', 'hit marked'), ('unmark', 'mark taken back'), ('assign', 'seats of a lit key said'), ('ask', 'hit asked for'), ('release', 'asked for no longer'), ('outrank', 'outranked by a higher hand'), ('reject', 'hit not confirmed'), ('fall', 'hit void with its round'), ('park', 'hit parked, the table plays on'), ('claim', 'hit claimed after the round'), ('pass_queue', 'let pass the queue'), ('rejoin', 'in the queue again'), ('override', 'paid in spite of its cards'), ('log', 'win logged'), ('award', 'award'), ('advance', 'house advance: a dry meter began anew'), ('repay', 'house advance repaid'), ('pay', 'winner paid'), ('back_out', 'win backed out'), ('receipt', 'money paid in error came back'), ('configure', 'other terms in force'), ('adjust', 'adjustment'), ('difference', 'difference of a later winner'), ('transfer_out', 'transferred to another jackpot'), ('transfer_in', 'transferred from another jackpot'), ('suspend', 'suspended'), ('resume', 'resumed'), ('retire', 'retired')], max_length=12),
        ),
        migrations.CreateModel(
            name='WindowReceipt',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('number', models.PositiveSmallIntegerField(help_text='1, 2, 3 … of its slip.')),
                ('entry', models.BigIntegerField(help_text="Number of its entry in the books of the win's jackpot.")),
                ('entry_seal', models.CharField(max_length=64)),
                ('gross', jackpot.money_field.AmountField()),
                ('withheld', jackpot.money_field.AmountField(help_text='What had been withheld and is not owed to the tax office any more.')),
                ('net', jackpot.money_field.AmountField(help_text='What came over the window.')),
                ('method', models.CharField(max_length=20)),
                ('reference', models.CharField(blank=True, help_text='Number of the cheque or of the transfer.', max_length=40)),
                ('place', models.CharField(blank=True, help_text='The window.', max_length=40)),
                ('taker_name', models.CharField(max_length=100)),
                ('taken_at', models.DateTimeField()),
                ('gaming_day', models.DateField()),
                ('seal', models.CharField(max_length=64)),
                ('payment', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='receipts', to='jackpot.payment')),
                ('premises', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='jackpot.property')),
                ('taker', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'ordering': ['id'],
                'indexes': [models.Index(fields=['premises', 'gaming_day'], name='receipt_by_day')],
                'constraints': [models.UniqueConstraint(fields=('payment', 'number'), name='receipt_named_once'), models.CheckConstraint(condition=models.Q(('gross', django.db.models.expressions.CombinedExpression(models.F('net'), '+', models.F('withheld')))), name='receipt_adds_up'), models.CheckConstraint(condition=models.Q(('net__gt', 0), ('withheld__gte', 0)), name='receipt_not_negative')],
            },
        ),
        migrations.RunSQL(GUARD, "DROP TRIGGER jackpot_windowreceipt_stays ON jackpot_windowreceipt"),
    ]
