"""A look at a table's checklist is never changed, and its photo is the one that was taken."""

from django.db import migrations

GUARD = """
CREATE TRIGGER tables_tablecheck_stays BEFORE UPDATE OR DELETE OR TRUNCATE ON tables_tablecheck
  FOR EACH STATEMENT EXECUTE FUNCTION fairmeter_refuse_change();
ALTER TABLE tables_tablecheck ADD CONSTRAINT check_digest_is_of_its_photo CHECK (
  photo IS NULL OR photo_sha256 = encode(sha256(photo), 'hex'));
"""
UNDO = """
ALTER TABLE tables_tablecheck DROP CONSTRAINT check_digest_is_of_its_photo;
DROP TRIGGER tables_tablecheck_stays ON tables_tablecheck;
"""


class Migration(migrations.Migration):
    dependencies = [("tables", "0007_checklist"), ("jackpot", "0002_guards")]

    operations = [migrations.RunSQL(GUARD, UNDO)]
