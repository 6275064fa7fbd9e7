"""Files of evidence: kept once under their digest, never changed, never removed; and whose evidence each is."""

import django.db.models.deletion
import django.db.models.functions.datetime
from django.conf import settings
from django.db import migrations, models

# The digest is counted where the content lies: not even a fault of ours can keep another content under it.
GUARD = """
ALTER TABLE jackpot_evidencefile ADD CONSTRAINT evidence_is_what_its_digest_says
  CHECK (sha256 = encode(sha256(content), 'hex') AND size = octet_length(content));
ALTER TABLE jackpot_evidencefile ALTER COLUMN content SET STORAGE EXTERNAL;
CREATE TRIGGER jackpot_evidencefile_stays BEFORE UPDATE OR DELETE OR TRUNCATE ON jackpot_evidencefile
  FOR EACH STATEMENT EXECUTE FUNCTION fairmeter_refuse_change();
CREATE TRIGGER jackpot_requestevidence_stays BEFORE UPDATE OR DELETE OR TRUNCATE ON jackpot_requestevidence
  FOR EACH STATEMENT EXECUTE FUNCTION fairmeter_refuse_change();
"""
UNGUARD = """
DROP TRIGGER jackpot_requestevidence_stays ON jackpot_requestevidence;
DROP TRIGGER jackpot_evidencefile_stays ON jackpot_evidencefile;
ALTER TABLE jackpot_evidencefile DROP CONSTRAINT evidence_is_what_its_digest_says;
"""


class Migration(migrations.Migration):

    dependencies = [
        ('jackpot', '0006_one_time_code'),
    ]

    operations = [
        migrations.CreateModel(
            name='EvidenceFile',
            fields=[
                ('sha256', models.CharField(max_length=64, primary_key=True, serialize=False)),
                ('kind', models.CharField(choices=[('pdf', 'pdf'), ('png', 'png'), ('jpeg', 'jpeg'), ('text', 'text')], max_length=4)),
                ('size', models.PositiveIntegerField()),
                ('content', models.BinaryField()),
                ('kept_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
            ],
        ),
        migrations.AddField(
            model_name='property',
            name='evidence_files',
            field=models.BooleanField(default=False, help_text='Nobody signs a request without a file of evidence.'),
        ),
        migrations.CreateModel(
            name='RequestEvidence',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('name', models.CharField(max_length=120)),
                ('added_by_name', models.CharField(help_text='The name as it was then; people are compared by key.', max_length=100)),
                ('added_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
                ('added_by', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('file', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='uses', to='jackpot.evidencefile')),
                ('request', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='files', to='jackpot.request')),
            ],
            options={
                'ordering': ['id'],
                'constraints': [models.UniqueConstraint(fields=('request', 'file'), name='evidence_of_a_request_once')],
            },
        ),
        migrations.RunSQL(GUARD, UNGUARD),
    ]
