"""Slips that nobody claims: dated rules of when they lapse, and notices given. Both stay as they were written."""

import django.db.models.deletion
import django.db.models.functions.datetime
from django.conf import settings
from django.db import migrations, models

GUARD = """
CREATE TRIGGER {table}_stays BEFORE UPDATE OR DELETE OR TRUNCATE ON {table}
  FOR EACH STATEMENT EXECUTE FUNCTION fairmeter_refuse_change();
"""
GUARDED = ("jackpot_unclaimednotice", "jackpot_datedunclaimed")


class Migration(migrations.Migration):

    dependencies = [
        ('jackpot', '0004_payments'),
    ]

    operations = [
        migrations.CreateModel(
            name='UnclaimedNotice',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('how', models.CharField(max_length=200)),
                ('at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
                ('by', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('win', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='notices', to='jackpot.win')),
            ],
            options={
                'ordering': ['id'],
            },
        ),
        migrations.CreateModel(
            name='DatedUnclaimed',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('begins', models.DateField(help_text='First gaming day of the slips it is for.')),
                ('notice_after', models.PositiveIntegerField(help_text='Days after which the owner is to be told.')),
                ('lapse_after', models.PositiveIntegerField(help_text='Days after which the claim lapses.')),
                ('premises', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='unclaimed_rules', to='jackpot.property')),
            ],
            options={
                'verbose_name_plural': 'dated rules of unclaimed slips',
                'ordering': ['premises_id', 'begins'],
                'constraints': [models.UniqueConstraint(fields=('premises', 'begins'), name='unclaimed_rule_begins_once_a_day'), models.CheckConstraint(condition=models.Q(('lapse_after__gte', models.F('notice_after'))), name='unclaimed_notice_before_lapse')],
            },
        ),
        *(
            migrations.RunSQL(GUARD.format(table=table), f"DROP TRIGGER {table}_stays ON {table}") for table in GUARDED
        ),
    ]
