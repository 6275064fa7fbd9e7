"""How many kept-back rounds one person accepts a gaming day, over all tables of the house."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("jackpot", "0002_floor_changes")]

    operations = [
        migrations.AddField(
            "property",
            "kept_alone",
            models.PositiveIntegerField(
                default=60,
                help_text="Kept-back rounds one person accepts a day, over all tables; empty: no cap.",
                null=True,
            ),
        ),
    ]
