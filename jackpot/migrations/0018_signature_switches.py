from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('jackpot', '0017_people_are_keys'),
    ]

    operations = [
        migrations.AddField(
            model_name='property',
            name='both_need_level',
            field=models.BooleanField(default=False, help_text='Of two people both need the level of the sum.'),
        ),
        migrations.AddField(
            model_name='property',
            name='old_rounds_need_two',
            field=models.BooleanField(default=True, help_text='A round of an earlier gaming day is voided or counted again by two people.'),
        ),
    ]
