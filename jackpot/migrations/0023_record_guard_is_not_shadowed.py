"""The guard of tax records looks at the real tables, also in a session that has tables of its own by their names."""

from django.db import migrations

HAS_ITS_RECORD = """
CREATE OR REPLACE FUNCTION fairmeter_payment_has_its_record() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.reported AND EXISTS (SELECT FROM public.jackpot_datedtax t WHERE t.id = NEW.tax_rule_id AND t.form <> '')
     AND NOT EXISTS (SELECT FROM public.jackpot_taxrecord r JOIN public.jackpot_payee p ON p.record_id = r.id
                      WHERE r.payment_id = NEW.id) THEN
    RAISE EXCEPTION 'payment of slip % is reported and has no tax record', NEW.slip USING ERRCODE = 'check_violation';
  END IF;
  RETURN NULL;
END $$;
"""


class Migration(migrations.Migration):

    dependencies = [
        ('jackpot', '0022_passkeys'),
    ]

    operations = [
        migrations.RunSQL(HAS_ITS_RECORD, migrations.RunSQL.noop),
    ]
