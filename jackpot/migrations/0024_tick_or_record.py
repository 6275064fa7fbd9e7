"""A reported payment has the payer's tick or a tax record with its payee; where the rule names a form, the record.

So a tick that nobody gave need not be sealed. A check of one row cannot see the record: the guard at the commit does.
"""

from django.db import migrations

GUARD = """
CREATE OR REPLACE FUNCTION fairmeter_payment_has_its_record() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.reported
     AND (NOT NEW.form_seen
          OR EXISTS (SELECT FROM public.jackpot_datedtax t WHERE t.id = NEW.tax_rule_id AND t.form <> ''))
     AND NOT EXISTS (SELECT FROM public.jackpot_taxrecord r JOIN public.jackpot_payee p ON p.record_id = r.id
                      WHERE r.payment_id = NEW.id) THEN
    RAISE EXCEPTION 'payment of slip % is reported and has no tax record', NEW.slip USING ERRCODE = 'check_violation';
  END IF;
  RETURN NULL;
END $$;
"""


class Migration(migrations.Migration):

    dependencies = [
        ('jackpot', '0023_record_guard_is_not_shadowed'),
    ]

    operations = [
        migrations.RunSQL(GUARD, migrations.RunSQL.noop),
        migrations.RemoveConstraint(model_name='payment', name='payment_has_its_form'),
    ]
