"""The gaming day in the office: snapshots, readings, counts, balances, explanations and signatures. All stay."""

import django.db.models.deletion
import django.db.models.functions.datetime
import jackpot.money_field
from django.conf import settings
from django.db import migrations, models

GUARD = """
CREATE TRIGGER {table}_stays BEFORE UPDATE OR DELETE OR TRUNCATE ON {table}
  FOR EACH STATEMENT EXECUTE FUNCTION fairmeter_refuse_change();
"""
GUARDED = tuple(
    f"accounting_{name}"
    for name in (
        "daysnapshot", "meterreading", "chipcount", "bankbalance", "explanation", "explanationsigned", "daysignature",
    )
)


class Migration(migrations.Migration):

    dependencies = [
        ('accounting', '0002_reports'),
        ('jackpot', '0004_payments'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='ChipPlace',
            fields=[
                ('premises', models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, primary_key=True, related_name='+', serialize=False, to='jackpot.property')),
                ('where', models.CharField(choices=[('box', 'separate box'), ('tray', "dealer's tray")], max_length=4)),
            ],
        ),
        migrations.CreateModel(
            name='BankBalance',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('day', models.DateField()),
                ('at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
                ('amount', jackpot.money_field.AmountField()),
                ('as_of', models.DateField()),
                ('person', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('premises', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='jackpot.property')),
            ],
            options={
                'ordering': ['id'],
            },
        ),
        migrations.CreateModel(
            name='Explanation',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('day', models.DateField()),
                ('at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
                ('subject', models.CharField(help_text='The line: its column and what it is about.', max_length=80)),
                ('amount', jackpot.money_field.AmountField(help_text='The difference that it explains; another one is not explained by it.')),
                ('cause', models.CharField(choices=[('counting', 'counted wrong'), ('reading', 'read wrong or late'), ('not_done', 'not read or counted'), ('device', 'sign or sensor fault'), ('paper', 'page missing or spoiled'), ('posting', 'posted wrong, corrected by a request'), ('bank', 'transfer to the bank under way'), ('other', 'other')], max_length=10)),
                ('why', models.CharField(max_length=200)),
                ('evidence', models.CharField(max_length=200)),
                ('file_name', models.CharField(blank=True, max_length=120)),
                ('file_sha256', models.CharField(blank=True, max_length=64)),
                ('owner', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('premises', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='jackpot.property')),
            ],
            options={
                'ordering': ['id'],
            },
        ),
        migrations.CreateModel(
            name='ExplanationSigned',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
                ('explanation', models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, related_name='signed', to='accounting.explanation')),
                ('person', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
        ),
        migrations.CreateModel(
            name='MeterReading',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('day', models.DateField()),
                ('at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
                ('sign', models.CharField(blank=True, max_length=20)),
                ('shift', models.CharField(blank=True, max_length=30)),
                ('shown', jackpot.money_field.AmountField()),
                ('read_at', models.DateTimeField()),
                ('jackpot', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='jackpot.jackpot')),
                ('person', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('premises', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='jackpot.property')),
            ],
            options={
                'ordering': ['id'],
            },
        ),
        migrations.CreateModel(
            name='ChipCount',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('day', models.DateField()),
                ('at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
                ('table_code', models.CharField(max_length=20)),
                ('chips', models.PositiveIntegerField()),
                ('person', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('premises', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='jackpot.property')),
            ],
            options={
                'ordering': ['id'],
                'indexes': [models.Index(fields=['premises', 'day'], name='count_by_day')],
            },
        ),
        migrations.CreateModel(
            name='DaySignature',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('day', models.DateField()),
                ('at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
                ('act', models.CharField(choices=[('sign', 'sign'), ('back', 'back'), ('close', 'close'), ('ask', 'ask'), ('keep', 'keep'), ('reopen', 'reopen')], max_length=8)),
                ('why', models.CharField(blank=True, max_length=200)),
                ('digest', models.CharField(blank=True, help_text='sha-256 of what was signed.', max_length=64)),
                ('signed', models.JSONField(default=dict, help_text='Everything that was signed, as it stood then.')),
                ('person', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('premises', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='jackpot.property')),
            ],
            options={
                'ordering': ['id'],
                'indexes': [models.Index(fields=['premises', 'day'], name='day_signature_by_day')],
            },
        ),
        migrations.CreateModel(
            name='DaySnapshot',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('day', models.DateField()),
                ('at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
                ('after_seq', models.BigIntegerField(help_text='Last entry before the day.')),
                ('last_seq', models.BigIntegerField(help_text='Last entry of the day; the same where nothing was posted.')),
                ('seal', models.CharField(help_text='Of that entry: the head of the books at the close.', max_length=64)),
                ('meter', jackpot.money_field.AmountField()),
                ('reserve', jackpot.money_field.AmountField()),
                ('overflow', jackpot.money_field.AmountField()),
                ('winners', jackpot.money_field.AmountField()),
                ('house', jackpot.money_field.AmountField()),
                ('owed', jackpot.money_field.AmountField(help_text='What of house advances was still owed.')),
                ('seed', jackpot.money_field.AmountField(help_text='Of the version in force.')),
                ('equation', models.JSONField()),
                ('agrees', models.BooleanField()),
                ('jackpot', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='days', to='jackpot.jackpot')),
                ('premises', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='jackpot.property')),
            ],
            options={
                'ordering': ['premises_id', 'day', 'jackpot_id'],
                'indexes': [models.Index(fields=['premises', 'day'], name='snapshot_by_day')],
                'constraints': [models.UniqueConstraint(fields=('jackpot', 'day'), name='snapshot_of_a_day_once')],
            },
        ),
        migrations.AddIndex(
            model_name='explanation',
            index=models.Index(fields=['premises', 'day'], name='explanation_by_day'),
        ),
        *(
            migrations.RunSQL(GUARD.format(table=table), f"DROP TRIGGER {table}_stays ON {table}") for table in GUARDED
        ),
    ]
