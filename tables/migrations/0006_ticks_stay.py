"""What surveillance ticked off stays."""

from django.db import migrations

GUARD = """
CREATE TRIGGER tables_surveillancetick_stays BEFORE UPDATE OR DELETE OR TRUNCATE ON tables_surveillancetick
  FOR EACH STATEMENT EXECUTE FUNCTION fairmeter_refuse_change();
"""


class Migration(migrations.Migration):
    dependencies = [("tables", "0005_people_and_cameras")]

    operations = [
        migrations.RunSQL(GUARD, "DROP TRIGGER tables_surveillancetick_stays ON tables_surveillancetick"),
    ]
