"""Tokens, webhooks and mailboxes for reports are opened by what two people signed; those of before stay as they are."""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

# Whoever writes such a row names the signed request of two people, and writes no other words than theirs.
WAYS_OUT = """
CREATE FUNCTION fairmeter_way_out_by_two() RETURNS trigger LANGUAGE plpgsql AS $$ DECLARE signed jsonb; BEGIN
  SELECT r.payload INTO signed FROM public.jackpot_request r
   WHERE r.id = NEW.request_id AND r.kind = TG_ARGV[0] AND r.premises_id = NEW.premises_id AND r.state = 'in_force'
     AND r.decided_by_id <> r.asked_by_id;
  IF signed IS NULL OR NOT to_jsonb(NEW) @> jsonb_build_object('name', signed -> 'name')
     OR signed ? 'address' AND to_jsonb(NEW) -> 'address' IS DISTINCT FROM signed -> 'address'
     OR signed ? 'scopes' AND NOT (signed -> 'scopes' @> (to_jsonb(NEW) -> 'scopes'))
     OR signed ? 'kinds' AND NOT (signed -> 'kinds' @> (to_jsonb(NEW) -> 'kinds'))
  THEN
    RAISE EXCEPTION 'A way out of the house is opened by what two people signed, in their words.'
      USING ERRCODE = 'integrity_constraint_violation';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER accounting_programtoken_by_two BEFORE INSERT ON accounting_programtoken
  FOR EACH ROW EXECUTE FUNCTION fairmeter_way_out_by_two('program_token');
CREATE TRIGGER accounting_webhook_by_two BEFORE INSERT ON accounting_webhook
  FOR EACH ROW EXECUTE FUNCTION fairmeter_way_out_by_two('webhook');
CREATE TRIGGER accounting_reportmailbox_by_two BEFORE INSERT ON accounting_reportmailbox
  FOR EACH ROW EXECUTE FUNCTION fairmeter_way_out_by_two('report_mailbox');
CREATE FUNCTION fairmeter_way_out_keeps_its_request() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  IF to_jsonb(NEW) -> 'request_id' IS DISTINCT FROM to_jsonb(OLD) -> 'request_id'
     OR to_jsonb(NEW) -> 'shown_to_id' IS DISTINCT FROM to_jsonb(OLD) -> 'shown_to_id'
  THEN
    RAISE EXCEPTION 'Who signed for it, and who was shown it, stays.' USING ERRCODE = 'restrict_violation';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER accounting_programtoken_keeps_its_request BEFORE UPDATE OF request_id, shown_to_id
  ON accounting_programtoken FOR EACH ROW EXECUTE FUNCTION fairmeter_way_out_keeps_its_request();
CREATE TRIGGER accounting_webhook_keeps_its_request BEFORE UPDATE OF request_id
  ON accounting_webhook FOR EACH ROW EXECUTE FUNCTION fairmeter_way_out_keeps_its_request();
CREATE TRIGGER accounting_reportmailbox_keeps_its_request BEFORE UPDATE OF request_id
  ON accounting_reportmailbox FOR EACH ROW EXECUTE FUNCTION fairmeter_way_out_keeps_its_request();
"""
NO_WAYS_OUT = """
DROP FUNCTION fairmeter_way_out_by_two() CASCADE;
DROP FUNCTION fairmeter_way_out_keeps_its_request() CASCADE;
"""


class Migration(migrations.Migration):

    dependencies = [
        ('accounting', '0002_report_mailboxes'),
        ('jackpot', '0008_asked_knowing'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.AddField(
            model_name='programtoken',
            name='ended_with',
            field=models.ForeignKey(help_text='Whose dismissal ended it.', null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL),
        ),
        migrations.AddField(
            model_name='programtoken',
            name='request',
            field=models.OneToOneField(help_text='What two people signed.', null=True, on_delete=django.db.models.deletion.PROTECT, related_name='program_token', to='jackpot.request'),
        ),
        migrations.AddField(
            model_name='programtoken',
            name='shown_to',
            field=models.ForeignKey(help_text='Who of the two read it, and might have kept it.', null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL),
        ),
        migrations.AddField(
            model_name='reportmailbox',
            name='request',
            field=models.OneToOneField(help_text='What two people signed.', null=True, on_delete=django.db.models.deletion.PROTECT, related_name='report_mailbox', to='jackpot.request'),
        ),
        migrations.AddField(
            model_name='webhook',
            name='request',
            field=models.OneToOneField(help_text='What two people signed.', null=True, on_delete=django.db.models.deletion.PROTECT, related_name='webhook', to='jackpot.request'),
        ),
        migrations.RunSQL(WAYS_OUT, NO_WAYS_OUT),
    ]
