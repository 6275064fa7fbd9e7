"""A winner who was paid too little: asked for once at a time, of a win, and told to whoever a rule book names."""

import jackpot.money_field
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('jackpot', '0004_cheque_from'),
    ]

    operations = [
        migrations.AlterField(
            model_name='adjustment',
            name='ground',
            field=models.CharField(choices=[('malfunction', 'malfunction'), ('misdeal', 'misdeal or wrong hand'), ('reading', 'reading or counting error'), ('limit', 'limit'), ('removal', 'removal'), ('seed_recovery', 'seed recovery'), ('maintenance', 'maintenance'), ('end_of_game', 'end of the game'), ('order', 'order of the regulator'), ('backed_out', 'an earlier award was backed out'), ('sign', 'reading of a sign'), ('recount', 'chips counted again'), ('claim', 'claim of the player'), ('other', 'other')], max_length=20),
        ),
        migrations.AlterField(
            model_name='adjustment',
            name='reading',
            field=jackpot.money_field.AmountField(help_text='Retire: what the sign showed at the closing reading. Underpayment: what the meter must have been.', null=True),
        ),
        migrations.AlterField(
            model_name='datednotice',
            name='about',
            field=models.CharField(choices=[('adjust', 'adjust'), ('back_out', 'back_out'), ('difference', 'difference'), ('explanation', 'explanation'), ('retire', 'retire'), ('suspend', 'suspend'), ('terms', 'terms'), ('transfer', 'transfer'), ('underpayment', 'underpayment')], max_length=12),
        ),
        migrations.AlterField(
            model_name='entry',
            name='kind',
            field=models.CharField(choices=[('opening', 'seed posted'), ('take_over', 'taken over from another system'), ('coin_in', 'coin-in'), ('void', 'round voided'), ('recount', 'round counted again'), ('mark', 'hit marked'), ('unmark', 'mark taken back'), ('assign', 'seats of a lit key said'), ('ask', 'hit asked for'), ('release', 'asked for no longer'), ('outrank', 'outranked by a higher hand'), ('reject', 'hit not confirmed'), ('fall', 'hit void with its round'), ('park', 'hit parked, the table plays on'), ('claim', 'hit claimed after the round'), ('pass_queue', 'let pass the queue'), ('rejoin', 'in the queue again'), ('override', 'paid in spite of its cards'), ('log', 'win logged'), ('award', 'award'), ('advance', 'house advance: a dry meter began anew'), ('repay', 'house advance repaid'), ('pay', 'winner paid'), ('back_out', 'win backed out'), ('receipt', 'money paid in error came back'), ('configure', 'other terms in force'), ('adjust', 'adjustment'), ('difference', 'difference owed to a winner'), ('transfer_out', 'transferred to another jackpot'), ('transfer_in', 'transferred from another jackpot'), ('suspend', 'suspended'), ('resume', 'resumed'), ('retire', 'retired')], max_length=12),
        ),
        migrations.AlterField(
            model_name='notice',
            name='about',
            field=models.CharField(choices=[('adjust', 'the adjustment, with its evidence'), ('transfer', "the transfer of a jackpot's money"), ('suspend', 'the suspension of a jackpot'), ('retire', 'the retirement of a jackpot, and the day until which its money has another home'), ('back_out', 'the back-out of an award, with its evidence'), ('difference', "what was decided of a later winner's difference"), ('underpayment', 'the rest that a winner was paid too little'), ('terms', 'other terms of a jackpot'), ('explanation', 'a difference of a gaming day, and what explains it'), ('slip', 'the slip that nobody has claimed')], max_length=12),
        ),
        migrations.AddConstraint(
            model_name='request',
            constraint=models.UniqueConstraint(condition=models.Q(('kind', 'underpayment'), ('state__in', ['asked', 'previewed'])), fields=('win',), name='request_of_an_underpayment_once'),
        ),
        migrations.AddConstraint(
            model_name='request',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('kind', 'underpayment'), _negated=True), ('win__isnull', False), _connector='OR'), name='request_underpayment_has_its_win'),
        ),
    ]
