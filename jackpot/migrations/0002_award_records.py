"""What a page prints becomes a record of its own version; how a slip was paid and an override become columns.

What an award pays is taken from its terms, where it stands as a number, and no longer from how it was spelt.
"""

from django.db import migrations, models

CARRY_OVER = """
WITH pays AS (
  SELECT v.id AS version_id, line ->> 'code' AS code,
         CASE WHEN line ? 'for_one' THEN jsonb_build_object('for_one', line -> 'for_one')
              ELSE jsonb_build_object('part', line -> 'part') END AS pays
    FROM jackpot_version v CROSS JOIN LATERAL jsonb_array_elements(v.terms::jsonb -> 'pay_table' -> 'lines') AS line
)
UPDATE jackpot_win w
   SET paid_method = coalesce(w.paper ->> 'method', ''), paid_cheque = coalesce(w.paper ->> 'cheque', ''),
       paid_window = coalesce(w.paper ->> 'window', ''), override = nullif(w.paper -> 'override', 'null'),
       paper = CASE WHEN w.paper ? 'wager' THEN jsonb_build_object(
         'version', 1, 'pays', own.pays, 'source', w.paper -> 'source', 'wager', w.paper -> 'wager',
         'basis', w.paper -> 'basis', 'order', w.paper -> 'order', 'freeze', w.paper -> 'freeze',
         'envy', coalesce(w.paper -> 'envy', 'false'),
         'drawn', jsonb_build_object(
           'seed', w.paper -> 'seed', 'reserve_released', w.paper -> 'reserve_released',
           'overflow_returned', w.paper -> 'overflow_returned', 'from_reserve', coalesce(w.paper -> 'from_reserve', '"0.00"'),
           'from_house', coalesce(w.paper -> 'from_house', '"0.00"'), 'advance', coalesce(w.paper -> 'advance', '"0.00"')),
         'next_row', CASE WHEN w.paper ? 'next_row' THEN w.paper -> 'next_row' || jsonb_build_object('pays', (
             SELECT other.pays FROM pays other
              WHERE other.version_id = w.version_id AND other.code = w.paper -> 'next_row' ->> 'code')) END,
         'cards', nullif(w.paper -> 'cards', 'null'), 'override', nullif(w.paper -> 'override', 'null'),
         'difference', (w.paper -> 'difference') - 'part',
         'meter', CASE WHEN w.paper ? 'meter_before' THEN jsonb_build_object(
           'before', w.paper -> 'meter_before', 'after', w.paper -> 'meter_after',
           'reserve_after', w.paper -> 'reserve_after') END
       ) END
  FROM pays own WHERE own.version_id = w.version_id AND own.code = w.line AND NOT coalesce(w.paper ? 'version', true)
"""


class Migration(migrations.Migration):

    dependencies = [
        ('jackpot', '0001_initial'),
    ]

    operations = [
        migrations.AddField(
            model_name='win',
            name='override',
            field=models.JSONField(help_text='Two people’s word for it in spite of its cards, and on which.', null=True),
        ),
        migrations.AddField(
            model_name='win',
            name='paid_cheque',
            field=models.CharField(blank=True, help_text='Number of the cheque.', max_length=40),
        ),
        migrations.AddField(
            model_name='win',
            name='paid_method',
            field=models.CharField(blank=True, max_length=20),
        ),
        migrations.AddField(
            model_name='win',
            name='paid_window',
            field=models.CharField(blank=True, help_text='The window that paid it.', max_length=40),
        ),
        migrations.AlterField(
            model_name='win',
            name='paper',
            field=models.JSONField(help_text='What its page prints: the record of its award, from approval on.', null=True),
        ),
        migrations.RunSQL(CARRY_OVER, migrations.RunSQL.noop),
    ]
