"""The progressive's tables, what the database itself refuses there, and how the busy ones lie on disk."""

import django.contrib.postgres.fields
import django.db.models.deletion
import django.db.models.expressions
import django.db.models.functions.datetime
import jackpot.money_field
from django.conf import settings
from django.db import migrations, models

REFUSE = """
CREATE FUNCTION fairmeter_refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION '% on % is refused: what is written here stays. Post a correction instead.', TG_OP, TG_TABLE_NAME
    USING ERRCODE = 'integrity_constraint_violation';
END $$;
"""

STAYS = """
CREATE TRIGGER {table}_stays BEFORE UPDATE OR DELETE OR TRUNCATE ON {table}
  FOR EACH STATEMENT EXECUTE FUNCTION fairmeter_refuse_change();
"""
# What a house declared from a day on is added to, never changed: pages printed again say the same.
STAY = (
    "jackpot_entry", "jackpot_trail", "jackpot_version", "jackpot_datedshifts", "jackpot_datedtax", "jackpot_payment",
    "jackpot_unclaimednotice", "jackpot_datedunclaimed", "jackpot_datednotice", "jackpot_requestentry",
    "jackpot_evidencefile", "jackpot_requestevidence",
)

LAYOUT = r"""
ALTER TABLE jackpot_jackpot SET (fillfactor = 20);
CREATE INDEX entry_by_time ON jackpot_entry USING brin (occurred_at) WITH (pages_per_range = 32);
CREATE INDEX entry_by_win ON jackpot_entry (jackpot_id, seq) WHERE win_id IS NOT NULL;
CREATE INDEX trail_by_words ON jackpot_trail USING gin (to_tsvector('simple', regexp_replace(
  actor || ' ' || act || ' ' || object_key || ' ' || subject || ' ' || why, '[^[:alnum:]]+', ' ', 'g')));
"""

SUMS = """
ALTER TABLE jackpot_entry ADD CONSTRAINT entry_seal_is_sha256 CHECK (length(seal) = 32 AND length(request) = 32);
ALTER TABLE jackpot_entry ADD CONSTRAINT entry_seals_one_line CHECK (
  position('|' IN key) = 0 AND position('|' IN table_code) = 0); -- a bar parts the fields of the sealed line
ALTER TABLE jackpot_entry ADD CONSTRAINT entry_adds_up CHECK (
  contributed + meter + reserve + overflow + house + winners + paid + outside = 0 AND contributed_after + meter_after
  + reserve_after + overflow_after + house_after + winners_after + paid_after + outside_after = 0); -- NaN never does
ALTER TABLE jackpot_jackpot ADD CONSTRAINT jackpot_adds_up CHECK (
  contributed + meter + reserve + overflow + house + winners + paid + outside = 0);
"""

# What two people sign stays what they saw; what became of it is written beside it, once.
REQUESTS = """
CREATE FUNCTION fairmeter_request_stays() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF OLD.state IN ('refused', 'withdrawn', 'replaced')
     OR (NEW.kind, NEW.premises_id, NEW.jackpot_id, NEW.win_id, NEW.cause_id, NEW.number, NEW.payload, NEW.reason,
         NEW.evidence, NEW.file_name, NEW.file_sha256, NEW.asked_by_id, NEW.asked_by_name, NEW.asked_at, NEW.alone)
     IS DISTINCT FROM
        (OLD.kind, OLD.premises_id, OLD.jackpot_id, OLD.win_id, OLD.cause_id, OLD.number, OLD.payload, OLD.reason,
         OLD.evidence, OLD.file_name, OLD.file_sha256, OLD.asked_by_id, OLD.asked_by_name, OLD.asked_at, OLD.alone)
     OR (OLD.previewed_at IS NOT NULL AND (NEW.findings, NEW.preview, NEW.previewed_at)
         IS DISTINCT FROM (OLD.findings, OLD.preview, OLD.previewed_at))
     OR (OLD.decided_at IS NOT NULL
         AND (NEW.decided_by_id, NEW.decided_by_name, NEW.decided_at, NEW.decided_reason, NEW.card_id)
         IS DISTINCT FROM (OLD.decided_by_id, OLD.decided_by_name, OLD.decided_at, OLD.decided_reason, OLD.card_id))
  THEN
    RAISE EXCEPTION 'what was asked for, previewed and decided stays. Ask for another one.'
      USING ERRCODE = 'integrity_constraint_violation';
  END IF;
  RETURN NEW;
END $$;
CREATE FUNCTION fairmeter_adjustment_stays() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF (NEW.other_id, NEW.pays, NEW.account, NEW.amount, NEW.reading, NEW.ground)
     IS DISTINCT FROM (OLD.other_id, OLD.pays, OLD.account, OLD.amount, OLD.reading, OLD.ground)
     OR (OLD.gaming_day IS NOT NULL AND (NEW.gaming_day, NEW.posted) IS DISTINCT FROM (OLD.gaming_day, OLD.posted))
  THEN
    RAISE EXCEPTION 'what was asked for and posted stays. Ask for another one.'
      USING ERRCODE = 'integrity_constraint_violation';
  END IF;
  RETURN NEW;
END $$;
CREATE FUNCTION fairmeter_terms_stay() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF (NEW.terms, NEW.digest, NEW.stands_on_id, NEW.how, NEW.questions)
     IS DISTINCT FROM (OLD.terms, OLD.digest, OLD.stands_on_id, OLD.how, OLD.questions)
     OR (OLD.version_id IS NOT NULL AND NEW.version_id IS DISTINCT FROM OLD.version_id)
  THEN
    RAISE EXCEPTION 'what was asked for stays. Draft another change.' USING ERRCODE = 'integrity_constraint_violation';
  END IF;
  RETURN NEW;
END $$;
CREATE FUNCTION fairmeter_authority_stays() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF (NEW.whose_id, NEW.before, NEW.after) IS DISTINCT FROM (OLD.whose_id, OLD.before, OLD.after)
     OR (OLD.steps <> '[]'::jsonb AND NEW.steps IS DISTINCT FROM OLD.steps)
  THEN
    RAISE EXCEPTION 'what was asked for and signed stays. Ask for another change.'
      USING ERRCODE = 'integrity_constraint_violation';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER jackpot_request_keeps_its_words BEFORE UPDATE ON jackpot_request
  FOR EACH ROW EXECUTE FUNCTION fairmeter_request_stays();
CREATE TRIGGER jackpot_adjustment_keeps_its_words BEFORE UPDATE ON jackpot_adjustment
  FOR EACH ROW EXECUTE FUNCTION fairmeter_adjustment_stays();
CREATE TRIGGER jackpot_termschange_keeps_its_words BEFORE UPDATE ON jackpot_termschange
  FOR EACH ROW EXECUTE FUNCTION fairmeter_terms_stay();
CREATE TRIGGER jackpot_authoritychange_keeps_its_words BEFORE UPDATE ON jackpot_authoritychange
  FOR EACH ROW EXECUTE FUNCTION fairmeter_authority_stays();
CREATE TRIGGER jackpot_request_stays BEFORE DELETE OR TRUNCATE ON jackpot_request
  FOR EACH STATEMENT EXECUTE FUNCTION fairmeter_refuse_change();
CREATE TRIGGER jackpot_adjustment_stays BEFORE DELETE OR TRUNCATE ON jackpot_adjustment
  FOR EACH STATEMENT EXECUTE FUNCTION fairmeter_refuse_change();
CREATE TRIGGER jackpot_termschange_stays BEFORE DELETE OR TRUNCATE ON jackpot_termschange
  FOR EACH STATEMENT EXECUTE FUNCTION fairmeter_refuse_change();
CREATE TRIGGER jackpot_authoritychange_stays BEFORE DELETE OR TRUNCATE ON jackpot_authoritychange
  FOR EACH STATEMENT EXECUTE FUNCTION fairmeter_refuse_change();
"""
NO_REQUESTS = """
DROP FUNCTION fairmeter_request_stays() CASCADE;
DROP FUNCTION fairmeter_adjustment_stays() CASCADE;
DROP FUNCTION fairmeter_terms_stay() CASCADE;
DROP FUNCTION fairmeter_authority_stays() CASCADE;
"""

# The digest is counted where the content lies: not even a fault of ours can keep another content under it.
EVIDENCE = """
ALTER TABLE jackpot_evidencefile ADD CONSTRAINT evidence_is_what_its_digest_says
  CHECK (sha256 = encode(sha256(content), 'hex') AND size = octet_length(content));
ALTER TABLE jackpot_evidencefile ALTER COLUMN content SET STORAGE EXTERNAL;
"""

# What is due stays; that it was done is written once.
NOTICES = """
CREATE FUNCTION fairmeter_notice_stays() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF OLD.done_at IS NOT NULL
     OR (NEW.premises_id, NEW.about, NEW."to", NEW.owner, NEW.request_id, NEW.win_id, NEW.subject, NEW.raised_at, NEW.due_at)
     IS DISTINCT FROM
        (OLD.premises_id, OLD.about, OLD."to", OLD.owner, OLD.request_id, OLD.win_id, OLD.subject, OLD.raised_at, OLD.due_at)
  THEN
    RAISE EXCEPTION 'a notice stays as it fell due, and what was noted of it stays.'
      USING ERRCODE = 'integrity_constraint_violation';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER jackpot_notice_keeps_its_words BEFORE UPDATE ON jackpot_notice
  FOR EACH ROW EXECUTE FUNCTION fairmeter_notice_stays();
CREATE TRIGGER jackpot_notice_stays BEFORE DELETE OR TRUNCATE ON jackpot_notice
  FOR EACH STATEMENT EXECUTE FUNCTION fairmeter_refuse_change();
"""


class Migration(migrations.Migration):

    initial = True

    dependencies = [
    ]

    operations = [
        migrations.CreateModel(
            name='Property',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('code', models.CharField(max_length=20, unique=True)),
                ('name', models.CharField(max_length=100)),
                ('address', models.TextField(blank=True)),
                ('time_zone', models.CharField(default='UTC', max_length=60)),
                ('day_roll_minutes', models.PositiveSmallIntegerField(default=360, help_text='Minutes after midnight, local time.')),
                ('currency', models.CharField(default='USD', max_length=3)),
                ('locale', models.CharField(default='en_US', max_length=20)),
                ('executive_threshold', jackpot.money_field.AmountField(default=5000, help_text="From this sum up an executive's card approves.")),
                ('dual_threshold', jackpot.money_field.AmountField(help_text='From this sum up two people approve; empty: never.', null=True)),
                ('pin_from_level', models.PositiveSmallIntegerField(default=3, help_text='Cards of this level and above need a PIN.')),
                ('cards_from_multiple', models.PositiveIntegerField(default=1000, help_text='Awards of this many wagers need cards.')),
                ('cards_required', models.BooleanField(default=True, help_text='Hits are approved only on their cards, or on “cards seen” below that multiple.')),
                ('marker_may_verify', models.BooleanField(default=False)),
                ('verifier_may_pay', models.BooleanField(default=False)),
                ('both_need_level', models.BooleanField(default=False, help_text='Of two people both need the level of the sum.')),
                ('old_rounds_need_two', models.BooleanField(default=True, help_text='A round of an earlier gaming day is voided or counted again by two people.')),
                ('authority', models.JSONField(blank=True, default=list, help_text='What two people signed since the first values, setting by setting.')),
                ('limit_may_equal_meter', models.BooleanField(default=False, help_text='A new limit may be the present meter itself.')),
                ('raise_limit_at_once', models.BooleanField(default=False, help_text='A higher limit need not wait for a reset.')),
                ('surveillance', django.contrib.postgres.fields.ArrayField(base_field=models.CharField(max_length=20), blank=True, default=list, help_text='What is ticked off at a hit, by code.', size=None)),
                ('checklist_opens', models.BooleanField(default=False, help_text='A table opens only with its checklist done.')),
                ('evidence_files', models.BooleanField(default=False, help_text='Nobody signs a request without a file of evidence.')),
                ('seed_recovery', models.BooleanField(default=False, help_text='The house may take its seed back out of a meter.')),
                ('demo', models.BooleanField(default=False, help_text='Made by the demo file: served on loopback only.')),
            ],
            options={
                'verbose_name_plural': 'properties',
                'constraints': [models.CheckConstraint(condition=models.Q(('day_roll_minutes__lt', 1440)), name='property_day_rolls_within_a_day')],
            },
        ),
        migrations.CreateModel(
            name='Jackpot',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('code', models.CharField(max_length=20, unique=True)),
                ('name', models.CharField(max_length=60)),
                ('premises', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='jackpots', to='jackpot.property')),
                ('state', models.CharField(choices=[('open', 'open'), ('suspended', 'suspended'), ('retired', 'retired')], default='open', max_length=10)),
                ('retired_at', models.DateTimeField(null=True)),
                ('transfer_by', models.DateField(help_text='Retired: until when its money has another home.', null=True)),
                ('last_seq', models.BigIntegerField(default=0)),
                ('contributed', jackpot.money_field.AmountField(default=0)),
                ('meter', jackpot.money_field.AmountField(default=0)),
                ('reserve', jackpot.money_field.AmountField(default=0)),
                ('overflow', jackpot.money_field.AmountField(default=0)),
                ('house', jackpot.money_field.AmountField(default=0)),
                ('winners', jackpot.money_field.AmountField(default=0)),
                ('paid', jackpot.money_field.AmountField(default=0)),
                ('outside', jackpot.money_field.AmountField(default=0)),
                ('advance', jackpot.money_field.AmountField(default=0, help_text='What of house advances is still owed; re-added from its entries.')),
                ('seal', models.BinaryField(default=b'\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00')),
                ('last_at', models.DateTimeField(null=True)),
            ],
            options={
                'ordering': ['code'],
                'constraints': [models.CheckConstraint(condition=models.Q(('meter__gte', 0)), name='jackpot_meter_never_negative'), models.CheckConstraint(condition=models.Q(('reserve__gte', 0)), name='jackpot_reserve_never_negative'), models.CheckConstraint(condition=models.Q(('overflow__gte', 0)), name='jackpot_overflow_never_negative'), models.CheckConstraint(condition=models.Q(('winners__gte', 0)), name='jackpot_winners_never_negative'), models.CheckConstraint(condition=models.Q(('advance__gte', 0)), name='jackpot_advance_never_negative')],
            },
        ),
        migrations.CreateModel(
            name='Version',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('jackpot', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='versions', to='jackpot.jackpot')),
                ('number', models.PositiveIntegerField()),
                ('terms', models.TextField(help_text='Canonical JSON; never changed.')),
                ('digest', models.CharField(max_length=64)),
                ('requested_by', models.CharField(max_length=60)),
                ('approved_by', models.CharField(max_length=60)),
                ('created_at', models.DateTimeField(auto_now_add=True)),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('jackpot', 'number'), name='version_numbers_once')],
            },
        ),
        migrations.CreateModel(
            name='StoredAnswer',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('actor', models.CharField(max_length=80)),
                ('key', models.CharField(max_length=60)),
                ('asked', models.CharField(help_text='Digest of what was asked for.', max_length=64)),
                ('answer', models.JSONField()),
                ('at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), db_index=True)),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('actor', 'key'), name='stored_answer_once')],
            },
        ),
        migrations.CreateModel(
            name='Entry',
            fields=[
                ('pk', models.CompositePrimaryKey('jackpot_id', 'seq', blank=True, editable=False, primary_key=True, serialize=False)),
                ('jackpot', models.ForeignKey(db_constraint=False, db_index=False, on_delete=django.db.models.deletion.DO_NOTHING, related_name='entries', to='jackpot.jackpot')),
                ('seq', models.BigIntegerField()),
                ('kind', models.CharField(choices=[('opening', 'seed posted'), ('take_over', 'taken over from another system'), ('coin_in', 'coin-in'), ('void', 'round voided'), ('recount', 'round counted again'), ('mark', 'hit marked'), ('unmark', 'mark taken back'), ('assign', 'seats of a lit key said'), ('ask', 'hit asked for'), ('release', 'asked for no longer'), ('outrank', 'outranked by a higher hand'), ('reject', 'hit not confirmed'), ('fall', 'hit void with its round'), ('park', 'hit parked, the table plays on'), ('claim', 'hit claimed after the round'), ('pass_queue', 'let pass the queue'), ('rejoin', 'in the queue again'), ('override', 'paid in spite of its cards'), ('log', 'win logged'), ('award', 'award'), ('advance', 'house advance: a dry meter began anew'), ('repay', 'house advance repaid'), ('pay', 'winner paid'), ('back_out', 'win backed out'), ('configure', 'other terms in force'), ('adjust', 'adjustment'), ('difference', 'difference of a later winner'), ('transfer_out', 'transferred to another jackpot'), ('transfer_in', 'transferred from another jackpot'), ('suspend', 'suspended'), ('resume', 'resumed'), ('retire', 'retired')], max_length=12)),
                ('key', models.CharField(max_length=80)),
                ('occurred_at', models.DateTimeField()),
                ('gaming_day', models.DateField()),
                ('table_code', models.CharField(blank=True, max_length=20)),
                ('round_number', models.BigIntegerField(null=True)),
                ('win_id', models.BigIntegerField(null=True)),
                ('corrects', models.BigIntegerField(null=True)),
                ('version', models.ForeignKey(db_constraint=False, db_index=False, on_delete=django.db.models.deletion.DO_NOTHING, related_name='+', to='jackpot.version')),
                ('contributed', jackpot.money_field.AmountField()),
                ('meter', jackpot.money_field.AmountField()),
                ('reserve', jackpot.money_field.AmountField()),
                ('overflow', jackpot.money_field.AmountField()),
                ('house', jackpot.money_field.AmountField()),
                ('winners', jackpot.money_field.AmountField()),
                ('paid', jackpot.money_field.AmountField()),
                ('outside', jackpot.money_field.AmountField()),
                ('contributed_after', jackpot.money_field.AmountField()),
                ('meter_after', jackpot.money_field.AmountField()),
                ('reserve_after', jackpot.money_field.AmountField()),
                ('overflow_after', jackpot.money_field.AmountField()),
                ('house_after', jackpot.money_field.AmountField()),
                ('winners_after', jackpot.money_field.AmountField()),
                ('paid_after', jackpot.money_field.AmountField()),
                ('outside_after', jackpot.money_field.AmountField()),
                ('request', models.BinaryField()),
                ('seal', models.BinaryField()),
            ],
            options={
                'verbose_name_plural': 'entries',
                'ordering': ['jackpot_id', 'seq'],
                'constraints': [models.CheckConstraint(condition=models.Q(('meter_after__gte', 0), ('overflow_after__gte', 0), ('reserve_after__gte', 0), ('winners_after__gte', 0)), name='entry_balances_never_negative'), models.UniqueConstraint(condition=models.Q(('kind', 'coin_in'), _negated=True), fields=('jackpot', 'key'), name='entry_act_named_once'), models.UniqueConstraint(condition=models.Q(('corrects__isnull', False)), fields=('jackpot', 'corrects'), name='entry_corrected_once')],
            },
        ),
        migrations.CreateModel(
            name='Errand',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('code', models.CharField(help_text='What is done, such as “publish heads”.', max_length=40, unique=True)),
                ('every', models.DurationField()),
                ('alarm_after', models.DurationField(help_text='So long after it was due, its delay is an alarm.')),
                ('owed_since', models.DateTimeField(help_text='When it was first due after it was last done.')),
                ('due_at', models.DateTimeField(help_text='Not tried before this moment.')),
                ('done_at', models.DateTimeField(null=True)),
                ('tries', models.PositiveIntegerField(default=0, help_text='Failures in a row.')),
                ('last_error', models.CharField(blank=True, max_length=300)),
                ('alarmed_at', models.DateTimeField(help_text='When the trail was told that it is overdue.', null=True)),
            ],
            options={
                'ordering': ['code'],
            },
        ),
        migrations.CreateModel(
            name='EvidenceFile',
            fields=[
                ('sha256', models.CharField(max_length=64, primary_key=True, serialize=False)),
                ('kind', models.CharField(choices=[('pdf', 'pdf'), ('png', 'png'), ('jpeg', 'jpeg'), ('text', 'text')], max_length=4)),
                ('size', models.PositiveIntegerField()),
                ('content', models.BinaryField()),
                ('kept_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
            ],
        ),
        migrations.CreateModel(
            name='Role',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('code', models.CharField(max_length=20, unique=True)),
                ('name', models.CharField(max_length=60)),
                ('may', django.contrib.postgres.fields.ArrayField(base_field=models.CharField(max_length=40), default=list, help_text='Verbs this role may use.', size=None)),
            ],
            options={
                'ordering': ['code'],
            },
        ),
        migrations.CreateModel(
            name='Operator',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('password', models.CharField(max_length=128, verbose_name='password')),
                ('last_login', models.DateTimeField(blank=True, null=True, verbose_name='last login')),
                ('username', models.CharField(max_length=60, unique=True)),
                ('name', models.CharField(max_length=100)),
                ('premises', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='operators', to='jackpot.property')),
                ('is_active', models.BooleanField(default=True)),
                ('created_at', models.DateTimeField(auto_now_add=True)),
                ('roles', models.ManyToManyField(related_name='operators', to='jackpot.role')),
            ],
            options={
                'abstract': False,
            },
        ),
        migrations.CreateModel(
            name='Card',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('operator', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='cards', to=settings.AUTH_USER_MODEL)),
                ('number_hash', models.BinaryField(max_length=32, unique=True)),
                ('last_four', models.CharField(max_length=4)),
                ('level', models.PositiveSmallIntegerField(choices=[(1, 'dealer'), (2, 'supervisor'), (3, 'executive')])),
                ('next_level', models.PositiveSmallIntegerField(choices=[(1, 'dealer'), (2, 'supervisor'), (3, 'executive')], help_text='Signed by two people.', null=True)),
                ('next_level_from', models.DateField(help_text='The gaming day from which it counts.', null=True)),
                ('pin_hash', models.CharField(blank=True, max_length=200)),
                ('wrong_pins', models.PositiveSmallIntegerField(default=0)),
                ('locked_at', models.DateTimeField(help_text='Three wrong PINs lock a card until it is unlocked.', null=True)),
                ('expires_on', models.DateField(null=True)),
                ('blocked_at', models.DateTimeField(null=True)),
            ],
            options={
                'constraints': [models.CheckConstraint(condition=models.Q(models.Q(('next_level__isnull', True), ('next_level_from__isnull', True)), models.Q(('next_level__isnull', False), ('next_level_from__isnull', False)), _connector='OR'), name='card_next_level_has_its_day')],
            },
        ),
        migrations.CreateModel(
            name='KeyRegister',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('premises', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='keys', to='jackpot.property')),
                ('number', models.CharField(max_length=20)),
                ('operator', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='keys', to=settings.AUTH_USER_MODEL)),
                ('level', models.PositiveSmallIntegerField(choices=[(1, 'dealer'), (2, 'supervisor'), (3, 'executive')], default=2)),
                ('out_at', models.DateTimeField()),
                ('back_at', models.DateTimeField(null=True)),
            ],
            options={
                'constraints': [models.UniqueConstraint(condition=models.Q(('back_at__isnull', True)), fields=('premises', 'number'), name='key_out_once')],
            },
        ),
        migrations.CreateModel(
            name='DatedShifts',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('premises', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='shift_plans', to='jackpot.property')),
                ('begins', models.DateField(help_text='First gaming day.')),
                ('names', django.contrib.postgres.fields.ArrayField(base_field=models.CharField(max_length=30), size=None)),
                ('minutes', django.contrib.postgres.fields.ArrayField(base_field=models.PositiveSmallIntegerField(), help_text='Begin of each, minutes after local midnight.', size=None)),
            ],
            options={
                'verbose_name_plural': 'dated shifts',
                'ordering': ['premises_id', 'begins'],
                'constraints': [models.UniqueConstraint(fields=('premises', 'begins'), name='shifts_begin_once_a_day')],
            },
        ),
        migrations.CreateModel(
            name='DatedTax',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('premises', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='tax_rules', to='jackpot.property')),
                ('begins', models.DateField(help_text='First gaming day.')),
                ('minimum', jackpot.money_field.AmountField()),
                ('multiple', models.PositiveIntegerField(default=0, help_text='Times the wager; 0: no such condition.')),
                ('withhold_above', jackpot.money_field.AmountField(help_text='Empty: nothing is withheld.', null=True)),
                ('rate', models.PositiveIntegerField(default=0, help_text='Millionths that are withheld.')),
                ('wager_deducted', models.BooleanField(default=True)),
            ],
            options={
                'verbose_name_plural': 'dated tax rules',
                'ordering': ['premises_id', 'begins'],
                'constraints': [models.UniqueConstraint(fields=('premises', 'begins'), name='tax_rule_begins_once_a_day'), models.CheckConstraint(condition=models.Q(('minimum__gte', 0)), name='tax_minimum_not_negative'), models.CheckConstraint(condition=models.Q(('rate__lte', 1000000)), name='tax_rate_is_at_most_all')],
            },
        ),
        migrations.CreateModel(
            name='DatedUnclaimed',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('premises', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='unclaimed_rules', to='jackpot.property')),
                ('begins', models.DateField(help_text='First gaming day of the slips it is for.')),
                ('notice_after', models.PositiveIntegerField(help_text='Days after which the owner is to be told.')),
                ('lapse_after', models.PositiveIntegerField(help_text='Days after which the claim lapses.')),
            ],
            options={
                'verbose_name_plural': 'dated rules of unclaimed slips',
                'ordering': ['premises_id', 'begins'],
                'constraints': [models.UniqueConstraint(fields=('premises', 'begins'), name='unclaimed_rule_begins_once_a_day'), models.CheckConstraint(condition=models.Q(('lapse_after__gte', models.F('notice_after'))), name='unclaimed_notice_before_lapse')],
            },
        ),
        migrations.CreateModel(
            name='DatedNotice',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('premises', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='notice_rules', to='jackpot.property')),
                ('begins', models.DateField(help_text='First gaming day.')),
                ('about', models.CharField(choices=[('adjust', 'adjust'), ('back_out', 'back_out'), ('difference', 'difference'), ('explanation', 'explanation'), ('retire', 'retire'), ('suspend', 'suspend'), ('terms', 'terms'), ('transfer', 'transfer')], max_length=12)),
                ('to', models.CharField(max_length=60)),
                ('owner', models.CharField(help_text='Code of the role that tells them.', max_length=40)),
                ('within_hours', models.PositiveIntegerField(help_text='Empty: from that day on nobody has to be told.', null=True)),
            ],
            options={
                'verbose_name_plural': 'dated rules of notices',
                'ordering': ['premises_id', 'begins', 'id'],
                'constraints': [models.UniqueConstraint(fields=('premises', 'begins', 'about', 'to'), name='notice_rule_begins_once_a_day')],
            },
        ),
        migrations.CreateModel(
            name='Trail',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
                ('actor', models.CharField(help_text='A person, a device or the server itself.', max_length=80)),
                ('person', models.ForeignKey(db_constraint=False, db_index=False, null=True, on_delete=django.db.models.deletion.DO_NOTHING, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('premises', models.ForeignKey(db_constraint=False, db_index=False, help_text='Whose line it is; none: of the server, or of a stranger.', null=True, on_delete=django.db.models.deletion.DO_NOTHING, related_name='+', to='jackpot.property')),
                ('act', models.CharField(max_length=40)),
                ('object_kind', models.CharField(blank=True, choices=[('slip', 'slip'), ('round', 'round'), ('jackpot', 'jackpot'), ('terms', 'terms'), ('table', 'table'), ('device', 'device'), ('sign', 'sign'), ('printer', 'printer'), ('person', 'person'), ('role', 'role'), ('key', 'key'), ('request', 'request'), ('day', 'day'), ('property', 'property'), ('report', 'report'), ('pay table', 'pay table'), ('errand', 'errand'), ('parcel', 'parcel'), ('proof', 'proof')], max_length=12)),
                ('object_key', models.CharField(blank=True, max_length=80)),
                ('subject', models.CharField(blank=True, max_length=80)),
                ('outcome', models.CharField(default='done', max_length=20)),
                ('why', models.TextField(blank=True)),
                ('details', models.JSONField(default=dict)),
            ],
            options={
                'verbose_name_plural': 'trail',
                'ordering': ['-id'],
                'indexes': [models.Index(fields=['subject', '-id'], name='trail_by_subject'), models.Index(fields=['at', 'id'], name='trail_by_time'), models.Index(fields=['object_kind', 'object_key', 'at', 'id'], name='trail_by_object'), models.Index(condition=models.Q(('person__isnull', False)), fields=['person', 'at', 'id'], name='trail_by_person'), models.Index(fields=['actor', 'at', 'id'], name='trail_by_actor'), models.Index(fields=['act', 'at', 'id'], name='trail_by_act'), models.Index(condition=models.Q(('outcome', 'done'), _negated=True), fields=['outcome', 'at', 'id'], name='trail_by_outcome')],
            },
        ),
        migrations.CreateModel(
            name='Win',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('jackpot', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='wins', to='jackpot.jackpot')),
                ('table_code', models.CharField(max_length=20)),
                ('round_number', models.BigIntegerField()),
                ('seat', models.PositiveSmallIntegerField(help_text='0: a lit key; the pit page says which seats hold the hand.')),
                ('line', models.CharField(max_length=40)),
                ('line_name', models.CharField(max_length=80)),
                ('part', models.BooleanField(help_text='Paid as a part of the meter: such hits wait for each other.')),
                ('ranked', models.BooleanField(default=False, help_text='Its round had a part-of-the-meter hit: it counts for later ones.')),
                ('front_seq', models.BigIntegerField(help_text='The entry by which an executive and a second person let it pass the queue.', null=True)),
                ('envy_of', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='envied', to='jackpot.win')),
                ('difference_of', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='made_up', to='jackpot.win')),
                ('version', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='jackpot.version')),
                ('state', models.CharField(choices=[('marked', 'marked'), ('unmarked', 'unmarked'), ('assigned', 'assigned'), ('asked', 'asked'), ('outranked', 'outranked'), ('rejected', 'rejected'), ('fell', 'fell'), ('logged', 'logged'), ('owed', 'owed'), ('paid', 'paid'), ('backed_out', 'backed_out')], max_length=10)),
                ('mark_seq', models.BigIntegerField(help_text="Number of its mark in the books, or of its lit key's: its rank.")),
                ('frozen_seq', models.BigIntegerField(help_text="The entry whose balances it counts from; from the approval on, its round's.")),
                ('marked_at', models.DateTimeField()),
                ('marked_by', models.CharField(help_text='The name as it was then; people are compared by key.', max_length=100)),
                ('marker', models.ForeignKey(help_text='Empty: nobody was badged in.', null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('asked_at', models.DateTimeField(null=True)),
                ('asked_by', models.CharField(blank=True, max_length=100)),
                ('asker', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('cards_checked', models.BooleanField(default=False)),
                ('number', models.BigIntegerField(help_text='Win number of the property, given at approval.', null=True)),
                ('slip', models.BigIntegerField(help_text='Slip number of the property, gapless, given at approval.', null=True)),
                ('premises', models.ForeignKey(help_text='Whose slip it is.', null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='jackpot.property')),
                ('place', models.PositiveSmallIntegerField(help_text='Its place in the order of its act.', null=True)),
                ('amount', jackpot.money_field.AmountField(null=True)),
                ('paper', models.JSONField(help_text='What its page prints: the record of its award, from approval on.', null=True)),
                ('override', models.JSONField(help_text='Two people’s word for it in spite of its cards, and on which.', null=True)),
                ('award_seq', models.BigIntegerField(null=True)),
                ('logged_at', models.DateTimeField(null=True)),
                ('gaming_day', models.DateField(null=True)),
                ('moved_at', models.DateTimeField(null=True)),
                ('paid_at', models.DateTimeField(null=True)),
                ('paid_by', models.CharField(blank=True, max_length=100)),
                ('payer', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('paid_method', models.CharField(blank=True, max_length=20)),
                ('paid_cheque', models.CharField(blank=True, help_text='Number of the cheque.', max_length=40)),
                ('paid_window', models.CharField(blank=True, help_text='The window that paid it.', max_length=40)),
            ],
            options={
                'ordering': ['id'],
                'indexes': [models.Index(fields=['table_code', 'round_number'], name='win_by_round'), models.Index(fields=['jackpot', 'moved_at'], name='win_by_time'), models.Index(condition=models.Q(('part', True)), fields=['jackpot', 'moved_at'], name='win_part_by_time'), models.Index(condition=models.Q(('state__in', ['marked', 'asked', 'logged'])), fields=['jackpot', 'mark_seq'], name='win_open')],
                'constraints': [models.UniqueConstraint(condition=models.Q(('state__in', ['marked', 'asked'])), fields=('jackpot', 'table_code', 'round_number', 'seat', 'line'), name='win_marked_once'), models.UniqueConstraint(condition=models.Q(('difference_of__isnull', True), ('envy_of__isnull', True), ('state__in', ['logged', 'owed', 'paid'])), fields=('jackpot', 'table_code', 'round_number', 'seat'), name='win_one_award_a_seat'), models.UniqueConstraint(condition=models.Q(('slip__isnull', False)), fields=('premises', 'slip'), name='win_slip_once'), models.CheckConstraint(condition=models.Q(('slip__isnull', True), ('premises__isnull', False), _connector='OR'), name='win_slip_of_a_house'), models.CheckConstraint(condition=models.Q(('amount__isnull', True), ('amount__gte', 0), _connector='OR'), name='win_amount_not_negative')],
            },
        ),
        migrations.CreateModel(
            name='Request',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('kind', models.CharField(help_text='What is asked for; docs/requests.md lists the kinds.', max_length=20)),
                ('premises', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='requests', to='jackpot.property')),
                ('jackpot', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='requests', to='jackpot.jackpot')),
                ('win', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='requests', to='jackpot.win')),
                ('cause', models.ForeignKey(help_text='The request that this one follows from, such as the back-out that a difference comes of.', null=True, on_delete=django.db.models.deletion.PROTECT, related_name='decisions', to='jackpot.request')),
                ('number', models.PositiveIntegerField(default=0, help_text='1, 2, 3 … per kind and jackpot, or per kind and house; 0: people use its key.')),
                ('payload', models.JSONField(default=dict, help_text='What is asked for, of a kind without columns of its own.')),
                ('reason', models.CharField(help_text='Why it is asked for, in words.', max_length=200)),
                ('evidence', models.CharField(blank=True, max_length=200)),
                ('file_name', models.CharField(blank=True, max_length=120)),
                ('file_sha256', models.CharField(blank=True, max_length=64)),
                ('state', models.CharField(choices=[('asked', 'asked'), ('previewed', 'previewed'), ('refused', 'refused'), ('withdrawn', 'withdrawn'), ('signed', 'signed'), ('replaced', 'replaced'), ('in_force', 'in_force')], default='asked', max_length=10)),
                ('asked_by', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('asked_by_name', models.CharField(help_text='The name as it was then; people are compared by key.', max_length=100)),
                ('asked_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
                ('previewed_at', models.DateTimeField(null=True)),
                ('findings', models.JSONField(default=list, help_text='What the preview found, frozen with the request.')),
                ('preview', models.JSONField(default=dict, help_text='Before and after, as whoever asked saw it.')),
                ('alone', models.BooleanField(default=False, help_text='It only takes authority away: one person is enough.')),
                ('decided_by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('decided_by_name', models.CharField(blank=True, max_length=100)),
                ('decided_at', models.DateTimeField(null=True)),
                ('decided_reason', models.CharField(blank=True, help_text='Why it was refused.', max_length=200)),
                ('card', models.ForeignKey(help_text='Read for the second signature.', null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='jackpot.card')),
                ('withdrawn_by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('withdrawn_by_name', models.CharField(blank=True, max_length=100)),
                ('withdrawn_at', models.DateTimeField(null=True)),
                ('withdrawn_reason', models.CharField(blank=True, max_length=200)),
            ],
            options={
                'ordering': ['-id'],
                'indexes': [models.Index(fields=['state', '-id'], name='request_inbox')],
                'constraints': [models.UniqueConstraint(condition=models.Q(('number__gt', 0)), fields=('kind', 'premises', 'jackpot', 'number'), name='request_numbers_once', nulls_distinct=False), models.CheckConstraint(condition=models.Q(models.Q(('state__in', ['in_force', 'replaced', 'signed']), _negated=True), ('alone', True), models.Q(('decided_by__isnull', False), models.Q(('decided_by', models.F('asked_by')), _negated=True)), _connector='OR'), name='request_of_two_people'), models.CheckConstraint(condition=models.Q(models.Q(('state__in', ['asked', 'previewed']), _negated=True), models.Q(('decided_at__isnull', True), ('decided_by__isnull', True)), _connector='OR'), name='request_open_is_undecided'), models.CheckConstraint(condition=models.Q(models.Q(('state', 'refused'), _negated=True), models.Q(('decided_at__isnull', False), ('decided_by__isnull', False)), _connector='OR'), name='request_refused_by_somebody'), models.UniqueConstraint(condition=models.Q(('kind', 'terms'), ('state', 'signed')), fields=('jackpot',), name='request_one_version_waits'), models.UniqueConstraint(condition=models.Q(('kind', 'back_out'), models.Q(('state__in', ['asked', 'previewed']), ('state__in', ['in_force', 'replaced', 'signed']), _connector='OR')), fields=('win',), name='request_backs_out_once'), models.UniqueConstraint(condition=models.Q(('kind', 'difference'), ('state__in', ['asked', 'previewed'])), fields=('cause', 'win'), name='request_of_a_difference_once'), models.CheckConstraint(condition=models.Q(models.Q(('kind', 'difference'), _negated=True), models.Q(('cause__isnull', False), ('win__isnull', False)), _connector='OR'), name='request_difference_has_its_cause')],
            },
        ),
        migrations.CreateModel(
            name='RequestEntry',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('request', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='entries', to='jackpot.request')),
                ('jackpot', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='jackpot.jackpot')),
                ('seq', models.BigIntegerField(help_text='Its number in the books of that jackpot.')),
            ],
            options={
                'ordering': ['id'],
                'constraints': [models.UniqueConstraint(fields=('jackpot', 'seq'), name='request_entry_once')],
            },
        ),
        migrations.CreateModel(
            name='Adjustment',
            fields=[
                ('request_ptr', models.OneToOneField(auto_created=True, on_delete=django.db.models.deletion.CASCADE, parent_link=True, primary_key=True, serialize=False, to='jackpot.request')),
                ('other', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='jackpot.jackpot')),
                ('pays', models.BooleanField(default=False, help_text='Difference: paid by a page of its own; else only noted.')),
                ('account', models.CharField(choices=[('meter', 'meter'), ('reserve', 'reserve'), ('house', 'house')], default='meter', max_length=10)),
                ('amount', jackpot.money_field.AmountField(help_text='Adjust: signed. Transfer: how much of the meter; empty: everything. Difference: as the back-out kept it.', null=True)),
                ('reading', jackpot.money_field.AmountField(help_text='Retire: what the sign showed at the closing reading.', null=True)),
                ('ground', models.CharField(choices=[('malfunction', 'malfunction'), ('misdeal', 'misdeal or wrong hand'), ('reading', 'reading or counting error'), ('limit', 'limit'), ('removal', 'removal'), ('seed_recovery', 'seed recovery'), ('maintenance', 'maintenance'), ('end_of_game', 'end of the game'), ('order', 'order of the regulator'), ('backed_out', 'an earlier award was backed out'), ('other', 'other')], max_length=20)),
                ('gaming_day', models.DateField(help_text='Of its entries.', null=True)),
                ('posted', models.JSONField(default=dict, help_text='Balances before and after, as they were posted.')),
            ],
            options={
                'ordering': ['-id'],
            },
            bases=('jackpot.request',),
        ),
        migrations.CreateModel(
            name='AuthorityChange',
            fields=[
                ('request_ptr', models.OneToOneField(auto_created=True, on_delete=django.db.models.deletion.CASCADE, parent_link=True, primary_key=True, serialize=False, to='jackpot.request')),
                ('whose', models.ForeignKey(help_text='The card whose level it is; empty: the settings of the house.', null=True, on_delete=django.db.models.deletion.PROTECT, related_name='authority_changes', to='jackpot.card')),
                ('before', models.JSONField(help_text='What stood when it was asked, of the settings that are asked for.')),
                ('after', models.JSONField(help_text='What is asked for, by setting; never changed.')),
                ('steps', models.JSONField(default=list, help_text='From when on each setting counts, as it was signed.')),
                ('fallen', models.JSONField(default=dict, help_text='Settings that never counted: the change that took their place; none: withdrawn.')),
            ],
            options={
                'ordering': ['premises_id', 'number'],
            },
            bases=('jackpot.request',),
        ),
        migrations.CreateModel(
            name='RequestEvidence',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('request', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='files', to='jackpot.request')),
                ('file', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='uses', to='jackpot.evidencefile')),
                ('name', models.CharField(max_length=120)),
                ('added_by', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('added_by_name', models.CharField(help_text='The name as it was then; people are compared by key.', max_length=100)),
                ('added_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
            ],
            options={
                'ordering': ['id'],
                'constraints': [models.UniqueConstraint(fields=('request', 'file'), name='evidence_of_a_request_once')],
            },
        ),
        migrations.CreateModel(
            name='Notice',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('premises', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='notices', to='jackpot.property')),
                ('about', models.CharField(choices=[('adjust', 'the adjustment, with its evidence'), ('transfer', "the transfer of a jackpot's money"), ('suspend', 'the suspension of a jackpot'), ('retire', 'the retirement of a jackpot, and the day until which its money has another home'), ('back_out', 'the back-out of an award, with its evidence'), ('difference', "what was decided of a later winner's difference"), ('terms', 'other terms of a jackpot'), ('explanation', 'a difference of a gaming day, and what explains it'), ('slip', 'the slip that nobody has claimed')], max_length=12)),
                ('to', models.CharField(help_text='Who has to be told.', max_length=60)),
                ('owner', models.CharField(blank=True, help_text='The role that tells them; empty: the window.', max_length=40)),
                ('request', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='notices', to='jackpot.request')),
                ('win', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='due_notices', to='jackpot.win')),
                ('subject', models.CharField(help_text='What it is about, in one line.', max_length=120)),
                ('raised_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
                ('due_at', models.DateTimeField()),
                ('done_by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('done_by_name', models.CharField(blank=True, max_length=100)),
                ('done_at', models.DateTimeField(null=True)),
                ('note', models.CharField(blank=True, help_text='How they were told: a letter, its number, a call.', max_length=200)),
            ],
            options={
                'ordering': ['due_at', 'id'],
                'indexes': [models.Index(fields=['premises', 'done_at', 'due_at'], name='notice_by_due')],
                'constraints': [models.UniqueConstraint(fields=('request', 'to'), name='notice_of_a_request_once'), models.UniqueConstraint(fields=('win',), name='notice_of_a_slip_once'), models.CheckConstraint(condition=models.Q(models.Q(('request__isnull', False), ('win__isnull', True)), models.Q(('request__isnull', True), ('win__isnull', False)), _connector='OR'), name='notice_is_about_one_thing'), models.CheckConstraint(condition=models.Q(models.Q(('done_at__isnull', True), ('done_by__isnull', True), ('note', '')), models.Q(('done_at__isnull', False), ('done_by__isnull', False), models.Q(('note', ''), _negated=True)), _connector='OR'), name='notice_done_by_somebody_somehow')],
            },
        ),
        migrations.CreateModel(
            name='OneTimeCode',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('request', models.OneToOneField(help_text='Signed by two people.', on_delete=django.db.models.deletion.PROTECT, related_name='one_time_code', to='jackpot.request')),
                ('operator', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='codes', to=settings.AUTH_USER_MODEL)),
                ('card', models.ForeignKey(help_text='Empty: it is for a password.', null=True, on_delete=django.db.models.deletion.PROTECT, related_name='codes', to='jackpot.card')),
                ('code_hash', models.BinaryField(max_length=32, unique=True)),
                ('shown_to', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('ends_at', models.DateTimeField()),
                ('used_at', models.DateTimeField(null=True)),
            ],
        ),
        migrations.CreateModel(
            name='TermsChange',
            fields=[
                ('request_ptr', models.OneToOneField(auto_created=True, on_delete=django.db.models.deletion.CASCADE, parent_link=True, primary_key=True, serialize=False, to='jackpot.request')),
                ('terms', models.TextField(help_text='Canonical JSON of what is asked for; never changed.')),
                ('digest', models.CharField(max_length=64)),
                ('stands_on', models.ForeignKey(help_text='In force when it was drafted.', on_delete=django.db.models.deletion.PROTECT, related_name='+', to='jackpot.version')),
                ('how', models.CharField(choices=[('next_reset', 'at the next reset'), ('at_once', 'at once')], default='next_reset', max_length=12)),
                ('questions', models.JSONField(default=dict, help_text='What its preview asks the laboratory, with the figures of the moment it was asked for.')),
                ('version', models.OneToOneField(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='change', to='jackpot.version')),
                ('before', models.ForeignKey(help_text='What it took the place of.', null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='jackpot.version')),
                ('activated_at', models.DateTimeField(null=True)),
                ('activated_seq', models.BigIntegerField(help_text='The first entry under its version.', null=True)),
            ],
            options={
                'ordering': ['jackpot_id', 'number'],
            },
            bases=('jackpot.request',),
        ),
        migrations.CreateModel(
            name='Signature',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('win', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='signatures', to='jackpot.win')),
                ('operator', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='signatures', to=settings.AUTH_USER_MODEL)),
                ('card', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='signatures', to='jackpot.card')),
                ('level', models.PositiveSmallIntegerField()),
                ('part', models.CharField(choices=[('approve', 'approved'), ('claim', 'opened as a late claim'), ('override', 'override'), ('rejoin', 'back in the queue'), ('cards', 'override of the cards'), ('pay', 'paid'), ('back_out', 'backed out'), ('difference', 'difference')], max_length=10)),
                ('at', models.DateTimeField()),
                ('why', models.CharField(blank=True, max_length=200)),
                ('entry', models.BigIntegerField(help_text='Of a changed order: the entry that notes it.', null=True)),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('win', 'operator', 'part', 'entry'), name='signature_of_two_people', nulls_distinct=False)],
            },
        ),
        migrations.CreateModel(
            name='SlipCounter',
            fields=[
                ('premises', models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, primary_key=True, serialize=False, to='jackpot.property')),
                ('next_slip', models.BigIntegerField(default=1)),
                ('next_win', models.BigIntegerField(default=1)),
            ],
        ),
        migrations.CreateModel(
            name='Payment',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('win', models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, related_name='payment', to='jackpot.win')),
                ('premises', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='jackpot.property')),
                ('slip', models.BigIntegerField()),
                ('entry', models.BigIntegerField(help_text="Number of its entry in the books of the win's jackpot.")),
                ('entry_seal', models.CharField(max_length=64)),
                ('gross', jackpot.money_field.AmountField()),
                ('withheld', jackpot.money_field.AmountField()),
                ('net', jackpot.money_field.AmountField()),
                ('taxable', jackpot.money_field.AmountField(help_text='Empty: the house had no tax rule on that day.', null=True)),
                ('tax_rule', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='jackpot.datedtax')),
                ('reported', models.BooleanField()),
                ('form_seen', models.BooleanField(help_text='The payer ticked that identity and form are in hand.')),
                ('method', models.CharField(max_length=20)),
                ('cheque', models.CharField(blank=True, max_length=40)),
                ('place', models.CharField(blank=True, help_text='The window.', max_length=40)),
                ('payer', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('payer_name', models.CharField(max_length=100)),
                ('paid_at', models.DateTimeField()),
                ('gaming_day', models.DateField()),
                ('seal', models.CharField(max_length=64)),
            ],
            options={
                'ordering': ['id'],
                'indexes': [models.Index(fields=['premises', 'gaming_day'], name='payment_by_day')],
                'constraints': [models.UniqueConstraint(fields=('premises', 'slip'), name='payment_of_a_slip_once'), models.CheckConstraint(condition=models.Q(('gross', django.db.models.expressions.CombinedExpression(models.F('net'), '+', models.F('withheld')))), name='payment_adds_up'), models.CheckConstraint(condition=models.Q(('net__gte', 0), ('withheld__gte', 0)), name='payment_not_negative'), models.CheckConstraint(condition=models.Q(('reported', False), ('form_seen', True), _connector='OR'), name='payment_has_its_form')],
            },
        ),
        migrations.CreateModel(
            name='Dispute',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('win', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='disputes', to='jackpot.win')),
                ('why', models.CharField(max_length=200)),
                ('opened_by', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('opened_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
                ('settled_by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('settled_at', models.DateTimeField(null=True)),
                ('answer', models.CharField(blank=True, max_length=200)),
            ],
            options={
                'ordering': ['id'],
                'constraints': [models.UniqueConstraint(condition=models.Q(('settled_at__isnull', True)), fields=('win',), name='dispute_open_once'), models.CheckConstraint(condition=models.Q(('settled_by', models.F('opened_by')), _negated=True), name='dispute_settled_by_another'), models.CheckConstraint(condition=models.Q(models.Q(('settled_at__isnull', True), ('settled_by__isnull', True)), models.Q(('settled_at__isnull', False), ('settled_by__isnull', False)), _connector='OR'), name='dispute_settled_by_somebody')],
            },
        ),
        migrations.CreateModel(
            name='UnclaimedNotice',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('win', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='notices', to='jackpot.win')),
                ('how', models.CharField(max_length=200)),
                ('by', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
            ],
            options={
                'ordering': ['id'],
            },
        ),
        migrations.AddField(
            model_name='win',
            name='adjustment',
            field=models.ForeignKey(help_text='Of a difference: the act of two people that owes it.', null=True, on_delete=django.db.models.deletion.PROTECT, related_name='pages', to='jackpot.adjustment'),
        ),
        migrations.AddField(
            model_name='jackpot',
            name='version',
            field=models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='jackpot.version'),
        ),
        migrations.AddConstraint(
            model_name='win',
            constraint=models.UniqueConstraint(condition=models.Q(('adjustment__isnull', False)), fields=('adjustment',), name='win_difference_once'),
        ),
        migrations.AddConstraint(
            model_name='win',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('adjustment__isnull', True), ('difference_of__isnull', True)), models.Q(('adjustment__isnull', False), ('difference_of__isnull', False)), _connector='OR'), name='win_difference_of_two_people'),
        ),
        migrations.RunSQL(REFUSE, "DROP FUNCTION fairmeter_refuse_change() CASCADE"),
        *(migrations.RunSQL(STAYS.format(table=table), migrations.RunSQL.noop) for table in STAY),
        migrations.RunSQL(LAYOUT, migrations.RunSQL.noop),
        migrations.RunSQL(SUMS, migrations.RunSQL.noop),
        migrations.RunSQL(REQUESTS, NO_REQUESTS),
        migrations.RunSQL(EVIDENCE, migrations.RunSQL.noop),
        migrations.RunSQL(NOTICES, "DROP FUNCTION fairmeter_notice_stays() CASCADE"),
    ]
