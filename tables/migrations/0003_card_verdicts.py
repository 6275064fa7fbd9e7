"""What the cards of a hand say is written when they are entered."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("tables", "0002_round_entries")]

    operations = [
        migrations.AddField(
            model_name="roundcards",
            name="verdicts",
            field=models.JSONField(
                help_text="What they say of each seat by the round's versions: judged once, when they were entered.",
                null=True,
            ),
        ),
    ]
