"""Whom a house has to tell of what, by when: its dated rules, and the notices that came of them."""

import django.db.models.deletion
import django.db.models.functions.datetime
from django.conf import settings
from django.db import migrations, models

# What is due stays; that it was done is written once.
GUARD = """
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
CREATE TRIGGER jackpot_datednotice_stays BEFORE UPDATE OR DELETE OR TRUNCATE ON jackpot_datednotice
  FOR EACH STATEMENT EXECUTE FUNCTION fairmeter_refuse_change();
"""
UNGUARD = """
DROP TRIGGER jackpot_datednotice_stays ON jackpot_datednotice;
DROP TRIGGER jackpot_notice_stays ON jackpot_notice;
DROP TRIGGER jackpot_notice_keeps_its_words ON jackpot_notice;
DROP FUNCTION fairmeter_notice_stays();
"""


class Migration(migrations.Migration):

    dependencies = [
        ('jackpot', '0007_evidence'),
    ]

    operations = [
        migrations.CreateModel(
            name='DatedNotice',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('begins', models.DateField(help_text='First gaming day.')),
                ('about', models.CharField(choices=[('adjust', 'adjust'), ('back_out', 'back_out'), ('difference', 'difference'), ('explanation', 'explanation'), ('retire', 'retire'), ('suspend', 'suspend'), ('terms', 'terms'), ('transfer', 'transfer')], max_length=12)),
                ('to', models.CharField(max_length=60)),
                ('owner', models.CharField(help_text='Code of the role that tells them.', max_length=40)),
                ('within_hours', models.PositiveIntegerField(help_text='Empty: from that day on nobody has to be told.', null=True)),
                ('premises', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='notice_rules', to='jackpot.property')),
            ],
            options={
                'verbose_name_plural': 'dated rules of notices',
                'ordering': ['premises_id', 'begins', 'id'],
                'constraints': [models.UniqueConstraint(fields=('premises', 'begins', 'about', 'to'), name='notice_rule_begins_once_a_day')],
            },
        ),
        migrations.CreateModel(
            name='Notice',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('about', models.CharField(choices=[('adjust', 'the adjustment, with its evidence'), ('transfer', "the transfer of a jackpot's money"), ('suspend', 'the suspension of a jackpot'), ('retire', 'the retirement of a jackpot, and the day until which its money has another home'), ('back_out', 'the back-out of an award, with its evidence'), ('difference', "what was decided of a later winner's difference"), ('terms', 'other terms of a jackpot'), ('explanation', 'a difference of a gaming day, and what explains it'), ('slip', 'the slip that nobody has claimed')], max_length=12)),
                ('to', models.CharField(help_text='Who has to be told.', max_length=60)),
                ('owner', models.CharField(blank=True, help_text='The role that tells them; empty: the window.', max_length=40)),
                ('subject', models.CharField(help_text='What it is about, in one line.', max_length=120)),
                ('raised_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
                ('due_at', models.DateTimeField()),
                ('done_by_name', models.CharField(blank=True, max_length=100)),
                ('done_at', models.DateTimeField(null=True)),
                ('note', models.CharField(blank=True, help_text='How they were told: a letter, its number, a call.', max_length=200)),
                ('done_by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('premises', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='notices', to='jackpot.property')),
                ('request', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='notices', to='jackpot.request')),
                ('win', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='due_notices', to='jackpot.win')),
            ],
            options={
                'ordering': ['due_at', 'id'],
                'indexes': [models.Index(fields=['premises', 'done_at', 'due_at'], name='notice_by_due')],
                'constraints': [models.UniqueConstraint(fields=('request', 'to'), name='notice_of_a_request_once'), models.UniqueConstraint(fields=('win',), name='notice_of_a_slip_once'), models.CheckConstraint(condition=models.Q(models.Q(('request__isnull', False), ('win__isnull', True)), models.Q(('request__isnull', True), ('win__isnull', False)), _connector='OR'), name='notice_is_about_one_thing'), models.CheckConstraint(condition=models.Q(models.Q(('done_at__isnull', True), ('done_by__isnull', True), ('note', '')), models.Q(('done_at__isnull', False), ('done_by__isnull', False), models.Q(('note', ''), _negated=True)), _connector='OR'), name='notice_done_by_somebody_somehow')],
            },
        ),
        migrations.RunSQL(GUARD, UNGUARD),
    ]
