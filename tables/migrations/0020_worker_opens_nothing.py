"""The worker closes a table that lost an approval; it opens none."""

from django.db import migrations

OPENS = """
CREATE TRIGGER tables_worker_opens_nothing BEFORE UPDATE ON tables_table FOR EACH ROW
  WHEN (session_user = 'fairmeter_worker' AND OLD.state <> NEW.state AND NEW.state <> 'closed')
  EXECUTE FUNCTION fairmeter_worker_resumes_nothing();
"""


class Migration(migrations.Migration):

    dependencies = [
        ('tables', '0019_outages'),
        ('jackpot', '0032_worker_moves_nothing'),
    ]

    operations = [migrations.RunSQL(OPENS, "DROP TRIGGER tables_worker_opens_nothing ON tables_table;")]
