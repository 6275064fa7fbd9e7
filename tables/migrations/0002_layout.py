"""How the busy tables lie on disk: a round is written twice, at the lock and at the end."""

from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("tables", "0001_initial"), ("jackpot", "0002_guards")]

    operations = [
        migrations.RunSQL(
            "ALTER TABLE tables_round SET (fillfactor = 70)", "ALTER TABLE tables_round RESET (fillfactor)"
        ),
    ]
