from __future__ import annotations

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("jackpot", "0017_front_place")]

    operations = [
        migrations.AddIndex(
            model_name="win",
            index=models.Index(
                condition=models.Q(("part", True)), fields=["jackpot", "moved_at"], name="win_part_by_time"
            ),
        ),
    ]
