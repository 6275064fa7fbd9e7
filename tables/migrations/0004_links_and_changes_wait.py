"""Whoever changes a table's part and whoever links it wait for each other, also where it feeds no jackpot yet.

A change is counted at the jackpots that are linked. Of two transactions, one of which stops a table and the other links
its first jackpot, neither saw the other's row, and the stop was counted nowhere: the row of the table is locked first.
"""

from django.db import migrations

_COUNTED = """
  UPDATE public.jackpot_jackpot SET floor_changes = floor_changes + 1 WHERE id IN (
    SELECT j.id FROM public.jackpot_jackpot j
     WHERE j.id = ANY(fed) OR j.id IN (SELECT l.jackpot_id FROM public.tables_link l WHERE l.table_id = ANY(places))
     ORDER BY j.id FOR NO KEY UPDATE)
"""
_FUNCTION = """
CREATE OR REPLACE FUNCTION fairmeter_floor_changed(places bigint[], fed bigint[]) RETURNS void LANGUAGE sql
  SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
{body}
$$;
"""
_WAITS = "  SELECT FROM public.tables_table t WHERE t.id = ANY(places) ORDER BY t.id FOR NO KEY UPDATE;"
_TRIGGERS = ("fairmeter_table_changed", "fairmeter_part_changed", "fairmeter_link_changed")
# A trigger runs whoever may call it; the right is asked only of whoever makes a trigger of it, on a table of their own.
_OF_NOBODY = "".join(f"REVOKE ALL ON FUNCTION {name} FROM PUBLIC;" for name in _TRIGGERS)
_OF_ANYBODY = "".join(f"GRANT EXECUTE ON FUNCTION {name} TO PUBLIC;" for name in _TRIGGERS)


class Migration(migrations.Migration):
    dependencies = [("tables", "0003_kept_back_by_two")]

    operations = [
        migrations.RunSQL(
            _FUNCTION.format(body=_WAITS + _COUNTED) + _OF_NOBODY, _FUNCTION.format(body=_COUNTED) + _OF_ANYBODY
        ),
    ]
