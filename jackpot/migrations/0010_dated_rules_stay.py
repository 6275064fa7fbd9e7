"""What a house declared from a day on is added to, never changed: pages printed again say the same."""

from django.db import migrations

GUARD = """
CREATE TRIGGER {table}_stays BEFORE UPDATE OR DELETE OR TRUNCATE ON {table}
  FOR EACH STATEMENT EXECUTE FUNCTION fairmeter_refuse_change();
"""


class Migration(migrations.Migration):
    dependencies = [("jackpot", "0009_shifts_and_tax")]

    operations = [
        migrations.RunSQL(GUARD.format(table=table), f"DROP TRIGGER {table}_stays ON {table}")
        for table in ("jackpot_datedshifts", "jackpot_datedtax")
    ]
