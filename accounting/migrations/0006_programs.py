"""Tokens of programs: what was given stays, what was revoked stays revoked."""

import datetime
import django.contrib.postgres.fields
import django.db.models.deletion
import django.db.models.expressions
import django.db.models.functions.datetime
from django.conf import settings
from django.db import migrations, models

# Which columns of a token may change is a short list: how it was used, and once its revocation.
STANDS = """
CREATE FUNCTION fairmeter_token_stands() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  IF TG_OP <> 'UPDATE' THEN
    RAISE EXCEPTION 'A token is revoked, not deleted.' USING ERRCODE = 'restrict_violation';
  END IF;
  IF (NEW.premises_id, NEW.name, NEW.prefix, NEW.secret_hash, NEW.scopes, NEW.given_by_id, NEW.given_at, NEW.ends_at)
     IS DISTINCT FROM
     (OLD.premises_id, OLD.name, OLD.prefix, OLD.secret_hash, OLD.scopes, OLD.given_by_id, OLD.given_at, OLD.ends_at)
  THEN
    RAISE EXCEPTION 'What a token may and until when never changes. Give another one.'
      USING ERRCODE = 'restrict_violation';
  END IF;
  IF OLD.revoked_at IS NOT NULL AND NEW IS DISTINCT FROM OLD THEN
    RAISE EXCEPTION 'A revoked token stays revoked, and is used no more.' USING ERRCODE = 'restrict_violation';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER accounting_programtoken_stands BEFORE UPDATE OR DELETE ON accounting_programtoken
  FOR EACH ROW EXECUTE FUNCTION fairmeter_token_stands();
"""
FALLS = """
DROP TRIGGER accounting_programtoken_stands ON accounting_programtoken;
DROP FUNCTION fairmeter_token_stands();
"""


class Migration(migrations.Migration):

    dependencies = [
        ('accounting', '0005_audit_runs'),
        ('jackpot', '0006_one_time_code'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='ProgramToken',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('name', models.CharField(help_text='The program that has it.', max_length=60)),
                ('prefix', models.CharField(help_text='How people and the trail call it.', max_length=12, unique=True)),
                ('secret_hash', models.BinaryField(max_length=32, unique=True)),
                ('scopes', django.contrib.postgres.fields.ArrayField(base_field=models.CharField(max_length=40), size=None)),
                ('given_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
                ('ends_at', models.DateTimeField()),
                ('revoked_at', models.DateTimeField(null=True)),
                ('last_used_at', models.DateTimeField(null=True)),
                ('uses', models.BigIntegerField(default=0)),
                ('given_by', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('premises', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='program_tokens', to='jackpot.property')),
                ('revoked_by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'ordering': ['-id'],
                'constraints': [models.CheckConstraint(condition=models.Q(('scopes__len__gt', 0)), name='token_reads_something'), models.CheckConstraint(condition=models.Q(('ends_at__gt', models.F('given_at')), ('ends_at__lte', django.db.models.expressions.CombinedExpression(models.F('given_at'), '+', models.Value(datetime.timedelta(days=367))))), name='token_ends_within_a_year'), models.CheckConstraint(condition=models.Q(models.Q(('revoked_at__isnull', True), ('revoked_by__isnull', True)), models.Q(('revoked_at__isnull', False), ('revoked_by__isnull', False)), _connector='OR'), name='token_revoked_by_somebody')],
            },
        ),
        migrations.RunSQL(STANDS, FALLS),
    ]
