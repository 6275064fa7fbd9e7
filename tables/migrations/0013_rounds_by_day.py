"""A gaming day's rounds lie side by side: a few pages of index find them, and no coin-in pays for it."""

from django.db import migrations

BY_DAY = "CREATE INDEX round_by_day ON tables_round USING brin (gaming_day) WITH (pages_per_range = 32)"


class Migration(migrations.Migration):
    dependencies = [("tables", "0012_own_tables_stay")]

    operations = [migrations.RunSQL(BY_DAY, "DROP INDEX round_by_day")]
