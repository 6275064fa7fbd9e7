"""An open table that a limit sheet overtook rings."""

from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('accounting', '0009_alarms_of_locks'),
    ]

    operations = [
        migrations.AlterField(
            model_name='housealarm',
            name='kind',
            field=models.CharField(choices=[('device late', 'device late'), ('links down', 'links down'), ('sign differs', 'sign differs'), ('hit waits', 'hit waits'), ('hit waits long', 'hit waits long'), ('paper', 'paper'), ('queue', 'queue'), ('disk', 'disk'), ('standby', 'standby'), ('variance', 'variance'), ('stopped', 'stopped'), ('proof', 'proof'), ('numbers', 'numbers'), ('archive', 'archive'), ('card locked', 'card locked'), ('sign-in locked', 'sign-in locked'), ('limits', 'limits')], max_length=20),
        ),
    ]
