"""What the worker proves and packs for auditors."""

import django.db.models.deletion
import django.db.models.functions.datetime
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('accounting', '0004_explanation_request'),
        ('jackpot', '0009_trail_objects'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='AuditRun',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('kind', models.CharField(choices=[('proof', 'proof of the books'), ('parcel', 'parcel of a period')], max_length=6)),
                ('first', models.DateField(help_text='Of a parcel: its first gaming day.', null=True)),
                ('last', models.DateField(null=True)),
                ('asked_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
                ('state', models.CharField(choices=[('asked', 'waits for the worker'), ('working', 'under way'), ('done', 'done'), ('failed', 'failed')], default='asked', max_length=7)),
                ('taken_at', models.DateTimeField(help_text='Work that nobody finished is taken again after a while.', null=True)),
                ('part', models.CharField(blank=True, help_text='What is being read.', max_length=60)),
                ('rows_done', models.PositiveBigIntegerField(default=0)),
                ('rows_all', models.PositiveBigIntegerField(default=0)),
                ('done_at', models.DateTimeField(null=True)),
                ('findings', models.PositiveIntegerField(default=0)),
                ('sentence', models.CharField(blank=True, help_text='What came of it.', max_length=400)),
                ('answer', models.JSONField(default=dict, help_text='Of a proof its verdict, of a parcel its sections.')),
                ('file', models.CharField(blank=True, help_text='Below audit/ in the data folder.', max_length=200)),
                ('size', models.PositiveBigIntegerField(default=0)),
                ('sha256', models.CharField(blank=True, help_text='Of a parcel: the digest of its manifest.', max_length=64)),
                ('file_gone_at', models.DateTimeField(null=True)),
                ('asked_by', models.ForeignKey(help_text="Nobody: asked on the server's own console.", null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('premises', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='audit_runs', to='jackpot.property')),
            ],
            options={
                'ordering': ['-id'],
                'indexes': [models.Index(condition=models.Q(('state__in', ['asked', 'working'])), fields=['id'], name='audit_run_waiting')],
                'constraints': [models.CheckConstraint(condition=models.Q(models.Q(('first__isnull', True), ('kind', 'proof'), ('last__isnull', True)), models.Q(('first__isnull', False), ('kind', 'parcel'), ('last__gte', models.F('first'))), _connector='OR'), name='audit_parcel_has_its_days')],
            },
        ),
    ]
