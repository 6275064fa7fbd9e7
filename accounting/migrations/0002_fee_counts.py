"""What drop boxes held in collections; added, never changed."""

import django.db.models.deletion
import django.db.models.functions.datetime
import jackpot.money_field
from django.conf import settings
from django.db import migrations, models


GUARD = """
CREATE TRIGGER accounting_feecount_stays BEFORE UPDATE OR DELETE OR TRUNCATE ON accounting_feecount
  FOR EACH STATEMENT EXECUTE FUNCTION fairmeter_refuse_change();
"""


class Migration(migrations.Migration):

    dependencies = [
        ('accounting', '0001_initial'),
        ('jackpot', '0002_window_receipts'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='FeeCount',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('day', models.DateField()),
                ('at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
                ('table_code', models.CharField(max_length=20)),
                ('amount', jackpot.money_field.AmountField()),
                ('person', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('premises', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='jackpot.property')),
            ],
            options={
                'ordering': ['id'],
                'indexes': [models.Index(fields=['premises', 'day'], name='fee_count_by_day')],
            },
        ),
        migrations.RunSQL(GUARD, "DROP TRIGGER accounting_feecount_stays ON accounting_feecount"),
    ]
