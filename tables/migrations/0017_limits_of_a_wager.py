"""A limit sheet may speak of one kind of wager only."""

from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('jackpot', '0024_tick_or_record'),
        ('tables', '0016_settled_hands'),
    ]

    operations = [
        migrations.RemoveConstraint(
            model_name='enteredlimits',
            name='limits_entered_once_a_day',
        ),
        migrations.AddField(
            model_name='enteredlimits',
            name='wager',
            field=models.CharField(blank=True, db_default='', default='', help_text='Of one kind only, by its name; empty: of all.', max_length=20),
        ),
        migrations.AddConstraint(
            model_name='enteredlimits',
            constraint=models.UniqueConstraint(fields=('premises', 'game', 'code', 'wager', 'begins'), name='limits_entered_once_a_day'),
        ),
    ]
