"""What makes or changes a person's way in has its line of the trail in the same transaction, whoever writes it."""

from django.db import migrations

# A line that is visible and whose writer is still at work is of this transaction, or of a savepoint of it. A row keeps
# 32 bits of its writer's number; the whole one is that nearest to ours.
LINES = """
CREATE FUNCTION fairmeter_wrote_this(writer xid) RETURNS boolean LANGUAGE plpgsql VOLATILE AS $$
DECLARE
  now bigint := pg_catalog.pg_current_xact_id()::text::bigint;
  ahead bigint := (writer::text::bigint - now) & 4294967295;
BEGIN
  IF ahead > 2147483648 THEN ahead := ahead - 4294967296; END IF;
  RETURN pg_catalog.pg_xact_status((now + ahead)::text::xid8) = 'in progress';
END $$;
CREATE FUNCTION fairmeter_is_told(kind text, named text) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  IF NOT EXISTS (
    SELECT FROM public.jackpot_trail t
     WHERE t.at >= transaction_timestamp() AND (t.object_kind, t.object_key) IN ((kind, named), ('request', t.object_key))
       AND public.fairmeter_wrote_this(t.xmin))
  THEN
    RAISE EXCEPTION 'what % % may do changes with a line of the trail only.', kind, coalesce(named, '?')
      USING ERRCODE = 'integrity_constraint_violation';
  END IF;
END $$;
CREATE FUNCTION fairmeter_person_is_told() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_TABLE_NAME = 'jackpot_operator' THEN
    PERFORM public.fairmeter_is_told('person', NEW.username);
    RETURN NULL;
  END IF;
  IF TG_OP <> 'INSERT' THEN
    PERFORM public.fairmeter_is_told('person', o.username) FROM public.jackpot_operator o WHERE o.id = OLD.operator_id;
  END IF;
  IF TG_OP <> 'DELETE' THEN
    PERFORM public.fairmeter_is_told('person', o.username) FROM public.jackpot_operator o WHERE o.id = NEW.operator_id;
  END IF;
  RETURN NULL;
END $$;
CREATE FUNCTION fairmeter_role_is_told() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM public.fairmeter_is_told('role', NEW.code);
  RETURN NULL;
END $$;

CREATE CONSTRAINT TRIGGER jackpot_person_comes_with_a_line AFTER INSERT ON jackpot_operator
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION fairmeter_person_is_told();
CREATE CONSTRAINT TRIGGER jackpot_person_changes_with_a_line AFTER UPDATE ON jackpot_operator
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW
  WHEN ((OLD.username, OLD.password, OLD.is_active, OLD.premises_id) IS DISTINCT FROM
        (NEW.username, NEW.password, NEW.is_active, NEW.premises_id))
  EXECUTE FUNCTION fairmeter_person_is_told();
CREATE CONSTRAINT TRIGGER jackpot_roles_of_a_person_have_a_line AFTER INSERT OR UPDATE OR DELETE
  ON jackpot_operator_roles DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION fairmeter_person_is_told();
CREATE CONSTRAINT TRIGGER jackpot_card_comes_with_a_line AFTER INSERT OR DELETE ON jackpot_card
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION fairmeter_person_is_told();
CREATE CONSTRAINT TRIGGER jackpot_card_changes_with_a_line AFTER UPDATE ON jackpot_card
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW
  WHEN ((OLD.operator_id, OLD.number_hash, OLD.last_four, OLD.level, OLD.next_level, OLD.next_level_from,
         OLD.pin_hash, OLD.locked_at, OLD.expires_on, OLD.blocked_at) IS DISTINCT FROM
        (NEW.operator_id, NEW.number_hash, NEW.last_four, NEW.level, NEW.next_level, NEW.next_level_from,
         NEW.pin_hash, NEW.locked_at, NEW.expires_on, NEW.blocked_at))
  EXECUTE FUNCTION fairmeter_person_is_told();
CREATE CONSTRAINT TRIGGER jackpot_factor_goes_with_a_line AFTER DELETE ON jackpot_secondfactor
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (OLD.confirmed_at IS NOT NULL)
  EXECUTE FUNCTION fairmeter_person_is_told();
CREATE CONSTRAINT TRIGGER jackpot_factor_changes_with_a_line AFTER UPDATE ON jackpot_secondfactor
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW
  WHEN ((OLD.operator_id, OLD.secret, OLD.confirmed_at) IS DISTINCT FROM
        (NEW.operator_id, NEW.secret, NEW.confirmed_at) AND (OLD.confirmed_at, NEW.confirmed_at) IS DISTINCT FROM
        (NULL, NULL))
  EXECUTE FUNCTION fairmeter_person_is_told();
CREATE CONSTRAINT TRIGGER jackpot_role_has_a_line AFTER INSERT OR UPDATE ON jackpot_role
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION fairmeter_role_is_told();
"""
SILENT = """
DROP FUNCTION fairmeter_person_is_told() CASCADE;
DROP FUNCTION fairmeter_role_is_told() CASCADE;
DROP FUNCTION fairmeter_is_told(text, text);
DROP FUNCTION fairmeter_wrote_this(xid);
"""


class Migration(migrations.Migration):

    dependencies = [
        ('jackpot', '0016_receipts_of_nothing'),
    ]

    operations = [
        migrations.RunSQL(LINES, SILENT),
    ]
