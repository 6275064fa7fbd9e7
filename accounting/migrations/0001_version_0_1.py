"""The office's tables. A page and its copies are never changed, nor is a closed day; a print job goes on."""

import datetime
import django.contrib.postgres.fields
import django.db.models.deletion
import django.db.models.expressions
import django.db.models.functions.datetime
import jackpot.money_field
from django.conf import settings
from django.db import migrations, models

REPLACED = (
    "0001_initial", "0002_fee_counts", "0003_feed_queue", "0004_webhooks", "0005_alarms", "0006_more_alarms",
    "0007_piles", "0008_event_guards_are_not_shadowed", "0009_alarms_of_locks", "0010_alarms_of_limits",
    "0011_alarms_of_duties", "0012_webhook_secrets", "0013_slip_books_and_spoiled_pages",
)

STAYS = """
CREATE TRIGGER {table}_stays BEFORE UPDATE OR DELETE OR TRUNCATE ON {table}
  FOR EACH STATEMENT EXECUTE FUNCTION fairmeter_refuse_change();
"""

STAY = (
    "accounting_copy", "accounting_winpage", "accounting_daysnapshot", "accounting_meterreading",
    "accounting_chipcount", "accounting_bankbalance", "accounting_daysignature", "accounting_feedevent",
    "accounting_feecount",
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

# What waits for a number of the feed is a queue that the database fills: whichever act takes the step, the row of its
# number waits in the same transaction.
QUEUE = """
CREATE FUNCTION fairmeter_request_awaits_number() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  INSERT INTO public.accounting_unnumberedevent (premises_id, about, source, step)
  SELECT NEW.premises_id, 'requests', NEW.id, step
    FROM (VALUES ('asked', NEW.asked_at, OLD.asked_at), ('decided', NEW.decided_at, OLD.decided_at),
                 ('withdrawn', NEW.withdrawn_at, OLD.withdrawn_at)) AS steps (step, now, before)
   WHERE now IS NOT NULL AND before IS NULL
  ON CONFLICT DO NOTHING;
  RETURN NULL;
END $$;
CREATE FUNCTION fairmeter_day_awaits_number() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  INSERT INTO public.accounting_unnumberedevent (premises_id, about, source, step)
  VALUES (NEW.premises_id, 'days', NEW.id, '') ON CONFLICT DO NOTHING;
  RETURN NULL;
END $$;
CREATE TRIGGER jackpot_request_awaits_number AFTER INSERT OR UPDATE OF asked_at, decided_at, withdrawn_at
  ON jackpot_request FOR EACH ROW EXECUTE FUNCTION fairmeter_request_awaits_number();
CREATE TRIGGER accounting_daysignature_awaits_number AFTER INSERT ON accounting_daysignature
  FOR EACH ROW EXECUTE FUNCTION fairmeter_day_awaits_number();
"""

# What was registered stays; what moves is how far each has come. A secret gives way to another only where the row keeps
# the one before it.
WEBHOOKS = """
CREATE FUNCTION fairmeter_webhook_stands() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  IF TG_OP <> 'UPDATE' THEN
    RAISE EXCEPTION 'A webhook is retired, not deleted.' USING ERRCODE = 'restrict_violation';
  END IF;
  IF (NEW.premises_id, NEW.name, NEW.address, NEW.kinds, NEW.registered_by_id, NEW.registered_at) IS DISTINCT FROM
     (OLD.premises_id, OLD.name, OLD.address, OLD.kinds, OLD.registered_by_id, OLD.registered_at)
     OR NEW.secret_sealed IS DISTINCT FROM OLD.secret_sealed
        AND (NEW.earlier_sealed IS DISTINCT FROM OLD.secret_sealed OR NEW.earlier_until IS NULL)
  THEN
    RAISE EXCEPTION 'What was registered never changes. Retire the webhook and register another.'
      USING ERRCODE = 'restrict_violation';
  END IF;
  IF OLD.retired_at IS NOT NULL AND NEW.retired_at IS DISTINCT FROM OLD.retired_at THEN
    RAISE EXCEPTION 'A retired webhook stays retired.' USING ERRCODE = 'restrict_violation';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER accounting_webhook_stands BEFORE UPDATE OR DELETE ON accounting_webhook
  FOR EACH ROW EXECUTE FUNCTION fairmeter_webhook_stands();
"""

FUNCTIONS = (
    "fairmeter_day_awaits_number", "fairmeter_explanation_stays", "fairmeter_request_awaits_number",
    "fairmeter_token_stands", "fairmeter_webhook_stands",
)


class Migration(migrations.Migration):

    replaces = [("accounting", name) for name in REPLACED]

    initial = True

    dependencies = [
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
        ('jackpot', '0001_version_0_1'),
        ('tables', '0001_version_0_1'),
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
                ('wager', models.CharField(blank=True, default='', help_text='A further wager; empty for the first.', max_length=20)),
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
        migrations.CreateModel(
            name='UnnumberedEvent',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('about', models.CharField(choices=[('books', 'books'), ('requests', 'requests'), ('days', 'days')], max_length=10)),
                ('source', models.BigIntegerField(help_text='Key of the request, or of the signature of a day.')),
                ('step', models.CharField(blank=True, help_text='asked, decided or withdrawn, of a request.', max_length=10)),
                ('premises', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='jackpot.property')),
            ],
            options={
                'ordering': ['id'],
                'indexes': [models.Index(fields=['premises', 'id'], name='unnumbered_in_turn')],
                'constraints': [models.UniqueConstraint(fields=('about', 'source', 'step'), name='unnumbered_once')],
            },
        ),
        migrations.CreateModel(
            name='Webhook',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('name', models.CharField(help_text='The program behind the address.', max_length=60)),
                ('address', models.CharField(max_length=500)),
                ('kinds', django.contrib.postgres.fields.ArrayField(base_field=models.CharField(max_length=40), help_text='books, books/award …', size=None)),
                ('secret_sealed', models.BinaryField(help_text='What it signs with, readable with the file key only.')),
                ('registered_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
                ('last_number', models.BigIntegerField(help_text='Every event up to this number is delivered, or not wanted.')),
                ('next_try_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), help_text='Nothing is sent before this moment.')),
                ('claim', models.BigIntegerField(default=0, help_text='Rises with each worker that takes it, and with each replay.')),
                ('claimed_until', models.DateTimeField(help_text='A worker is at it; nobody else is until then.', null=True)),
                ('last_tried_at', models.DateTimeField(null=True)),
                ('last_answer', models.CharField(blank=True, help_text='What came of the last delivery, in words.', max_length=200)),
                ('delivered_at', models.DateTimeField(help_text='When it last took something.', null=True)),
                ('deliveries', models.BigIntegerField(default=0, help_text='How often it took something.')),
                ('tries', models.PositiveIntegerField(default=0, help_text='Failures in a row.')),
                ('failing_since', models.DateTimeField(null=True)),
                ('alarmed_at', models.DateTimeField(help_text='When the trail was told that it fails for long.', null=True)),
                ('paused_at', models.DateTimeField(null=True)),
                ('retired_at', models.DateTimeField(null=True)),
                ('paused_by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('premises', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='webhooks', to='jackpot.property')),
                ('registered_by', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('retired_by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('earlier_sealed', models.BinaryField(help_text='The secret before it, which signs too for a while.', null=True)),
                ('earlier_until', models.DateTimeField(help_text='… until this moment.', null=True)),
            ],
            options={
                'ordering': ['-id'],
                'constraints': [models.CheckConstraint(condition=models.Q(('kinds__len__gt', 0)), name='webhook_wants_something'), models.CheckConstraint(condition=models.Q(('last_number__gte', 0)), name='webhook_number_from_nothing'), models.CheckConstraint(condition=models.Q(models.Q(('paused_at__isnull', True), ('paused_by__isnull', True)), models.Q(('paused_at__isnull', False), ('paused_by__isnull', False)), _connector='OR'), name='webhook_paused_by_somebody'), models.CheckConstraint(condition=models.Q(models.Q(('retired_at__isnull', True), ('retired_by__isnull', True)), models.Q(('retired_at__isnull', False), ('retired_by__isnull', False)), _connector='OR'), name='webhook_retired_by_somebody'), models.CheckConstraint(condition=models.Q(models.Q(('failing_since__isnull', True), ('tries', 0)), models.Q(('failing_since__isnull', False), ('tries__gt', 0)), _connector='OR'), name='webhook_fails_since_some_time')],
            },
        ),
        migrations.CreateModel(
            name='AlarmAddress',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('name', models.CharField(max_length=60)),
                ('address', models.CharField(max_length=500)),
                ('loud_only', models.BooleanField(default=False, help_text='Only what somebody must be woken for.')),
                ('added_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
                ('ended_at', models.DateTimeField(null=True)),
                ('added_by', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('ended_by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('premises', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='alarm_addresses', to='jackpot.property')),
            ],
            options={
                'ordering': ['id'],
            },
        ),
        migrations.CreateModel(
            name='HouseAlarm',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('kind', models.CharField(choices=[('device late', 'device late'), ('links down', 'links down'), ('sign differs', 'sign differs'), ('hit waits', 'hit waits'), ('hit waits long', 'hit waits long'), ('paper', 'paper'), ('queue', 'queue'), ('disk', 'disk'), ('standby', 'standby'), ('variance', 'variance'), ('stopped', 'stopped'), ('proof', 'proof'), ('numbers', 'numbers'), ('archive', 'archive'), ('card locked', 'card locked'), ('sign-in locked', 'sign-in locked'), ('limits', 'limits'), ('approval', 'approval'), ('retired money', 'retired money'), ('bank cover', 'bank cover'), ('key late', 'key late'), ('seal', 'seal'), ('slip book', 'slip book'), ('contribution', 'contribution')], max_length=20)),
                ('subject', models.CharField(max_length=80)),
                ('words', models.CharField(max_length=300)),
                ('since', models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
                ('quiet_since', models.DateTimeField(help_text='Not found any more since then; half a minute ends it.', null=True)),
                ('ended_at', models.DateTimeField(null=True)),
                ('premises', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='alarms', to='jackpot.property')),
            ],
            options={
                'ordering': ['-id'],
                'constraints': [models.UniqueConstraint(condition=models.Q(('ended_at__isnull', True)), fields=('premises', 'kind', 'subject'), name='alarm_rings_once')],
            },
        ),
        migrations.CreateModel(
            name='AlarmMessage',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('ended', models.BooleanField(default=False, help_text='Tells that it is over.')),
                ('written_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
                ('due_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), help_text='Not tried before this moment.')),
                ('tries', models.PositiveIntegerField(default=0)),
                ('sent_at', models.DateTimeField(null=True)),
                ('given_up_at', models.DateTimeField(null=True)),
                ('last_answer', models.CharField(blank=True, max_length=200)),
                ('address', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='messages', to='accounting.alarmaddress')),
                ('alarm', models.ForeignKey(help_text='Empty: a try by a person.', null=True, on_delete=django.db.models.deletion.PROTECT, to='accounting.housealarm')),
            ],
            options={
                'ordering': ['id'],
                'indexes': [models.Index(condition=models.Q(('given_up_at__isnull', True), ('sent_at__isnull', True)), fields=['due_at'], name='alarm_message_waiting')],
            },
        ),
        migrations.CreateModel(
            name='SpoiledCopy',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('why', models.CharField(max_length=200)),
                ('person_name', models.CharField(max_length=100)),
                ('at', models.DateTimeField()),
                ('copy', models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, related_name='spoiled', to='accounting.copy')),
                ('person', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'verbose_name_plural': 'spoiled copies',
            },
        ),
        migrations.RunSQL(DIGEST + "".join(STAYS.format(table=table) for table in STAY), migrations.RunSQL.noop),
        migrations.RunSQL(DAYS + TOKENS + QUEUE + WEBHOOKS, "DROP INDEX request_reopens_a_day;" + "".join(
            f"DROP FUNCTION {name} CASCADE;" for name in FUNCTIONS)),
    ]
