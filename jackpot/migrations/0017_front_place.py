"""A hit that two people let pass knows by which entry, so that the last word is first and both can take it back."""

from django.db import migrations, models

# What was let pass before this: the entry that noted it, for the hit and for both signatures.
FILL = """
UPDATE jackpot_win w SET front_seq = noted.seq
  FROM (SELECT jackpot_id, win_id, max(seq) AS seq FROM jackpot_entry
         WHERE kind = 'pass_queue' AND win_id IS NOT NULL GROUP BY jackpot_id, win_id) noted
 WHERE w.front AND noted.jackpot_id = w.jackpot_id AND noted.win_id = w.id;
UPDATE jackpot_signature s SET entry = w.front_seq FROM jackpot_win w WHERE w.id = s.win_id AND s.part = 'override';
"""
BACK = """
UPDATE jackpot_win SET front = true WHERE front_seq IS NOT NULL;
"""


class Migration(migrations.Migration):

    dependencies = [
        ('jackpot', '0016_authority'),
    ]

    operations = [
        migrations.AddField(
            model_name='win',
            name='front_seq',
            field=models.BigIntegerField(help_text='The entry by which an executive and a second person let it pass the queue.', null=True),
        ),
        migrations.AddField(
            model_name='signature',
            name='entry',
            field=models.BigIntegerField(help_text='Of a changed order: the entry that notes it.', null=True),
        ),
        migrations.RunSQL(FILL, BACK),
        migrations.RemoveField(
            model_name='win',
            name='front',
        ),
        migrations.RemoveConstraint(
            model_name='signature',
            name='signature_of_two_people',
        ),
        migrations.AddConstraint(
            model_name='signature',
            constraint=models.UniqueConstraint(fields=('win', 'operator', 'part', 'entry'), name='signature_of_two_people', nulls_distinct=False),
        ),
        migrations.AlterField(
            model_name='entry',
            name='kind',
            field=models.CharField(choices=[('opening', 'seed posted'), ('take_over', 'taken over from another system'), ('coin_in', 'coin-in'), ('void', 'round voided'), ('recount', 'round counted again'), ('mark', 'hit marked'), ('unmark', 'mark taken back'), ('assign', 'seats of a lit key said'), ('ask', 'hit asked for'), ('release', 'asked for no longer'), ('outrank', 'outranked by a higher hand'), ('reject', 'hit not confirmed'), ('fall', 'hit void with its round'), ('park', 'hit parked, the table plays on'), ('claim', 'hit claimed after the round'), ('pass_queue', 'let pass the queue'), ('rejoin', 'in the queue again'), ('override', 'paid in spite of its cards'), ('log', 'win logged'), ('award', 'award'), ('advance', 'house advance: a dry meter began anew'), ('repay', 'house advance repaid'), ('pay', 'winner paid'), ('back_out', 'win backed out'), ('configure', 'other terms in force'), ('adjust', 'adjustment'), ('difference', 'difference of a later winner'), ('transfer_out', 'transferred to another jackpot'), ('transfer_in', 'transferred from another jackpot'), ('suspend', 'suspended'), ('resume', 'resumed'), ('retire', 'retired')], max_length=12),
        ),
        migrations.AlterField(
            model_name='signature',
            name='part',
            field=models.CharField(choices=[('approve', 'approved'), ('override', 'override'), ('rejoin', 'back in the queue'), ('cards', 'override of the cards'), ('pay', 'paid'), ('back_out', 'backed out'), ('difference', 'difference')], max_length=10),
        ),
        migrations.AlterField(
            model_name='win',
            name='frozen_seq',
            field=models.BigIntegerField(help_text="The entry whose balances it counts from; from the approval on, its round's."),
        ),
        migrations.AlterField(
            model_name='win',
            name='mark_seq',
            field=models.BigIntegerField(help_text="Number of its mark in the books, or of its lit key's: its rank."),
        ),
    ]
