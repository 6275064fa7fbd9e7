"""What the database refuses of the books, whoever asks: a row moves with its entry, a win with its act."""

from django.db import migrations

ACCOUNTS = ("contributed", "meter", "reserve", "overflow", "house", "winners", "paid", "outside")


def _each(form: str, between: str = ", ") -> str:
    return between.join(form.format(account=account) for account in ACCOUNTS)


# A jackpot's row is a copy of its last entry. It is judged after the statement that wrote both.
ROW = f"""
CREATE FUNCTION fairmeter_row_follows_books() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE last public.jackpot_entry;
BEGIN
  SELECT * INTO last FROM public.jackpot_entry e WHERE e.jackpot_id = NEW.id AND e.seq = NEW.last_seq;
  IF last.seq IS NULL
     OR (NEW.seal, NEW.last_at, {_each("NEW.{account}")}) IS DISTINCT FROM
        (last.seal, last.occurred_at, {_each("last.{account}_after")})
     OR EXISTS (SELECT FROM public.jackpot_entry e WHERE e.jackpot_id = NEW.id AND e.seq = NEW.last_seq + 1)
     OR (NEW.advance <> OLD.advance AND NOT EXISTS (
           SELECT FROM public.jackpot_entry e
            WHERE e.jackpot_id = NEW.id AND e.seq > OLD.last_seq AND e.seq <= NEW.last_seq
              AND e.kind IN ('advance', 'repay', 'void', 'recount', 'back_out')))
  THEN
    RAISE EXCEPTION 'the row of % says what no entry says. A meter moves with its entry only.', NEW.code
      USING ERRCODE = 'integrity_constraint_violation';
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER jackpot_row_follows_books AFTER UPDATE ON jackpot_jackpot FOR EACH ROW
  WHEN ((OLD.last_seq, OLD.seal, OLD.last_at, OLD.advance, {_each("OLD.{account}")}) IS DISTINCT FROM
        (NEW.last_seq, NEW.seal, NEW.last_at, NEW.advance, {_each("NEW.{account}")}))
  EXECUTE FUNCTION fairmeter_row_follows_books();

CREATE FUNCTION fairmeter_jackpot_begins_empty() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.last_seq <> 0 OR NEW.advance <> 0 OR NEW.state <> 'open' OR {_each("NEW.{account} <> 0", " OR ")} THEN
    RAISE EXCEPTION 'jackpot % begins with an entry, not with an amount.', NEW.code
      USING ERRCODE = 'integrity_constraint_violation';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER jackpot_begins_empty BEFORE INSERT ON jackpot_jackpot
  FOR EACH ROW EXECUTE FUNCTION fairmeter_jackpot_begins_empty();

-- State and terms are written beside their entry, some before it: so both are judged when the act is over.
CREATE FUNCTION fairmeter_jackpot_has_its_act() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE now public.jackpot_jackpot;
BEGIN
  SELECT * INTO now FROM public.jackpot_jackpot j WHERE j.id = NEW.id;
  IF NEW.state <> OLD.state AND NEW.state = now.state AND NOT EXISTS (
       SELECT FROM public.jackpot_entry e WHERE e.jackpot_id = NEW.id AND e.seq >= OLD.last_seq AND e.kind =
         CASE now.state WHEN 'open' THEN 'resume' WHEN 'suspended' THEN 'suspend' ELSE 'retire' END)
     OR (now.state <> 'retired' AND (now.retired_at IS NOT NULL OR now.transfer_by IS NOT NULL))
  THEN
    RAISE EXCEPTION 'jackpot % is % by an act of two people only.', now.code, now.state
      USING ERRCODE = 'integrity_constraint_violation';
  END IF;
  IF NEW.version_id IS DISTINCT FROM OLD.version_id AND (
       NOT EXISTS (SELECT FROM public.jackpot_version v WHERE v.id = now.version_id AND v.jackpot_id = now.id)
       OR (now.last_seq > 0 AND now.version_id IS DISTINCT FROM (
             SELECT e.version_id FROM public.jackpot_entry e WHERE e.jackpot_id = now.id AND e.seq = now.last_seq)))
  THEN
    RAISE EXCEPTION 'other terms of % come with an entry that names them.', now.code
      USING ERRCODE = 'integrity_constraint_violation';
  END IF;
  RETURN NULL;
END $$;
CREATE CONSTRAINT TRIGGER jackpot_has_its_act AFTER UPDATE ON jackpot_jackpot
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW
  WHEN ((OLD.state, OLD.retired_at, OLD.transfer_by, OLD.version_id) IS DISTINCT FROM
        (NEW.state, NEW.retired_at, NEW.transfer_by, NEW.version_id))
  EXECUTE FUNCTION fairmeter_jackpot_has_its_act();
"""

# What a statement adds goes on where the books stand, at this moment, and its row goes with it. Sums are looked at in
# one go, since a batch adds hundreds; what each entry moves is for the proof.
ENTRIES = f"""
CREATE FUNCTION fairmeter_entries_follow_books() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE wrong text;
BEGIN
  SELECT j.code INTO wrong
    FROM (SELECT a.jackpot_id, min(a.seq) AS first, max(a.seq) AS last, count(*) AS many,
                 min(a.occurred_at) AS earliest, max(a.occurred_at) AS latest,
                 {_each("sum(a.{account}) AS {account}")}
            FROM added a GROUP BY a.jackpot_id) n
    LEFT JOIN public.jackpot_jackpot j ON j.id = n.jackpot_id
    LEFT JOIN LATERAL (SELECT e.* FROM public.jackpot_entry e
                        WHERE e.jackpot_id = n.jackpot_id AND e.seq = n.first - 1) before ON true
    LEFT JOIN LATERAL (SELECT e.* FROM public.jackpot_entry e
                        WHERE e.jackpot_id = n.jackpot_id AND e.seq = n.last) after ON true
   WHERE j.last_seq IS DISTINCT FROM n.last OR n.many <> n.last - n.first + 1
      OR (n.first > 1 AND before.seq IS NULL) OR n.earliest < before.occurred_at
      OR n.earliest < least(before.occurred_at, clock_timestamp()) - interval '10 minutes'
      OR (n.earliest < clock_timestamp() - interval '10 minutes' AND n.earliest IS DISTINCT FROM before.occurred_at)
      OR n.latest > greatest(clock_timestamp() + interval '1 second', before.occurred_at)
      OR ({_each("after.{account}_after")}) IS DISTINCT FROM
         ({_each("coalesce(before.{account}_after, 0) + n.{account}")})
   LIMIT 1;
  IF FOUND THEN
    RAISE EXCEPTION 'what was to be added to the books of % does not go on where they stand.', coalesce(wrong, 'nobody')
      USING ERRCODE = 'integrity_constraint_violation';
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER jackpot_entries_follow_books AFTER INSERT ON jackpot_entry REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION fairmeter_entries_follow_books();
"""

# The life of a win, and what of it never changes once it was logged. An approval may log and move at once.
WINS = """
CREATE FUNCTION fairmeter_win_lives() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    IF NEW.state <> 'marked' AND (NEW.state NOT IN ('logged', 'owed') OR (NEW.envy_of_id IS NULL
                                  AND NEW.difference_of_id IS NULL)) OR NEW.paid_at IS NOT NULL
       OR (NEW.state = 'marked' AND (NEW.amount, NEW.slip, NEW.number, NEW.logged_at, NEW.award_seq) IS NOT NULL) THEN
      RAISE EXCEPTION 'a win begins with its mark.' USING ERRCODE = 'integrity_constraint_violation';
    END IF;
    RETURN NEW;
  END IF;
  IF NEW.state <> OLD.state AND (OLD.state, NEW.state) NOT IN (
       ('marked', 'unmarked'), ('marked', 'assigned'), ('marked', 'asked'), ('marked', 'outranked'),
       ('marked', 'fell'), ('asked', 'marked'), ('asked', 'rejected'), ('asked', 'fell'), ('asked', 'logged'),
       ('asked', 'owed'), ('logged', 'owed'), ('logged', 'backed_out'), ('owed', 'paid'), ('owed', 'backed_out'),
       ('paid', 'backed_out')) THEN
    RAISE EXCEPTION 'a win that is % does not become %.', OLD.state, NEW.state
      USING ERRCODE = 'integrity_constraint_violation';
  END IF;
  IF OLD.logged_at IS NOT NULL AND
       (NEW.amount, NEW.number, NEW.slip, NEW.premises_id, NEW.place, NEW.logged_at, NEW.gaming_day, NEW.ranked,
        NEW.mark_seq, NEW.cards_checked, NEW.override, NEW.asker_id, NEW.marked_at, NEW.marked_by)
       IS DISTINCT FROM
       (OLD.amount, OLD.number, OLD.slip, OLD.premises_id, OLD.place, OLD.logged_at, OLD.gaming_day, OLD.ranked,
        OLD.mark_seq, OLD.cards_checked, OLD.override, OLD.asker_id, OLD.marked_at, OLD.marked_by)
     OR (OLD.award_seq IS NOT NULL AND (NEW.award_seq, NEW.moved_at, NEW.paper, NEW.frozen_seq, NEW.front_seq)
         IS DISTINCT FROM (OLD.award_seq, OLD.moved_at, OLD.paper, OLD.frozen_seq, OLD.front_seq))
     OR (NEW.logged_at IS NULL AND (NEW.amount IS NOT NULL OR NEW.slip IS NOT NULL OR NEW.number IS NOT NULL))
     OR (OLD.logged_at IS NULL AND NEW.logged_at IS NOT NULL AND NEW.state NOT IN ('logged', 'owed'))
  THEN
    RAISE EXCEPTION 'win % was logged: its amount, slip and record stay. Back it out.', OLD.id
      USING ERRCODE = 'integrity_constraint_violation';
  END IF;
  IF (NEW.paid_at, NEW.paid_by, NEW.payer_id, NEW.paid_method, NEW.paid_cheque, NEW.paid_window) IS DISTINCT FROM
     (OLD.paid_at, OLD.paid_by, OLD.payer_id, OLD.paid_method, OLD.paid_cheque, OLD.paid_window)
     AND NOT (OLD.state = 'owed' AND NEW.state = 'paid') THEN
    RAISE EXCEPTION 'who paid win % stays as it was written.', OLD.id USING ERRCODE = 'integrity_constraint_violation';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER jackpot_win_lives BEFORE INSERT OR UPDATE ON jackpot_win
  FOR EACH ROW EXECUTE FUNCTION fairmeter_win_lives();

-- Entries are written when the books are left: so a win is held against its entry when the act is over.
CREATE FUNCTION fairmeter_win_has_its_entry() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE win public.jackpot_win;
BEGIN
  SELECT * INTO win FROM public.jackpot_win w WHERE w.id = NEW.id;
  IF win.state = 'marked' AND NOT EXISTS (
       SELECT FROM public.jackpot_entry e WHERE e.jackpot_id = win.jackpot_id AND e.seq = win.mark_seq
          AND e.kind IN ('mark', 'claim') AND (e.table_code, e.round_number) = (win.table_code, win.round_number))
     OR win.state = 'logged' AND NOT EXISTS (
       SELECT FROM (SELECT e.kind, e.win_id FROM public.jackpot_entry e
                     WHERE e.jackpot_id = win.jackpot_id AND e.win_id IS NOT NULL ORDER BY e.seq DESC LIMIT 400) x
        WHERE x.win_id = win.id AND x.kind = 'log')
     OR win.state IN ('owed', 'paid') AND NOT EXISTS (
       SELECT FROM public.jackpot_entry e WHERE e.jackpot_id = win.jackpot_id AND e.seq = win.award_seq
          AND e.win_id = win.id AND e.kind IN ('award', 'difference') AND e.winners = win.amount)
     OR win.state = 'paid' AND NOT EXISTS (
       SELECT FROM public.jackpot_entry e JOIN public.jackpot_payment p ON p.win_id = win.id AND p.entry = e.seq
        WHERE e.jackpot_id = win.jackpot_id AND e.key = 'pay/' || win.id AND e.kind = 'pay' AND e.win_id = win.id
          AND e.winners = -win.amount AND p.gross = win.amount AND p.slip = win.slip)
     OR win.state = 'backed_out' AND NOT EXISTS (
       SELECT FROM public.jackpot_entry e WHERE e.jackpot_id = win.jackpot_id AND e.key = 'back_out/' || win.id
          AND e.kind = 'back_out' AND e.win_id = win.id)
  THEN
    RAISE EXCEPTION 'win % is % by no entry of the books.', win.id, win.state
      USING ERRCODE = 'integrity_constraint_violation';
  END IF;
  RETURN NULL;
END $$;
CREATE CONSTRAINT TRIGGER jackpot_win_has_its_entry AFTER INSERT OR UPDATE OF state, amount, award_seq, mark_seq
  ON jackpot_win DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION fairmeter_win_has_its_entry();

CREATE FUNCTION fairmeter_numbers_rise() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.premises_id <> OLD.premises_id OR NEW.next_slip < OLD.next_slip OR NEW.next_win < OLD.next_win THEN
    RAISE EXCEPTION 'slip and win numbers only rise.' USING ERRCODE = 'integrity_constraint_violation';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER jackpot_slipcounter_rises BEFORE UPDATE ON jackpot_slipcounter
  FOR EACH ROW EXECUTE FUNCTION fairmeter_numbers_rise();
"""

# A word that was given stays; a pool, a win and the series of its slips are never taken away.
STAY = """
CREATE TRIGGER jackpot_signature_stays BEFORE UPDATE OR DELETE OR TRUNCATE ON jackpot_signature
  FOR EACH STATEMENT EXECUTE FUNCTION fairmeter_refuse_change();
CREATE TRIGGER jackpot_jackpot_stays BEFORE DELETE OR TRUNCATE ON jackpot_jackpot
  FOR EACH STATEMENT EXECUTE FUNCTION fairmeter_refuse_change();
CREATE TRIGGER jackpot_win_stays BEFORE DELETE OR TRUNCATE ON jackpot_win
  FOR EACH STATEMENT EXECUTE FUNCTION fairmeter_refuse_change();
CREATE TRIGGER jackpot_slipcounter_stays BEFORE DELETE OR TRUNCATE ON jackpot_slipcounter
  FOR EACH STATEMENT EXECUTE FUNCTION fairmeter_refuse_change();
"""
FALL = """
DROP TRIGGER jackpot_signature_stays ON jackpot_signature;
DROP TRIGGER jackpot_jackpot_stays ON jackpot_jackpot;
DROP TRIGGER jackpot_win_stays ON jackpot_win;
DROP TRIGGER jackpot_slipcounter_stays ON jackpot_slipcounter;
DROP FUNCTION fairmeter_row_follows_books() CASCADE;
DROP FUNCTION fairmeter_jackpot_begins_empty() CASCADE;
DROP FUNCTION fairmeter_jackpot_has_its_act() CASCADE;
DROP FUNCTION fairmeter_entries_follow_books() CASCADE;
DROP FUNCTION fairmeter_win_lives() CASCADE;
DROP FUNCTION fairmeter_win_has_its_entry() CASCADE;
DROP FUNCTION fairmeter_numbers_rise() CASCADE;
"""


class Migration(migrations.Migration):

    dependencies = [
        ('jackpot', '0005_installed_builds'),
    ]

    operations = [
        migrations.RunSQL(ROW + ENTRIES + WINS + STAY, FALL),
    ]
