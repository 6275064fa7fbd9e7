"""Which entries a round is counted on: rows of their own instead of a text that everybody cut up."""

import django.db.models.deletion
from django.db import migrations, models

GUARD = """
CREATE TRIGGER tables_roundentry_stays BEFORE UPDATE OR DELETE OR TRUNCATE ON tables_roundentry
  FOR EACH STATEMENT EXECUTE FUNCTION fairmeter_refuse_change();
"""


class Migration(migrations.Migration):
    dependencies = [("tables", "0001_initial"), ("jackpot", "0001_initial")]

    operations = [
        migrations.CreateModel(
            name="RoundEntry",
            fields=[
                (
                    "pk",
                    models.CompositePrimaryKey(
                        "table_id", "number", "revision", "level", blank=True, editable=False, primary_key=True,
                        serialize=False,
                    ),
                ),
                ("number", models.BigIntegerField()),
                ("revision", models.PositiveSmallIntegerField()),
                (
                    "level",
                    models.PositiveSmallIntegerField(help_text="Place among the round's jackpots, 1 the highest."),
                ),
                ("seq", models.BigIntegerField()),
                (
                    "jackpot",
                    models.ForeignKey(
                        db_constraint=False, db_index=False, on_delete=django.db.models.deletion.DO_NOTHING,
                        related_name="+", to="jackpot.jackpot",
                    ),
                ),
                (
                    "table",
                    models.ForeignKey(
                        db_constraint=False, db_index=False, on_delete=django.db.models.deletion.DO_NOTHING,
                        related_name="+", to="tables.table",
                    ),
                ),
            ],
            options={"ordering": ["table_id", "-number", "revision", "level"], "verbose_name_plural": "round entries"},
        ),
        migrations.RemoveField(model_name="round", name="entries"),
        migrations.RunSQL(GUARD, "DROP TRIGGER tables_roundentry_stays ON tables_roundentry"),
    ]
