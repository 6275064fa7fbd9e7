"""Which entries a round is counted on: rows of their own instead of a text that everybody cut up."""

import django.db.models.deletion
from django.db import migrations, models

# Of an earlier count the books still have the coin-ins; of the present one the round itself says them, in level order.
FILL = """
INSERT INTO tables_roundentry (table_id, number, revision, level, jackpot_id, seq)
SELECT r.table_id, r.number, r.revision, pair.level, split_part(pair.text, '/', 1)::bigint,
       split_part(pair.text, '/', 2)::bigint
  FROM tables_round r CROSS JOIN LATERAL unnest(string_to_array(r.entries, ' ')) WITH ORDINALITY AS pair(text, level);
INSERT INTO tables_roundentry (table_id, number, revision, level, jackpot_id, seq)
SELECT r.table_id, r.number, split_part(e.key, '/', 3)::smallint,
       row_number() OVER (PARTITION BY r.table_id, r.number, e.key ORDER BY e.jackpot_id), e.jackpot_id, e.seq
  FROM jackpot_entry e JOIN tables_table t ON t.code = e.table_code
  JOIN tables_round r ON r.table_id = t.id AND r.number = e.round_number
 WHERE e.kind = 'coin_in' AND r.revision > 1 AND split_part(e.key, '/', 3)::smallint < r.revision;
"""
EMPTY = """
UPDATE tables_round r SET entries = (
  SELECT coalesce(string_agg(e.jackpot_id || '/' || e.seq, ' ' ORDER BY e.level), '')
    FROM tables_roundentry e
   WHERE e.table_id = r.table_id AND e.number = r.number AND e.revision = r.revision);
"""
GUARD = """
CREATE TRIGGER tables_roundentry_stays BEFORE UPDATE OR DELETE OR TRUNCATE ON tables_roundentry
  FOR EACH STATEMENT EXECUTE FUNCTION fairmeter_refuse_change();
"""


class Migration(migrations.Migration):
    dependencies = [("tables", "0012_own_tables_stay"), ("jackpot", "0021_errands")]

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
        migrations.RunSQL(FILL, EMPTY),
        migrations.RemoveField(model_name="round", name="entries"),
        migrations.RunSQL(GUARD, "DROP TRIGGER tables_roundentry_stays ON tables_roundentry"),
    ]
