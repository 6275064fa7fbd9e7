"""The progressive's tables, what the database itself refuses there, and how the busy ones lie on disk."""

import django.contrib.postgres.fields
import django.db.models.deletion
import django.db.models.expressions
import django.db.models.functions.datetime
import jackpot.money_field
from django.conf import settings
from django.db import migrations, models

REPLACED = (
    "0001_initial", "0002_window_receipts", "0003_filtered_lists", "0004_rule_book", "0005_installed_builds",
    "0006_guards", "0007_taken_back", "0008_key_mark", "0009_plausible_play", "0010_went_back", "0011_pacing",
    "0012_caps", "0013_second_factor", "0014_trail_chain", "0015_proof_reach", "0016_receipts_of_nothing",
    "0017_people_leave_a_line", "0018_table_of_amounts", "0019_games_and_banks", "0020_tax_records", "0021_approvals",
    "0022_passkeys", "0023_record_guard_is_not_shadowed", "0024_tick_or_record", "0025_clock_put_back",
    "0026_custody", "0027_leaves_seed", "0028_bank_cover", "0029_unapproved_closes", "0030_entries_that_are_acts",
    "0031_directory_links", "0032_worker_moves_nothing", "0033_round_evidence", "0034_terms_wait_for_notice",
    "0035_switches_of_the_floor", "0036_notices_of_suspensions",
)

REFUSE = """
CREATE FUNCTION fairmeter_refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION '% on % is refused: what is written here stays. Post a correction instead.', TG_OP, TG_TABLE_NAME
    USING ERRCODE = 'integrity_constraint_violation';
END $$;
"""

STAYS = """
CREATE TRIGGER {table}_stays BEFORE UPDATE OR DELETE OR TRUNCATE ON {table}
  FOR EACH STATEMENT EXECUTE FUNCTION fairmeter_refuse_change();
"""

# What a house declared from a day on is added to, never changed: pages printed again say the same.
STAY = (
    "jackpot_entry", "jackpot_trail", "jackpot_version", "jackpot_datedshifts", "jackpot_datedtax", "jackpot_payment",
    "jackpot_unclaimednotice", "jackpot_datedunclaimed", "jackpot_datednotice", "jackpot_requestentry",
    "jackpot_evidencefile", "jackpot_requestevidence", "jackpot_windowreceipt", "jackpot_installedbuild",
    "jackpot_trailseal", "jackpot_coversuspension", "jackpot_roundevidence",
)

LAYOUT = r"""
ALTER TABLE jackpot_jackpot SET (fillfactor = 20);
CREATE INDEX entry_by_time ON jackpot_entry USING brin (occurred_at) WITH (pages_per_range = 32);
CREATE INDEX entry_by_win ON jackpot_entry (jackpot_id, seq) WHERE win_id IS NOT NULL;
CREATE INDEX trail_by_words ON jackpot_trail USING gin (to_tsvector('simple', regexp_replace(
  actor || ' ' || act || ' ' || object_key || ' ' || subject || ' ' || why, '[^[:alnum:]]+', ' ', 'g')));
"""

SUMS = """
ALTER TABLE jackpot_entry ADD CONSTRAINT entry_seal_is_sha256 CHECK (length(seal) = 32 AND length(request) = 32);
ALTER TABLE jackpot_entry ADD CONSTRAINT entry_seals_one_line CHECK (
  position('|' IN key) = 0 AND position('|' IN table_code) = 0); -- a bar parts the fields of the sealed line
ALTER TABLE jackpot_entry ADD CONSTRAINT entry_adds_up CHECK (
  contributed + meter + reserve + overflow + house + winners + paid + outside = 0 AND contributed_after + meter_after
  + reserve_after + overflow_after + house_after + winners_after + paid_after + outside_after = 0); -- NaN never does
ALTER TABLE jackpot_jackpot ADD CONSTRAINT jackpot_adds_up CHECK (
  contributed + meter + reserve + overflow + house + winners + paid + outside = 0);
"""

# What two people sign stays what they saw; what became of it is written beside it, once.
REQUESTS = """
CREATE FUNCTION fairmeter_request_stays() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF OLD.state IN ('refused', 'withdrawn', 'replaced')
     OR (NEW.kind, NEW.premises_id, NEW.jackpot_id, NEW.win_id, NEW.cause_id, NEW.number, NEW.payload, NEW.reason,
         NEW.evidence, NEW.file_name, NEW.file_sha256, NEW.asked_by_id, NEW.asked_by_name, NEW.asked_at, NEW.alone)
     IS DISTINCT FROM
        (OLD.kind, OLD.premises_id, OLD.jackpot_id, OLD.win_id, OLD.cause_id, OLD.number, OLD.payload, OLD.reason,
         OLD.evidence, OLD.file_name, OLD.file_sha256, OLD.asked_by_id, OLD.asked_by_name, OLD.asked_at, OLD.alone)
     OR (OLD.previewed_at IS NOT NULL AND (NEW.findings, NEW.preview, NEW.previewed_at)
         IS DISTINCT FROM (OLD.findings, OLD.preview, OLD.previewed_at))
     OR (OLD.decided_at IS NOT NULL
         AND (NEW.decided_by_id, NEW.decided_by_name, NEW.decided_at, NEW.decided_reason, NEW.card_id)
         IS DISTINCT FROM (OLD.decided_by_id, OLD.decided_by_name, OLD.decided_at, OLD.decided_reason, OLD.card_id))
  THEN
    RAISE EXCEPTION 'what was asked for, previewed and decided stays. Ask for another one.'
      USING ERRCODE = 'integrity_constraint_violation';
  END IF;
  RETURN NEW;
END $$;
CREATE FUNCTION fairmeter_adjustment_stays() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF (NEW.other_id, NEW.pays, NEW.account, NEW.amount, NEW.reading, NEW.ground, NEW.leaves_seed)
     IS DISTINCT FROM (OLD.other_id, OLD.pays, OLD.account, OLD.amount, OLD.reading, OLD.ground, OLD.leaves_seed)
     OR (OLD.gaming_day IS NOT NULL AND (NEW.gaming_day, NEW.posted) IS DISTINCT FROM (OLD.gaming_day, OLD.posted))
  THEN
    RAISE EXCEPTION 'what was asked for and posted stays. Ask for another one.'
      USING ERRCODE = 'integrity_constraint_violation';
  END IF;
  RETURN NEW;
END $$;
CREATE FUNCTION fairmeter_terms_stay() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF (NEW.terms, NEW.digest, NEW.stands_on_id, NEW.how, NEW.questions)
     IS DISTINCT FROM (OLD.terms, OLD.digest, OLD.stands_on_id, OLD.how, OLD.questions)
     OR (OLD.version_id IS NOT NULL AND NEW.version_id IS DISTINCT FROM OLD.version_id)
  THEN
    RAISE EXCEPTION 'what was asked for stays. Draft another change.' USING ERRCODE = 'integrity_constraint_violation';
  END IF;
  RETURN NEW;
END $$;
CREATE FUNCTION fairmeter_authority_stays() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF (NEW.whose_id, NEW.before, NEW.after) IS DISTINCT FROM (OLD.whose_id, OLD.before, OLD.after)
     OR (OLD.steps <> '[]'::jsonb AND NEW.steps IS DISTINCT FROM OLD.steps)
  THEN
    RAISE EXCEPTION 'what was asked for and signed stays. Ask for another change.'
      USING ERRCODE = 'integrity_constraint_violation';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER jackpot_request_keeps_its_words BEFORE UPDATE ON jackpot_request
  FOR EACH ROW EXECUTE FUNCTION fairmeter_request_stays();
CREATE TRIGGER jackpot_adjustment_keeps_its_words BEFORE UPDATE ON jackpot_adjustment
  FOR EACH ROW EXECUTE FUNCTION fairmeter_adjustment_stays();
CREATE TRIGGER jackpot_termschange_keeps_its_words BEFORE UPDATE ON jackpot_termschange
  FOR EACH ROW EXECUTE FUNCTION fairmeter_terms_stay();
CREATE TRIGGER jackpot_authoritychange_keeps_its_words BEFORE UPDATE ON jackpot_authoritychange
  FOR EACH ROW EXECUTE FUNCTION fairmeter_authority_stays();
CREATE TRIGGER jackpot_request_stays BEFORE DELETE OR TRUNCATE ON jackpot_request
  FOR EACH STATEMENT EXECUTE FUNCTION fairmeter_refuse_change();
CREATE TRIGGER jackpot_adjustment_stays BEFORE DELETE OR TRUNCATE ON jackpot_adjustment
  FOR EACH STATEMENT EXECUTE FUNCTION fairmeter_refuse_change();
CREATE TRIGGER jackpot_termschange_stays BEFORE DELETE OR TRUNCATE ON jackpot_termschange
  FOR EACH STATEMENT EXECUTE FUNCTION fairmeter_refuse_change();
CREATE TRIGGER jackpot_authoritychange_stays BEFORE DELETE OR TRUNCATE ON jackpot_authoritychange
  FOR EACH STATEMENT EXECUTE FUNCTION fairmeter_refuse_change();
"""

# The digest is counted where the content lies: not even a fault of ours can keep another content under it.
EVIDENCE = """
ALTER TABLE jackpot_evidencefile ADD CONSTRAINT evidence_is_what_its_digest_says
  CHECK (sha256 = encode(sha256(content), 'hex') AND size = octet_length(content));
ALTER TABLE jackpot_evidencefile ALTER COLUMN content SET STORAGE EXTERNAL;
"""

# What is due stays; that it was done is written once.
NOTICES = """
CREATE FUNCTION fairmeter_notice_stays() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF OLD.done_at IS NOT NULL
     OR (NEW.premises_id, NEW.about, NEW."to", NEW.owner, NEW.request_id, NEW.win_id, NEW.suspension_id, NEW.subject,
         NEW.raised_at, NEW.due_at)
     IS DISTINCT FROM
        (OLD.premises_id, OLD.about, OLD."to", OLD.owner, OLD.request_id, OLD.win_id, OLD.suspension_id, OLD.subject,
         OLD.raised_at, OLD.due_at)
  THEN
    RAISE EXCEPTION 'a notice stays as it fell due, and what was noted of it stays.'
      USING ERRCODE = 'integrity_constraint_violation';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER jackpot_notice_keeps_its_words BEFORE UPDATE ON jackpot_notice
  FOR EACH ROW EXECUTE FUNCTION fairmeter_notice_stays();
CREATE TRIGGER jackpot_notice_stays BEFORE DELETE OR TRUNCATE ON jackpot_notice
  FOR EACH STATEMENT EXECUTE FUNCTION fairmeter_refuse_change();
"""

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

GO_ON = f"""({_each("after.{account}_after")}) IS DISTINCT FROM
         ({_each("coalesce(before.{account}_after, 0) + n.{account}")})"""

# Entries go on where the books stand, and so does the clock. One act over several jackpots has the latest of their
# last moments: until a clock that was ahead and is put right has caught up, an entry may be as late as the latest that
# any jackpot had before, and no later. That is asked only when it is later than the clock. And what an act read before
# the clock moved is no forgery: the act is begun anew (40001) instead of being refused.
ENTRIES = f"""
CREATE FUNCTION fairmeter_entries_follow_books() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  wrong text;
  moved boolean;
BEGIN
  SELECT j.code, NOT judged.numbers AND n.earliest >= transaction_timestamp() - interval '1 second'
                 AND n.latest <= transaction_timestamp() + interval '5 minutes'
    INTO wrong, moved
    FROM (SELECT a.jackpot_id, min(a.seq) AS first, max(a.seq) AS last, count(*) AS many,
                 min(a.occurred_at) AS earliest, max(a.occurred_at) AS latest,
                 {_each("sum(a.{account}) AS {account}")}
            FROM added a GROUP BY a.jackpot_id) n
    LEFT JOIN public.jackpot_jackpot j ON j.id = n.jackpot_id
    LEFT JOIN LATERAL (SELECT e.* FROM public.jackpot_entry e
                        WHERE e.jackpot_id = n.jackpot_id AND e.seq = n.first - 1) before ON true
    LEFT JOIN LATERAL (SELECT e.* FROM public.jackpot_entry e
                        WHERE e.jackpot_id = n.jackpot_id AND e.seq = n.last) after ON true
    CROSS JOIN LATERAL (SELECT
           j.last_seq IS DISTINCT FROM n.last OR n.many <> n.last - n.first + 1
           OR (n.first > 1 AND before.seq IS NULL) OR coalesce(n.earliest < before.occurred_at, false)
           OR {GO_ON} AS numbers) judged
   WHERE judged.numbers
      OR n.earliest < least(before.occurred_at, clock_timestamp()) - interval '10 minutes'
      OR (n.earliest < clock_timestamp() - interval '10 minutes' AND n.earliest IS DISTINCT FROM before.occurred_at)
      OR CASE WHEN n.latest > greatest(clock_timestamp() + interval '1 second', before.occurred_at)
              THEN NOT EXISTS (
                SELECT FROM public.jackpot_jackpot o CROSS JOIN LATERAL (
                  SELECT e.occurred_at FROM public.jackpot_entry e
                   WHERE e.jackpot_id = o.id AND e.seq < coalesce(
                     (SELECT min(a.seq) FROM added a WHERE a.jackpot_id = o.id), o.last_seq + 1)
                   ORDER BY e.seq DESC LIMIT 1) stood
                 WHERE stood.occurred_at >= n.latest)
              ELSE false END
   ORDER BY 2 LIMIT 1;
  IF FOUND AND moved THEN
    RAISE EXCEPTION 'the clock moved while the books of % were written; it is to be done again.', wrong
      USING ERRCODE = 'serialization_failure';
  ELSIF FOUND THEN
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

# A pool, a win and the series of its slips are never taken away.
REMAIN = """
CREATE TRIGGER jackpot_jackpot_stays BEFORE DELETE OR TRUNCATE ON jackpot_jackpot
  FOR EACH STATEMENT EXECUTE FUNCTION fairmeter_refuse_change();
CREATE TRIGGER jackpot_win_stays BEFORE DELETE OR TRUNCATE ON jackpot_win
  FOR EACH STATEMENT EXECUTE FUNCTION fairmeter_refuse_change();
CREATE TRIGGER jackpot_slipcounter_stays BEFORE DELETE OR TRUNCATE ON jackpot_slipcounter
  FOR EACH STATEMENT EXECUTE FUNCTION fairmeter_refuse_change();
"""

# A word that was given stays as it was given; with the key at JPH it may be taken back once, and it says so.
WORDS = """
CREATE FUNCTION fairmeter_word_stays() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF OLD.part = 'approve' AND NEW.part = 'taken_back' AND OLD.entry IS NULL AND NEW.entry IS NOT NULL
     AND (OLD.id, OLD.win_id, OLD.operator_id, OLD.card_id, OLD.level, OLD.at, OLD.why)
         IS NOT DISTINCT FROM (NEW.id, NEW.win_id, NEW.operator_id, NEW.card_id, NEW.level, NEW.at, NEW.why) THEN
    RETURN NEW;
  END IF;
  RAISE EXCEPTION 'a word that was given stays as it was given (jackpot_signature)' USING ERRCODE = 'restrict_violation';
END $$;
CREATE TRIGGER jackpot_signature_stays BEFORE UPDATE ON jackpot_signature
  FOR EACH ROW EXECUTE FUNCTION fairmeter_word_stays();
CREATE TRIGGER jackpot_signature_remains BEFORE DELETE OR TRUNCATE ON jackpot_signature
  FOR EACH STATEMENT EXECUTE FUNCTION fairmeter_refuse_change();
"""

# Time and role are the database's word, the number is its own; a line waits for its seal in its own transaction.
TRAIL = """
CREATE FUNCTION fairmeter_trail_is_stamped() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.id IS DISTINCT FROM currval('public.jackpot_trail_id_seq') THEN
    RAISE EXCEPTION 'the database numbers the lines of the trail.' USING ERRCODE = 'integrity_constraint_violation';
  END IF;
  NEW.at := statement_timestamp();
  NEW.written_by := session_user;
  RETURN NEW;
END $$;
CREATE TRIGGER jackpot_trail_is_stamped BEFORE INSERT ON jackpot_trail
  FOR EACH ROW EXECUTE FUNCTION fairmeter_trail_is_stamped();
CREATE FUNCTION fairmeter_trail_awaits_seal() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
  SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  INSERT INTO public.jackpot_unsealedtrail (line) SELECT id FROM added;
  RETURN NULL;
END $$;
CREATE TRIGGER jackpot_trail_awaits_seal AFTER INSERT ON jackpot_trail REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION fairmeter_trail_awaits_seal();
"""

# What makes or changes a person's way in has its line of the trail in the same transaction, whoever writes it. A line
# that is visible and whose writer is still at work is of this transaction, or of a savepoint of it. A row keeps 32 bits
# of its writer's number; the whole one is that nearest to ours.
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
CREATE CONSTRAINT TRIGGER jackpot_passkey_has_a_line AFTER INSERT OR DELETE ON jackpot_passkey
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION fairmeter_person_is_told();
CREATE CONSTRAINT TRIGGER jackpot_passkey_stays_whose_it_is AFTER UPDATE ON jackpot_passkey
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW
  WHEN ((OLD.operator_id, OLD.site, OLD.credential, OLD.public_key) IS DISTINCT FROM
        (NEW.operator_id, NEW.site, NEW.credential, NEW.public_key))
  EXECUTE FUNCTION fairmeter_person_is_told();
CREATE CONSTRAINT TRIGGER jackpot_directorylink_has_a_line AFTER INSERT OR DELETE ON jackpot_directorylink
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION fairmeter_person_is_told();
CREATE CONSTRAINT TRIGGER jackpot_directorylink_stays_whose_it_is AFTER UPDATE ON jackpot_directorylink
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW
  WHEN ((OLD.operator_id, OLD.issuer, OLD.subject) IS DISTINCT FROM (NEW.operator_id, NEW.issuer, NEW.subject))
  EXECUTE FUNCTION fairmeter_person_is_told();
-- Wrong PINs are counted with a line; set back, they are with the same line, so that nobody guesses for ever.
CREATE CONSTRAINT TRIGGER jackpot_wrong_pins_have_a_line AFTER UPDATE ON jackpot_card
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (OLD.wrong_pins <> NEW.wrong_pins)
  EXECUTE FUNCTION fairmeter_person_is_told();
"""

# A reported payment has the payer's tick or a tax record with its payee; where the rule names a form, the record. A
# check of one row cannot see the record: the guard at the commit does.
TAX = """
CREATE FUNCTION fairmeter_payment_has_its_record() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.reported
     AND (NOT NEW.form_seen
          OR EXISTS (SELECT FROM public.jackpot_datedtax t WHERE t.id = NEW.tax_rule_id AND t.form <> ''))
     AND NOT EXISTS (SELECT FROM public.jackpot_taxrecord r JOIN public.jackpot_payee p ON p.record_id = r.id
                      WHERE r.payment_id = NEW.id) THEN
    RAISE EXCEPTION 'payment of slip % is reported and has no tax record', NEW.slip USING ERRCODE = 'check_violation';
  END IF;
  RETURN NULL;
END $$;
CREATE CONSTRAINT TRIGGER payment_has_its_record AFTER INSERT ON jackpot_payment
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION fairmeter_payment_has_its_record();
"""

MOVES = " OR ".join(f"a.{account} <> 0" for account in ACCOUNTS)
# The worker's role suspends and stops, and no entry that it writes moves anything. Asked of the worker's session only: a
# batch of coin-ins pays nothing for it.
WORKER = f"""
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

FUNCTIONS = (
    "fairmeter_adjustment_stays", "fairmeter_authority_stays", "fairmeter_entries_follow_books", "fairmeter_is_told",
    "fairmeter_jackpot_begins_empty", "fairmeter_jackpot_has_its_act", "fairmeter_notice_stays",
    "fairmeter_numbers_rise", "fairmeter_payment_has_its_record", "fairmeter_person_is_told",
    "fairmeter_refuse_change", "fairmeter_request_stays", "fairmeter_role_is_told", "fairmeter_row_follows_books",
    "fairmeter_terms_stay", "fairmeter_trail_awaits_seal", "fairmeter_trail_is_stamped",
    "fairmeter_win_has_its_entry", "fairmeter_win_lives", "fairmeter_word_stays", "fairmeter_worker_moves_nothing",
    "fairmeter_worker_resumes_nothing", "fairmeter_wrote_this",
)


class Migration(migrations.Migration):

    replaces = [("jackpot", name) for name in REPLACED]

    initial = True

    dependencies = [
    ]

    operations = [
        migrations.CreateModel(
            name='Property',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('code', models.CharField(max_length=20, unique=True)),
                ('name', models.CharField(max_length=100)),
                ('address', models.TextField(blank=True)),
                ('time_zone', models.CharField(default='UTC', max_length=60)),
                ('day_roll_minutes', models.PositiveSmallIntegerField(default=360, help_text='Minutes after midnight, local time.')),
                ('currency', models.CharField(default='USD', max_length=3)),
                ('locale', models.CharField(default='en_US', max_length=20)),
                ('executive_threshold', jackpot.money_field.AmountField(default=5000, help_text="From this sum up an executive's card approves.")),
                ('dual_threshold', jackpot.money_field.AmountField(help_text='From this sum up two people approve; empty: never.', null=True)),
                ('pin_from_level', models.PositiveSmallIntegerField(default=3, help_text='Cards of this level and above need a PIN.')),
                ('cards_from_multiple', models.PositiveIntegerField(default=1000, help_text='Awards of this many wagers need cards.')),
                ('cards_required', models.BooleanField(default=True, help_text='Hits are approved only on their cards, or on “cards seen” below that multiple.')),
                ('marker_may_verify', models.BooleanField(default=False)),
                ('verifier_may_pay', models.BooleanField(default=False)),
                ('both_need_level', models.BooleanField(default=False, help_text='Of two people both need the level of the sum.')),
                ('old_rounds_need_two', models.BooleanField(default=True, help_text='A round of an earlier gaming day is voided or counted again by two people.')),
                ('authority', models.JSONField(blank=True, default=list, help_text='What two people signed since the first values, setting by setting.')),
                ('limit_may_equal_meter', models.BooleanField(default=False, help_text='A new limit may be the present meter itself.')),
                ('raise_limit_at_once', models.BooleanField(default=False, help_text='A higher limit need not wait for a reset.')),
                ('surveillance', django.contrib.postgres.fields.ArrayField(base_field=models.CharField(max_length=20), blank=True, default=list, help_text='What is ticked off at a hit, by code.', size=None)),
                ('checklist_opens', models.BooleanField(default=False, help_text='A table opens only with its checklist done.')),
                ('evidence_files', models.BooleanField(default=False, help_text='Nobody signs a request without a file of evidence.')),
                ('seed_recovery', models.BooleanField(default=False, help_text='The house may take its seed back out of a meter.')),
                ('demo', models.BooleanField(default=False, help_text='Made by the demo file: served on loopback only.')),
                ('rule_book', models.CharField(default='NONE', help_text='The rule book it is compared with, by code.', max_length=20)),
                ('plausible_play', models.BooleanField(default=True, help_text='Coin-ins faster than a table can deal raise no meter before a supervisor says so.')),
                ('unseen_count', models.PositiveIntegerField(help_text='The same, in hits.', null=True)),
                ('unseen_sum', jackpot.money_field.AmountField(help_text='Signed by one person at one table and day without cards of the hand; empty: no cap.', null=True)),
                ('executive_witness', jackpot.money_field.AmountField(help_text='The same, an executive.', null=True)),
                ('own_dual', models.JSONField(blank=True, default=dict, help_text='The dual threshold of the same.')),
                ('own_executive', models.JSONField(blank=True, default=dict, help_text='The executive threshold of a jackpot (GRAND) or of its row (GRAND/royal).')),
                ('regulator_witness', jackpot.money_field.AmountField(help_text='The same, the regulator.', null=True)),
                ('second_person_witness', jackpot.money_field.AmountField(help_text='The same, a second person.', null=True)),
                ('supervisor_witness', jackpot.money_field.AmountField(help_text='From this sum up one stands by before payment.', null=True)),
                ('surveillance_witness', jackpot.money_field.AmountField(help_text='The same, surveillance.', null=True)),
                ('each_wager_a_game', models.BooleanField(default=False, help_text='Ante, blind and play count as a game each; else they are one.')),
                ('most_games', models.PositiveSmallIntegerField(default=4, help_text='Games that a player may wager on at a table.')),
                ('player_dealer_jackpots', models.BooleanField(default=False, help_text='A table that a player banks may feed a jackpot.')),
                ('approves_agreement', models.BooleanField(default=False, help_text="… with the agreement of the game's owner.")),
                ('approves_game', models.BooleanField(default=False, help_text='A table opens only with the approval of its game.')),
                ('approves_jackpot', models.BooleanField(default=False, help_text='… of its jackpots.')),
                ('approves_pay_table', models.BooleanField(default=False, help_text='… of the pay tables of its jackpots.')),
                ('approves_schedule', models.BooleanField(default=False, help_text='… of its collection schedule.')),
                ('short_cover_suspends', models.BooleanField(default=False, help_text='Jackpots suspend themselves while the bank holds less than they require.')),
                ('unapproved_closes', models.BooleanField(default=False, help_text='A table that plays is closed when something of it is not approved any more.')),
                ('terms_wait_for_notice', models.BooleanField(default=False, help_text='Other terms count only when whoever has to be told of them was told.')),
                ('each_progressive_a_game', models.BooleanField(default=True, help_text='Each progressive wager of a table counts as a game; else all of them are one.')),
                ('end_waits_for_settling', models.BooleanField(default=False, help_text='A hand that a player banks is ended only when it was told what became of it.')),
                ('limits_close', models.BooleanField(default=False, help_text='A table that plays outside a limit sheet of its day is closed.')),
                ('slips_need_two', models.BooleanField(default=True, help_text='What is written down of a book of hand-written slips takes two people.')),
                ('surveillance_first', models.BooleanField(default=False, help_text='A hit is approved only when surveillance ticked off its list.')),
                ('unreasonable_share', models.PositiveIntegerField(default=0, help_text='An hour of a table above this per cent of what is expected of it rings; 0: never.')),
            ],
            options={
                'verbose_name_plural': 'properties',
                'constraints': [models.CheckConstraint(condition=models.Q(('day_roll_minutes__lt', 1440)), name='property_day_rolls_within_a_day'), models.CheckConstraint(condition=models.Q(('most_games__gte', 1)), name='property_allows_a_game')],
            },
        ),
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
            options={
                'constraints': [models.UniqueConstraint(fields=('actor', 'key'), name='stored_answer_once')],
            },
        ),
        migrations.CreateModel(
            name='Errand',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('code', models.CharField(help_text='What is done, such as “publish heads”.', max_length=40, unique=True)),
                ('every', models.DurationField()),
                ('alarm_after', models.DurationField(help_text='So long after it was due, its delay is an alarm.')),
                ('owed_since', models.DateTimeField(help_text='When it was first due after it was last done.')),
                ('due_at', models.DateTimeField(help_text='Not tried before this moment.')),
                ('done_at', models.DateTimeField(null=True)),
                ('tries', models.PositiveIntegerField(default=0, help_text='Failures in a row.')),
                ('last_error', models.CharField(blank=True, max_length=300)),
                ('alarmed_at', models.DateTimeField(help_text='When the trail was told that it is overdue.', null=True)),
            ],
            options={
                'ordering': ['code'],
            },
        ),
        migrations.CreateModel(
            name='EvidenceFile',
            fields=[
                ('sha256', models.CharField(max_length=64, primary_key=True, serialize=False)),
                ('kind', models.CharField(choices=[('pdf', 'pdf'), ('png', 'png'), ('jpeg', 'jpeg'), ('text', 'text')], max_length=4)),
                ('size', models.PositiveIntegerField()),
                ('content', models.BinaryField()),
                ('kept_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
            ],
        ),
        migrations.CreateModel(
            name='Role',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('code', models.CharField(max_length=20, unique=True)),
                ('name', models.CharField(max_length=60)),
                ('may', django.contrib.postgres.fields.ArrayField(base_field=models.CharField(max_length=40), default=list, help_text='Verbs this role may use.', size=None)),
            ],
            options={
                'ordering': ['code'],
            },
        ),
        migrations.CreateModel(
            name='Operator',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('password', models.CharField(max_length=128, verbose_name='password')),
                ('last_login', models.DateTimeField(blank=True, null=True, verbose_name='last login')),
                ('username', models.CharField(max_length=60, unique=True)),
                ('name', models.CharField(max_length=100)),
                ('premises', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='operators', to='jackpot.property')),
                ('is_active', models.BooleanField(default=True)),
                ('created_at', models.DateTimeField(auto_now_add=True)),
                ('roles', models.ManyToManyField(related_name='operators', to='jackpot.role')),
            ],
            options={
                'abstract': False,
            },
        ),
        migrations.CreateModel(
            name='Card',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('operator', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='cards', to=settings.AUTH_USER_MODEL)),
                ('number_hash', models.BinaryField(max_length=32, unique=True)),
                ('last_four', models.CharField(max_length=4)),
                ('level', models.PositiveSmallIntegerField(choices=[(1, 'dealer'), (2, 'supervisor'), (3, 'executive')])),
                ('next_level', models.PositiveSmallIntegerField(choices=[(1, 'dealer'), (2, 'supervisor'), (3, 'executive')], help_text='Signed by two people.', null=True)),
                ('next_level_from', models.DateField(help_text='The gaming day from which it counts.', null=True)),
                ('pin_hash', models.CharField(blank=True, max_length=200)),
                ('wrong_pins', models.PositiveSmallIntegerField(default=0)),
                ('locked_at', models.DateTimeField(help_text='Three wrong PINs lock a card until it is unlocked.', null=True)),
                ('expires_on', models.DateField(null=True)),
                ('blocked_at', models.DateTimeField(null=True)),
            ],
            options={
                'constraints': [models.CheckConstraint(condition=models.Q(models.Q(('next_level__isnull', True), ('next_level_from__isnull', True)), models.Q(('next_level__isnull', False), ('next_level_from__isnull', False)), _connector='OR'), name='card_next_level_has_its_day')],
            },
        ),
        migrations.CreateModel(
            name='KeyRegister',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('premises', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='keys', to='jackpot.property')),
                ('number', models.CharField(max_length=20)),
                ('operator', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='keys', to=settings.AUTH_USER_MODEL)),
                ('level', models.PositiveSmallIntegerField(choices=[(1, 'dealer'), (2, 'supervisor'), (3, 'executive')], default=2)),
                ('out_at', models.DateTimeField()),
                ('back_at', models.DateTimeField(null=True)),
            ],
            options={
                'constraints': [models.UniqueConstraint(condition=models.Q(('back_at__isnull', True)), fields=('premises', 'number'), name='key_out_once')],
            },
        ),
        migrations.CreateModel(
            name='DatedShifts',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('premises', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='shift_plans', to='jackpot.property')),
                ('begins', models.DateField(help_text='First gaming day.')),
                ('names', django.contrib.postgres.fields.ArrayField(base_field=models.CharField(max_length=30), size=None)),
                ('minutes', django.contrib.postgres.fields.ArrayField(base_field=models.PositiveSmallIntegerField(), help_text='Begin of each, minutes after local midnight.', size=None)),
            ],
            options={
                'verbose_name_plural': 'dated shifts',
                'ordering': ['premises_id', 'begins'],
                'constraints': [models.UniqueConstraint(fields=('premises', 'begins'), name='shifts_begin_once_a_day')],
            },
        ),
        migrations.CreateModel(
            name='DatedTax',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('premises', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='tax_rules', to='jackpot.property')),
                ('begins', models.DateField(help_text='First gaming day.')),
                ('minimum', jackpot.money_field.AmountField()),
                ('multiple', models.PositiveIntegerField(default=0, help_text='Times the wager; 0: no such condition.')),
                ('withhold_above', jackpot.money_field.AmountField(help_text='Empty: nothing is withheld.', null=True)),
                ('rate', models.PositiveIntegerField(default=0, help_text='Millionths that are withheld.')),
                ('wager_deducted', models.BooleanField(default=True)),
                ('currency_above', jackpot.money_field.AmountField(help_text='Cash to one person on one day above which it is told.', null=True)),
                ('form', models.CharField(blank=True, help_text='Of a reported win, with its payee; empty: none.', max_length=20)),
                ('shared_form', models.CharField(blank=True, help_text='Where several people share it.', max_length=20)),
            ],
            options={
                'verbose_name_plural': 'dated tax rules',
                'ordering': ['premises_id', 'begins'],
                'constraints': [models.UniqueConstraint(fields=('premises', 'begins'), name='tax_rule_begins_once_a_day'), models.CheckConstraint(condition=models.Q(('minimum__gte', 0)), name='tax_minimum_not_negative'), models.CheckConstraint(condition=models.Q(('rate__lte', 1000000)), name='tax_rate_is_at_most_all')],
            },
        ),
        migrations.CreateModel(
            name='DatedUnclaimed',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('premises', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='unclaimed_rules', to='jackpot.property')),
                ('begins', models.DateField(help_text='First gaming day of the slips it is for.')),
                ('notice_after', models.PositiveIntegerField(help_text='Days after which the owner is to be told.')),
                ('lapse_after', models.PositiveIntegerField(help_text='Days after which the claim lapses.')),
            ],
            options={
                'verbose_name_plural': 'dated rules of unclaimed slips',
                'ordering': ['premises_id', 'begins'],
                'constraints': [models.UniqueConstraint(fields=('premises', 'begins'), name='unclaimed_rule_begins_once_a_day'), models.CheckConstraint(condition=models.Q(('lapse_after__gte', models.F('notice_after'))), name='unclaimed_notice_before_lapse')],
            },
        ),
        migrations.CreateModel(
            name='DatedNotice',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('premises', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='notice_rules', to='jackpot.property')),
                ('begins', models.DateField(help_text='First gaming day.')),
                ('about', models.CharField(choices=[('adjust', 'adjust'), ('back_out', 'back_out'), ('difference', 'difference'), ('explanation', 'explanation'), ('retire', 'retire'), ('suspend', 'suspend'), ('terms', 'terms'), ('transfer', 'transfer')], max_length=12)),
                ('to', models.CharField(max_length=60)),
                ('owner', models.CharField(help_text='Code of the role that tells them.', max_length=40)),
                ('within_hours', models.PositiveIntegerField(help_text='Empty: from that day on nobody has to be told.', null=True)),
            ],
            options={
                'verbose_name_plural': 'dated rules of notices',
                'ordering': ['premises_id', 'begins', 'id'],
                'constraints': [models.UniqueConstraint(fields=('premises', 'begins', 'about', 'to'), name='notice_rule_begins_once_a_day')],
            },
        ),
        migrations.CreateModel(
            name='Trail',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
                ('actor', models.CharField(help_text='A person, a device or the server itself.', max_length=80)),
                ('person', models.ForeignKey(db_constraint=False, db_index=False, null=True, on_delete=django.db.models.deletion.DO_NOTHING, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('premises', models.ForeignKey(db_constraint=False, db_index=False, help_text='Whose line it is; none: of the server, or of a stranger.', null=True, on_delete=django.db.models.deletion.DO_NOTHING, related_name='+', to='jackpot.property')),
                ('act', models.CharField(max_length=40)),
                ('object_kind', models.CharField(blank=True, choices=[('slip', 'slip'), ('round', 'round'), ('jackpot', 'jackpot'), ('terms', 'terms'), ('table', 'table'), ('device', 'device'), ('sign', 'sign'), ('printer', 'printer'), ('person', 'person'), ('role', 'role'), ('key', 'key'), ('custody', 'custody'), ('book', 'book'), ('request', 'request'), ('day', 'day'), ('property', 'property'), ('report', 'report'), ('pay table', 'pay table'), ('errand', 'errand'), ('parcel', 'parcel'), ('proof', 'proof'), ('build', 'build')], max_length=12)),
                ('object_key', models.CharField(blank=True, max_length=80)),
                ('subject', models.CharField(blank=True, max_length=80)),
                ('outcome', models.CharField(default='done', max_length=20)),
                ('why', models.TextField(blank=True)),
                ('details', models.JSONField(default=dict)),
                ('written_by', models.CharField(db_default='', help_text='The role of the database that wrote it; the database says so, and when.', max_length=63)),
            ],
            options={
                'verbose_name_plural': 'trail',
                'ordering': ['-id'],
                'indexes': [models.Index(fields=['subject', '-id'], name='trail_by_subject'), models.Index(fields=['at', 'id'], name='trail_by_time'), models.Index(fields=['object_kind', 'object_key', 'at', 'id'], name='trail_by_object'), models.Index(condition=models.Q(('person__isnull', False)), fields=['person', 'at', 'id'], name='trail_by_person'), models.Index(fields=['actor', 'at', 'id'], name='trail_by_actor'), models.Index(fields=['act', 'at', 'id'], name='trail_by_act'), models.Index(condition=models.Q(('outcome', 'done'), _negated=True), fields=['outcome', 'at', 'id'], name='trail_by_outcome')],
            },
        ),
        migrations.CreateModel(
            name='SlipCounter',
            fields=[
                ('premises', models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, primary_key=True, serialize=False, to='jackpot.property')),
                ('next_slip', models.BigIntegerField(default=1)),
                ('next_win', models.BigIntegerField(default=1)),
            ],
        ),
        migrations.CreateModel(
            name='InstalledBuild',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
                ('program', models.CharField(help_text='Name and version.', max_length=60)),
                ('build', models.CharField(help_text='The digest of the list of all files.', max_length=64)),
                ('before', models.CharField(blank=True, help_text='The build that served before; empty: the first.', max_length=64)),
                ('host', models.CharField(help_text='The machine that noticed it first.', max_length=120)),
                ('files', models.JSONField(help_text='Path and sha-256 of each file.')),
                ('changed', models.JSONField(default=list, help_text='The files that came, went or differ since the build before.')),
            ],
            options={
                'ordering': ['id'],
            },
        ),
        migrations.CreateModel(
            name='KeyMark',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('mark', models.CharField(max_length=32)),
                ('since', models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
            ],
        ),
        migrations.CreateModel(
            name='PacedTries',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('kind', models.CharField(max_length=20)),
                ('who', models.CharField(help_text='A name with its address, a box, a person: whoever tries.', max_length=200)),
                ('tries', models.PositiveIntegerField(default=0)),
                ('last_at', models.DateTimeField()),
                ('until', models.DateTimeField(help_text='Before this moment nothing is looked at.')),
            ],
            options={
                'indexes': [models.Index(fields=['last_at'], name='paced_tries_by_time')],
                'constraints': [models.UniqueConstraint(fields=('kind', 'who'), name='paced_tries_once')],
            },
        ),
        migrations.CreateModel(
            name='SecondFactor',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('secret', models.BinaryField(help_text='Encrypted under the file key.', max_length=200)),
                ('confirmed_at', models.DateTimeField(null=True)),
                ('last_step', models.BigIntegerField(default=0, help_text='Digits of this moment and before fit no more.')),
                ('operator', models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, related_name='second_factor', to=settings.AUTH_USER_MODEL)),
            ],
        ),
        migrations.CreateModel(
            name='RecoveryCode',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('code_hash', models.BinaryField(max_length=32)),
                ('used_at', models.DateTimeField(null=True)),
                ('operator', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='recovery_codes', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('operator', 'code_hash'), name='recovery_code_once')],
            },
        ),
        migrations.CreateModel(
            name='UnsealedTrail',
            fields=[
                ('line', models.BigIntegerField(primary_key=True, serialize=False)),
            ],
        ),
        migrations.CreateModel(
            name='TrailSeal',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('chain', models.BigIntegerField(help_text='Key of the house; 0: lines of the server and of strangers.')),
                ('number', models.BigIntegerField(help_text='1, 2, 3 … without a gap.')),
                ('line', models.BigIntegerField(unique=True)),
                ('seal', models.BinaryField()),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('chain', 'number'), name='trail_seal_numbers_once'), models.CheckConstraint(condition=models.Q(('number__gt', 0)), name='trail_seal_counts_from_one')],
            },
        ),
        migrations.CreateModel(
            name='ActWitness',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('table_code', models.CharField(max_length=20)),
                ('round_number', models.BigIntegerField()),
                ('approved_at', models.DateTimeField()),
                ('part', models.CharField(choices=[('supervisor', 'a supervisor'), ('executive', 'an executive'), ('second_person', 'a second person'), ('surveillance', 'surveillance'), ('regulator', 'the regulator')], max_length=13)),
                ('operator_name', models.CharField(max_length=100)),
                ('level', models.PositiveSmallIntegerField(default=0, help_text='Of the card; 0: by the own password.')),
                ('reference', models.CharField(blank=True, help_text='Whom of the regulator an executive told, how, and when.', max_length=200)),
                ('at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
                ('card', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='jackpot.card')),
                ('operator', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('premises', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='jackpot.property')),
            ],
            options={
                'ordering': ['id'],
                'constraints': [models.UniqueConstraint(fields=('premises', 'table_code', 'round_number', 'approved_at', 'part'), name='witness_part_once'), models.UniqueConstraint(fields=('premises', 'table_code', 'round_number', 'approved_at', 'operator'), name='witness_is_one_person')],
            },
        ),
        migrations.CreateModel(
            name='Passkey',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('site', models.CharField(help_text='The name under which the browser had opened us.', max_length=253)),
                ('name', models.CharField(max_length=40)),
                ('credential', models.BinaryField(max_length=1024, unique=True)),
                ('public_key', models.BinaryField(max_length=2000)),
                ('uses', models.BigIntegerField(default=0, help_text='The counter of the key, where it has one: it only rises.')),
                ('made_at', models.DateTimeField(auto_now_add=True)),
                ('used_at', models.DateTimeField(null=True)),
                ('operator', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='passkeys', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'ordering': ['id'],
            },
        ),
        migrations.CreateModel(
            name='DirectoryLink',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('issuer', models.CharField(max_length=300)),
                ('subject', models.CharField(help_text="The directory's own name for the person; it never changes.", max_length=255)),
                ('made_at', models.DateTimeField(auto_now_add=True)),
                ('used_at', models.DateTimeField(null=True)),
                ('operator', models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, related_name='directory_link', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('issuer', 'subject'), name='directory_person_links_once')],
            },
        ),
        migrations.CreateModel(
            name='RoundEvidence',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('table_code', models.CharField(max_length=20)),
                ('round_number', models.BigIntegerField()),
                ('name', models.CharField(max_length=120)),
                ('added_by_name', models.CharField(help_text='The name as it was then; people are compared by key.', max_length=100)),
                ('added_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
                ('added_by', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('file', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='round_uses', to='jackpot.evidencefile')),
            ],
            options={
                'ordering': ['id'],
                'constraints': [models.UniqueConstraint(fields=('table_code', 'round_number', 'file'), name='evidence_of_a_round_once')],
            },
        ),
        migrations.CreateModel(
            name='Jackpot',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('code', models.CharField(max_length=20, unique=True)),
                ('name', models.CharField(max_length=60)),
                ('premises', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='jackpots', to='jackpot.property')),
                ('state', models.CharField(choices=[('open', 'open'), ('suspended', 'suspended'), ('retired', 'retired')], default='open', max_length=10)),
                ('retired_at', models.DateTimeField(null=True)),
                ('transfer_by', models.DateField(help_text='Retired: until when its money has another home.', null=True)),
                ('last_seq', models.BigIntegerField(default=0)),
                ('contributed', jackpot.money_field.AmountField(default=0)),
                ('meter', jackpot.money_field.AmountField(default=0)),
                ('reserve', jackpot.money_field.AmountField(default=0)),
                ('overflow', jackpot.money_field.AmountField(default=0)),
                ('house', jackpot.money_field.AmountField(default=0)),
                ('winners', jackpot.money_field.AmountField(default=0)),
                ('paid', jackpot.money_field.AmountField(default=0)),
                ('outside', jackpot.money_field.AmountField(default=0)),
                ('advance', jackpot.money_field.AmountField(default=0, help_text='What of house advances is still owed; re-added from its entries.')),
                ('seal', models.BinaryField(default=b'\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00')),
                ('last_at', models.DateTimeField(null=True)),
            ],
            options={
                'ordering': ['code'],
                'constraints': [models.CheckConstraint(condition=models.Q(('meter__gte', 0)), name='jackpot_meter_never_negative'), models.CheckConstraint(condition=models.Q(('reserve__gte', 0)), name='jackpot_reserve_never_negative'), models.CheckConstraint(condition=models.Q(('overflow__gte', 0)), name='jackpot_overflow_never_negative'), models.CheckConstraint(condition=models.Q(('winners__gte', 0)), name='jackpot_winners_never_negative'), models.CheckConstraint(condition=models.Q(('advance__gte', 0)), name='jackpot_advance_never_negative')],
            },
        ),
        migrations.CreateModel(
            name='Version',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('jackpot', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='versions', to='jackpot.jackpot')),
                ('number', models.PositiveIntegerField()),
                ('terms', models.TextField(help_text='Canonical JSON; never changed.')),
                ('digest', models.CharField(max_length=64)),
                ('requested_by', models.CharField(max_length=60)),
                ('approved_by', models.CharField(max_length=60)),
                ('created_at', models.DateTimeField(auto_now_add=True)),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('jackpot', 'number'), name='version_numbers_once')],
            },
        ),
        migrations.CreateModel(
            name='Entry',
            fields=[
                ('pk', models.CompositePrimaryKey('jackpot_id', 'seq', blank=True, editable=False, primary_key=True, serialize=False)),
                ('jackpot', models.ForeignKey(db_constraint=False, db_index=False, on_delete=django.db.models.deletion.DO_NOTHING, related_name='entries', to='jackpot.jackpot')),
                ('seq', models.BigIntegerField()),
                ('kind', models.CharField(choices=[('opening', 'seed posted'), ('take_over', 'taken over from another system'), ('coin_in', 'coin-in'), ('void', 'round voided'), ('recount', 'round counted again'), ('mark', 'hit marked'), ('unmark', 'mark taken back'), ('assign', 'seats of a lit key said'), ('ask', 'hit asked for'), ('release', 'asked for no longer'), ('outrank', 'outranked by a higher hand'), ('reject', 'hit not confirmed'), ('fall', 'hit void with its round'), ('park', 'hit parked, the table plays on'), ('claim', 'hit claimed after the round'), ('pass_queue', 'let pass the queue'), ('rejoin', 'in the queue again'), ('override', 'paid in spite of its cards'), ('log', 'win logged'), ('award', 'award'), ('advance', 'house advance: a dry meter began anew'), ('repay', 'house advance repaid'), ('pay', 'winner paid'), ('back_out', 'win backed out'), ('receipt', 'money paid in error came back'), ('configure', 'other terms in force'), ('adjust', 'adjustment'), ('difference', 'difference of a later winner'), ('transfer_out', 'transferred to another jackpot'), ('transfer_in', 'transferred from another jackpot'), ('suspend', 'suspended'), ('resume', 'resumed'), ('retire', 'retired')], max_length=12)),
                ('key', models.CharField(max_length=80)),
                ('occurred_at', models.DateTimeField()),
                ('gaming_day', models.DateField()),
                ('table_code', models.CharField(blank=True, max_length=20)),
                ('round_number', models.BigIntegerField(null=True)),
                ('win_id', models.BigIntegerField(null=True)),
                ('corrects', models.BigIntegerField(null=True)),
                ('version', models.ForeignKey(db_constraint=False, db_index=False, on_delete=django.db.models.deletion.DO_NOTHING, related_name='+', to='jackpot.version')),
                ('contributed', jackpot.money_field.AmountField()),
                ('meter', jackpot.money_field.AmountField()),
                ('reserve', jackpot.money_field.AmountField()),
                ('overflow', jackpot.money_field.AmountField()),
                ('house', jackpot.money_field.AmountField()),
                ('winners', jackpot.money_field.AmountField()),
                ('paid', jackpot.money_field.AmountField()),
                ('outside', jackpot.money_field.AmountField()),
                ('contributed_after', jackpot.money_field.AmountField()),
                ('meter_after', jackpot.money_field.AmountField()),
                ('reserve_after', jackpot.money_field.AmountField()),
                ('overflow_after', jackpot.money_field.AmountField()),
                ('house_after', jackpot.money_field.AmountField()),
                ('winners_after', jackpot.money_field.AmountField()),
                ('paid_after', jackpot.money_field.AmountField()),
                ('outside_after', jackpot.money_field.AmountField()),
                ('request', models.BinaryField()),
                ('seal', models.BinaryField()),
            ],
            options={
                'verbose_name_plural': 'entries',
                'ordering': ['jackpot_id', 'seq'],
                'constraints': [models.CheckConstraint(condition=models.Q(('meter_after__gte', 0), ('overflow_after__gte', 0), ('reserve_after__gte', 0), ('winners_after__gte', 0)), name='entry_balances_never_negative'), models.UniqueConstraint(condition=models.Q(('kind', 'coin_in'), _negated=True), fields=('jackpot', 'key'), name='entry_act_named_once'), models.UniqueConstraint(condition=models.Q(('corrects__isnull', False)), fields=('jackpot', 'corrects'), name='entry_corrected_once')],
                'indexes': [models.Index(condition=models.Q(('kind', 'coin_in'), _negated=True), fields=['jackpot', 'seq'], name='entry_acts')],
            },
        ),
        migrations.CreateModel(
            name='WentBack',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('known_seq', models.BigIntegerField(help_text='The highest entry that was seen.')),
                ('known_seal', models.BinaryField()),
                ('found_seq', models.BigIntegerField(help_text='Where the books stood when it was found.')),
                ('why', models.TextField(help_text='The sentence.')),
                ('told_by', models.CharField(help_text='Who remembered: a node, published heads, a device.', max_length=60)),
                ('at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
                ('asked_at', models.DateTimeField(null=True)),
                ('reason', models.CharField(blank=True, max_length=200)),
                ('accepted_at', models.DateTimeField(null=True)),
                ('accepted_by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('asked_by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('jackpot', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='went_back', to='jackpot.jackpot')),
            ],
            options={
                'verbose_name_plural': 'books that went back',
                'ordering': ['-id'],
                'constraints': [models.UniqueConstraint(condition=models.Q(('accepted_at__isnull', True)), fields=('jackpot',), name='went_back_once_at_a_time'), models.CheckConstraint(condition=models.Q(('accepted_by__isnull', True), models.Q(('accepted_by', models.F('asked_by')), _negated=True), _connector='OR'), name='went_back_two_people')],
            },
        ),
        migrations.CreateModel(
            name='ProofReach',
            fields=[
                ('jackpot', models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, primary_key=True, related_name='+', serialize=False, to='jackpot.jackpot')),
                ('seq', models.BigIntegerField()),
                ('seal', models.BinaryField()),
                ('at', models.DateTimeField(help_text='When it was reached.')),
            ],
        ),
        migrations.CreateModel(
            name='CoverSuspension',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('seq', models.BigIntegerField(help_text='Its entry.')),
                ('required', jackpot.money_field.AmountField(help_text='Of all jackpots of the house at that moment.')),
                ('balance', jackpot.money_field.AmountField(help_text='As somebody read it off the last statement.')),
                ('as_of', models.DateField(help_text='The day of that statement.')),
                ('at', models.DateTimeField()),
                ('jackpot', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='cover_suspensions', to='jackpot.jackpot')),
            ],
            options={
                'ordering': ['id'],
                'constraints': [models.UniqueConstraint(fields=('jackpot', 'seq'), name='cover_suspension_of_an_entry'), models.CheckConstraint(condition=models.Q(('balance__lt', models.F('required'))), name='cover_was_short')],
            },
        ),
        migrations.CreateModel(
            name='Win',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('jackpot', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='wins', to='jackpot.jackpot')),
                ('table_code', models.CharField(max_length=20)),
                ('round_number', models.BigIntegerField()),
                ('seat', models.PositiveSmallIntegerField(help_text='0: a lit key; the pit page says which seats hold the hand.')),
                ('line', models.CharField(max_length=40)),
                ('line_name', models.CharField(max_length=80)),
                ('part', models.BooleanField(help_text='Paid as a part of the meter: such hits wait for each other.')),
                ('ranked', models.BooleanField(default=False, help_text='Its round had a part-of-the-meter hit: it counts for later ones.')),
                ('front_seq', models.BigIntegerField(help_text='The entry by which an executive and a second person let it pass the queue.', null=True)),
                ('envy_of', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='envied', to='jackpot.win')),
                ('difference_of', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='made_up', to='jackpot.win')),
                ('version', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='jackpot.version')),
                ('state', models.CharField(choices=[('marked', 'marked'), ('unmarked', 'unmarked'), ('assigned', 'assigned'), ('asked', 'asked'), ('outranked', 'outranked'), ('rejected', 'rejected'), ('fell', 'fell'), ('logged', 'logged'), ('owed', 'owed'), ('paid', 'paid'), ('backed_out', 'backed_out')], max_length=10)),
                ('mark_seq', models.BigIntegerField(help_text="Number of its mark in the books, or of its lit key's: its rank.")),
                ('frozen_seq', models.BigIntegerField(help_text="The entry whose balances it counts from; from the approval on, its round's.")),
                ('marked_at', models.DateTimeField()),
                ('marked_by', models.CharField(help_text='The name as it was then; people are compared by key.', max_length=100)),
                ('marker', models.ForeignKey(help_text='Empty: nobody was badged in.', null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('asked_at', models.DateTimeField(null=True)),
                ('asked_by', models.CharField(blank=True, max_length=100)),
                ('asker', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('cards_checked', models.BooleanField(default=False)),
                ('number', models.BigIntegerField(help_text='Win number of the property, given at approval.', null=True)),
                ('slip', models.BigIntegerField(help_text='Slip number of the property, gapless, given at approval.', null=True)),
                ('premises', models.ForeignKey(help_text='Whose slip it is.', null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='jackpot.property')),
                ('place', models.PositiveSmallIntegerField(help_text='Its place in the order of its act.', null=True)),
                ('amount', jackpot.money_field.AmountField(null=True)),
                ('paper', models.JSONField(help_text='What its page prints: the record of its award, from approval on.', null=True)),
                ('override', models.JSONField(help_text='Two people’s word for it in spite of its cards, and on which.', null=True)),
                ('award_seq', models.BigIntegerField(null=True)),
                ('logged_at', models.DateTimeField(null=True)),
                ('gaming_day', models.DateField(null=True)),
                ('moved_at', models.DateTimeField(null=True)),
                ('paid_at', models.DateTimeField(null=True)),
                ('paid_by', models.CharField(blank=True, max_length=100)),
                ('payer', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('paid_method', models.CharField(blank=True, max_length=20)),
                ('paid_cheque', models.CharField(blank=True, help_text='Number of the cheque.', max_length=40)),
                ('paid_window', models.CharField(blank=True, help_text='The window that paid it.', max_length=40)),
            ],
            options={
                'ordering': ['id'],
                'indexes': [models.Index(fields=['table_code', 'round_number'], name='win_by_round'), models.Index(fields=['jackpot', 'moved_at'], name='win_by_time'), models.Index(condition=models.Q(('part', True)), fields=['jackpot', 'moved_at'], name='win_part_by_time'), models.Index(condition=models.Q(('state__in', ['marked', 'asked', 'logged'])), fields=['jackpot', 'mark_seq'], name='win_open'), models.Index(fields=['gaming_day', 'id'], name='win_by_day'), models.Index(condition=models.Q(('amount__isnull', False)), fields=['amount'], name='win_by_amount')],
                'constraints': [models.UniqueConstraint(condition=models.Q(('state__in', ['marked', 'asked'])), fields=('jackpot', 'table_code', 'round_number', 'seat', 'line'), name='win_marked_once'), models.UniqueConstraint(condition=models.Q(('difference_of__isnull', True), ('envy_of__isnull', True), ('state__in', ['logged', 'owed', 'paid'])), fields=('jackpot', 'table_code', 'round_number', 'seat'), name='win_one_award_a_seat'), models.UniqueConstraint(condition=models.Q(('slip__isnull', False)), fields=('premises', 'slip'), name='win_slip_once'), models.CheckConstraint(condition=models.Q(('slip__isnull', True), ('premises__isnull', False), _connector='OR'), name='win_slip_of_a_house'), models.CheckConstraint(condition=models.Q(('amount__isnull', True), ('amount__gte', 0), _connector='OR'), name='win_amount_not_negative')],
            },
        ),
        migrations.CreateModel(
            name='Request',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('kind', models.CharField(help_text='What is asked for; docs/requests.md lists the kinds.', max_length=20)),
                ('premises', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='requests', to='jackpot.property')),
                ('jackpot', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='requests', to='jackpot.jackpot')),
                ('win', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='requests', to='jackpot.win')),
                ('cause', models.ForeignKey(help_text='The request that this one follows from, such as the back-out that a difference comes of.', null=True, on_delete=django.db.models.deletion.PROTECT, related_name='decisions', to='jackpot.request')),
                ('number', models.PositiveIntegerField(default=0, help_text='1, 2, 3 … per kind and jackpot, or per kind and house; 0: people use its key.')),
                ('payload', models.JSONField(default=dict, help_text='What is asked for, of a kind without columns of its own.')),
                ('reason', models.CharField(help_text='Why it is asked for, in words.', max_length=200)),
                ('evidence', models.CharField(blank=True, max_length=200)),
                ('file_name', models.CharField(blank=True, max_length=120)),
                ('file_sha256', models.CharField(blank=True, max_length=64)),
                ('state', models.CharField(choices=[('asked', 'asked'), ('previewed', 'previewed'), ('refused', 'refused'), ('withdrawn', 'withdrawn'), ('signed', 'signed'), ('replaced', 'replaced'), ('in_force', 'in_force')], default='asked', max_length=10)),
                ('asked_by', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('asked_by_name', models.CharField(help_text='The name as it was then; people are compared by key.', max_length=100)),
                ('asked_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
                ('previewed_at', models.DateTimeField(null=True)),
                ('findings', models.JSONField(default=list, help_text='What the preview found, frozen with the request.')),
                ('preview', models.JSONField(default=dict, help_text='Before and after, as whoever asked saw it.')),
                ('alone', models.BooleanField(default=False, help_text='It only takes authority away: one person is enough.')),
                ('decided_by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('decided_by_name', models.CharField(blank=True, max_length=100)),
                ('decided_at', models.DateTimeField(null=True)),
                ('decided_reason', models.CharField(blank=True, help_text='Why it was refused.', max_length=200)),
                ('card', models.ForeignKey(help_text='Read for the second signature.', null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='jackpot.card')),
                ('withdrawn_by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('withdrawn_by_name', models.CharField(blank=True, max_length=100)),
                ('withdrawn_at', models.DateTimeField(null=True)),
                ('withdrawn_reason', models.CharField(blank=True, max_length=200)),
            ],
            options={
                'ordering': ['-id'],
                'indexes': [models.Index(fields=['state', '-id'], name='request_inbox'), models.Index(fields=['premises', 'asked_at'], name='request_by_time')],
                'constraints': [models.UniqueConstraint(condition=models.Q(('number__gt', 0)), fields=('kind', 'premises', 'jackpot', 'number'), name='request_numbers_once', nulls_distinct=False), models.CheckConstraint(condition=models.Q(models.Q(('state__in', ['in_force', 'replaced', 'signed']), _negated=True), ('alone', True), models.Q(('decided_by__isnull', False), models.Q(('decided_by', models.F('asked_by')), _negated=True)), _connector='OR'), name='request_of_two_people'), models.CheckConstraint(condition=models.Q(models.Q(('state__in', ['asked', 'previewed']), _negated=True), models.Q(('decided_at__isnull', True), ('decided_by__isnull', True)), _connector='OR'), name='request_open_is_undecided'), models.CheckConstraint(condition=models.Q(models.Q(('state', 'refused'), _negated=True), models.Q(('decided_at__isnull', False), ('decided_by__isnull', False)), _connector='OR'), name='request_refused_by_somebody'), models.UniqueConstraint(condition=models.Q(('kind', 'terms'), ('state', 'signed')), fields=('jackpot',), name='request_one_version_waits'), models.UniqueConstraint(condition=models.Q(('kind', 'back_out'), models.Q(('state__in', ['asked', 'previewed']), ('state__in', ['in_force', 'replaced', 'signed']), _connector='OR')), fields=('win',), name='request_backs_out_once'), models.UniqueConstraint(condition=models.Q(('kind', 'difference'), ('state__in', ['asked', 'previewed'])), fields=('cause', 'win'), name='request_of_a_difference_once'), models.CheckConstraint(condition=models.Q(models.Q(('kind', 'difference'), _negated=True), models.Q(('cause__isnull', False), ('win__isnull', False)), _connector='OR'), name='request_difference_has_its_cause')],
            },
        ),
        migrations.CreateModel(
            name='RequestEntry',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('request', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='entries', to='jackpot.request')),
                ('jackpot', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='jackpot.jackpot')),
                ('seq', models.BigIntegerField(help_text='Its number in the books of that jackpot.')),
            ],
            options={
                'ordering': ['id'],
                'constraints': [models.UniqueConstraint(fields=('jackpot', 'seq'), name='request_entry_once')],
            },
        ),
        migrations.CreateModel(
            name='Adjustment',
            fields=[
                ('request_ptr', models.OneToOneField(auto_created=True, on_delete=django.db.models.deletion.CASCADE, parent_link=True, primary_key=True, serialize=False, to='jackpot.request')),
                ('other', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='jackpot.jackpot')),
                ('pays', models.BooleanField(default=False, help_text='Difference: paid by a page of its own; else only noted.')),
                ('account', models.CharField(choices=[('meter', 'meter'), ('reserve', 'reserve'), ('house', 'house')], default='meter', max_length=10)),
                ('amount', jackpot.money_field.AmountField(help_text='Adjust: signed. Transfer: how much of the meter; empty: everything. Difference: as the back-out kept it.', null=True)),
                ('reading', jackpot.money_field.AmountField(help_text='Retire: what the sign showed at the closing reading.', null=True)),
                ('ground', models.CharField(choices=[('malfunction', 'malfunction'), ('misdeal', 'misdeal or wrong hand'), ('reading', 'reading or counting error'), ('limit', 'limit'), ('removal', 'removal'), ('seed_recovery', 'seed recovery'), ('maintenance', 'maintenance'), ('end_of_game', 'end of the game'), ('order', 'order of the regulator'), ('backed_out', 'an earlier award was backed out'), ('other', 'other')], max_length=20)),
                ('gaming_day', models.DateField(help_text='Of its entries.', null=True)),
                ('posted', models.JSONField(default=dict, help_text='Balances before and after, as they were posted.')),
                ('leaves_seed', models.BooleanField(default=False, help_text='Transfer, retire: everything but a seed, which stays in the meter.')),
            ],
            options={
                'ordering': ['-id'],
                'indexes': [models.Index(fields=['amount'], name='adjustment_by_amount')],
            },
            bases=('jackpot.request',),
        ),
        migrations.CreateModel(
            name='AuthorityChange',
            fields=[
                ('request_ptr', models.OneToOneField(auto_created=True, on_delete=django.db.models.deletion.CASCADE, parent_link=True, primary_key=True, serialize=False, to='jackpot.request')),
                ('whose', models.ForeignKey(help_text='The card whose level it is; empty: the settings of the house.', null=True, on_delete=django.db.models.deletion.PROTECT, related_name='authority_changes', to='jackpot.card')),
                ('before', models.JSONField(help_text='What stood when it was asked, of the settings that are asked for.')),
                ('after', models.JSONField(help_text='What is asked for, by setting; never changed.')),
                ('steps', models.JSONField(default=list, help_text='From when on each setting counts, as it was signed.')),
                ('fallen', models.JSONField(default=dict, help_text='Settings that never counted: the change that took their place; none: withdrawn.')),
            ],
            options={
                'ordering': ['premises_id', 'number'],
            },
            bases=('jackpot.request',),
        ),
        migrations.CreateModel(
            name='RequestEvidence',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('request', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='files', to='jackpot.request')),
                ('file', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='uses', to='jackpot.evidencefile')),
                ('name', models.CharField(max_length=120)),
                ('added_by', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('added_by_name', models.CharField(help_text='The name as it was then; people are compared by key.', max_length=100)),
                ('added_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
            ],
            options={
                'ordering': ['id'],
                'constraints': [models.UniqueConstraint(fields=('request', 'file'), name='evidence_of_a_request_once')],
            },
        ),
        migrations.CreateModel(
            name='Notice',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('premises', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='notices', to='jackpot.property')),
                ('about', models.CharField(choices=[('adjust', 'the adjustment, with its evidence'), ('transfer', "the transfer of a jackpot's money"), ('suspend', 'the suspension of a jackpot'), ('retire', 'the retirement of a jackpot, and the day until which its money has another home'), ('back_out', 'the back-out of an award, with its evidence'), ('difference', "what was decided of a later winner's difference"), ('terms', 'other terms of a jackpot'), ('explanation', 'a difference of a gaming day, and what explains it'), ('slip', 'the slip that nobody has claimed')], max_length=12)),
                ('to', models.CharField(help_text='Who has to be told.', max_length=60)),
                ('owner', models.CharField(blank=True, help_text='The role that tells them; empty: the window.', max_length=40)),
                ('request', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='notices', to='jackpot.request')),
                ('win', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='due_notices', to='jackpot.win')),
                ('subject', models.CharField(help_text='What it is about, in one line.', max_length=120)),
                ('raised_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
                ('due_at', models.DateTimeField()),
                ('done_by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('done_by_name', models.CharField(blank=True, max_length=100)),
                ('done_at', models.DateTimeField(null=True)),
                ('note', models.CharField(blank=True, help_text='How they were told: a letter, its number, a call.', max_length=200)),
                ('suspension', models.ForeignKey(help_text='The jackpot suspended itself: nobody asked for it, so there is no request.', null=True, on_delete=django.db.models.deletion.PROTECT, related_name='notices', to='jackpot.coversuspension')),
            ],
            options={
                'ordering': ['due_at', 'id'],
                'indexes': [models.Index(fields=['premises', 'done_at', 'due_at'], name='notice_by_due')],
                'constraints': [models.UniqueConstraint(fields=('request', 'to'), name='notice_of_a_request_once'), models.UniqueConstraint(fields=('win',), name='notice_of_a_slip_once'), models.CheckConstraint(condition=models.Q(models.Q(('done_at__isnull', True), ('done_by__isnull', True), ('note', '')), models.Q(('done_at__isnull', False), ('done_by__isnull', False), models.Q(('note', ''), _negated=True)), _connector='OR'), name='notice_done_by_somebody_somehow'), models.UniqueConstraint(fields=('suspension', 'to'), name='notice_of_a_suspension_once'), models.CheckConstraint(condition=models.Q(models.Q(('request__isnull', False), ('suspension__isnull', True), ('win__isnull', True)), models.Q(('request__isnull', True), ('suspension__isnull', True), ('win__isnull', False)), models.Q(('request__isnull', True), ('suspension__isnull', False), ('win__isnull', True)), _connector='OR'), name='notice_is_about_one_thing')],
            },
        ),
        migrations.CreateModel(
            name='OneTimeCode',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('request', models.OneToOneField(help_text='Signed by two people.', on_delete=django.db.models.deletion.PROTECT, related_name='one_time_code', to='jackpot.request')),
                ('operator', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='codes', to=settings.AUTH_USER_MODEL)),
                ('card', models.ForeignKey(help_text='Empty: it is for a password.', null=True, on_delete=django.db.models.deletion.PROTECT, related_name='codes', to='jackpot.card')),
                ('code_hash', models.BinaryField(max_length=32, unique=True)),
                ('shown_to', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('ends_at', models.DateTimeField()),
                ('used_at', models.DateTimeField(null=True)),
            ],
        ),
        migrations.CreateModel(
            name='TermsChange',
            fields=[
                ('request_ptr', models.OneToOneField(auto_created=True, on_delete=django.db.models.deletion.CASCADE, parent_link=True, primary_key=True, serialize=False, to='jackpot.request')),
                ('terms', models.TextField(help_text='Canonical JSON of what is asked for; never changed.')),
                ('digest', models.CharField(max_length=64)),
                ('stands_on', models.ForeignKey(help_text='In force when it was drafted.', on_delete=django.db.models.deletion.PROTECT, related_name='+', to='jackpot.version')),
                ('how', models.CharField(choices=[('next_reset', 'at the next reset'), ('at_once', 'at once')], default='next_reset', max_length=12)),
                ('questions', models.JSONField(default=dict, help_text='What its preview asks the laboratory, with the figures of the moment it was asked for.')),
                ('version', models.OneToOneField(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='change', to='jackpot.version')),
                ('before', models.ForeignKey(help_text='What it took the place of.', null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='jackpot.version')),
                ('activated_at', models.DateTimeField(null=True)),
                ('activated_seq', models.BigIntegerField(help_text='The first entry under its version.', null=True)),
                ('not_told', models.BooleanField(db_default=False, default=False, help_text='Signed, and whoever the house has to tell of it was not told yet.')),
            ],
            options={
                'ordering': ['jackpot_id', 'number'],
            },
            bases=('jackpot.request',),
        ),
        migrations.CreateModel(
            name='Signature',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('win', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='signatures', to='jackpot.win')),
                ('operator', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='signatures', to=settings.AUTH_USER_MODEL)),
                ('card', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='signatures', to='jackpot.card')),
                ('level', models.PositiveSmallIntegerField()),
                ('part', models.CharField(choices=[('approve', 'approved'), ('taken_back', 'approved, taken back with the key'), ('claim', 'opened as a late claim'), ('override', 'override'), ('rejoin', 'back in the queue'), ('cards', 'override of the cards'), ('pay', 'paid'), ('back_out', 'backed out'), ('difference', 'difference')], max_length=10)),
                ('at', models.DateTimeField()),
                ('why', models.CharField(blank=True, max_length=200)),
                ('entry', models.BigIntegerField(help_text='Of a changed order: the entry that notes it.', null=True)),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('win', 'operator', 'part', 'entry'), name='signature_of_two_people', nulls_distinct=False)],
            },
        ),
        migrations.CreateModel(
            name='Payment',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('win', models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, related_name='payment', to='jackpot.win')),
                ('premises', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='jackpot.property')),
                ('slip', models.BigIntegerField()),
                ('entry', models.BigIntegerField(help_text="Number of its entry in the books of the win's jackpot.")),
                ('entry_seal', models.CharField(max_length=64)),
                ('gross', jackpot.money_field.AmountField()),
                ('withheld', jackpot.money_field.AmountField()),
                ('net', jackpot.money_field.AmountField()),
                ('taxable', jackpot.money_field.AmountField(help_text='Empty: the house had no tax rule on that day.', null=True)),
                ('tax_rule', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='jackpot.datedtax')),
                ('reported', models.BooleanField()),
                ('form_seen', models.BooleanField(help_text='The payer ticked that identity and form are in hand.')),
                ('method', models.CharField(max_length=20)),
                ('cheque', models.CharField(blank=True, max_length=40)),
                ('place', models.CharField(blank=True, help_text='The window.', max_length=40)),
                ('payer', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('payer_name', models.CharField(max_length=100)),
                ('paid_at', models.DateTimeField()),
                ('gaming_day', models.DateField()),
                ('seal', models.CharField(max_length=64)),
            ],
            options={
                'ordering': ['id'],
                'indexes': [models.Index(fields=['premises', 'gaming_day'], name='payment_by_day'), models.Index(fields=['premises', 'paid_at'], name='payment_by_time'), models.Index(fields=['premises', 'gross'], name='payment_by_amount')],
                'constraints': [models.UniqueConstraint(fields=('premises', 'slip'), name='payment_of_a_slip_once'), models.CheckConstraint(condition=models.Q(('gross', django.db.models.expressions.CombinedExpression(models.F('net'), '+', models.F('withheld')))), name='payment_adds_up'), models.CheckConstraint(condition=models.Q(('net__gte', 0), ('withheld__gte', 0)), name='payment_not_negative')],
            },
        ),
        migrations.CreateModel(
            name='Dispute',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('win', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='disputes', to='jackpot.win')),
                ('why', models.CharField(max_length=200)),
                ('opened_by', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('opened_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
                ('settled_by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('settled_at', models.DateTimeField(null=True)),
                ('answer', models.CharField(blank=True, max_length=200)),
            ],
            options={
                'ordering': ['id'],
                'constraints': [models.UniqueConstraint(condition=models.Q(('settled_at__isnull', True)), fields=('win',), name='dispute_open_once'), models.CheckConstraint(condition=models.Q(('settled_by', models.F('opened_by')), _negated=True), name='dispute_settled_by_another'), models.CheckConstraint(condition=models.Q(models.Q(('settled_at__isnull', True), ('settled_by__isnull', True)), models.Q(('settled_at__isnull', False), ('settled_by__isnull', False)), _connector='OR'), name='dispute_settled_by_somebody')],
            },
        ),
        migrations.CreateModel(
            name='UnclaimedNotice',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('win', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='notices', to='jackpot.win')),
                ('how', models.CharField(max_length=200)),
                ('by', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
            ],
            options={
                'ordering': ['id'],
            },
        ),
        migrations.CreateModel(
            name='WindowReceipt',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('number', models.PositiveSmallIntegerField(help_text='1, 2, 3 … of its slip.')),
                ('entry', models.BigIntegerField(help_text="Number of its entry in the books of the win's jackpot.")),
                ('entry_seal', models.CharField(max_length=64)),
                ('gross', jackpot.money_field.AmountField()),
                ('withheld', jackpot.money_field.AmountField(help_text='What had been withheld and is not owed to the tax office any more.')),
                ('net', jackpot.money_field.AmountField(help_text='What came over the window.')),
                ('method', models.CharField(max_length=20)),
                ('reference', models.CharField(blank=True, help_text='Number of the cheque or of the transfer.', max_length=40)),
                ('place', models.CharField(blank=True, help_text='The window.', max_length=40)),
                ('taker_name', models.CharField(max_length=100)),
                ('taken_at', models.DateTimeField()),
                ('gaming_day', models.DateField()),
                ('seal', models.CharField(max_length=64)),
                ('payment', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='receipts', to='jackpot.payment')),
                ('premises', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='jackpot.property')),
                ('taker', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'ordering': ['id'],
                'indexes': [models.Index(fields=['premises', 'gaming_day'], name='receipt_by_day')],
                'constraints': [models.UniqueConstraint(fields=('payment', 'number'), name='receipt_named_once'), models.CheckConstraint(condition=models.Q(('gross', django.db.models.expressions.CombinedExpression(models.F('net'), '+', models.F('withheld')))), name='receipt_adds_up'), models.CheckConstraint(condition=models.Q(('gross__gt', 0), ('net__gte', 0), ('withheld__gte', 0)), name='receipt_not_negative')],
            },
        ),
        migrations.CreateModel(
            name='TaxRecord',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('slip', models.BigIntegerField()),
                ('gaming_day', models.DateField(help_text='Of the payment.')),
                ('form', models.CharField(blank=True, help_text='Empty: kept for the cash report of the day alone.', max_length=20)),
                ('in_cash', models.BooleanField()),
                ('written_at', models.DateTimeField()),
                ('payment', models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, related_name='tax_record', to='jackpot.payment')),
                ('premises', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='jackpot.property')),
                ('written_by', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'ordering': ['id'],
                'indexes': [models.Index(fields=['premises', 'gaming_day'], name='tax_record_by_day')],
                'constraints': [models.UniqueConstraint(fields=('premises', 'slip'), name='tax_record_of_a_slip_once')],
            },
        ),
        migrations.CreateModel(
            name='Payee',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('place', models.PositiveSmallIntegerField(help_text='1, 2, 3 … of its record.')),
                ('person', models.CharField(max_length=32)),
                ('sealed', models.BinaryField()),
                ('gross', jackpot.money_field.AmountField()),
                ('withheld', jackpot.money_field.AmountField()),
                ('net', jackpot.money_field.AmountField()),
                ('record', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='payees', to='jackpot.taxrecord')),
            ],
            options={
                'ordering': ['record_id', 'place'],
                'indexes': [models.Index(fields=['person'], name='payee_by_person')],
                'constraints': [models.UniqueConstraint(fields=('record', 'place'), name='payee_place_once'), models.UniqueConstraint(fields=('record', 'person'), name='payee_once_a_record'), models.CheckConstraint(condition=models.Q(('gross', django.db.models.expressions.CombinedExpression(models.F('net'), '+', models.F('withheld')))), name='payee_share_adds_up'), models.CheckConstraint(condition=models.Q(('net__gte', 0), ('withheld__gte', 0)), name='payee_share_not_negative')],
            },
        ),
        migrations.AddField(
            model_name='jackpot',
            name='version',
            field=models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='jackpot.version'),
        ),
        migrations.AddField(
            model_name='win',
            name='adjustment',
            field=models.ForeignKey(help_text='Of a difference: the act of two people that owes it.', null=True, on_delete=django.db.models.deletion.PROTECT, related_name='pages', to='jackpot.adjustment'),
        ),
        migrations.AddConstraint(
            model_name='win',
            constraint=models.UniqueConstraint(condition=models.Q(('adjustment__isnull', False)), fields=('adjustment',), name='win_difference_once'),
        ),
        migrations.AddConstraint(
            model_name='win',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('adjustment__isnull', True), ('difference_of__isnull', True)), models.Q(('adjustment__isnull', False), ('difference_of__isnull', False)), _connector='OR'), name='win_difference_of_two_people'),
        ),
        migrations.RunSQL(LAYOUT + SUMS + EVIDENCE, migrations.RunSQL.noop),
        migrations.RunSQL(REFUSE + "".join(STAYS.format(table=table) for table in STAY), migrations.RunSQL.noop),
        migrations.RunSQL(REQUESTS + NOTICES + ROW + ENTRIES + WINS + REMAIN + WORDS + TRAIL + LINES + TAX + WORKER,
                          "".join(f"DROP FUNCTION {name} CASCADE;" for name in FUNCTIONS)),
    ]
