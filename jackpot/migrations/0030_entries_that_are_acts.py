"""The acts of a book in their order, without its coin-ins: no coin-in stands in this index, so none writes it."""

from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('jackpot', '0029_unapproved_closes'),
    ]

    operations = [
        migrations.AddIndex(
            model_name='entry',
            index=models.Index(condition=models.Q(('kind', 'coin_in'), _negated=True), fields=['jackpot', 'seq'], name='entry_acts'),
        ),
    ]
