"""A jackpot knows how often what feeds it was changed, so that nobody who remembers the floor believes yesterday's."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("jackpot", "0001_version_0_1")]

    operations = [
        migrations.AddField(
            "jackpot",
            "floor_changes",
            models.BigIntegerField(
                db_default=0,
                default=0,
                help_text="How often a table, link, wager, dealer or device that feeds it was changed.",
            ),
        ),
    ]
