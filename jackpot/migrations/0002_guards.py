"""What the database itself refuses, and how the busy tables lie on disk."""

from django.db import migrations

REFUSE = """
CREATE FUNCTION fairmeter_refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION '% on % is refused: what is written here stays. Post a correction instead.', TG_OP, TG_TABLE_NAME
    USING ERRCODE = 'integrity_constraint_violation';
END $$;
"""

GUARD = """
CREATE TRIGGER {table}_stays BEFORE UPDATE OR DELETE OR TRUNCATE ON {table}
  FOR EACH STATEMENT EXECUTE FUNCTION fairmeter_refuse_change();
"""

GUARDED = ("jackpot_entry", "jackpot_trail", "jackpot_version")

LAYOUT = """
ALTER TABLE jackpot_jackpot SET (fillfactor = 20);
CREATE INDEX entry_by_time ON jackpot_entry USING brin (occurred_at) WITH (pages_per_range = 32);
CREATE INDEX entry_by_win ON jackpot_entry (jackpot_id, seq) WHERE win_id IS NOT NULL;
ALTER TABLE jackpot_entry ADD CONSTRAINT entry_seal_is_sha256 CHECK (length(seal) = 32 AND length(request) = 32);
ALTER TABLE jackpot_entry ADD CONSTRAINT entry_seals_one_line CHECK (
  position('|' IN key) = 0 AND position('|' IN table_code) = 0); -- a bar parts the fields of the sealed line
ALTER TABLE jackpot_entry ADD CONSTRAINT entry_adds_up CHECK (
  contributed + meter + reserve + overflow + house + winners + paid + outside = 0 AND contributed_after + meter_after
  + reserve_after + overflow_after + house_after + winners_after + paid_after + outside_after = 0); -- NaN never does
ALTER TABLE jackpot_jackpot ADD CONSTRAINT jackpot_adds_up CHECK (
  contributed + meter + reserve + overflow + house + winners + paid + outside = 0);
"""

UNDO_LAYOUT = """
ALTER TABLE jackpot_jackpot DROP CONSTRAINT jackpot_adds_up;
ALTER TABLE jackpot_entry DROP CONSTRAINT entry_adds_up;
ALTER TABLE jackpot_entry DROP CONSTRAINT entry_seals_one_line;
ALTER TABLE jackpot_entry DROP CONSTRAINT entry_seal_is_sha256;
DROP INDEX entry_by_win;
DROP INDEX entry_by_time;
ALTER TABLE jackpot_jackpot RESET (fillfactor);
"""


class Migration(migrations.Migration):
    dependencies = [("jackpot", "0001_initial")]

    operations = [
        migrations.RunSQL(REFUSE, "DROP FUNCTION fairmeter_refuse_change()"),
        *(
            migrations.RunSQL(GUARD.format(table=table), f"DROP TRIGGER {table}_stays ON {table}")
            for table in GUARDED
        ),
        migrations.RunSQL(LAYOUT, UNDO_LAYOUT),
    ]
