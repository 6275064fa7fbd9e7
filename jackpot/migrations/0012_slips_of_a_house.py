"""Slips are numbered by each property, so a slip is one of its property. Those given so far belong to their jackpot's."""

import django.db.models.deletion
from django.db import migrations, models

# The foreign key is looked at now: a table with looks outstanding cannot be altered.
FILL = """
UPDATE jackpot_win w SET premises_id = j.premises_id FROM jackpot_jackpot j
 WHERE j.id = w.jackpot_id AND w.slip IS NOT NULL;
SET CONSTRAINTS ALL IMMEDIATE;
"""


class Migration(migrations.Migration):

    dependencies = [
        ('jackpot', '0011_checklist_opens'),
    ]

    operations = [
        migrations.RemoveConstraint(
            model_name='win',
            name='win_slip_once',
        ),
        migrations.AlterField(
            model_name='win',
            name='slip',
            field=models.BigIntegerField(help_text='Slip number of the property, gapless, given at approval.', null=True),
        ),
        migrations.AddField(
            model_name='win',
            name='premises',
            field=models.ForeignKey(help_text='Whose slip it is.', null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='jackpot.property'),
        ),
        migrations.RunSQL(FILL, migrations.RunSQL.noop),
        migrations.AddConstraint(
            model_name='win',
            constraint=models.UniqueConstraint(condition=models.Q(('slip__isnull', False)), fields=('premises', 'slip'), name='win_slip_once'),
        ),
        migrations.AddConstraint(
            model_name='win',
            constraint=models.CheckConstraint(condition=models.Q(('slip__isnull', True), ('premises__isnull', False), _connector='OR'), name='win_slip_of_a_house'),
        ),
    ]
