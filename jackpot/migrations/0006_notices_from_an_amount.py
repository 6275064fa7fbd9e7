"""A rule of notices may begin at an amount: of less nobody is told."""

from django.db import migrations

import jackpot.money_field


class Migration(migrations.Migration):
    dependencies = [("jackpot", "0005_underpayment")]

    operations = [
        migrations.AddField(
            "datednotice",
            "from_amount",
            jackpot.money_field.AmountField(
                help_text="Nobody is told of less than this, up or down. Empty: of whatever.", null=True
            ),
        ),
    ]
