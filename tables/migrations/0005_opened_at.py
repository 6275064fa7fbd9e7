"""When a table was opened last, stamped by the database: nothing can have been played there while it was closed."""

from django.db import migrations, models

_STAMPED = """
CREATE FUNCTION fairmeter_table_opened() RETURNS trigger LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  NEW.opened_at := CASE WHEN NEW.state = 'open' AND OLD.state NOT IN ('open', 'held')
                        THEN pg_catalog.clock_timestamp() ELSE OLD.opened_at END;
  RETURN NEW;
END $$;
REVOKE ALL ON FUNCTION fairmeter_table_opened() FROM PUBLIC;
CREATE TRIGGER tables_table_opened BEFORE UPDATE ON tables_table FOR EACH ROW
  WHEN ((OLD.state, OLD.opened_at) IS DISTINCT FROM (NEW.state, NEW.opened_at))
  EXECUTE FUNCTION fairmeter_table_opened();
"""
_NOT_STAMPED = "DROP TRIGGER tables_table_opened ON tables_table; DROP FUNCTION fairmeter_table_opened();"


class Migration(migrations.Migration):
    dependencies = [("tables", "0004_links_and_changes_wait")]

    operations = [
        migrations.AddField(
            "table",
            "opened_at",
            models.DateTimeField(
                help_text="When it was opened last, by the database; empty: it was never closed.", null=True
            ),
        ),
        migrations.RunSQL(_STAMPED, _NOT_STAMPED),
    ]
