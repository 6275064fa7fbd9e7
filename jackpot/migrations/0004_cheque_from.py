"""From which sum on a slip is paid by cheque: a setting of authority, dated as they all are."""

from django.db import migrations

import jackpot.money_field


class Migration(migrations.Migration):
    dependencies = [("jackpot", "0003_kept_alone")]

    operations = [
        migrations.AddField(
            "property",
            "cheque_from",
            jackpot.money_field.AmountField(
                help_text="From this sum on a slip is paid by cheque; empty: cash will do.", null=True
            ),
        ),
    ]
