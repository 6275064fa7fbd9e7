"""The office's tables. A page and its copies are never changed, nor is a closed day; a print job goes on."""

import datetime
import django.contrib.postgres.fields
import django.db.models.deletion
import django.db.models.expressions
import django.db.models.functions.datetime
import jackpot.money_field
from django.conf import settings
from django.db import migrations, models

STAYS = """
CREATE TRIGGER {table}_stays BEFORE UPDATE OR DELETE OR TRUNCATE ON {table}
  FOR EACH STATEMENT EXECUTE FUNCTION fairmeter_refuse_change();
"""
STAY = (
    "accounting_copy", "accounting_winpage", "accounting_daysnapshot", "accounting_meterreading",
    "accounting_chipcount", "accounting_bankbalance", "accounting_daysignature", "accounting_feedevent",
)

DIGEST = """
ALTER TABLE accounting_copy ADD CONSTRAINT copy_digest_is_of_its_bytes CHECK (
  sha256 = encode(sha256(content), 'hex'));
"""

# An explanation is a request of two people. A reopening has no columns of its own and is found by its day.
DAYS = """
CREATE FUNCTION fairmeter_explanation_stays() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF (NEW.day, NEW.subject, NEW.amount, NEW.ground) IS DISTINCT FROM (OLD.day, OLD.subject, OLD.amount, OLD.ground) THEN
    RAISE EXCEPTION 'what is written here stays. Explain the difference anew.'
      USING ERRCODE = 'integrity_constraint_violation';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER accounting_explanation_keeps_its_words BEFORE UPDATE ON accounting_explanation
  FOR EACH ROW EXECUTE FUNCTION fairmeter_explanation_stays();
CREATE TRIGGER accounting_explanation_stays BEFORE DELETE OR TRUNCATE ON accounting_explanation
  FOR EACH STATEMENT EXECUTE FUNCTION fairmeter_refuse_change();
CREATE INDEX request_reopens_a_day ON jackpot_request (premises_id, (payload -> 'day')) WHERE kind = 'reopen_day';
"""
NO_DAYS = """
DROP INDEX request_reopens_a_day;
DROP FUNCTION fairmeter_explanation_stays() CASCADE;
"""

# Which columns of a token may change is a short list: how it was used, and once its revocation.
TOKENS = """
CREATE FUNCTION fairmeter_token_stands() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  IF TG_OP <> 'UPDATE' THEN
    RAISE EXCEPTION 'A token is revoked, not deleted.' USING ERRCODE = 'restrict_violation';
  END IF;
  IF (NEW.premises_id, NEW.name, NEW.prefix, NEW.secret_hash, NEW.scopes, NEW.given_by_id, NEW.given_at, NEW.ends_at)
     IS DISTINCT FROM
     (OLD.premises_id, OLD.name, OLD.prefix, OLD.secret_hash, OLD.scopes, OLD.given_by_id, OLD.given_at, OLD.ends_at)
  THEN
    RAISE EXCEPTION 'What a token may and until when never changes. Give another one.'
      USING ERRCODE = 'restrict_violation';
  END IF;
  IF OLD.revoked_at IS NOT NULL AND NEW IS DISTINCT FROM OLD THEN
    RAISE EXCEPTION 'A revoked token stays revoked, and is used no more.' USING ERRCODE = 'restrict_violation';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER accounting_programtoken_stands BEFORE UPDATE OR DELETE ON accounting_programtoken
  FOR EACH ROW EXECUTE FUNCTION fairmeter_token_stands();
"""


class Migration(migrations.Migration):

    initial = True

    dependencies = [
        ('jackpot', '0001_initial'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='AuditRun',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('premises', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='audit_runs', to='jackpot.property')),
                ('kind', models.CharField(choices=[('proof', 'proof of the books'), ('parcel', 'parcel of a period')], max_length=6)),
                ('first', models.DateField(help_text='Of a parcel: its first gaming day.', null=True)),
                ('last', models.DateField(null=True)),
                ('asked_by', models.ForeignKey(help_text="Nobody: asked on the server's own console.", null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('asked_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
                ('state', models.CharField(choices=[('asked', 'waits for the worker'), ('working', 'under way'), ('done', 'done'), ('failed', 'failed')], default='asked', max_length=7)),
                ('taken_at', models.DateTimeField(help_text='Work that nobody finished is taken again after a while.', null=True)),
                ('part', models.CharField(blank=True, help_text='What is being read.', max_length=60)),
                ('rows_done', models.PositiveBigIntegerField(default=0)),
                ('rows_all', models.PositiveBigIntegerField(default=0)),
                ('done_at', models.DateTimeField(null=True)),
                ('findings', models.PositiveIntegerField(default=0)),
                ('sentence', models.CharField(blank=True, help_text='What came of it.', max_length=400)),
                ('answer', models.JSONField(default=dict, help_text='Of a proof its verdict, of a parcel its sections.')),
                ('file', models.CharField(blank=True, help_text='Below audit/ in the data folder.', max_length=200)),
                ('size', models.PositiveBigIntegerField(default=0)),
                ('sha256', models.CharField(blank=True, help_text='Of a parcel: the digest of its manifest.', max_length=64)),
                ('file_gone_at', models.DateTimeField(null=True)),
            ],
            options={
                'ordering': ['-id'],
                'indexes': [models.Index(condition=models.Q(('state__in', ['asked', 'working'])), fields=['id'], name='audit_run_waiting')],
                'constraints': [models.CheckConstraint(condition=models.Q(models.Q(('first__isnull', True), ('kind', 'proof'), ('last__isnull', True)), models.Q(('first__isnull', False), ('kind', 'parcel'), ('last__gte', models.F('first'))), _connector='OR'), name='audit_parcel_has_its_days')],
            },
        ),
        migrations.CreateModel(
            name='DaySnapshot',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('premises', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='jackpot.property')),
                ('day', models.DateField()),
                ('at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
                ('jackpot', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='days', to='jackpot.jackpot')),
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
            ],
            options={
                'ordering': ['premises_id', 'day', 'jackpot_id'],
                'indexes': [models.Index(fields=['premises', 'day'], name='snapshot_by_day')],
                'constraints': [models.UniqueConstraint(fields=('jackpot', 'day'), name='snapshot_of_a_day_once')],
            },
        ),
        migrations.CreateModel(
            name='MeterReading',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('premises', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='jackpot.property')),
                ('day', models.DateField()),
                ('at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
                ('jackpot', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='jackpot.jackpot')),
                ('sign', models.CharField(blank=True, max_length=20)),
                ('shift', models.CharField(blank=True, max_length=30)),
                ('shown', jackpot.money_field.AmountField()),
                ('read_at', models.DateTimeField()),
                ('person', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'ordering': ['id'],
            },
        ),
        migrations.CreateModel(
            name='ChipCount',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('premises', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='jackpot.property')),
                ('day', models.DateField()),
                ('at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
                ('table_code', models.CharField(max_length=20)),
                ('chips', models.PositiveIntegerField()),
                ('person', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'ordering': ['id'],
                'indexes': [models.Index(fields=['premises', 'day'], name='count_by_day')],
            },
        ),
        migrations.CreateModel(
            name='BankBalance',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('premises', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='jackpot.property')),
                ('day', models.DateField()),
                ('at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
                ('amount', jackpot.money_field.AmountField()),
                ('as_of', models.DateField()),
                ('person', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'ordering': ['id'],
            },
        ),
        migrations.CreateModel(
            name='ChipPlace',
            fields=[
                ('premises', models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, primary_key=True, related_name='+', serialize=False, to='jackpot.property')),
                ('where', models.CharField(choices=[('box', 'separate box'), ('tray', "dealer's tray")], max_length=4)),
            ],
        ),
        migrations.CreateModel(
            name='Explanation',
            fields=[
                ('request_ptr', models.OneToOneField(auto_created=True, on_delete=django.db.models.deletion.CASCADE, parent_link=True, primary_key=True, serialize=False, to='jackpot.request')),
                ('day', models.DateField()),
                ('subject', models.CharField(help_text='The line: its column and what it is about.', max_length=80)),
                ('amount', jackpot.money_field.AmountField(help_text='The difference that it explains; another one is not explained by it.')),
                ('ground', models.CharField(choices=[('counting', 'counted wrong'), ('reading', 'read wrong or late'), ('not_done', 'not read or counted'), ('device', 'sign or sensor fault'), ('paper', 'page missing or spoiled'), ('posting', 'posted wrong, corrected by a request'), ('bank', 'transfer to the bank under way'), ('other', 'other')], max_length=10)),
            ],
            options={
                'ordering': ['id'],
                'indexes': [models.Index(fields=['day'], name='explanation_of_a_day')],
            },
            bases=('jackpot.request',),
        ),
        migrations.CreateModel(
            name='DaySignature',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('premises', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='jackpot.property')),
                ('day', models.DateField()),
                ('at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
                ('act', models.CharField(choices=[('sign', 'sign'), ('back', 'back'), ('close', 'close'), ('ask', 'ask'), ('keep', 'keep'), ('reopen', 'reopen')], max_length=8)),
                ('person', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('why', models.CharField(blank=True, max_length=200)),
                ('digest', models.CharField(blank=True, help_text='sha-256 of what was signed.', max_length=64)),
                ('signed', models.JSONField(default=dict, help_text='Everything that was signed, as it stood then.')),
            ],
            options={
                'ordering': ['id'],
                'indexes': [models.Index(fields=['premises', 'day'], name='day_signature_by_day')],
            },
        ),
        migrations.CreateModel(
            name='FeedHead',
            fields=[
                ('premises', models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, primary_key=True, related_name='+', serialize=False, to='jackpot.property')),
                ('last_number', models.BigIntegerField(default=0)),
            ],
        ),
        migrations.CreateModel(
            name='FeedReach',
            fields=[
                ('jackpot', models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, primary_key=True, related_name='+', serialize=False, to='jackpot.jackpot')),
                ('seq', models.BigIntegerField(default=0)),
            ],
        ),
        migrations.CreateModel(
            name='FeedEvent',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('premises', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='jackpot.property')),
                ('number', models.BigIntegerField()),
                ('key', models.CharField(help_text='What it is made of; numbered once.', max_length=80)),
                ('about', models.CharField(choices=[('books', 'books'), ('requests', 'requests'), ('days', 'days')], max_length=10)),
                ('act', models.CharField(max_length=20)),
                ('subject', models.CharField(max_length=40)),
                ('at', models.DateTimeField(help_text='When it happened.')),
                ('numbered_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
                ('facts', models.JSONField()),
            ],
            options={
                'ordering': ['number'],
                'constraints': [models.UniqueConstraint(fields=('premises', 'number'), name='event_numbers_once'), models.UniqueConstraint(fields=('premises', 'key'), name='event_numbered_once'), models.CheckConstraint(condition=models.Q(('number__gte', 1)), name='event_numbers_from_one')],
            },
        ),
        migrations.CreateModel(
            name='WinPage',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('win', models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, related_name='page', to='jackpot.win')),
                ('slip', models.BigIntegerField(db_index=True)),
                ('made_at', models.DateTimeField()),
            ],
        ),
        migrations.CreateModel(
            name='Copy',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('page', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='copies', to='accounting.winpage')),
                ('number', models.PositiveIntegerField(help_text='0 is the ORIGINAL; every further copy counts on.')),
                ('kind', models.CharField(choices=[('original', 'original'), ('reprint', 'reprint'), ('void', 'void')], max_length=8)),
                ('form', models.CharField(choices=[('letter', 'letter'), ('a4', 'a4'), ('receipt', 'receipt')], max_length=7)),
                ('reason', models.CharField(blank=True, max_length=200)),
                ('printed_by', models.CharField(max_length=100)),
                ('person', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('printed_at', models.DateTimeField()),
                ('sha256', models.CharField(help_text='Digest of the bytes.', max_length=64)),
                ('content', models.BinaryField(help_text='A PDF; a picture of 203 dots an inch for a receipt.')),
            ],
            options={
                'verbose_name_plural': 'copies',
                'ordering': ['page_id', 'number'],
                'constraints': [models.UniqueConstraint(fields=('page', 'number'), name='copy_numbers_once'), models.CheckConstraint(condition=models.Q(models.Q(('kind', 'original'), ('number', 0)), models.Q(('number__gt', 0), models.Q(('kind', 'original'), _negated=True)), _connector='OR'), name='copy_zero_is_the_original'), models.CheckConstraint(condition=models.Q(models.Q(('kind', 'reprint'), _negated=True), models.Q(('reason', ''), _negated=True), _connector='OR'), name='copy_reprint_has_reason')],
            },
        ),
        migrations.CreateModel(
            name='Printer',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('code', models.CharField(max_length=30, unique=True)),
                ('premises', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='printers', to='jackpot.property')),
                ('kind', models.CharField(choices=[('folder', 'folder'), ('raw9100', 'raw port')], max_length=7)),
                ('address', models.CharField(help_text='A folder (in the data folder unless absolute), or host:port.', max_length=200)),
                ('form', models.CharField(choices=[('letter', 'letter'), ('a4', 'a4'), ('receipt', 'receipt')], max_length=7)),
                ('in_use', models.BooleanField(default=True)),
            ],
            options={
                'ordering': ['code'],
            },
        ),
        migrations.CreateModel(
            name='PrintJob',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('copy', models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, related_name='job', to='accounting.copy')),
                ('printer', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='jobs', to='accounting.printer')),
                ('state', models.CharField(choices=[('queued', 'waiting'), ('sent', 'sent'), ('failed', 'not sent yet; tried again'), ('givenup', 'given up after a day; print it again')], default='queued', max_length=7)),
                ('tries', models.PositiveIntegerField(default=0)),
                ('last_error', models.CharField(blank=True, max_length=300)),
                ('due_at', models.DateTimeField(help_text='Not tried before this moment.')),
                ('sent_at', models.DateTimeField(null=True)),
            ],
            options={
                'ordering': ['id'],
                'indexes': [models.Index(condition=models.Q(('state__in', ['queued', 'failed'])), fields=['due_at'], name='print_job_waiting')],
            },
        ),
        migrations.CreateModel(
            name='ProgramToken',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('premises', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='program_tokens', to='jackpot.property')),
                ('name', models.CharField(help_text='The program that has it.', max_length=60)),
                ('prefix', models.CharField(help_text='How people and the trail call it.', max_length=12, unique=True)),
                ('secret_hash', models.BinaryField(max_length=32, unique=True)),
                ('scopes', django.contrib.postgres.fields.ArrayField(base_field=models.CharField(max_length=40), size=None)),
                ('given_by', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('given_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
                ('ends_at', models.DateTimeField()),
                ('revoked_at', models.DateTimeField(null=True)),
                ('revoked_by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('last_used_at', models.DateTimeField(null=True)),
                ('uses', models.BigIntegerField(default=0)),
            ],
            options={
                'ordering': ['-id'],
                'constraints': [models.CheckConstraint(condition=models.Q(('scopes__len__gt', 0)), name='token_reads_something'), models.CheckConstraint(condition=models.Q(('ends_at__gt', models.F('given_at')), ('ends_at__lte', django.db.models.expressions.CombinedExpression(models.F('given_at'), '+', models.Value(datetime.timedelta(days=367))))), name='token_ends_within_a_year'), models.CheckConstraint(condition=models.Q(models.Q(('revoked_at__isnull', True), ('revoked_by__isnull', True)), models.Q(('revoked_at__isnull', False), ('revoked_by__isnull', False)), _connector='OR'), name='token_revoked_by_somebody')],
            },
        ),
        migrations.CreateModel(
            name='SavedReport',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('premises', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='saved_reports', to='jackpot.property')),
                ('name', models.CharField(max_length=60)),
                ('report', models.CharField(help_text='Code of the report.', max_length=40)),
                ('words', models.JSONField(default=dict, help_text='The filters as typed, and the sorting.')),
                ('saved_by', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('saved_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
                ('rota', models.CharField(choices=[('never', 'never'), ('daily', 'daily'), ('weekly', 'weekly'), ('monthly', 'monthly')], default='never', max_length=7)),
                ('form', models.CharField(choices=[('csv', 'CSV'), ('xlsx', 'XLSX'), ('pdf', 'PDF')], default='csv', max_length=4)),
                ('folder', models.CharField(blank=True, help_text='Below reports/ in the data folder.', max_length=60)),
                ('due_day', models.DateField(help_text='The gaming day on which it is written next.', null=True)),
                ('ended_at', models.DateTimeField(help_text='Put away; what it wrote stays.', null=True)),
            ],
            options={
                'ordering': ['name', 'id'],
                'constraints': [models.UniqueConstraint(condition=models.Q(('ended_at__isnull', True)), fields=('premises', 'name'), name='saved_report_named_once'), models.CheckConstraint(condition=models.Q(models.Q(('due_day__isnull', True), ('rota', 'never')), models.Q(('rota', 'never'), _negated=True), _connector='OR'), name='saved_report_due_by_its_rota')],
            },
        ),
        migrations.CreateModel(
            name='ReportRun',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('premises', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='report_runs', to='jackpot.property')),
                ('report', models.CharField(max_length=40)),
                ('words', models.JSONField(default=dict)),
                ('form', models.CharField(choices=[('csv', 'CSV'), ('xlsx', 'XLSX'), ('pdf', 'PDF')], max_length=4)),
                ('saved', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='runs', to='accounting.savedreport')),
                ('asked_by', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('asked_at', models.DateTimeField(help_text='The moment whose “yesterday” counts.')),
                ('state', models.CharField(choices=[('asked', 'waiting for the worker'), ('writing', 'being written'), ('done', 'ready'), ('failed', 'failed')], default='asked', max_length=7)),
                ('taken_at', models.DateTimeField(help_text='A run that nobody finished is taken again after a while.', null=True)),
                ('rows_done', models.PositiveBigIntegerField(default=0)),
                ('rows_all', models.PositiveBigIntegerField(default=0)),
                ('file', models.CharField(blank=True, help_text='Below reports/ in the data folder.', max_length=200)),
                ('sha256', models.CharField(blank=True, max_length=64)),
                ('done_at', models.DateTimeField(null=True)),
                ('trouble', models.CharField(blank=True, max_length=300)),
            ],
            options={
                'ordering': ['-id'],
                'indexes': [models.Index(condition=models.Q(('state__in', ['asked', 'writing'])), fields=['id'], name='report_run_waiting')],
            },
        ),
        migrations.CreateModel(
            name='LedgerAccount',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('premises', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='ledger_accounts', to='jackpot.property')),
                ('account', models.CharField(choices=[('contributed', 'contributed'), ('meter', 'meter'), ('reserve', 'reserve'), ('overflow', 'overflow'), ('house', 'house'), ('winners', 'winners'), ('paid', 'paid'), ('withheld', 'withheld'), ('outside', 'outside')], max_length=12)),
                ('code', models.CharField(max_length=20)),
                ('name', models.CharField(max_length=60)),
            ],
            options={
                'ordering': ['premises_id', 'id'],
                'constraints': [models.UniqueConstraint(fields=('premises', 'account'), name='ledger_account_once')],
            },
        ),
        migrations.CreateModel(
            name='JournalExport',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('premises', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='journal_exports', to='jackpot.property')),
                ('day', models.DateField()),
                ('exported_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
                ('exported_by', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('content', models.BinaryField(help_text='The CSV as it was taken, with the accounts of that moment.')),
                ('sha256', models.CharField(max_length=64)),
            ],
            options={
                'ordering': ['-day'],
                'constraints': [models.UniqueConstraint(fields=('premises', 'day'), name='journal_of_a_day_once')],
            },
        ),
        migrations.RunSQL(DIGEST, migrations.RunSQL.noop),
        *(migrations.RunSQL(STAYS.format(table=table), migrations.RunSQL.noop) for table in STAY),
        migrations.RunSQL(DAYS, NO_DAYS),
        migrations.RunSQL(TOKENS, "DROP FUNCTION fairmeter_token_stands() CASCADE"),
    ]
