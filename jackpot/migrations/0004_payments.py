"""Payments split into net and withheld, sealed and guarded; disputes that hold a payment up."""

import django.db.models.deletion
import django.db.models.expressions
import django.db.models.functions.datetime
import jackpot.money_field
from django.conf import settings
from django.db import migrations, models


GUARD = """
CREATE TRIGGER jackpot_payment_stays BEFORE UPDATE OR DELETE OR TRUNCATE ON jackpot_payment
  FOR EACH STATEMENT EXECUTE FUNCTION fairmeter_refuse_change();
"""


class Migration(migrations.Migration):

    dependencies = [
        ('jackpot', '0003_requests'),
    ]

    operations = [
        migrations.CreateModel(
            name='Dispute',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('why', models.CharField(max_length=200)),
                ('opened_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
                ('settled_at', models.DateTimeField(null=True)),
                ('answer', models.CharField(blank=True, max_length=200)),
                ('opened_by', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('settled_by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('win', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='disputes', to='jackpot.win')),
            ],
            options={
                'ordering': ['id'],
                'constraints': [models.UniqueConstraint(condition=models.Q(('settled_at__isnull', True)), fields=('win',), name='dispute_open_once'), models.CheckConstraint(condition=models.Q(('settled_by', models.F('opened_by')), _negated=True), name='dispute_settled_by_another'), models.CheckConstraint(condition=models.Q(models.Q(('settled_at__isnull', True), ('settled_by__isnull', True)), models.Q(('settled_at__isnull', False), ('settled_by__isnull', False)), _connector='OR'), name='dispute_settled_by_somebody')],
            },
        ),
        migrations.CreateModel(
            name='Payment',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('slip', models.BigIntegerField()),
                ('entry', models.BigIntegerField(help_text="Number of its entry in the books of the win's jackpot.")),
                ('entry_seal', models.CharField(max_length=64)),
                ('gross', jackpot.money_field.AmountField()),
                ('withheld', jackpot.money_field.AmountField()),
                ('net', jackpot.money_field.AmountField()),
                ('taxable', jackpot.money_field.AmountField(help_text='Empty: the house had no tax rule on that day.', null=True)),
                ('reported', models.BooleanField()),
                ('form_seen', models.BooleanField(help_text='The payer ticked that identity and form are in hand.')),
                ('method', models.CharField(max_length=20)),
                ('cheque', models.CharField(blank=True, max_length=40)),
                ('place', models.CharField(blank=True, help_text='The window.', max_length=40)),
                ('payer_name', models.CharField(max_length=100)),
                ('paid_at', models.DateTimeField()),
                ('gaming_day', models.DateField()),
                ('seal', models.CharField(max_length=64)),
                ('payer', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('premises', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='jackpot.property')),
                ('tax_rule', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='jackpot.datedtax')),
                ('win', models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, related_name='payment', to='jackpot.win')),
            ],
            options={
                'ordering': ['id'],
                'indexes': [models.Index(fields=['premises', 'gaming_day'], name='payment_by_day')],
                'constraints': [models.UniqueConstraint(fields=('premises', 'slip'), name='payment_of_a_slip_once'), models.CheckConstraint(condition=models.Q(('gross', django.db.models.expressions.CombinedExpression(models.F('net'), '+', models.F('withheld')))), name='payment_adds_up'), models.CheckConstraint(condition=models.Q(('net__gte', 0), ('withheld__gte', 0)), name='payment_not_negative'), models.CheckConstraint(condition=models.Q(('reported', False), ('form_seen', True), _connector='OR'), name='payment_has_its_form')],
            },
        ),
        migrations.RunSQL(GUARD, "DROP TRIGGER jackpot_payment_stays ON jackpot_payment"),
    ]
