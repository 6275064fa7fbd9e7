"""What the first of two knew who accept books that went back; a case that was asked for before is asked for anew."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("jackpot", "0007_bad_beat_and_losers_order")]

    operations = [
        migrations.AddField(
            "wentback",
            "asked_seq",
            models.BigIntegerField(help_text="Up to where somebody remembered when it was asked for.", null=True),
        ),
    ]
