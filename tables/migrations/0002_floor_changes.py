"""Whatever a coin-in must know of its table and device is counted at the table's jackpots when it changes.

The database does it itself, in the transaction that changes: no act can forget it, and whoever holds a jackpot's lock
sees by one number whether what was read under an earlier lock still stands. Words that a box says all day (when it was
heard, by which number, in which version) are not among it.
"""

from django.db import migrations

_TABLE = (
    "code state held_why seats wager wagers deck_colours key_at_jph unsettled premises_id most_a_minute most_in_ten "
    "most_seats"
).split()
_DEVICE = "state table_id generation earlier_until".split()


def _differ(columns: list[str]) -> str:
    old, new = (", ".join(f"{row}.{column}" for column in columns) for row in ("OLD", "NEW"))
    return f"({old}) IS DISTINCT FROM ({new})"


CHANGES = f"""
CREATE FUNCTION fairmeter_floor_changed(places bigint[], fed bigint[]) RETURNS void LANGUAGE sql SECURITY DEFINER
  SET search_path = pg_catalog, pg_temp AS $$
  UPDATE public.jackpot_jackpot SET floor_changes = floor_changes + 1 WHERE id IN (
    SELECT j.id FROM public.jackpot_jackpot j
     WHERE j.id = ANY(fed) OR j.id IN (SELECT l.jackpot_id FROM public.tables_link l WHERE l.table_id = ANY(places))
     ORDER BY j.id FOR NO KEY UPDATE)
$$;
CREATE FUNCTION fairmeter_table_changed() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
  SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  PERFORM public.fairmeter_floor_changed(ARRAY[OLD.id], '{{}}');
  RETURN NULL;
END $$;
CREATE FUNCTION fairmeter_part_changed() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
  SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  PERFORM public.fairmeter_floor_changed(
    array_remove(ARRAY[CASE WHEN TG_OP <> 'INSERT' THEN OLD.table_id END,
                       CASE WHEN TG_OP <> 'DELETE' THEN NEW.table_id END], NULL), '{{}}');
  RETURN NULL;
END $$;
CREATE FUNCTION fairmeter_link_changed() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
  SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  PERFORM public.fairmeter_floor_changed(
    array_remove(ARRAY[CASE WHEN TG_OP <> 'INSERT' THEN OLD.table_id END,
                       CASE WHEN TG_OP <> 'DELETE' THEN NEW.table_id END], NULL),
    array_remove(ARRAY[CASE WHEN TG_OP <> 'INSERT' THEN OLD.jackpot_id END,
                       CASE WHEN TG_OP <> 'DELETE' THEN NEW.jackpot_id END], NULL));
  RETURN NULL;
END $$;
CREATE TRIGGER tables_table_counts AFTER UPDATE ON tables_table FOR EACH ROW WHEN ({_differ(_TABLE)})
  EXECUTE FUNCTION fairmeter_table_changed();
CREATE TRIGGER tables_device_counts AFTER UPDATE ON tables_device FOR EACH ROW WHEN ({_differ(_DEVICE)})
  EXECUTE FUNCTION fairmeter_part_changed();
CREATE TRIGGER tables_tableduty_counts AFTER INSERT OR UPDATE OR DELETE ON tables_tableduty FOR EACH ROW
  EXECUTE FUNCTION fairmeter_part_changed();
CREATE TRIGGER tables_furtherwager_counts AFTER INSERT OR UPDATE OR DELETE ON tables_furtherwager FOR EACH ROW
  EXECUTE FUNCTION fairmeter_part_changed();
CREATE TRIGGER tables_link_counts AFTER INSERT OR UPDATE OR DELETE ON tables_link FOR EACH ROW
  EXECUTE FUNCTION fairmeter_link_changed();
REVOKE ALL ON FUNCTION fairmeter_floor_changed FROM PUBLIC;
"""
FUNCTIONS = ("fairmeter_table_changed", "fairmeter_part_changed", "fairmeter_link_changed", "fairmeter_floor_changed")


class Migration(migrations.Migration):
    dependencies = [("tables", "0001_version_0_1"), ("jackpot", "0002_floor_changes")]

    operations = [
        migrations.RunSQL(CHANGES, "".join(f"DROP FUNCTION {name} CASCADE;" for name in FUNCTIONS)),
    ]
