"""An explanation becomes a request of two people. What was explained and signed before is carried over with its number,
which stands in what two people signed of a day."""

import django.db.models.deletion
import jackpot.money_field
from django.db import migrations, models

# The guards are the table's own, and its rows move; the rename keeps their name.
UNGUARD = """
DROP TRIGGER accounting_explanation_stays ON accounting_formerexplanation;
DROP TRIGGER accounting_explanationsigned_stays ON accounting_explanationsigned;
"""
GUARD_AS_BEFORE = """
CREATE TRIGGER accounting_explanation_stays BEFORE UPDATE OR DELETE OR TRUNCATE ON accounting_formerexplanation
  FOR EACH STATEMENT EXECUTE FUNCTION fairmeter_refuse_change();
CREATE TRIGGER accounting_explanationsigned_stays BEFORE UPDATE OR DELETE OR TRUNCATE ON accounting_explanationsigned
  FOR EACH STATEMENT EXECUTE FUNCTION fairmeter_refuse_change();
"""
# Two people are kept as they were: a former explanation without a second signature waits for one.
CARRY_OVER = """
INSERT INTO jackpot_request (kind, premises_id, number, payload, reason, evidence, file_name, file_sha256, state,
       asked_by_id, asked_by_name, asked_at, previewed_at, findings, preview, alone, decided_by_id, decided_by_name,
       decided_at, decided_reason, withdrawn_by_name, withdrawn_reason)
SELECT 'explanation', e.premises_id, e.id, '{}', e.why, e.evidence, e.file_name, e.file_sha256,
       CASE WHEN s.id IS NULL THEN 'previewed' ELSE 'in_force' END,
       e.owner_id, left(coalesce(nullif(o.name, ''), o.username), 100), e.at, e.at, '[]', '{}', false,
       s.person_id, left(coalesce(nullif(p.name, ''), p.username, ''), 100), s.at, '', '', ''
  FROM accounting_formerexplanation e JOIN jackpot_operator o ON o.id = e.owner_id
  LEFT JOIN accounting_explanationsigned s ON s.explanation_id = e.id
  LEFT JOIN jackpot_operator p ON p.id = s.person_id
 ORDER BY e.id;
INSERT INTO accounting_explanation (request_ptr_id, day, subject, amount, ground)
SELECT q.id, e.day, e.subject, e.amount, e.cause
  FROM accounting_formerexplanation e
  JOIN jackpot_request q ON q.kind = 'explanation' AND q.premises_id = e.premises_id AND q.number = e.id;
SET CONSTRAINTS ALL IMMEDIATE;
SET CONSTRAINTS ALL DEFERRED;
"""
GUARD = """
CREATE FUNCTION fairmeter_explanation_stays() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF (NEW.day, NEW.subject, NEW.amount, NEW.ground) IS DISTINCT FROM (OLD.day, OLD.subject, OLD.amount, OLD.ground) THEN
    RAISE EXCEPTION 'what is written here stays. Explain the difference anew.'
      USING ERRCODE = 'integrity_constraint_violation';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER accounting_explanation_keeps_its_words BEFORE UPDATE ON accounting_explanation
  FOR EACH ROW EXECUTE FUNCTION fairmeter_explanation_stays();
CREATE TRIGGER accounting_explanation_stays BEFORE DELETE OR TRUNCATE ON accounting_explanation
  FOR EACH STATEMENT EXECUTE FUNCTION fairmeter_refuse_change();
"""
# A reopening has no columns of its own and is found by its day.
INDEX = """
CREATE INDEX request_reopens_a_day ON jackpot_request (premises_id, (payload -> 'day')) WHERE kind = 'reopen_day';
"""
UNGUARD_AGAIN = """
DROP TRIGGER accounting_explanation_stays ON accounting_explanation;
DROP TRIGGER accounting_explanation_keeps_its_words ON accounting_explanation;
DROP FUNCTION fairmeter_explanation_stays();
"""
CAUSES = [
    ("counting", "counted wrong"), ("reading", "read wrong or late"), ("not_done", "not read or counted"),
    ("device", "sign or sensor fault"), ("paper", "page missing or spoiled"),
    ("posting", "posted wrong, corrected by a request"), ("bank", "transfer to the bank under way"),
    ("other", "other"),
]


class Migration(migrations.Migration):

    dependencies = [
        ('accounting', '0003_days'),
        ('jackpot', '0007_evidence'),
    ]

    operations = [
        migrations.RenameModel(old_name='Explanation', new_name='FormerExplanation'),
        migrations.RunSQL(UNGUARD, GUARD_AS_BEFORE),
        migrations.CreateModel(
            name='Explanation',
            fields=[
                ('request_ptr', models.OneToOneField(auto_created=True, on_delete=django.db.models.deletion.CASCADE, parent_link=True, primary_key=True, serialize=False, to='jackpot.request')),
                ('day', models.DateField()),
                ('subject', models.CharField(help_text='The line: its column and what it is about.', max_length=80)),
                ('amount', jackpot.money_field.AmountField(help_text='The difference that it explains; another one is not explained by it.')),
                ('ground', models.CharField(choices=CAUSES, max_length=10)),
            ],
            options={
                'ordering': ['id'],
                'indexes': [models.Index(fields=['day'], name='explanation_of_a_day')],
            },
            bases=('jackpot.request',),
        ),
        migrations.RunSQL(CARRY_OVER, migrations.RunSQL.noop),
        migrations.DeleteModel(name='ExplanationSigned'),
        migrations.DeleteModel(name='FormerExplanation'),
        migrations.RunSQL(GUARD, UNGUARD_AGAIN),
        migrations.RunSQL(INDEX, "DROP INDEX request_reopens_a_day"),
    ]
