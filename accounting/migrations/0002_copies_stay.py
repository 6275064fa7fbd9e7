"""A page and its copies are never changed. A print job is: it is queued, tried, sent."""

from django.db import migrations

GUARD = """
CREATE TRIGGER {table}_stays BEFORE UPDATE OR DELETE OR TRUNCATE ON {table}
  FOR EACH STATEMENT EXECUTE FUNCTION fairmeter_refuse_change();
"""

DIGEST = """
ALTER TABLE accounting_copy ADD CONSTRAINT copy_digest_is_of_its_bytes CHECK (
  sha256 = encode(sha256(content), 'hex'));
"""


class Migration(migrations.Migration):
    dependencies = [("accounting", "0001_win_pages"), ("jackpot", "0002_guards")]

    operations = [
        migrations.RunSQL(DIGEST, "ALTER TABLE accounting_copy DROP CONSTRAINT copy_digest_is_of_its_bytes"),
        *(
            migrations.RunSQL(GUARD.format(table=table), f"DROP TRIGGER {table}_stays ON {table}")
            for table in ("accounting_copy", "accounting_winpage")
        ),
    ]
