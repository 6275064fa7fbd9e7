import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

# Names are carried over where they are one person's: a name that two people have, or nobody, stays a name only.
# Who paid was always signed with a key.
CARRY_OVER = """
UPDATE jackpot_win w SET payer_id = s.operator_id FROM jackpot_signature s WHERE s.win_id = w.id AND s.part = 'pay';
WITH known AS (
  SELECT coalesce(nullif(name, ''), username) AS name, min(id) AS id FROM jackpot_operator
   GROUP BY 1 HAVING count(*) = 1
)
UPDATE jackpot_win w SET marker_id = known.id FROM known WHERE known.name = w.marked_by;
"""


def _person() -> models.ForeignKey:
    return models.ForeignKey(
        null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL,
    )


class Migration(migrations.Migration):

    dependencies = [
        ('jackpot', '0016_authority'),
    ]

    operations = [
        migrations.AddField(model_name='win', name='asked_by', field=models.CharField(blank=True, max_length=100)),
        migrations.AddField(model_name='win', name='asker', field=_person()),
        migrations.AddField(
            model_name='win',
            name='marker',
            field=models.ForeignKey(help_text='Empty: nobody was badged in.', null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL),
        ),
        migrations.AddField(model_name='win', name='payer', field=_person()),
        migrations.AlterField(
            model_name='win',
            name='marked_by',
            field=models.CharField(help_text='The name as it was then; people are compared by key.', max_length=100),
        ),
        migrations.AlterField(
            model_name='signature',
            name='part',
            field=models.CharField(choices=[('approve', 'approved'), ('claim', 'opened as a late claim'), ('override', 'override'), ('cards', 'override of the cards'), ('pay', 'paid'), ('back_out', 'backed out'), ('difference', 'difference')], max_length=10),
        ),
        migrations.RunSQL(CARRY_OVER, migrations.RunSQL.noop),
    ]
