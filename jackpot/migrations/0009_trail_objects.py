"""The trail names its objects by kind and key and its people by key; stored answers leave it."""

import django.db.models.deletion
import django.db.models.functions.datetime
from django.conf import settings
from django.db import migrations, models


BY_WORDS = r"""
CREATE INDEX trail_by_words ON jackpot_trail USING gin (to_tsvector('simple', regexp_replace(
  actor || ' ' || act || ' ' || object_key || ' ' || subject || ' ' || why, '[^[:alnum:]]+', ' ', 'g')));
"""

# Answers kept for repeats were lines of the trail, which is kept for ever: they go to a table of their own, with a life.
# The trail's guard refuses everybody; here, and here alone, its owner lifts it for these lines and closes it again.
MOVE = """
INSERT INTO jackpot_storedanswer (actor, key, asked, answer, at)
SELECT DISTINCT ON (actor, subject) actor, left(substr(subject, 5), 60), details ->> 'asked', details -> 'answer', at
  FROM jackpot_trail WHERE act = 'answer_once' ORDER BY actor, subject, id DESC
ON CONFLICT DO NOTHING;
ALTER TABLE jackpot_trail DISABLE TRIGGER jackpot_trail_stays;
DELETE FROM jackpot_trail WHERE act = 'answer_once';
ALTER TABLE jackpot_trail ENABLE TRIGGER jackpot_trail_stays;
"""
MOVE_BACK = """
INSERT INTO jackpot_trail (at, actor, act, object_kind, object_key, subject, outcome, why, details)
SELECT at, actor, 'answer_once', '', '', 'key ' || key, 'done', '', jsonb_build_object('asked', asked, 'answer', answer)
  FROM jackpot_storedanswer ORDER BY at;
"""


class Migration(migrations.Migration):

    dependencies = [
        ('jackpot', '0008_notices'),
    ]

    operations = [
        migrations.CreateModel(
            name='StoredAnswer',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('actor', models.CharField(max_length=80)),
                ('key', models.CharField(max_length=60)),
                ('asked', models.CharField(help_text='Digest of what was asked for.', max_length=64)),
                ('answer', models.JSONField()),
                ('at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), db_index=True)),
            ],
        ),
        migrations.AddField(
            model_name='trail',
            name='object_key',
            field=models.CharField(blank=True, max_length=80),
        ),
        migrations.AddField(
            model_name='trail',
            name='object_kind',
            field=models.CharField(blank=True, choices=[('slip', 'slip'), ('round', 'round'), ('jackpot', 'jackpot'), ('terms', 'terms'), ('table', 'table'), ('device', 'device'), ('sign', 'sign'), ('printer', 'printer'), ('person', 'person'), ('role', 'role'), ('key', 'key'), ('request', 'request'), ('day', 'day'), ('property', 'property'), ('report', 'report'), ('pay table', 'pay table'), ('errand', 'errand'), ('parcel', 'parcel'), ('proof', 'proof')], max_length=12),
        ),
        migrations.AddField(
            model_name='trail',
            name='person',
            field=models.ForeignKey(db_constraint=False, db_index=False, null=True, on_delete=django.db.models.deletion.DO_NOTHING, related_name='+', to=settings.AUTH_USER_MODEL),
        ),
        migrations.AddField(
            model_name='trail',
            name='premises',
            field=models.ForeignKey(db_constraint=False, db_index=False, help_text='Whose line it is; none: of the server, or of a stranger.', null=True, on_delete=django.db.models.deletion.DO_NOTHING, related_name='+', to='jackpot.property'),
        ),
        migrations.AlterField(
            model_name='trail',
            name='at',
            field=models.DateTimeField(db_default=django.db.models.functions.datetime.Now()),
        ),
        migrations.AddIndex(
            model_name='trail',
            index=models.Index(fields=['at', 'id'], name='trail_by_time'),
        ),
        migrations.AddIndex(
            model_name='trail',
            index=models.Index(fields=['object_kind', 'object_key', 'at', 'id'], name='trail_by_object'),
        ),
        migrations.AddIndex(
            model_name='trail',
            index=models.Index(condition=models.Q(('person__isnull', False)), fields=['person', 'at', 'id'], name='trail_by_person'),
        ),
        migrations.AddIndex(
            model_name='trail',
            index=models.Index(fields=['actor', 'at', 'id'], name='trail_by_actor'),
        ),
        migrations.AddIndex(
            model_name='trail',
            index=models.Index(fields=['act', 'at', 'id'], name='trail_by_act'),
        ),
        migrations.AddIndex(
            model_name='trail',
            index=models.Index(condition=models.Q(('outcome', 'done'), _negated=True), fields=['outcome', 'at', 'id'], name='trail_by_outcome'),
        ),
        migrations.RunSQL(BY_WORDS, "DROP INDEX trail_by_words;"),
        migrations.AddConstraint(
            model_name='storedanswer',
            constraint=models.UniqueConstraint(fields=('actor', 'key'), name='stored_answer_once'),
        ),
        migrations.RunSQL(MOVE, MOVE_BACK),
    ]
