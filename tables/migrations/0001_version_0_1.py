"""The floor's tables, what the database itself refuses there, and how the busy ones lie on disk."""

import django.contrib.postgres.fields
import django.contrib.postgres.indexes
import django.db.models.deletion
import django.db.models.functions.datetime
import jackpot.money_field
from django.conf import settings
from django.db import migrations, models

REPLACED = (
    "0001_initial", "0002_collections", "0003_device_secrets", "0004_components", "0005_plausible_play",
    "0006_heard_sequence", "0007_numbers_of_each_secret", "0008_noted_schedules", "0009_banked_hands", "0010_wagers",
    "0011_restored_tables", "0012_declared_games", "0013_marks_read", "0014_entered_limits", "0015_room_for_ends",
    "0016_settled_hands", "0017_limits_of_a_wager", "0018_custody", "0019_outages", "0020_worker_opens_nothing",
    "0021_rounds_of_a_day", "0022_slip_books_and_play",
)

STAYS = """
CREATE TRIGGER {table}_stays BEFORE UPDATE OR DELETE OR TRUNCATE ON {table}
  FOR EACH STATEMENT EXECUTE FUNCTION fairmeter_refuse_change();
"""

STAY = (
    "tables_roundcards", "tables_opencase", "tables_surveillancetick", "tables_tablecheck", "tables_roundentry",
    "tables_tablecollection", "tables_notedschedule", "tables_bankedhand", "tables_spotwager", "tables_furthercoinin",
    "tables_enteredlimits", "tables_handsettlement", "tables_settledwager", "tables_custodyitem",
    "tables_custodymove", "tables_outage",
)

PHOTO = """
ALTER TABLE tables_tablecheck ADD CONSTRAINT check_digest_is_of_its_photo CHECK (
  photo IS NULL OR photo_sha256 = encode(sha256(photo), 'hex'));
"""

# Every round is written twice, at its coin-in and at its END: half a page is left free, so that the second stays there.
# With 70 % filled 56 of 100 ENDs found room beside their round, with 50 % 98.
LAYOUT = """
ALTER TABLE tables_round SET (fillfactor = 50);
"""

# A pay table of one's own is written freely as a draft; once it was looked at it stays, and only its state goes on.
OWN_TABLE = """
CREATE FUNCTION fairmeter_own_table_stays() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF OLD.state <> 'draft' AND (TG_OP = 'DELETE' OR NEW.state = 'draft'
      OR (NEW.premises_id, NEW.game, NEW.bet, NEW.code, NEW.title, NEW.lines, NEW.digest)
         IS DISTINCT FROM (OLD.premises_id, OLD.game, OLD.bet, OLD.code, OLD.title, OLD.lines, OLD.digest)) THEN
    RAISE EXCEPTION '% on pay table % is refused: it was looked at and stays. Write another one.', TG_OP, OLD.code
      USING ERRCODE = 'integrity_constraint_violation';
  END IF;
  RETURN CASE TG_OP WHEN 'DELETE' THEN OLD ELSE NEW END;
END $$;
CREATE TRIGGER tables_ownpaytable_stays BEFORE UPDATE OR DELETE ON tables_ownpaytable
  FOR EACH ROW EXECUTE FUNCTION fairmeter_own_table_stays();
CREATE TRIGGER tables_ownpaytable_whole BEFORE TRUNCATE ON tables_ownpaytable
  FOR EACH STATEMENT EXECUTE FUNCTION fairmeter_refuse_change();
"""

# The condition stands in the trigger itself: a word of a box that was heard a moment ago costs one comparison.
OUTAGES = """
CREATE FUNCTION fairmeter_outage_ends() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO public.tables_outage (table_id, device_id, began_at, ended_at, table_state)
  SELECT t.id, NEW.id, OLD.last_seen_at, NEW.last_seen_at, t.state FROM public.tables_table t WHERE t.id = NEW.table_id
  ON CONFLICT DO NOTHING;
  RETURN NULL;
END $$;
CREATE TRIGGER tables_device_outage_ends AFTER UPDATE OF last_seen_at ON tables_device
  FOR EACH ROW WHEN (NEW.kind = 'controller' AND OLD.table_id = NEW.table_id
                     AND NEW.last_seen_at - OLD.last_seen_at >= interval '15 seconds')
  EXECUTE FUNCTION fairmeter_outage_ends();
"""

# The worker closes a table that lost an approval; it opens none.
WORKER = """
CREATE TRIGGER tables_worker_opens_nothing BEFORE UPDATE ON tables_table FOR EACH ROW
  WHEN (session_user = 'fairmeter_worker' AND OLD.state <> NEW.state AND NEW.state <> 'closed')
  EXECUTE FUNCTION fairmeter_worker_resumes_nothing();
"""

FUNCTIONS = ("fairmeter_own_table_stays", "fairmeter_outage_ends")


class Migration(migrations.Migration):

    replaces = [("tables", name) for name in REPLACED]

    initial = True

    dependencies = [
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
        ('jackpot', '0001_version_0_1'),
    ]

    operations = [
        migrations.CreateModel(
            name='VersionRule',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('kind', models.CharField(choices=[('controller', 'table controller'), ('sign', 'sign'), ('coin_spot', 'coin spot'), ('server', 'server')], max_length=12)),
                ('rule', models.CharField(choices=[('exact', 'exactly'), ('minimum', 'at least'), ('any', 'any version')], max_length=8)),
                ('version', models.CharField(blank=True, max_length=40)),
                ('keeps_closed', models.BooleanField(default=False, help_text='A table whose device fails the rule stays closed.')),
                ('approval', models.CharField(blank=True, help_text='Under which reference it was approved.', max_length=120)),
                ('at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
                ('model', models.CharField(blank=True, help_text='Empty: every model without a rule of its own.', max_length=60)),
                ('premises', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='version_rules', to='jackpot.property')),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('premises', 'kind', 'model'), name='version_rule_of_a_model_once')],
                'ordering': ['premises_id', 'kind', 'model'],
            },
        ),
        migrations.CreateModel(
            name='OwnPayTable',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('premises', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='own_pay_tables', to='jackpot.property')),
                ('game', models.CharField(max_length=20)),
                ('bet', models.CharField(max_length=40)),
                ('code', models.CharField(max_length=20)),
                ('title', models.CharField(max_length=80)),
                ('lines', models.TextField(help_text='Canonical JSON: hand, name and pays of each line, the highest first.')),
                ('digest', models.CharField(help_text='sha-256 over all it says.', max_length=64)),
                ('state', models.CharField(choices=[('draft', 'draft'), ('ready', 'ready'), ('withdrawn', 'withdrawn')], default='draft', max_length=10)),
                ('written_by', models.CharField(max_length=80)),
                ('written_at', models.DateTimeField(auto_now=True)),
                ('sheet_digest', models.CharField(blank=True, help_text='Of the par sheet that was looked at.', max_length=64)),
                ('ready_by', models.CharField(blank=True, max_length=80)),
                ('ready_at', models.DateTimeField(null=True)),
                ('withdrawn_by', models.CharField(blank=True, max_length=80)),
                ('withdrawn_why', models.CharField(blank=True, max_length=200)),
            ],
            options={
                'ordering': ['bet', 'code'],
                'constraints': [models.UniqueConstraint(fields=('premises', 'game', 'bet', 'code'), name='own_table_codes_once'), models.CheckConstraint(condition=models.Q(models.Q(('state', 'ready'), _negated=True), models.Q(('sheet_digest', ''), _negated=True), _connector='OR'), name='own_table_looked_at_first')],
            },
        ),
        migrations.CreateModel(
            name='Sign',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('code', models.CharField(max_length=20, unique=True)),
                ('name', models.CharField(blank=True, max_length=60)),
                ('premises', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='signs', to='jackpot.property')),
                ('type', models.CharField(choices=[('picture', 'picture sign'), ('digits', 'digits sign')], default='picture', max_length=8)),
                ('digits', models.PositiveSmallIntegerField(default=12, help_text='How many digits it can show, cents included.')),
                ('notice', models.CharField(blank=True, help_text='Posted under the meter.', max_length=200)),
            ],
            options={
                'ordering': ['code'],
            },
        ),
        migrations.CreateModel(
            name='SignMeter',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('sign', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='meters', to='tables.sign')),
                ('jackpot', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='sign_meters', to='jackpot.jackpot')),
                ('place', models.PositiveSmallIntegerField(default=1)),
            ],
            options={
                'ordering': ['place'],
                'constraints': [models.UniqueConstraint(fields=('sign', 'jackpot'), name='sign_shows_a_meter_once')],
            },
        ),
        migrations.CreateModel(
            name='SignTally',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('sign', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='tallies', to='tables.sign')),
                ('jackpot', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='jackpot.jackpot')),
                ('gaming_day', models.DateField()),
                ('reports', models.PositiveIntegerField(default=0)),
                ('disagreed', models.PositiveIntegerField(default=0)),
                ('shown', jackpot.money_field.AmountField(help_text='What it said last.')),
                ('said_at', models.DateTimeField()),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('sign', 'jackpot', 'gaming_day'), name='sign_tally_of_a_day')],
            },
        ),
        migrations.CreateModel(
            name='SurveillanceTick',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('premises', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='jackpot.property')),
                ('table_code', models.CharField(max_length=20)),
                ('round_number', models.BigIntegerField()),
                ('item', models.CharField(max_length=20)),
                ('note', models.CharField(blank=True, help_text='Camera and time, as they were read.', max_length=80)),
                ('operator', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('at', models.DateTimeField()),
            ],
            options={
                'ordering': ['id'],
                'constraints': [models.UniqueConstraint(fields=('premises', 'table_code', 'round_number', 'item'), name='surveillance_ticks_once')],
            },
        ),
        migrations.CreateModel(
            name='NotedSchedule',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('begins', models.DateField()),
                ('game', models.CharField(max_length=20)),
                ('rule_set', models.CharField(max_length=20)),
                ('option', models.PositiveSmallIntegerField(default=0, help_text='0: every option of the rule set.')),
                ('status', models.CharField(choices=[('approved', 'approved'), ('under_review', 'approved, under review'), ('withdrawn', 'withdrawn')], max_length=12)),
                ('reference', models.CharField(help_text='The letter, approval or notice that says so.', max_length=120)),
                ('premises', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='noted_schedules', to='jackpot.property')),
            ],
            options={
                'ordering': ['premises_id', 'begins', 'rule_set', 'option'],
                'constraints': [models.UniqueConstraint(fields=('premises', 'game', 'rule_set', 'option', 'begins'), name='schedule_noted_once_a_day')],
            },
        ),
        migrations.CreateModel(
            name='EnteredLimits',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('begins', models.DateField()),
                ('ends', models.DateField(help_text='Its last day, where it names one.', null=True)),
                ('game', models.CharField(max_length=20)),
                ('code', models.CharField(max_length=20)),
                ('reference', models.CharField(help_text='The rule or letter that authorizes it.', max_length=120)),
                ('least', models.PositiveIntegerField(help_text='The smallest posted minimum, in whole units of the currency.')),
                ('most', models.PositiveIntegerField(help_text='The largest wager.')),
                ('premises', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='limit_sheets', to='jackpot.property')),
                ('wager', models.CharField(blank=True, db_default='', default='', help_text='Of one kind only, by its name; empty: of all.', max_length=20)),
            ],
            options={
                'verbose_name_plural': 'entered limits',
                'ordering': ['premises_id', 'begins', 'code'],
                'constraints': [models.CheckConstraint(condition=models.Q(('most__gte', models.F('least'))), name='limits_most_not_below_least'), models.UniqueConstraint(fields=('premises', 'game', 'code', 'wager', 'begins'), name='limits_entered_once_a_day')],
            },
        ),
        migrations.CreateModel(
            name='CustodyItem',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('code', models.CharField(max_length=20)),
                ('kind', models.CharField(choices=[('key', 'key'), ('seal', 'seal')], max_length=4)),
                ('place', models.CharField(choices=[('cabinet', 'cabinet'), ('controller', 'controller'), ('drop_box', 'drop box'), ('hall', 'hall')], max_length=10)),
                ('where', models.CharField(help_text='Which cabinet, table or hall.', max_length=60)),
                ('holder', models.CharField(help_text='Code of the role that takes it.', max_length=20)),
                ('countersigner', models.CharField(help_text='Code of the role that lets it be taken.', max_length=20)),
                ('hours', models.PositiveSmallIntegerField(help_text='A key: after so many hours out it rings.', null=True)),
                ('added_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
                ('added_by', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('premises', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='custody_items', to='jackpot.property')),
            ],
            options={
                'ordering': ['premises_id', 'code'],
                'constraints': [models.UniqueConstraint(fields=('premises', 'code'), name='custody_code_once'), models.CheckConstraint(condition=models.Q(('holder', models.F('countersigner')), _negated=True), name='custody_of_two_departments')],
            },
        ),
        migrations.CreateModel(
            name='CustodyMove',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('number', models.PositiveIntegerField(help_text='Counts the moves of this key or seal.')),
                ('act', models.CharField(choices=[('out', 'taken out'), ('back', 'brought back'), ('placed', 'seal placed'), ('replaced', 'seal replaced'), ('broken', 'seal found broken')], max_length=8)),
                ('state', models.CharField(choices=[('home', 'home'), ('out', 'out'), ('missing', 'missing'), ('whole', 'whole'), ('broken', 'broken')], max_length=7)),
                ('purpose', models.CharField(max_length=120)),
                ('old_seal', models.CharField(blank=True, help_text='As it was read off the seal that came off.', max_length=30)),
                ('new_seal', models.CharField(blank=True, max_length=30)),
                ('differs', models.BooleanField(default=False, help_text='The number that came off is not the one that went on.')),
                ('person_name', models.CharField(max_length=100)),
                ('second_name', models.CharField(max_length=100)),
                ('at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
                ('due_at', models.DateTimeField(help_text='Out: when it has to be back.', null=True)),
                ('item', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='moves', to='tables.custodyitem')),
                ('person', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('second', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'ordering': ['id'],
                'constraints': [models.UniqueConstraint(fields=('item', 'number'), name='custody_move_once'), models.CheckConstraint(condition=models.Q(('person', models.F('second')), _negated=True), name='custody_takes_two_people'), models.CheckConstraint(condition=models.Q(('state__in', ['broken', 'home', 'out', 'whole'])), name='custody_state_follows')],
            },
        ),
        migrations.CreateModel(
            name='SlipBook',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('code', models.CharField(max_length=20)),
                ('prefix', models.CharField(help_text='What is printed before each number.', max_length=8)),
                ('digits', models.PositiveSmallIntegerField(help_text='With how many digits a number is printed.')),
                ('first', models.BigIntegerField()),
                ('last', models.BigIntegerField()),
                ('added_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
                ('added_by', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('premises', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='slip_books', to='jackpot.property')),
            ],
            options={
                'ordering': ['premises_id', 'code'],
                'constraints': [models.UniqueConstraint(fields=('premises', 'code'), name='slip_book_code_once'), models.CheckConstraint(condition=models.Q(('first__gte', 0), ('last__gte', models.F('first'))), name='slip_book_runs')],
            },
        ),
        migrations.CreateModel(
            name='SlipBookMove',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('number', models.PositiveIntegerField(help_text='Counts the moves of this book.')),
                ('act', models.CharField(choices=[('out', 'out'), ('back', 'back')], max_length=4)),
                ('pit', models.CharField(max_length=40)),
                ('next_blank', models.BigIntegerField(help_text='The first number that is still blank, as it was read in the book.')),
                ('person_name', models.CharField(max_length=100)),
                ('second_name', models.CharField(blank=True, max_length=100)),
                ('at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
                ('book', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='moves', to='tables.slipbook')),
                ('person', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('second', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'ordering': ['id'],
                'constraints': [models.UniqueConstraint(fields=('book', 'number'), name='slip_book_move_once'), models.CheckConstraint(condition=models.Q(models.Q(('person', models.F('second')), _negated=True), ('second__isnull', True), _connector='OR'), name='slip_book_move_of_two')],
            },
        ),
        migrations.CreateModel(
            name='Table',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('code', models.CharField(max_length=20, unique=True)),
                ('name', models.CharField(blank=True, max_length=60)),
                ('premises', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='tables', to='jackpot.property')),
                ('game', models.CharField(help_text='Code of the game pack, such as uth.', max_length=20)),
                ('seats', models.PositiveSmallIntegerField(default=7)),
                ('wager', jackpot.money_field.AmountField(help_text='Size of the progressive chip; of the first where there are several wagers.')),
                ('profile', models.CharField(choices=[('key', 'key profile'), ('card', 'card profile')], default='card', max_length=4)),
                ('bank', models.CharField(choices=[('house', 'the house banks'), ('player_dealer', 'a player banks')], default='house', max_length=13)),
                ('shuffler', models.CharField(blank=True, max_length=20)),
                ('deck_colours', django.contrib.postgres.fields.ArrayField(base_field=models.CharField(max_length=20), default=list, size=None)),
                ('drop_box', models.CharField(blank=True, max_length=20)),
                ('state', models.CharField(choices=[('open', 'open'), ('closed', 'closed'), ('held', 'held'), ('maintenance', 'maintenance')], default='open', max_length=12)),
                ('key_at_jph', models.CharField(blank=True, help_text='Number of the key that stands at JPH.', max_length=20)),
                ('held_why', models.CharField(blank=True, max_length=200)),
                ('for_people', models.BooleanField(default=False, help_text='Simulated players leave it to people.')),
                ('most_a_minute', models.PositiveSmallIntegerField(default=4, help_text='Rounds that can be dealt in a minute.')),
                ('most_in_ten', models.PositiveSmallIntegerField(default=20, help_text='Rounds that can be dealt in ten minutes.')),
                ('most_seats', models.PositiveSmallIntegerField(default=9, help_text='Seats that play in one round at most.')),
                ('wager_name', models.CharField(blank=True, help_text='Of the first wager, where there are several.', max_length=60)),
                ('wagers', models.PositiveSmallIntegerField(default=1, help_text='How many wagers it takes: the first and the further.')),
                ('games', django.contrib.postgres.fields.ArrayField(base_field=models.CharField(max_length=61), blank=True, db_default=[], default=list, help_text='Games declared beside the progressive, by bet and pay table, such as trips/UTH-02.', size=None)),
                ('unsettled', models.BigIntegerField(db_default=0, default=0, help_text='The round whose banked hand END waits for; 0: for none.')),
            ],
            options={
                'ordering': ['code'],
                'constraints': [models.CheckConstraint(condition=models.Q(('seats__gte', 1), ('seats__lte', 9)), name='table_has_one_to_nine_seats'), models.CheckConstraint(condition=models.Q(('wager__gt', 0)), name='table_wager_above_zero'), models.CheckConstraint(condition=models.Q(('wagers__gte', 1), ('wagers__lte', 9)), name='table_has_one_wager_to_nine')],
            },
        ),
        migrations.CreateModel(
            name='TableCheck',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('table', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='checks', to='tables.table')),
                ('item', models.CharField(choices=[('layout', 'the layout'), ('placard', 'the placard'), ('limits', 'the posted limits'), ('rule_card', 'the rule card')], max_length=10)),
                ('in_order', models.BooleanField()),
                ('at', models.DateTimeField()),
                ('gaming_day', models.DateField()),
                ('by', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('note', models.CharField(blank=True, max_length=200)),
                ('posted_minimum', models.PositiveIntegerField(help_text='Whole units of the currency, as posted.', null=True)),
                ('posted_maximum', models.PositiveIntegerField(null=True)),
                ('rule_sheet', models.CharField(blank=True, help_text='Rule set and option that the limits obey.', max_length=20)),
                ('terms', models.CharField(help_text="sha-256 of the table's terms at that moment.", max_length=64)),
                ('photo', models.BinaryField(null=True)),
                ('photo_type', models.CharField(blank=True, max_length=20)),
                ('photo_sha256', models.CharField(blank=True, max_length=64)),
                ('marks', django.contrib.postgres.fields.ArrayField(base_field=models.CharField(max_length=40), blank=True, db_default=[], default=list, help_text='Wagering areas and inscriptions that were read there, by code.', size=None)),
            ],
            options={
                'ordering': ['-id'],
                'indexes': [models.Index(fields=['table', 'item', '-id'], name='check_newest')],
                'constraints': [models.CheckConstraint(condition=models.Q(('in_order', False), ('photo__isnull', False), _connector='OR'), name='check_in_order_has_its_photo')],
            },
        ),
        migrations.CreateModel(
            name='Device',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('code', models.CharField(max_length=40, unique=True)),
                ('kind', models.CharField(choices=[('controller', 'table controller'), ('sign', 'sign'), ('coin_spot', 'coin spot')], max_length=12)),
                ('serial', models.CharField(blank=True, max_length=60)),
                ('version', models.CharField(blank=True, max_length=40)),
                ('contact', models.CharField(blank=True, max_length=100)),
                ('table', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='devices', to='tables.table')),
                ('sign', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='devices', to='tables.sign')),
                ('state', models.CharField(choices=[('waiting', 'waiting to be enrolled'), ('active', 'active'), ('blocked', 'blocked')], default='waiting', max_length=8)),
                ('secret', models.BinaryField(null=True)),
                ('secret_before', models.BinaryField(help_text='The secret before, while its grace lasts.', null=True)),
                ('enrol_hash', models.BinaryField(help_text='Keyed hash of the one-time code.', null=True)),
                ('enrol_expires_at', models.DateTimeField(null=True)),
                ('enrolled_at', models.DateTimeField(null=True)),
                ('connection', models.CharField(blank=True, help_text='Its newest connection; an older one is closed.', max_length=32)),
                ('last_seen_at', models.DateTimeField(null=True)),
                ('earlier_until', models.DateTimeField(help_text='Until when the secret before is heard.', null=True)),
                ('generation', models.PositiveIntegerField(default=0, help_text='Counts its secrets; every act says whose it is.')),
                ('last_sequence', models.BigIntegerField(default=0, help_text='The highest number that its newest secret spent on an act or a refusal.')),
                ('model', models.CharField(blank=True, help_text="Its maker's name for it; rules may differ by it.", max_length=60)),
                ('heard_sequence', models.BigIntegerField(db_default=0, default=0, help_text='The same of its beats and sensor maps, a second late.')),
                ('earlier_sequence', models.BigIntegerField(db_default=0, default=0, help_text='The highest number that the secret before spent on anything.')),
            ],
            options={
                'ordering': ['code'],
                'constraints': [models.UniqueConstraint(condition=models.Q(('enrol_hash__isnull', False)), fields=('enrol_hash',), name='device_enrol_code_once')],
            },
        ),
        migrations.CreateModel(
            name='TableDuty',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('table', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='duties', to='tables.table')),
                ('operator', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='duties', to=settings.AUTH_USER_MODEL)),
                ('card', models.ForeignKey(help_text='The badge that was read.', null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='jackpot.card')),
                ('began_at', models.DateTimeField()),
                ('ended_at', models.DateTimeField(null=True)),
            ],
            options={
                'verbose_name_plural': 'table duties',
                'constraints': [models.UniqueConstraint(condition=models.Q(('ended_at__isnull', True)), fields=('table',), name='duty_one_dealer_at_a_table')],
            },
        ),
        migrations.CreateModel(
            name='Link',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('table', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='links', to='tables.table')),
                ('jackpot', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='links', to='jackpot.jackpot')),
                ('level', models.PositiveSmallIntegerField(default=1)),
                ('wager', models.PositiveSmallIntegerField(default=1, help_text="Place of the table's wager that feeds it.")),
            ],
            options={
                'ordering': ['table_id', 'level'],
                'constraints': [models.UniqueConstraint(fields=('table', 'jackpot'), name='link_once'), models.UniqueConstraint(fields=('table', 'level'), name='link_level_once')],
            },
        ),
        migrations.CreateModel(
            name='RoundCards',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('table', models.ForeignKey(db_constraint=False, db_index=False, on_delete=django.db.models.deletion.DO_NOTHING, related_name='round_cards', to='tables.table')),
                ('number', models.BigIntegerField(help_text='Number of the round.')),
                ('revision', models.PositiveSmallIntegerField(help_text='1, 2, 3 …: the highest is what stands.')),
                ('board', models.CharField(blank=True, help_text='In dealing order: “Ah Kh Qh As Kd”.', max_length=14)),
                ('seats', models.JSONField(default=dict, help_text='Hole cards by seat: {“3”: “Jh Th”}.')),
                ('dealer', models.CharField(blank=True, help_text="The dealer's two, where a line needs them.", max_length=5)),
                ('seen', models.JSONField(default=dict, help_text='Who said “cards seen”, by seat.')),
                ('verdicts', models.JSONField(help_text="What they say of each seat by the round's versions: judged once, when they were entered.", null=True)),
                ('as_it_lies', models.BooleanField(default=False, help_text='A card lies twice on the felt and was entered so.')),
                ('by', models.CharField(max_length=100)),
                ('at', models.DateTimeField()),
            ],
            options={
                'verbose_name_plural': 'round cards',
                'ordering': ['table_id', 'number', 'revision'],
                'constraints': [models.UniqueConstraint(fields=('table', 'number', 'revision'), name='round_cards_revision_once'), models.CheckConstraint(condition=models.Q(('revision__gte', 1)), name='round_cards_revisions_start_at_one')],
            },
        ),
        migrations.CreateModel(
            name='OpenCase',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('kind', models.CharField(choices=[('parked', 'parked'), ('claimed', 'claimed late')], max_length=8)),
                ('table', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='cases', to='tables.table')),
                ('round_number', models.BigIntegerField()),
                ('reason', models.CharField(max_length=200)),
                ('evidence', models.CharField(blank=True, help_text='Where it can be seen: camera and time, a photo.', max_length=200)),
                ('executive', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('second', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('at', models.DateTimeField()),
            ],
            options={
                'ordering': ['id'],
                'constraints': [models.CheckConstraint(condition=models.Q(('kind', 'parked'), models.Q(('second__isnull', False), models.Q(('evidence', ''), _negated=True)), _connector='OR'), name='case_claimed_by_two_with_evidence'), models.CheckConstraint(condition=models.Q(('second__isnull', True), models.Q(('second', models.F('executive')), _negated=True), _connector='OR'), name='case_of_two_people')],
            },
        ),
        migrations.CreateModel(
            name='Round',
            fields=[
                ('pk', models.CompositePrimaryKey('table_id', 'number', blank=True, editable=False, primary_key=True, serialize=False)),
                ('table', models.ForeignKey(db_constraint=False, db_index=False, on_delete=django.db.models.deletion.DO_NOTHING, related_name='rounds', to='tables.table')),
                ('number', models.BigIntegerField()),
                ('revision', models.PositiveSmallIntegerField(default=1)),
                ('seats', models.CharField(blank=True, help_text='Seats with a chip of the first wager: “1256”.', max_length=9)),
                ('wager', jackpot.money_field.AmountField()),
                ('spots', models.CharField(blank=True, help_text='Sensor map as the controller saw it.', max_length=200)),
                ('device', models.ForeignKey(db_constraint=False, db_index=False, null=True, on_delete=django.db.models.deletion.DO_NOTHING, related_name='+', to='tables.device')),
                ('sequence', models.BigIntegerField(default=0, help_text="The device's last sequence spent on this round.")),
                ('dealer', models.ForeignKey(db_constraint=False, db_index=False, null=True, on_delete=django.db.models.deletion.DO_NOTHING, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('deck_colour', models.CharField(blank=True, max_length=20)),
                ('opened_at', models.DateTimeField()),
                ('gaming_day', models.DateField()),
                ('ended_at', models.DateTimeField(null=True)),
                ('state', models.CharField(choices=[('open', 'open'), ('ended', 'ended'), ('void', 'void')], default='open', max_length=5)),
                ('open_hits', models.PositiveSmallIntegerField(default=0)),
                ('request', models.BinaryField(help_text='sha-256 of what was asked.')),
                ('answer', models.TextField(help_text='What was answered; a repeat hears the same.')),
                ('kept_back', models.CharField(blank=True, db_default='', default='', help_text='Whether its coin-in was kept back: waiting, accepted, refused.', max_length=8)),
                ('played_at', models.DateTimeField(help_text='As its box noted it; empty where it was told at once.', null=True)),
                ('generation', models.IntegerField(help_text='Of the secret that spent that number.', null=True)),
            ],
            options={
                'ordering': ['table_id', '-number'],
                'constraints': [models.CheckConstraint(condition=models.Q(('number__gte', 1)), name='round_numbers_start_at_one')],
                'indexes': [django.contrib.postgres.indexes.BrinIndex(autosummarize=True, fields=['gaming_day'], name='round_of_a_day', pages_per_range=32)],
            },
        ),
        migrations.CreateModel(
            name='RoundEntry',
            fields=[
                ('pk', models.CompositePrimaryKey('table_id', 'number', 'revision', 'level', blank=True, editable=False, primary_key=True, serialize=False)),
                ('table', models.ForeignKey(db_constraint=False, db_index=False, on_delete=django.db.models.deletion.DO_NOTHING, related_name='+', to='tables.table')),
                ('number', models.BigIntegerField()),
                ('revision', models.PositiveSmallIntegerField()),
                ('level', models.PositiveSmallIntegerField(help_text="Place among the round's jackpots, 1 the highest.")),
                ('jackpot', models.ForeignKey(db_constraint=False, db_index=False, on_delete=django.db.models.deletion.DO_NOTHING, related_name='+', to='jackpot.jackpot')),
                ('seq', models.BigIntegerField()),
            ],
            options={
                'verbose_name_plural': 'round entries',
                'ordering': ['table_id', '-number', 'revision', 'level'],
            },
        ),
        migrations.CreateModel(
            name='SensorEvent',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('table', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='sensor_events', to='tables.table')),
                ('seat', models.PositiveSmallIntegerField()),
                ('alarm', models.CharField(choices=[('chip_after_lock', 'chip arrived after the lock'), ('removed_before_lock', 'chip removed before the lock'), ('stuck', 'sensor stuck'), ('silent', 'sensor silent against its neighbours')], max_length=20)),
                ('round_number', models.BigIntegerField(null=True)),
                ('at', models.DateTimeField()),
                ('details', models.CharField(blank=True, max_length=200)),
                ('wager', models.CharField(blank=True, help_text='Code of a further wager; empty for the first.', max_length=20)),
            ],
            options={
                'ordering': ['-id'],
            },
        ),
        migrations.CreateModel(
            name='TableCollection',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('begins', models.DateField()),
                ('basis', models.CharField(choices=[('hand', 'each hand'), ('player', 'each player in a hand'), ('half_hour', 'each half hour with a hand'), ('action', 'total action, by a schedule of the game'), ('none', 'nothing any more')], max_length=10)),
                ('fee', jackpot.money_field.AmountField(help_text='0 where a schedule of the game says it.')),
                ('rule_set', models.CharField(blank=True, max_length=20)),
                ('option', models.PositiveSmallIntegerField(default=0)),
                ('table', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='collections', to='tables.table')),
            ],
            options={
                'ordering': ['table_id', 'begins'],
                'constraints': [models.UniqueConstraint(fields=('table', 'begins'), name='collection_of_a_day_once')],
            },
        ),
        migrations.CreateModel(
            name='KeptBack',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('number', models.BigIntegerField(help_text='Of its round.')),
                ('why', models.CharField(help_text='What is not plausible about it.', max_length=80)),
                ('jackpots', django.contrib.postgres.fields.ArrayField(base_field=models.BigIntegerField(), help_text='Which its table fed then, the highest level first.', size=None)),
                ('chips', models.PositiveSmallIntegerField()),
                ('total', jackpot.money_field.AmountField()),
                ('played_at', models.DateTimeField()),
                ('at', models.DateTimeField()),
                ('state', models.CharField(choices=[('waiting', 'waiting'), ('accepted', 'accepted'), ('refused', 'refused')], default='waiting', max_length=8)),
                ('decided_at', models.DateTimeField(null=True)),
                ('reason', models.CharField(blank=True, max_length=200)),
                ('decided_by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('table', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='kept_back', to='tables.table')),
            ],
            options={
                'verbose_name_plural': 'coin-ins kept back',
                'ordering': ['table_id', 'number'],
                'indexes': [models.Index(condition=models.Q(('state', 'waiting')), fields=['table'], name='kept_back_waiting')],
                'constraints': [models.UniqueConstraint(fields=('table', 'number'), name='kept_back_once')],
            },
        ),
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
                ('shared', models.JSONField(db_default={}, default=dict, help_text='Players of each spot that more than one plays.')),
            ],
            options={
                'ordering': ['table_id', '-number'],
                'indexes': [models.Index(fields=['gaming_day'], name='banked_hand_by_day')],
                'constraints': [models.UniqueConstraint(fields=('table', 'number'), name='banked_hand_told_once'), models.CheckConstraint(condition=models.Q(('in_a_row__gte', 1), ('in_a_row__lte', 2)), name='bank_two_hands_in_a_row_at_most'), models.CheckConstraint(condition=models.Q(('action__gt', 0), ('bank_wager__gt', 0), ('fee__gte', 0)), name='banked_hand_has_action')],
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
                'constraints': [models.UniqueConstraint(fields=('hand', 'seat', 'wager'), name='spot_wager_once'), models.CheckConstraint(condition=models.Q(('amount__gt', 0)), name='spot_wager_above_zero')],
            },
        ),
        migrations.CreateModel(
            name='FurtherCoinIn',
            fields=[
                ('pk', models.CompositePrimaryKey('table_id', 'number', 'revision', 'place', blank=True, editable=False, primary_key=True, serialize=False)),
                ('table', models.ForeignKey(db_constraint=False, db_index=False, on_delete=django.db.models.deletion.DO_NOTHING, related_name='+', to='tables.table')),
                ('number', models.BigIntegerField()),
                ('revision', models.PositiveSmallIntegerField()),
                ('place', models.PositiveSmallIntegerField(help_text='Of the wager at its table, then.')),
                ('wager', models.CharField(help_text='Its code.', max_length=20)),
                ('chip', jackpot.money_field.AmountField()),
                ('seats', models.CharField(help_text='Seats with a chip of it, as digits: “26”.', max_length=9)),
                ('spots', models.CharField(blank=True, help_text='Its sensors as the controller saw them.', max_length=200)),
                ('jackpots', django.contrib.postgres.fields.ArrayField(base_field=models.BigIntegerField(), help_text='Which it fed then, by level.', size=None)),
            ],
            options={
                'verbose_name_plural': 'further coin-ins',
                'ordering': ['table_id', '-number', 'revision', 'place'],
                'constraints': [models.CheckConstraint(condition=models.Q(('place__gte', 2)), name='further_coin_in_from_two'), models.CheckConstraint(condition=models.Q(('seats', ''), _negated=True), name='further_coin_in_has_seats')],
            },
        ),
        migrations.CreateModel(
            name='FurtherWager',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('place', models.PositiveSmallIntegerField(help_text="Among the table's wagers; the first one is 1.")),
                ('code', models.CharField(help_text='As its controller names it.', max_length=20)),
                ('name', models.CharField(blank=True, max_length=60)),
                ('chip', jackpot.money_field.AmountField()),
                ('table', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='further_wagers', to='tables.table')),
            ],
            options={
                'ordering': ['table_id', 'place'],
                'constraints': [models.UniqueConstraint(fields=('table', 'place'), name='further_wager_place_once'), models.UniqueConstraint(fields=('table', 'code'), name='further_wager_code_once'), models.CheckConstraint(condition=models.Q(('place__gte', 2), ('place__lte', 9)), name='further_wager_from_two'), models.CheckConstraint(condition=models.Q(('chip__gt', 0)), name='further_chip_above_zero')],
            },
        ),
        migrations.CreateModel(
            name='RestoredTable',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('at', models.DateTimeField()),
                ('books_round', models.BigIntegerField(help_text='The last round that the restored books hold; 0 for none.')),
                ('books_slip', models.BigIntegerField(help_text='The last slip that they gave out; 0 for none.')),
                ('told_round', models.BigIntegerField(help_text='The last round that the box heard acknowledged.', null=True)),
                ('told_slip', models.BigIntegerField(null=True)),
                ('told_by', models.CharField(blank=True, max_length=40)),
                ('told_at', models.DateTimeField(null=True)),
                ('posted', models.PositiveIntegerField(default=0, help_text='Rounds posted from the journal of the box.')),
                ('clash', models.CharField(blank=True, help_text='The first round that the two tell differently.', max_length=120)),
                ('state', models.CharField(choices=[('silent', 'its box has not said what it knows'), ('missing', 'its box knows rounds that the books do not'), ('differs', 'its box and the books differ'), ('agrees', 'its box and the books agree'), ('accepted', 'accepted by two people'), ('replaced', 'asked anew after another restore')], default='silent', max_length=8)),
                ('request', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='jackpot.request')),
                ('table', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='restored', to='tables.table')),
            ],
            options={
                'ordering': ['-id'],
                'constraints': [models.UniqueConstraint(condition=models.Q(('state__in', ['silent', 'missing', 'differs'])), fields=('table',), name='one_open_comparison_a_table')],
            },
        ),
        migrations.CreateModel(
            name='HandSettlement',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('collected', jackpot.money_field.AmountField(help_text='Of losing wagers.')),
                ('paid', jackpot.money_field.AmountField(help_text='To winning wagers.')),
                ('uncovered', jackpot.money_field.AmountField(help_text="Due beyond the bank's wager: neither paid nor taken, it went back.")),
                ('at', models.DateTimeField()),
                ('request', models.BinaryField(help_text='sha-256 of what was told.')),
                ('dealer', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('device', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='tables.device')),
                ('hand', models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, related_name='settlement', to='tables.bankedhand')),
            ],
            options={
                'ordering': ['hand_id'],
                'constraints': [models.CheckConstraint(condition=models.Q(('collected__gte', 0), ('paid__gte', 0), ('uncovered__gte', 0)), name='hand_settled_from_zero_up')],
            },
        ),
        migrations.CreateModel(
            name='SettledWager',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('place', models.PositiveSmallIntegerField(help_text='In the order of settling.')),
                ('seat', models.PositiveSmallIntegerField()),
                ('wager', models.CharField(max_length=20)),
                ('stake', jackpot.money_field.AmountField()),
                ('due', jackpot.money_field.AmountField(help_text='By the cards: above zero it won, below zero it lost.')),
                ('moved', jackpot.money_field.AmountField(help_text="What of it the bank's wager covered.")),
                ('settlement', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='parts', to='tables.handsettlement')),
            ],
            options={
                'ordering': ['settlement_id', 'place'],
                'constraints': [models.UniqueConstraint(fields=('settlement', 'seat', 'wager'), name='wager_settled_once'), models.UniqueConstraint(fields=('settlement', 'place'), name='wagers_settled_in_order'), models.CheckConstraint(condition=models.Q(models.Q(('due__gte', 0), ('moved__gte', 0), ('moved__lte', models.F('due'))), models.Q(('due__lt', 0), ('moved__gte', models.F('due')), ('moved__lte', 0)), _connector='OR'), name='wager_moved_within_its_due')],
            },
        ),
        migrations.CreateModel(
            name='Outage',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('began_at', models.DateTimeField(help_text='The last word before.')),
                ('ended_at', models.DateTimeField(help_text='The first word after.')),
                ('table_state', models.CharField(help_text='Of the table when the box was heard again.', max_length=11)),
                ('device', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='outages', to='tables.device')),
                ('table', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='outages', to='tables.table')),
            ],
            options={
                'ordering': ['-id'],
                'indexes': [models.Index(fields=['table', '-began_at'], name='outage_of_a_table')],
                'constraints': [models.UniqueConstraint(fields=('device', 'began_at'), name='outage_of_a_device_once'), models.CheckConstraint(condition=models.Q(('ended_at__gt', models.F('began_at'))), name='outage_ends_later')],
            },
        ),
        migrations.CreateModel(
            name='HandSlip',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('number', models.BigIntegerField()),
                ('printed', models.CharField(help_text='The number as it stands on the slip.', max_length=20)),
                ('word', models.CharField(choices=[('used', 'used for a win'), ('void', 'void, all parts are in the book'), ('missing', 'missing')], max_length=7)),
                ('why', models.CharField(max_length=120)),
                ('amount', jackpot.money_field.AmountField(help_text='As it was written on the slip.', null=True)),
                ('written_at', models.DateTimeField(help_text='As it was written on the slip.', null=True)),
                ('written_by', models.CharField(blank=True, help_text='Who signed the slip.', max_length=100)),
                ('differs', models.BooleanField(default=False, help_text='The slip names another amount than the books.')),
                ('person_name', models.CharField(max_length=100)),
                ('second_name', models.CharField(blank=True, max_length=100)),
                ('at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
                ('outage', models.ForeignKey(help_text="The outage of the table's box that it was written in; empty: none is known of.", null=True, on_delete=django.db.models.deletion.PROTECT, related_name='hand_slips', to='tables.outage')),
                ('person', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('premises', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='jackpot.property')),
                ('second', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('win', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='hand_slips', to='jackpot.win')),
                ('book', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='slips', to='tables.slipbook')),
            ],
            options={
                'ordering': ['id'],
                'indexes': [models.Index(fields=['book', 'number'], name='hand_slip_by_number')],
                'constraints': [models.UniqueConstraint(condition=models.Q(('word__in', ['used', 'void'])), fields=('premises', 'printed'), name='hand_slip_once'), models.UniqueConstraint(condition=models.Q(('word', 'missing')), fields=('premises', 'printed'), name='hand_slip_missing_once'), models.UniqueConstraint(condition=models.Q(('win__isnull', False)), fields=('win',), name='hand_slip_of_a_win_once'), models.CheckConstraint(condition=models.Q(models.Q(('amount__gte', 0), ('win__isnull', False), ('word', 'used'), ('written_at__isnull', False)), models.Q(('amount__isnull', True), ('win__isnull', True), ('word__in', ['void', 'missing'])), _connector='OR'), name='hand_slip_used_for_a_win'), models.CheckConstraint(condition=models.Q(models.Q(('person', models.F('second')), _negated=True), ('second__isnull', True), _connector='OR'), name='hand_slip_of_two_people')],
            },
        ),
        migrations.CreateModel(
            name='PlayHour',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('begins_at', models.DateTimeField()),
                ('last_round', models.BigIntegerField(help_text='Up to which round of the table it was counted.')),
                ('rounds', models.PositiveIntegerField()),
                ('coin_in', jackpot.money_field.AmountField()),
                ('expected', jackpot.money_field.AmountField(help_text='The mean of its hours before; empty: they were too few.', null=True)),
                ('bound', jackpot.money_field.AmountField(help_text='From here on it is beyond reason.')),
                ('above', models.BooleanField()),
                ('table', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='play_hours', to='tables.table')),
            ],
            options={
                'ordering': ['-begins_at', 'table_id'],
                'indexes': [models.Index(condition=models.Q(('above', True)), fields=['begins_at'], name='play_hour_above')],
                'constraints': [models.UniqueConstraint(fields=('table', 'begins_at'), name='play_hour_once')],
            },
        ),
        migrations.AddField(
            model_name='table',
            name='jackpots',
            field=models.ManyToManyField(related_name='tables', through='tables.Link', to='jackpot.jackpot'),
        ),
        migrations.RunSQL(LAYOUT + PHOTO + "".join(STAYS.format(table=table) for table in STAY), migrations.RunSQL.noop),
        migrations.RunSQL(OWN_TABLE + OUTAGES + WORKER, "".join(f"DROP FUNCTION {name} CASCADE;" for name in FUNCTIONS)),
    ]
