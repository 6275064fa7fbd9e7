"""A pay table that was looked at says the same for ever: only whether it may still be chosen changes."""

from django.db import migrations

GUARD = """
CREATE FUNCTION fairmeter_own_table_stays() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF OLD.state <> 'draft' AND (TG_OP = 'DELETE' OR NEW.state = 'draft'
      OR (NEW.premises_id, NEW.game, NEW.bet, NEW.code, NEW.title, NEW.lines, NEW.digest)
         IS DISTINCT FROM (OLD.premises_id, OLD.game, OLD.bet, OLD.code, OLD.title, OLD.lines, OLD.digest)) THEN
    RAISE EXCEPTION '% on pay table % is refused: it was looked at and stays. Write another one.', TG_OP, OLD.code
      USING ERRCODE = 'integrity_constraint_violation';
  END IF;
  RETURN CASE TG_OP WHEN 'DELETE' THEN OLD ELSE NEW END;
END $$;
CREATE TRIGGER tables_ownpaytable_stays BEFORE UPDATE OR DELETE ON tables_ownpaytable
  FOR EACH ROW EXECUTE FUNCTION fairmeter_own_table_stays();
CREATE TRIGGER tables_ownpaytable_whole BEFORE TRUNCATE ON tables_ownpaytable
  FOR EACH STATEMENT EXECUTE FUNCTION fairmeter_refuse_change();
"""
UNDO = """
DROP TRIGGER tables_ownpaytable_whole ON tables_ownpaytable;
DROP TRIGGER tables_ownpaytable_stays ON tables_ownpaytable;
DROP FUNCTION fairmeter_own_table_stays();
"""


class Migration(migrations.Migration):
    dependencies = [("tables", "0011_own_pay_tables"), ("jackpot", "0002_guards")]

    operations = [migrations.RunSQL(GUARD, UNDO)]
