import django.db.models.deletion
import django.db.models.functions.datetime
import jackpot.money_field
from django.conf import settings
from django.db import migrations, models

OLD_GUARDS_OFF = """
DROP TRIGGER jackpot_adjustment_stays ON jackpot_adjustment;
DROP TRIGGER jackpot_adjustment_stands ON jackpot_adjustment;
DROP TRIGGER jackpot_change_stays ON jackpot_change;
DROP TRIGGER jackpot_change_keeps_its_words ON jackpot_change;
DROP FUNCTION fairmeter_change_stays();
DROP TRIGGER jackpot_authoritychange_stays ON jackpot_authoritychange;
DROP TRIGGER jackpot_authoritychange_keeps_its_words ON jackpot_authoritychange;
DROP FUNCTION fairmeter_authority_stays();
"""

# What two people sign stays what they saw; what became of it is written beside it, once.
GUARDS = """
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
CREATE TRIGGER jackpot_requestentry_stays BEFORE UPDATE OR DELETE OR TRUNCATE ON jackpot_requestentry
  FOR EACH STATEMENT EXECUTE FUNCTION fairmeter_refuse_change();
"""
UNGUARD = """
DROP TRIGGER jackpot_requestentry_stays ON jackpot_requestentry;
DROP TRIGGER jackpot_authoritychange_stays ON jackpot_authoritychange;
DROP TRIGGER jackpot_termschange_stays ON jackpot_termschange;
DROP TRIGGER jackpot_adjustment_stays ON jackpot_adjustment;
DROP TRIGGER jackpot_request_stays ON jackpot_request;
DROP TRIGGER jackpot_authoritychange_keeps_its_words ON jackpot_authoritychange;
DROP TRIGGER jackpot_termschange_keeps_its_words ON jackpot_termschange;
DROP TRIGGER jackpot_adjustment_keeps_its_words ON jackpot_adjustment;
DROP TRIGGER jackpot_request_keeps_its_words ON jackpot_request;
DROP FUNCTION fairmeter_authority_stays();
DROP FUNCTION fairmeter_terms_stay();
DROP FUNCTION fairmeter_adjustment_stays();
DROP FUNCTION fairmeter_request_stays();
"""


class Migration(migrations.Migration):

    dependencies = [("jackpot", "0002_award_records")]

    operations = [
        migrations.RunSQL(OLD_GUARDS_OFF, migrations.RunSQL.noop),
        migrations.RemoveConstraint(model_name="win", name="win_difference_once"),
        migrations.RemoveConstraint(model_name="win", name="win_difference_of_two_people"),
        migrations.RemoveField(model_name="win", name="adjustment"),
        migrations.DeleteModel(name="Adjustment"),
        migrations.DeleteModel(name="Change"),
        migrations.DeleteModel(name="AuthorityChange"),
        migrations.CreateModel(
            name='Request',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('kind', models.CharField(help_text='What is asked for; docs/requests.md lists the kinds.', max_length=20)),
                ('number', models.PositiveIntegerField(default=0, help_text='1, 2, 3 … per kind and jackpot, or per kind and house; 0: people use its key.')),
                ('payload', models.JSONField(default=dict, help_text='What is asked for, of a kind without columns of its own.')),
                ('reason', models.CharField(help_text='Why it is asked for, in words.', max_length=200)),
                ('evidence', models.CharField(blank=True, max_length=200)),
                ('file_name', models.CharField(blank=True, max_length=120)),
                ('file_sha256', models.CharField(blank=True, max_length=64)),
                ('state', models.CharField(choices=[('asked', 'asked'), ('previewed', 'previewed'), ('refused', 'refused'), ('withdrawn', 'withdrawn'), ('signed', 'signed'), ('replaced', 'replaced'), ('in_force', 'in_force')], default='asked', max_length=10)),
                ('asked_by_name', models.CharField(help_text='The name as it was then; people are compared by key.', max_length=100)),
                ('asked_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
                ('previewed_at', models.DateTimeField(null=True)),
                ('findings', models.JSONField(default=list, help_text='What the preview found, frozen with the request.')),
                ('preview', models.JSONField(default=dict, help_text='Before and after, as whoever asked saw it.')),
                ('alone', models.BooleanField(default=False, help_text='It only takes authority away: one person is enough.')),
                ('decided_by_name', models.CharField(blank=True, max_length=100)),
                ('decided_at', models.DateTimeField(null=True)),
                ('decided_reason', models.CharField(blank=True, help_text='Why it was refused.', max_length=200)),
                ('withdrawn_by_name', models.CharField(blank=True, max_length=100)),
                ('withdrawn_at', models.DateTimeField(null=True)),
                ('withdrawn_reason', models.CharField(blank=True, max_length=200)),
                ('asked_by', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('card', models.ForeignKey(help_text='Read for the second signature.', null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='jackpot.card')),
                ('cause', models.ForeignKey(help_text='The request that this one follows from, such as the back-out that a difference comes of.', null=True, on_delete=django.db.models.deletion.PROTECT, related_name='decisions', to='jackpot.request')),
                ('decided_by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('jackpot', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='requests', to='jackpot.jackpot')),
                ('premises', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='requests', to='jackpot.property')),
                ('win', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='requests', to='jackpot.win')),
                ('withdrawn_by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'ordering': ['-id'],
            },
        ),
        migrations.CreateModel(
            name='AuthorityChange',
            fields=[
                ('request_ptr', models.OneToOneField(auto_created=True, on_delete=django.db.models.deletion.CASCADE, parent_link=True, primary_key=True, serialize=False, to='jackpot.request')),
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
            name='TermsChange',
            fields=[
                ('request_ptr', models.OneToOneField(auto_created=True, on_delete=django.db.models.deletion.CASCADE, parent_link=True, primary_key=True, serialize=False, to='jackpot.request')),
                ('terms', models.TextField(help_text='Canonical JSON of what is asked for; never changed.')),
                ('digest', models.CharField(max_length=64)),
                ('how', models.CharField(choices=[('next_reset', 'at the next reset'), ('at_once', 'at once')], default='next_reset', max_length=12)),
                ('questions', models.JSONField(default=dict, help_text='What its preview asks the laboratory, with the figures of the moment it was asked for.')),
                ('activated_at', models.DateTimeField(null=True)),
                ('activated_seq', models.BigIntegerField(help_text='The first entry under its version.', null=True)),
            ],
            options={
                'ordering': ['jackpot_id', 'number'],
            },
            bases=('jackpot.request',),
        ),
        migrations.CreateModel(
            name='RequestEntry',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('seq', models.BigIntegerField(help_text='Its number in the books of that jackpot.')),
                ('jackpot', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='jackpot.jackpot')),
                ('request', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='entries', to='jackpot.request')),
            ],
            options={
                'ordering': ['id'],
            },
        ),
        migrations.CreateModel(
            name='Adjustment',
            fields=[
                ('request_ptr', models.OneToOneField(auto_created=True, on_delete=django.db.models.deletion.CASCADE, parent_link=True, primary_key=True, serialize=False, to='jackpot.request')),
                ('pays', models.BooleanField(default=False, help_text='Difference: paid by a page of its own; else only noted.')),
                ('account', models.CharField(choices=[('meter', 'meter'), ('reserve', 'reserve'), ('house', 'house')], default='meter', max_length=10)),
                ('amount', jackpot.money_field.AmountField(help_text='Adjust: signed. Transfer: how much of the meter; empty: everything. Difference: as the back-out kept it.', null=True)),
                ('reading', jackpot.money_field.AmountField(help_text='Retire: what the sign showed at the closing reading.', null=True)),
                ('ground', models.CharField(choices=[('malfunction', 'malfunction'), ('misdeal', 'misdeal or wrong hand'), ('reading', 'reading or counting error'), ('limit', 'limit'), ('removal', 'removal'), ('seed_recovery', 'seed recovery'), ('maintenance', 'maintenance'), ('end_of_game', 'end of the game'), ('order', 'order of the regulator'), ('backed_out', 'an earlier award was backed out'), ('other', 'other')], max_length=20)),
                ('gaming_day', models.DateField(help_text='Of its entries.', null=True)),
                ('posted', models.JSONField(default=dict, help_text='Balances before and after, as they were posted.')),
                ('other', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='jackpot.jackpot')),
            ],
            options={
                'ordering': ['-id'],
            },
            bases=('jackpot.request',),
        ),
        migrations.AddField(
            model_name='win',
            name='adjustment',
            field=models.ForeignKey(help_text='Of a difference: the act of two people that owes it.', null=True, on_delete=django.db.models.deletion.PROTECT, related_name='pages', to='jackpot.adjustment'),
        ),
        migrations.AddConstraint(
            model_name='win',
            constraint=models.UniqueConstraint(condition=models.Q(('adjustment__isnull', False)), fields=('adjustment',), name='win_difference_once'),
        ),
        migrations.AddConstraint(
            model_name='win',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('adjustment__isnull', True), ('difference_of__isnull', True)), models.Q(('adjustment__isnull', False), ('difference_of__isnull', False)), _connector='OR'), name='win_difference_of_two_people'),
        ),
        migrations.AddField(
            model_name='authoritychange',
            name='whose',
            field=models.ForeignKey(help_text='The card whose level it is; empty: the settings of the house.', null=True, on_delete=django.db.models.deletion.PROTECT, related_name='authority_changes', to='jackpot.card'),
        ),
        migrations.AddField(
            model_name='termschange',
            name='before',
            field=models.ForeignKey(help_text='What it took the place of.', null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='jackpot.version'),
        ),
        migrations.AddField(
            model_name='termschange',
            name='stands_on',
            field=models.ForeignKey(help_text='In force when it was drafted.', on_delete=django.db.models.deletion.PROTECT, related_name='+', to='jackpot.version'),
        ),
        migrations.AddField(
            model_name='termschange',
            name='version',
            field=models.OneToOneField(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='change', to='jackpot.version'),
        ),
        migrations.AddIndex(
            model_name='request',
            index=models.Index(fields=['state', '-id'], name='request_inbox'),
        ),
        migrations.AddConstraint(
            model_name='request',
            constraint=models.UniqueConstraint(condition=models.Q(('number__gt', 0)), fields=('kind', 'premises', 'jackpot', 'number'), name='request_numbers_once', nulls_distinct=False),
        ),
        migrations.AddConstraint(
            model_name='request',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('state__in', ['in_force', 'replaced', 'signed']), _negated=True), ('alone', True), models.Q(('decided_by__isnull', False), models.Q(('decided_by', models.F('asked_by')), _negated=True)), _connector='OR'), name='request_of_two_people'),
        ),
        migrations.AddConstraint(
            model_name='request',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('state__in', ['asked', 'previewed']), _negated=True), models.Q(('decided_at__isnull', True), ('decided_by__isnull', True)), _connector='OR'), name='request_open_is_undecided'),
        ),
        migrations.AddConstraint(
            model_name='request',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('state', 'refused'), _negated=True), models.Q(('decided_at__isnull', False), ('decided_by__isnull', False)), _connector='OR'), name='request_refused_by_somebody'),
        ),
        migrations.AddConstraint(
            model_name='request',
            constraint=models.UniqueConstraint(condition=models.Q(('kind', 'terms'), ('state', 'signed')), fields=('jackpot',), name='request_one_version_waits'),
        ),
        migrations.AddConstraint(
            model_name='request',
            constraint=models.UniqueConstraint(condition=models.Q(('kind', 'back_out'), models.Q(('state__in', ['asked', 'previewed']), ('state__in', ['in_force', 'replaced', 'signed']), _connector='OR')), fields=('win',), name='request_backs_out_once'),
        ),
        migrations.AddConstraint(
            model_name='request',
            constraint=models.UniqueConstraint(condition=models.Q(('kind', 'difference'), ('state__in', ['asked', 'previewed'])), fields=('cause', 'win'), name='request_of_a_difference_once'),
        ),
        migrations.AddConstraint(
            model_name='request',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('kind', 'difference'), _negated=True), models.Q(('cause__isnull', False), ('win__isnull', False)), _connector='OR'), name='request_difference_has_its_cause'),
        ),
        migrations.AddConstraint(
            model_name='requestentry',
            constraint=models.UniqueConstraint(fields=('jackpot', 'seq'), name='request_entry_once'),
        ),
        migrations.RunSQL(GUARDS, UNGUARD),
    ]
