from django.db import migrations

# Who opened a late claim stands on its hits, so that neither of the two approves it.
SIGN_CLAIMS = """
INSERT INTO jackpot_signature (win_id, operator_id, card_id, level, part, at, why)
SELECT w.id, person.id, NULL, 0, 'claim', c.at, c.reason
  FROM tables_opencase c JOIN tables_table t ON t.id = c.table_id
  JOIN jackpot_win w ON w.table_code = t.code AND w.round_number = c.round_number AND w.marked_at >= c.at
 CROSS JOIN LATERAL (VALUES (c.executive_id), (c.second_id)) AS person (id)
 WHERE c.kind = 'claimed'
ON CONFLICT DO NOTHING
"""


class Migration(migrations.Migration):

    dependencies = [
        ('jackpot', '0017_people_are_keys'),
        ('tables', '0009_dealers_badge'),
    ]

    operations = [
        migrations.RunSQL(SIGN_CLAIMS, migrations.RunSQL.noop),
    ]
