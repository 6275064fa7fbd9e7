"""The office's tables. A page and its copies are never changed; a print job is: queued, tried, sent."""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

STAYS = """
CREATE TRIGGER {table}_stays BEFORE UPDATE OR DELETE OR TRUNCATE ON {table}
  FOR EACH STATEMENT EXECUTE FUNCTION fairmeter_refuse_change();
"""
STAY = ("accounting_copy", "accounting_winpage")

DIGEST = """
ALTER TABLE accounting_copy ADD CONSTRAINT copy_digest_is_of_its_bytes CHECK (
  sha256 = encode(sha256(content), 'hex'));
"""


class Migration(migrations.Migration):

    initial = True

    dependencies = [
        ('jackpot', '0001_initial'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='Printer',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('code', models.CharField(max_length=30, unique=True)),
                ('kind', models.CharField(choices=[('folder', 'folder'), ('raw9100', 'raw port')], max_length=7)),
                ('address', models.CharField(help_text='A folder (in the data folder unless absolute), or host:port.', max_length=200)),
                ('form', models.CharField(choices=[('letter', 'letter'), ('a4', 'a4'), ('receipt', 'receipt')], max_length=7)),
                ('in_use', models.BooleanField(default=True)),
                ('premises', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='printers', to='jackpot.property')),
            ],
            options={
                'ordering': ['code'],
            },
        ),
        migrations.CreateModel(
            name='WinPage',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('slip', models.BigIntegerField(db_index=True)),
                ('made_at', models.DateTimeField()),
                ('win', models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, related_name='page', to='jackpot.win')),
            ],
        ),
        migrations.CreateModel(
            name='Copy',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('number', models.PositiveIntegerField(help_text='0 is the ORIGINAL; every further copy counts on.')),
                ('kind', models.CharField(choices=[('original', 'original'), ('reprint', 'reprint'), ('void', 'void')], max_length=8)),
                ('form', models.CharField(choices=[('letter', 'letter'), ('a4', 'a4'), ('receipt', 'receipt')], max_length=7)),
                ('reason', models.CharField(blank=True, max_length=200)),
                ('printed_by', models.CharField(max_length=100)),
                ('printed_at', models.DateTimeField()),
                ('sha256', models.CharField(help_text='Digest of the bytes.', max_length=64)),
                ('content', models.BinaryField(help_text='A PDF; a picture of 203 dots an inch for a receipt.')),
                ('person', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('page', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='copies', to='accounting.winpage')),
            ],
            options={
                'verbose_name_plural': 'copies',
                'ordering': ['page_id', 'number'],
            },
        ),
        migrations.CreateModel(
            name='PrintJob',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('state', models.CharField(choices=[('queued', 'waiting'), ('sent', 'sent'), ('failed', 'not sent yet; tried again'), ('givenup', 'given up after a day; print it again')], default='queued', max_length=7)),
                ('tries', models.PositiveIntegerField(default=0)),
                ('last_error', models.CharField(blank=True, max_length=300)),
                ('due_at', models.DateTimeField(help_text='Not tried before this moment.')),
                ('sent_at', models.DateTimeField(null=True)),
                ('copy', models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, related_name='job', to='accounting.copy')),
                ('printer', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='jobs', to='accounting.printer')),
            ],
            options={
                'ordering': ['id'],
                'indexes': [models.Index(condition=models.Q(('state__in', ['queued', 'failed'])), fields=['due_at'], name='print_job_waiting')],
            },
        ),
        migrations.AddConstraint(
            model_name='copy',
            constraint=models.UniqueConstraint(fields=('page', 'number'), name='copy_numbers_once'),
        ),
        migrations.AddConstraint(
            model_name='copy',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('kind', 'original'), ('number', 0)), models.Q(('number__gt', 0), models.Q(('kind', 'original'), _negated=True)), _connector='OR'), name='copy_zero_is_the_original'),
        ),
        migrations.AddConstraint(
            model_name='copy',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('kind', 'reprint'), _negated=True), models.Q(('reason', ''), _negated=True), _connector='OR'), name='copy_reprint_has_reason'),
        ),
        migrations.RunSQL(DIGEST, "ALTER TABLE accounting_copy DROP CONSTRAINT copy_digest_is_of_its_bytes"),
        *(migrations.RunSQL(STAYS.format(table=table), f"DROP TRIGGER {table}_stays ON {table}") for table in STAY),
    ]
