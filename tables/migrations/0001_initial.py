"""The floor's tables, what the database itself refuses there, and how the busy ones lie on disk."""

import django.contrib.postgres.fields
import django.db.models.deletion
import jackpot.money_field
from django.conf import settings
from django.db import migrations, models

STAYS = """
CREATE TRIGGER {table}_stays BEFORE UPDATE OR DELETE OR TRUNCATE ON {table}
  FOR EACH STATEMENT EXECUTE FUNCTION fairmeter_refuse_change();
"""
STAY = (
    "tables_roundcards", "tables_opencase", "tables_surveillancetick", "tables_tablecheck", "tables_roundentry",
)

PHOTO = """
ALTER TABLE tables_tablecheck ADD CONSTRAINT check_digest_is_of_its_photo CHECK (
  photo IS NULL OR photo_sha256 = encode(sha256(photo), 'hex'));
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


class Migration(migrations.Migration):

    initial = True

    dependencies = [
        ('jackpot', '0001_initial'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='VersionRule',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('kind', models.CharField(choices=[('controller', 'table controller'), ('sign', 'sign'), ('coin_spot', 'coin spot')], max_length=12, unique=True)),
                ('rule', models.CharField(choices=[('exact', 'exactly'), ('minimum', 'at least')], max_length=8)),
                ('version', models.CharField(max_length=40)),
                ('keeps_closed', models.BooleanField(default=False, help_text='A table whose device fails the rule stays closed.')),
            ],
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
            name='Table',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('code', models.CharField(max_length=20, unique=True)),
                ('name', models.CharField(blank=True, max_length=60)),
                ('premises', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='tables', to='jackpot.property')),
                ('game', models.CharField(help_text='Code of the game pack, such as uth.', max_length=20)),
                ('seats', models.PositiveSmallIntegerField(default=7)),
                ('wager', jackpot.money_field.AmountField(help_text='Size of the progressive chip.')),
                ('profile', models.CharField(choices=[('key', 'key profile'), ('card', 'card profile')], default='card', max_length=4)),
                ('bank', models.CharField(choices=[('house', 'the house banks'), ('player_dealer', 'a player banks')], default='house', max_length=13)),
                ('shuffler', models.CharField(blank=True, max_length=20)),
                ('deck_colours', django.contrib.postgres.fields.ArrayField(base_field=models.CharField(max_length=20), default=list, size=None)),
                ('drop_box', models.CharField(blank=True, max_length=20)),
                ('state', models.CharField(choices=[('open', 'open'), ('closed', 'closed'), ('held', 'held'), ('maintenance', 'maintenance')], default='open', max_length=12)),
                ('key_at_jph', models.CharField(blank=True, help_text='Number of the key that stands at JPH.', max_length=20)),
                ('held_why', models.CharField(blank=True, max_length=200)),
                ('for_people', models.BooleanField(default=False, help_text='Simulated players leave it to people.')),
            ],
            options={
                'ordering': ['code'],
                'constraints': [models.CheckConstraint(condition=models.Q(('seats__gte', 1), ('seats__lte', 9)), name='table_has_one_to_nine_seats'), models.CheckConstraint(condition=models.Q(('wager__gt', 0)), name='table_wager_above_zero')],
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
                ('secret_before', models.BinaryField(help_text='Still valid while a new secret is being rolled out.', null=True)),
                ('enrol_hash', models.BinaryField(help_text='Keyed hash of the one-time code.', null=True)),
                ('enrol_expires_at', models.DateTimeField(null=True)),
                ('enrolled_at', models.DateTimeField(null=True)),
                ('connection', models.CharField(blank=True, help_text='Its newest connection; an older one is closed.', max_length=32)),
                ('last_seen_at', models.DateTimeField(null=True)),
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
            name='Round',
            fields=[
                ('pk', models.CompositePrimaryKey('table_id', 'number', blank=True, editable=False, primary_key=True, serialize=False)),
                ('table', models.ForeignKey(db_constraint=False, db_index=False, on_delete=django.db.models.deletion.DO_NOTHING, related_name='rounds', to='tables.table')),
                ('number', models.BigIntegerField()),
                ('revision', models.PositiveSmallIntegerField(default=1)),
                ('seats', models.CharField(blank=True, help_text='Seats with coin-in, as digits: “1256”.', max_length=9)),
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
            ],
            options={
                'ordering': ['table_id', '-number'],
                'constraints': [models.CheckConstraint(condition=models.Q(('number__gte', 1)), name='round_numbers_start_at_one')],
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
            ],
            options={
                'ordering': ['-id'],
            },
        ),
        migrations.AddField(
            model_name='table',
            name='jackpots',
            field=models.ManyToManyField(related_name='tables', through='tables.Link', to='jackpot.jackpot'),
        ),
        migrations.RunSQL("ALTER TABLE tables_round SET (fillfactor = 70)", migrations.RunSQL.noop),
        *(migrations.RunSQL(STAYS.format(table=table), migrations.RunSQL.noop) for table in STAY),
        migrations.RunSQL(PHOTO, migrations.RunSQL.noop),
        migrations.RunSQL(OWN_TABLE, "DROP FUNCTION fairmeter_own_table_stays() CASCADE"),
    ]
