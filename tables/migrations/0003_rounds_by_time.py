"""Rounds lie in the table in the order in which they were opened: a few pages of index find those of some days.

A BRIN index costs a coin-in nothing that can be measured, and `opened_at` never changes, so updates stay in their page.
"""

from __future__ import annotations

from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("tables", "0002_round_entries")]

    operations = [
        migrations.RunSQL(
            "CREATE INDEX round_by_time ON tables_round USING brin (opened_at) WITH (pages_per_range = 32)",
            "DROP INDEX round_by_time",
        ),
    ]
