"""The worker has a role of its own: it suspends and stops, and no entry that it writes moves anything."""

from django.db import migrations

ACCOUNTS = ("contributed", "meter", "reserve", "overflow", "house", "winners", "paid", "outside")
MOVES = " OR ".join(f"a.{account} <> 0" for account in ACCOUNTS)

# Asked of the worker's session only: a batch of coin-ins pays nothing for it.
NOTHING = f"""
CREATE FUNCTION fairmeter_worker_moves_nothing() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT FROM added a WHERE a.kind <> 'suspend' OR a.table_code <> '' OR a.win_id IS NOT NULL
                                    OR a.corrects IS NOT NULL OR {MOVES}) THEN
    RAISE EXCEPTION 'the worker suspends, and moves nothing.' USING ERRCODE = 'integrity_constraint_violation';
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER jackpot_worker_moves_nothing AFTER INSERT ON jackpot_entry REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT WHEN (session_user = 'fairmeter_worker') EXECUTE FUNCTION fairmeter_worker_moves_nothing();
CREATE FUNCTION fairmeter_worker_resumes_nothing() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'the worker suspends, and brings nothing back.' USING ERRCODE = 'integrity_constraint_violation';
END $$;
CREATE TRIGGER jackpot_worker_resumes_nothing BEFORE UPDATE ON jackpot_jackpot FOR EACH ROW
  WHEN (session_user = 'fairmeter_worker' AND OLD.state <> NEW.state AND NEW.state <> 'suspended')
  EXECUTE FUNCTION fairmeter_worker_resumes_nothing();
"""
ANYTHING = """
DROP FUNCTION fairmeter_worker_moves_nothing() CASCADE;
DROP FUNCTION fairmeter_worker_resumes_nothing() CASCADE;
"""


class Migration(migrations.Migration):

    dependencies = [
        ('jackpot', '0031_directory_links'),
    ]

    operations = [migrations.RunSQL(NOTHING, ANYTHING)]
