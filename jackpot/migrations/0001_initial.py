"""The progressive's tables, what the database itself refuses there, and how the busy ones lie on disk."""

import django.contrib.postgres.fields
import django.db.models.deletion
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
STAY = ("jackpot_entry", "jackpot_trail", "jackpot_version", "jackpot_datedshifts", "jackpot_datedtax")

LAYOUT = """
ALTER TABLE jackpot_jackpot SET (fillfactor = 20);
CREATE INDEX entry_by_time ON jackpot_entry USING brin (occurred_at) WITH (pages_per_range = 32);
CREATE INDEX entry_by_win ON jackpot_entry (jackpot_id, seq) WHERE win_id IS NOT NULL;
"""
UNDO_LAYOUT = """
DROP INDEX entry_by_win;
DROP INDEX entry_by_time;
ALTER TABLE jackpot_jackpot RESET (fillfactor);
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
UNDO_SUMS = """
ALTER TABLE jackpot_jackpot DROP CONSTRAINT jackpot_adds_up;
ALTER TABLE jackpot_entry DROP CONSTRAINT entry_adds_up;
ALTER TABLE jackpot_entry DROP CONSTRAINT entry_seals_one_line;
ALTER TABLE jackpot_entry DROP CONSTRAINT entry_seal_is_sha256;
"""

# What two people sign stays what they saw; what became of it is written beside it.
CHANGE = """
CREATE FUNCTION fairmeter_change_stays() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF (NEW.jackpot_id, NEW.number, NEW.terms, NEW.digest, NEW.stands_on_id, NEW.how, NEW.reason, NEW.asked_by_id)
     IS DISTINCT FROM
     (OLD.jackpot_id, OLD.number, OLD.terms, OLD.digest, OLD.stands_on_id, OLD.how, OLD.reason, OLD.asked_by_id)
     OR (OLD.previewed_at IS NOT NULL AND (NEW.findings, NEW.figures) IS DISTINCT FROM (OLD.findings, OLD.figures))
  THEN
    RAISE EXCEPTION 'what was asked for and previewed stays. Draft another change.'
      USING ERRCODE = 'integrity_constraint_violation';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER jackpot_change_keeps_its_words BEFORE UPDATE ON jackpot_change
  FOR EACH ROW EXECUTE FUNCTION fairmeter_change_stays();
CREATE TRIGGER jackpot_change_stays BEFORE DELETE OR TRUNCATE ON jackpot_change
  FOR EACH STATEMENT EXECUTE FUNCTION fairmeter_refuse_change();
"""
UNDO_CHANGE = """
DROP TRIGGER jackpot_change_stays ON jackpot_change;
DROP TRIGGER jackpot_change_keeps_its_words ON jackpot_change;
DROP FUNCTION fairmeter_change_stays();
"""

# A request is decided once; after that it stands, and none is ever removed.
ADJUSTMENT = """
CREATE TRIGGER jackpot_adjustment_stands BEFORE UPDATE ON jackpot_adjustment
  FOR EACH ROW WHEN (OLD.state <> 'requested') EXECUTE FUNCTION fairmeter_refuse_change();
CREATE TRIGGER jackpot_adjustment_stays BEFORE DELETE OR TRUNCATE ON jackpot_adjustment
  FOR EACH STATEMENT EXECUTE FUNCTION fairmeter_refuse_change();
"""
UNDO_ADJUSTMENT = """
DROP TRIGGER jackpot_adjustment_stays ON jackpot_adjustment;
DROP TRIGGER jackpot_adjustment_stands ON jackpot_adjustment;
"""

AUTHORITY = """
CREATE FUNCTION fairmeter_authority_stays() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF (NEW.premises_id, NEW.number, NEW.card_id, NEW.before, NEW.after, NEW.reason, NEW.findings, NEW.asked_by_id, NEW.alone)
     IS DISTINCT FROM
     (OLD.premises_id, OLD.number, OLD.card_id, OLD.before, OLD.after, OLD.reason, OLD.findings, OLD.asked_by_id, OLD.alone)
     OR (OLD.decided_by_id IS NOT NULL
         AND (NEW.decided_by_id, NEW.decided_at, NEW.steps) IS DISTINCT FROM (OLD.decided_by_id, OLD.decided_at, OLD.steps))
  THEN
    RAISE EXCEPTION 'what was asked for, previewed and signed stays. Ask for another change.'
      USING ERRCODE = 'integrity_constraint_violation';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER jackpot_authoritychange_keeps_its_words BEFORE UPDATE ON jackpot_authoritychange
  FOR EACH ROW EXECUTE FUNCTION fairmeter_authority_stays();
CREATE TRIGGER jackpot_authoritychange_stays BEFORE DELETE OR TRUNCATE ON jackpot_authoritychange
  FOR EACH STATEMENT EXECUTE FUNCTION fairmeter_refuse_change();
"""
UNDO_AUTHORITY = """
DROP TRIGGER jackpot_authoritychange_stays ON jackpot_authoritychange;
DROP TRIGGER jackpot_authoritychange_keeps_its_words ON jackpot_authoritychange;
DROP FUNCTION fairmeter_authority_stays();
"""


class Migration(migrations.Migration):

    initial = True

    dependencies = [
    ]

    operations = [
        migrations.CreateModel(
            name='Operator',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('password', models.CharField(max_length=128, verbose_name='password')),
                ('last_login', models.DateTimeField(blank=True, null=True, verbose_name='last login')),
                ('username', models.CharField(max_length=60, unique=True)),
                ('name', models.CharField(max_length=100)),
                ('is_active', models.BooleanField(default=True)),
                ('created_at', models.DateTimeField(auto_now_add=True)),
            ],
            options={
                'abstract': False,
            },
        ),
        migrations.CreateModel(
            name='DatedShifts',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('begins', models.DateField(help_text='First gaming day.')),
                ('names', django.contrib.postgres.fields.ArrayField(base_field=models.CharField(max_length=30), size=None)),
                ('minutes', django.contrib.postgres.fields.ArrayField(base_field=models.PositiveSmallIntegerField(), help_text='Begin of each, minutes after local midnight.', size=None)),
            ],
            options={
                'verbose_name_plural': 'dated shifts',
                'ordering': ['premises_id', 'begins'],
            },
        ),
        migrations.CreateModel(
            name='DatedTax',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
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
            name='Jackpot',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('code', models.CharField(max_length=20, unique=True)),
                ('name', models.CharField(max_length=60)),
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
            },
        ),
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
                ('seed_recovery', models.BooleanField(default=False, help_text='The house may take its seed back out of a meter.')),
                ('demo', models.BooleanField(default=False, help_text='Made by the demo file: served on loopback only.')),
            ],
            options={
                'verbose_name_plural': 'properties',
            },
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
            name='Signature',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('level', models.PositiveSmallIntegerField()),
                ('part', models.CharField(choices=[('approve', 'approved'), ('claim', 'opened as a late claim'), ('override', 'override'), ('rejoin', 'back in the queue'), ('cards', 'override of the cards'), ('pay', 'paid'), ('back_out', 'backed out'), ('difference', 'difference')], max_length=10)),
                ('at', models.DateTimeField()),
                ('why', models.CharField(blank=True, max_length=200)),
                ('entry', models.BigIntegerField(help_text='Of a changed order: the entry that notes it.', null=True)),
            ],
        ),
        migrations.CreateModel(
            name='Trail',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), db_index=True)),
                ('actor', models.CharField(help_text='A person, a device or the server itself.', max_length=80)),
                ('act', models.CharField(max_length=40)),
                ('subject', models.CharField(blank=True, max_length=80)),
                ('outcome', models.CharField(default='done', max_length=20)),
                ('why', models.TextField(blank=True)),
                ('details', models.JSONField(default=dict)),
            ],
            options={
                'verbose_name_plural': 'trail',
                'ordering': ['-id'],
            },
        ),
        migrations.CreateModel(
            name='Version',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('number', models.PositiveIntegerField()),
                ('terms', models.TextField(help_text='Canonical JSON; never changed.')),
                ('digest', models.CharField(max_length=64)),
                ('requested_by', models.CharField(max_length=60)),
                ('approved_by', models.CharField(max_length=60)),
                ('created_at', models.DateTimeField(auto_now_add=True)),
            ],
        ),
        migrations.CreateModel(
            name='Win',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('table_code', models.CharField(max_length=20)),
                ('round_number', models.BigIntegerField()),
                ('seat', models.PositiveSmallIntegerField(help_text='0: a lit key; the pit page says which seats hold the hand.')),
                ('line', models.CharField(max_length=40)),
                ('line_name', models.CharField(max_length=80)),
                ('part', models.BooleanField(help_text='Paid as a part of the meter: such hits wait for each other.')),
                ('ranked', models.BooleanField(default=False, help_text='Its round had a part-of-the-meter hit: it counts for later ones.')),
                ('front_seq', models.BigIntegerField(help_text='The entry by which an executive and a second person let it pass the queue.', null=True)),
                ('state', models.CharField(choices=[('marked', 'marked'), ('unmarked', 'unmarked'), ('assigned', 'assigned'), ('asked', 'asked'), ('outranked', 'outranked'), ('rejected', 'rejected'), ('fell', 'fell'), ('logged', 'logged'), ('owed', 'owed'), ('paid', 'paid'), ('backed_out', 'backed_out')], max_length=10)),
                ('mark_seq', models.BigIntegerField(help_text="Number of its mark in the books, or of its lit key's: its rank.")),
                ('frozen_seq', models.BigIntegerField(help_text="The entry whose balances it counts from; from the approval on, its round's.")),
                ('marked_at', models.DateTimeField()),
                ('marked_by', models.CharField(help_text='The name as it was then; people are compared by key.', max_length=100)),
                ('asked_at', models.DateTimeField(null=True)),
                ('asked_by', models.CharField(blank=True, max_length=100)),
                ('cards_checked', models.BooleanField(default=False)),
                ('number', models.BigIntegerField(help_text='Win number of the property, given at approval.', null=True)),
                ('slip', models.BigIntegerField(help_text='Slip number of the property, gapless, given at approval.', null=True)),
                ('place', models.PositiveSmallIntegerField(help_text='Its place in the order of its act.', null=True)),
                ('amount', jackpot.money_field.AmountField(null=True)),
                ('paper', models.JSONField(default=dict, help_text='Everything the win page prints, as it was at approval.')),
                ('award_seq', models.BigIntegerField(null=True)),
                ('logged_at', models.DateTimeField(null=True)),
                ('gaming_day', models.DateField(null=True)),
                ('moved_at', models.DateTimeField(null=True)),
                ('paid_at', models.DateTimeField(null=True)),
                ('paid_by', models.CharField(blank=True, max_length=100)),
            ],
            options={
                'ordering': ['id'],
            },
        ),
        migrations.CreateModel(
            name='Card',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
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
                ('operator', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='cards', to=settings.AUTH_USER_MODEL)),
            ],
        ),
        migrations.CreateModel(
            name='AuthorityChange',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('number', models.PositiveIntegerField(help_text='1, 2, 3 … per property.')),
                ('before', models.JSONField(help_text='What stood when it was asked, of the settings that are asked for.')),
                ('after', models.JSONField(help_text='What is asked for, by setting; never changed.')),
                ('reason', models.CharField(max_length=200)),
                ('state', models.CharField(choices=[('asked', 'asked'), ('refused', 'refused'), ('signed', 'signed'), ('withdrawn', 'withdrawn')], max_length=10)),
                ('findings', models.JSONField(default=list, help_text='What the preview said, kept with the request.')),
                ('asked_at', models.DateTimeField(auto_now_add=True)),
                ('alone', models.BooleanField(default=False, help_text='A card lowered: one person is enough, and it counts at once.')),
                ('decided_at', models.DateTimeField(null=True)),
                ('decided_why', models.CharField(blank=True, max_length=200)),
                ('steps', models.JSONField(default=list, help_text='From when on each setting counts, as it was signed.')),
                ('fallen', models.JSONField(default=dict, help_text='Settings that never counted: the change that took their place; none: withdrawn.')),
                ('withdrawn_at', models.DateTimeField(null=True)),
                ('withdrawn_why', models.CharField(blank=True, max_length=200)),
                ('asked_by', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('decided_by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('withdrawn_by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('card', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='authority_changes', to='jackpot.card')),
            ],
            options={
                'ordering': ['premises_id', 'number'],
            },
        ),
        migrations.CreateModel(
            name='Entry',
            fields=[
                ('pk', models.CompositePrimaryKey('jackpot_id', 'seq', blank=True, editable=False, primary_key=True, serialize=False)),
                ('seq', models.BigIntegerField()),
                ('kind', models.CharField(choices=[('opening', 'seed posted'), ('take_over', 'taken over from another system'), ('coin_in', 'coin-in'), ('void', 'round voided'), ('recount', 'round counted again'), ('mark', 'hit marked'), ('unmark', 'mark taken back'), ('assign', 'seats of a lit key said'), ('ask', 'hit asked for'), ('release', 'asked for no longer'), ('outrank', 'outranked by a higher hand'), ('reject', 'hit not confirmed'), ('fall', 'hit void with its round'), ('park', 'hit parked, the table plays on'), ('claim', 'hit claimed after the round'), ('pass_queue', 'let pass the queue'), ('rejoin', 'in the queue again'), ('override', 'paid in spite of its cards'), ('log', 'win logged'), ('award', 'award'), ('advance', 'house advance: a dry meter began anew'), ('repay', 'house advance repaid'), ('pay', 'winner paid'), ('back_out', 'win backed out'), ('configure', 'other terms in force'), ('adjust', 'adjustment'), ('difference', 'difference of a later winner'), ('transfer_out', 'transferred to another jackpot'), ('transfer_in', 'transferred from another jackpot'), ('suspend', 'suspended'), ('resume', 'resumed'), ('retire', 'retired')], max_length=12)),
                ('key', models.CharField(max_length=80)),
                ('occurred_at', models.DateTimeField()),
                ('gaming_day', models.DateField()),
                ('table_code', models.CharField(blank=True, max_length=20)),
                ('round_number', models.BigIntegerField(null=True)),
                ('win_id', models.BigIntegerField(null=True)),
                ('corrects', models.BigIntegerField(null=True)),
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
                ('jackpot', models.ForeignKey(db_constraint=False, db_index=False, on_delete=django.db.models.deletion.DO_NOTHING, related_name='entries', to='jackpot.jackpot')),
            ],
            options={
                'verbose_name_plural': 'entries',
                'ordering': ['jackpot_id', 'seq'],
            },
        ),
        migrations.CreateModel(
            name='Change',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('number', models.PositiveIntegerField(help_text='1, 2, 3 … per jackpot.')),
                ('terms', models.TextField(help_text='Canonical JSON of what is asked for; never changed.')),
                ('digest', models.CharField(max_length=64)),
                ('how', models.CharField(choices=[('next_reset', 'at the next reset'), ('at_once', 'at once')], default='next_reset', max_length=12)),
                ('reason', models.CharField(max_length=200)),
                ('state', models.CharField(choices=[('draft', 'draft'), ('previewed', 'previewed'), ('refused', 'refused'), ('withdrawn', 'withdrawn'), ('waiting', 'waiting'), ('replaced', 'replaced'), ('activated', 'activated')], max_length=10)),
                ('asked_at', models.DateTimeField(auto_now_add=True)),
                ('previewed_at', models.DateTimeField(null=True)),
                ('findings', models.JSONField(default=list, help_text='What the preview said, frozen with the request.')),
                ('figures', models.JSONField(default=list, help_text="The laboratory's answers: in force, then asked for.")),
                ('decided_at', models.DateTimeField(null=True)),
                ('decided_why', models.CharField(blank=True, max_length=200)),
                ('withdrawn_at', models.DateTimeField(null=True)),
                ('withdrawn_why', models.CharField(blank=True, max_length=200)),
                ('activated_at', models.DateTimeField(null=True)),
                ('activated_seq', models.BigIntegerField(help_text='The first entry under its version.', null=True)),
                ('asked_by', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('decided_by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('withdrawn_by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('jackpot', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='changes', to='jackpot.jackpot')),
            ],
            options={
                'ordering': ['jackpot_id', 'number'],
            },
        ),
        migrations.CreateModel(
            name='Adjustment',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('kind', models.CharField(choices=[('adjust', 'Adjustment'), ('transfer', 'Transfer'), ('suspend', 'Suspension'), ('resume', 'Resumption'), ('retire', 'Retirement'), ('back_out', 'Back-out'), ('difference', 'Difference')], max_length=10)),
                ('pays', models.BooleanField(default=False, help_text='Difference: paid by a page of its own; else only noted.')),
                ('account', models.CharField(choices=[('meter', 'meter'), ('reserve', 'reserve'), ('house', 'house')], default='meter', max_length=10)),
                ('amount', jackpot.money_field.AmountField(help_text='Adjust: signed. Transfer: how much of the meter; empty: everything. Difference: as the back-out kept it.', null=True)),
                ('reading', jackpot.money_field.AmountField(help_text='Retire: what the sign showed at the closing reading.', null=True)),
                ('reason', models.CharField(choices=[('malfunction', 'malfunction'), ('misdeal', 'misdeal or wrong hand'), ('reading', 'reading or counting error'), ('limit', 'limit'), ('removal', 'removal'), ('seed_recovery', 'seed recovery'), ('maintenance', 'maintenance'), ('end_of_game', 'end of the game'), ('order', 'order of the regulator'), ('backed_out', 'an earlier award was backed out'), ('other', 'other')], max_length=20)),
                ('why', models.CharField(max_length=200)),
                ('evidence', models.CharField(max_length=200)),
                ('file_name', models.CharField(blank=True, max_length=120)),
                ('file_sha256', models.CharField(blank=True, max_length=64)),
                ('requested_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
                ('shown', models.JSONField(default=dict, help_text='Balances before and after, as the asker saw them.')),
                ('state', models.CharField(choices=[('requested', 'requested'), ('approved', 'approved'), ('refused', 'refused')], default='requested', max_length=10)),
                ('decided_at', models.DateTimeField(null=True)),
                ('answer', models.CharField(blank=True, help_text='Why it was refused.', max_length=200)),
                ('gaming_day', models.DateField(help_text='Of its entries.', null=True)),
                ('posted', models.JSONField(default=dict, help_text='Balances before and after, as they were posted.')),
                ('entries', models.CharField(blank=True, help_text='Its entries: GRAND/45 MINI/12.', max_length=120)),
                ('cause', models.ForeignKey(help_text="Difference: the back-out that changed what this winner's award counted from.", null=True, on_delete=django.db.models.deletion.PROTECT, related_name='decisions', to='jackpot.adjustment')),
                ('decided_by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('requested_by', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('card', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='jackpot.card')),
                ('jackpot', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='adjustments', to='jackpot.jackpot')),
                ('other', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='jackpot.jackpot')),
            ],
            options={
                'ordering': ['-id'],
            },
        ),
        migrations.CreateModel(
            name='KeyRegister',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('number', models.CharField(max_length=20)),
                ('level', models.PositiveSmallIntegerField(choices=[(1, 'dealer'), (2, 'supervisor'), (3, 'executive')], default=2)),
                ('out_at', models.DateTimeField()),
                ('back_at', models.DateTimeField(null=True)),
                ('operator', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='keys', to=settings.AUTH_USER_MODEL)),
            ],
        ),
        migrations.CreateModel(
            name='SlipCounter',
            fields=[
                ('premises', models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, primary_key=True, serialize=False, to='jackpot.property')),
                ('next_slip', models.BigIntegerField(default=1)),
                ('next_win', models.BigIntegerField(default=1)),
            ],
        ),
        migrations.AddConstraint(
            model_name='property',
            constraint=models.CheckConstraint(condition=models.Q(('day_roll_minutes__lt', 1440)), name='property_day_rolls_within_a_day'),
        ),
        migrations.AddField(
            model_name='keyregister',
            name='premises',
            field=models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='keys', to='jackpot.property'),
        ),
        migrations.AddField(
            model_name='jackpot',
            name='premises',
            field=models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='jackpots', to='jackpot.property'),
        ),
        migrations.AddField(
            model_name='datedtax',
            name='premises',
            field=models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='tax_rules', to='jackpot.property'),
        ),
        migrations.AddField(
            model_name='datedshifts',
            name='premises',
            field=models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='shift_plans', to='jackpot.property'),
        ),
        migrations.AddField(
            model_name='authoritychange',
            name='premises',
            field=models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='authority_changes', to='jackpot.property'),
        ),
        migrations.AddField(
            model_name='operator',
            name='premises',
            field=models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='operators', to='jackpot.property'),
        ),
        migrations.AddField(
            model_name='operator',
            name='roles',
            field=models.ManyToManyField(related_name='operators', to='jackpot.role'),
        ),
        migrations.AddField(
            model_name='signature',
            name='card',
            field=models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='signatures', to='jackpot.card'),
        ),
        migrations.AddField(
            model_name='signature',
            name='operator',
            field=models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='signatures', to=settings.AUTH_USER_MODEL),
        ),
        migrations.AddIndex(
            model_name='trail',
            index=models.Index(fields=['subject', '-id'], name='trail_by_subject'),
        ),
        migrations.AddField(
            model_name='version',
            name='jackpot',
            field=models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='versions', to='jackpot.jackpot'),
        ),
        migrations.AddField(
            model_name='jackpot',
            name='version',
            field=models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='jackpot.version'),
        ),
        migrations.AddField(
            model_name='entry',
            name='version',
            field=models.ForeignKey(db_constraint=False, db_index=False, on_delete=django.db.models.deletion.DO_NOTHING, related_name='+', to='jackpot.version'),
        ),
        migrations.AddField(
            model_name='change',
            name='before',
            field=models.ForeignKey(help_text='What it took the place of.', null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='jackpot.version'),
        ),
        migrations.AddField(
            model_name='change',
            name='stands_on',
            field=models.ForeignKey(help_text='In force when it was drafted.', on_delete=django.db.models.deletion.PROTECT, related_name='+', to='jackpot.version'),
        ),
        migrations.AddField(
            model_name='change',
            name='version',
            field=models.OneToOneField(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='change', to='jackpot.version'),
        ),
        migrations.AddField(
            model_name='win',
            name='adjustment',
            field=models.ForeignKey(help_text='Of a difference: the act of two people that owes it.', null=True, on_delete=django.db.models.deletion.PROTECT, related_name='pages', to='jackpot.adjustment'),
        ),
        migrations.AddField(
            model_name='win',
            name='asker',
            field=models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL),
        ),
        migrations.AddField(
            model_name='win',
            name='difference_of',
            field=models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='made_up', to='jackpot.win'),
        ),
        migrations.AddField(
            model_name='win',
            name='envy_of',
            field=models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='envied', to='jackpot.win'),
        ),
        migrations.AddField(
            model_name='win',
            name='jackpot',
            field=models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='wins', to='jackpot.jackpot'),
        ),
        migrations.AddField(
            model_name='win',
            name='marker',
            field=models.ForeignKey(help_text='Empty: nobody was badged in.', null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL),
        ),
        migrations.AddField(
            model_name='win',
            name='payer',
            field=models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL),
        ),
        migrations.AddField(
            model_name='win',
            name='premises',
            field=models.ForeignKey(help_text='Whose slip it is.', null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='jackpot.property'),
        ),
        migrations.AddField(
            model_name='win',
            name='version',
            field=models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='jackpot.version'),
        ),
        migrations.AddField(
            model_name='signature',
            name='win',
            field=models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='signatures', to='jackpot.win'),
        ),
        migrations.AddField(
            model_name='adjustment',
            name='win',
            field=models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='adjustments', to='jackpot.win'),
        ),
        migrations.AddConstraint(
            model_name='card',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('next_level__isnull', True), ('next_level_from__isnull', True)), models.Q(('next_level__isnull', False), ('next_level_from__isnull', False)), _connector='OR'), name='card_next_level_has_its_day'),
        ),
        migrations.AddConstraint(
            model_name='keyregister',
            constraint=models.UniqueConstraint(condition=models.Q(('back_at__isnull', True)), fields=('premises', 'number'), name='key_out_once'),
        ),
        migrations.AddConstraint(
            model_name='datedtax',
            constraint=models.UniqueConstraint(fields=('premises', 'begins'), name='tax_rule_begins_once_a_day'),
        ),
        migrations.AddConstraint(
            model_name='datedtax',
            constraint=models.CheckConstraint(condition=models.Q(('minimum__gte', 0)), name='tax_minimum_not_negative'),
        ),
        migrations.AddConstraint(
            model_name='datedtax',
            constraint=models.CheckConstraint(condition=models.Q(('rate__lte', 1000000)), name='tax_rate_is_at_most_all'),
        ),
        migrations.AddConstraint(
            model_name='datedshifts',
            constraint=models.UniqueConstraint(fields=('premises', 'begins'), name='shifts_begin_once_a_day'),
        ),
        migrations.AddConstraint(
            model_name='authoritychange',
            constraint=models.UniqueConstraint(fields=('premises', 'number'), name='authority_numbers_once'),
        ),
        migrations.AddConstraint(
            model_name='authoritychange',
            constraint=models.CheckConstraint(condition=models.Q(('alone', False), ('card__isnull', False), _connector='OR'), name='authority_alone_is_a_card'),
        ),
        migrations.AddConstraint(
            model_name='authoritychange',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('state', 'signed'), _negated=True), ('alone', True), models.Q(('decided_by__isnull', False), models.Q(('decided_by', models.F('asked_by')), _negated=True)), _connector='OR'), name='authority_of_two_people'),
        ),
        migrations.AddConstraint(
            model_name='version',
            constraint=models.UniqueConstraint(fields=('jackpot', 'number'), name='version_numbers_once'),
        ),
        migrations.AddConstraint(
            model_name='jackpot',
            constraint=models.CheckConstraint(condition=models.Q(('meter__gte', 0)), name='jackpot_meter_never_negative'),
        ),
        migrations.AddConstraint(
            model_name='jackpot',
            constraint=models.CheckConstraint(condition=models.Q(('reserve__gte', 0)), name='jackpot_reserve_never_negative'),
        ),
        migrations.AddConstraint(
            model_name='jackpot',
            constraint=models.CheckConstraint(condition=models.Q(('overflow__gte', 0)), name='jackpot_overflow_never_negative'),
        ),
        migrations.AddConstraint(
            model_name='jackpot',
            constraint=models.CheckConstraint(condition=models.Q(('winners__gte', 0)), name='jackpot_winners_never_negative'),
        ),
        migrations.AddConstraint(
            model_name='jackpot',
            constraint=models.CheckConstraint(condition=models.Q(('advance__gte', 0)), name='jackpot_advance_never_negative'),
        ),
        migrations.AddConstraint(
            model_name='entry',
            constraint=models.CheckConstraint(condition=models.Q(('meter_after__gte', 0), ('overflow_after__gte', 0), ('reserve_after__gte', 0), ('winners_after__gte', 0)), name='entry_balances_never_negative'),
        ),
        migrations.AddConstraint(
            model_name='entry',
            constraint=models.UniqueConstraint(condition=models.Q(('kind', 'coin_in'), _negated=True), fields=('jackpot', 'key'), name='entry_act_named_once'),
        ),
        migrations.AddConstraint(
            model_name='entry',
            constraint=models.UniqueConstraint(condition=models.Q(('corrects__isnull', False)), fields=('jackpot', 'corrects'), name='entry_corrected_once'),
        ),
        migrations.AddConstraint(
            model_name='change',
            constraint=models.UniqueConstraint(fields=('jackpot', 'number'), name='change_numbers_once'),
        ),
        migrations.AddConstraint(
            model_name='change',
            constraint=models.UniqueConstraint(condition=models.Q(('state', 'waiting')), fields=('jackpot',), name='change_one_waits'),
        ),
        migrations.AddConstraint(
            model_name='change',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('state__in', ['activated', 'replaced', 'waiting']), _negated=True), models.Q(('decided_by__isnull', False), models.Q(('decided_by', models.F('asked_by')), _negated=True)), _connector='OR'), name='change_of_two_people'),
        ),
        migrations.AddIndex(
            model_name='win',
            index=models.Index(fields=['table_code', 'round_number'], name='win_by_round'),
        ),
        migrations.AddIndex(
            model_name='win',
            index=models.Index(fields=['jackpot', 'moved_at'], name='win_by_time'),
        ),
        migrations.AddIndex(
            model_name='win',
            index=models.Index(condition=models.Q(('part', True)), fields=['jackpot', 'moved_at'], name='win_part_by_time'),
        ),
        migrations.AddIndex(
            model_name='win',
            index=models.Index(condition=models.Q(('state__in', ['marked', 'asked', 'logged'])), fields=['jackpot', 'mark_seq'], name='win_open'),
        ),
        migrations.AddConstraint(
            model_name='win',
            constraint=models.UniqueConstraint(condition=models.Q(('state__in', ['marked', 'asked'])), fields=('jackpot', 'table_code', 'round_number', 'seat', 'line'), name='win_marked_once'),
        ),
        migrations.AddConstraint(
            model_name='win',
            constraint=models.UniqueConstraint(condition=models.Q(('difference_of__isnull', True), ('envy_of__isnull', True), ('state__in', ['logged', 'owed', 'paid'])), fields=('jackpot', 'table_code', 'round_number', 'seat'), name='win_one_award_a_seat'),
        ),
        migrations.AddConstraint(
            model_name='win',
            constraint=models.UniqueConstraint(condition=models.Q(('adjustment__isnull', False)), fields=('adjustment',), name='win_difference_once'),
        ),
        migrations.AddConstraint(
            model_name='win',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('adjustment__isnull', True), ('difference_of__isnull', True)), models.Q(('adjustment__isnull', False), ('difference_of__isnull', False)), _connector='OR'), name='win_difference_of_two_people'),
        ),
        migrations.AddConstraint(
            model_name='win',
            constraint=models.UniqueConstraint(condition=models.Q(('slip__isnull', False)), fields=('premises', 'slip'), name='win_slip_once'),
        ),
        migrations.AddConstraint(
            model_name='win',
            constraint=models.CheckConstraint(condition=models.Q(('slip__isnull', True), ('premises__isnull', False), _connector='OR'), name='win_slip_of_a_house'),
        ),
        migrations.AddConstraint(
            model_name='win',
            constraint=models.CheckConstraint(condition=models.Q(('amount__isnull', True), ('amount__gte', 0), _connector='OR'), name='win_amount_not_negative'),
        ),
        migrations.AddConstraint(
            model_name='signature',
            constraint=models.UniqueConstraint(fields=('win', 'operator', 'part', 'entry'), name='signature_of_two_people', nulls_distinct=False),
        ),
        migrations.AddIndex(
            model_name='adjustment',
            index=models.Index(fields=['state', '-id'], name='adjustment_inbox'),
        ),
        migrations.AddConstraint(
            model_name='adjustment',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('state', 'approved'), _negated=True), models.Q(('decided_by', models.F('requested_by')), _negated=True), _connector='OR'), name='adjustment_of_two_people'),
        ),
        migrations.AddConstraint(
            model_name='adjustment',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('decided_at__isnull', True), ('decided_by__isnull', True), ('state', 'requested')), models.Q(('decided_at__isnull', False), ('decided_by__isnull', False), ('state__in', ['approved', 'refused'])), _connector='OR'), name='adjustment_decided_by_somebody'),
        ),
        migrations.AddConstraint(
            model_name='adjustment',
            constraint=models.UniqueConstraint(condition=models.Q(('kind', 'back_out'), ('state__in', ['requested', 'approved'])), fields=('win',), name='adjustment_of_a_win_once'),
        ),
        migrations.AddConstraint(
            model_name='adjustment',
            constraint=models.UniqueConstraint(condition=models.Q(('kind', 'difference'), ('state', 'requested')), fields=('cause', 'win'), name='adjustment_asked_of_a_difference_once'),
        ),
        migrations.AddConstraint(
            model_name='adjustment',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('kind', 'difference'), _negated=True), models.Q(('cause__isnull', False), ('win__isnull', False)), _connector='OR'), name='adjustment_difference_has_its_cause'),
        ),
        migrations.RunSQL(REFUSE, "DROP FUNCTION fairmeter_refuse_change()"),
        *(migrations.RunSQL(STAYS.format(table=table), f"DROP TRIGGER {table}_stays ON {table}") for table in STAY),
        migrations.RunSQL(LAYOUT, UNDO_LAYOUT),
        migrations.RunSQL(SUMS, UNDO_SUMS),
        migrations.RunSQL(CHANGE, UNDO_CHANGE),
        migrations.RunSQL(ADJUSTMENT, UNDO_ADJUSTMENT),
        migrations.RunSQL(AUTHORITY, UNDO_AUTHORITY),
    ]
