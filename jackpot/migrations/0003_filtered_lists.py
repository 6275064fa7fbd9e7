"""Indexes that carry the filters by amount, day, moment and person of the API's lists."""

from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('jackpot', '0002_window_receipts'),
    ]

    operations = [
        migrations.AddIndex(
            model_name='adjustment',
            index=models.Index(fields=['amount'], name='adjustment_by_amount'),
        ),
        migrations.AddIndex(
            model_name='payment',
            index=models.Index(fields=['premises', 'paid_at'], name='payment_by_time'),
        ),
        migrations.AddIndex(
            model_name='payment',
            index=models.Index(fields=['premises', 'gross'], name='payment_by_amount'),
        ),
        migrations.AddIndex(
            model_name='request',
            index=models.Index(fields=['premises', 'asked_at'], name='request_by_time'),
        ),
        migrations.AddIndex(
            model_name='win',
            index=models.Index(fields=['gaming_day', 'id'], name='win_by_day'),
        ),
        migrations.AddIndex(
            model_name='win',
            index=models.Index(condition=models.Q(('amount__isnull', False)), fields=['amount'], name='win_by_amount'),
        ),
    ]
