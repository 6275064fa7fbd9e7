"""What people and their rules leave to be seen to: locks, keys, approvals and money whose time is up."""

from __future__ import annotations

from typing import Final

# A name waits at one place only, and a right try there or an administrator begins anew; who guesses names of nobody
# is told on the pit board, where cards that are not accepted stand.
LOCKS: Final = """
SELECT o.premises_id, 'card locked', o.username || ' ' || c.last_four, 'Card •••• ' || c.last_four || ' of ' || o.name
       || ' is locked after three wrong PINs. Look who tried it; an administrator unlocks it, or another executive'
       || ' with a second person.'
  FROM jackpot_card c JOIN jackpot_operator o ON o.id = c.operator_id AND o.is_active AND o.premises_id IS NOT NULL
 WHERE c.locked_at IS NOT NULL AND c.blocked_at IS NULL
UNION ALL
SELECT o.premises_id, 'sign-in locked', o.username, 'The sign-in of ' || o.name || ' waits: ' || l.why || '.'
  FROM jackpot_operator o CROSS JOIN LATERAL (
    SELECT r.id, r.why FROM jackpot_trail r
     WHERE r.act = 'lock_name' AND r.object_kind = 'person' AND r.object_key = o.username
       AND r.at > %(now)s - interval '15 minutes' ORDER BY r.id DESC LIMIT 1) l
 WHERE o.premises_id IS NOT NULL AND NOT EXISTS (
   SELECT FROM jackpot_trail r WHERE r.object_kind = 'person' AND r.object_key = o.username AND r.id > l.id
      AND (r.act = 'unlock_name' OR r.act = 'sign_in' AND r.outcome = 'done'))
"""
# A seal that came off with another number than went on rings for a day: nobody can write that away.
CUSTODY: Final = """
SELECT i.premises_id, 'key late', i.code, 'Key ' || i.code || ' of ' || replace(i.place, '_', ' ') || ' ' || i."where"
       || ' is out with ' || m.person_name || ' past its hour. Have it brought back.'
  FROM tables_custodyitem i CROSS JOIN LATERAL (
    SELECT * FROM tables_custodymove l WHERE l.item_id = i.id ORDER BY l.number DESC LIMIT 1) m
 WHERE m.state = 'out' AND m.due_at < %(now)s
UNION ALL
SELECT i.premises_id, 'seal', i.code, CASE WHEN m.state = 'broken'
       THEN 'Seal ' || i.code || ' of ' || replace(i.place, '_', ' ') || ' ' || i."where" || ' was found broken by '
            || m.person_name || '. Look into it, and replace it.'
       ELSE 'Off ' || i.code || ' came seal ' || m.old_seal || ', which is not the one on the register.' END
  FROM tables_custodyitem i CROSS JOIN LATERAL (
    SELECT * FROM tables_custodymove l WHERE l.item_id = i.id ORDER BY l.number DESC LIMIT 1) m
 WHERE m.state = 'broken' OR m.differs AND m.at > %(now)s - interval '24 hours'
"""
# Thirty gaming days to find another home: said in the last five of them, and after.
RETIRED: Final = """
SELECT j.premises_id, 'retired money', j.code, 'The money of ' || j.code || ', which is retired, should have another'
       || ' home by ' || j.transfer_by || '. Two people transfer or adjust it.'
  FROM jackpot_jackpot j
 WHERE j.state = 'retired' AND j.transfer_by < (%(now)s + interval '5 days')::date
   AND j.meter + j.reserve + j.overflow > 0
"""
# Slips leave a book in their order, so every number below the first blank one has its word, or somebody is asked.
SLIP_BOOKS: Final = """
SELECT b.premises_id, 'slip book', b.code, 'Of ' || g.n || ' number' || CASE g.n WHEN 1 THEN '' ELSE 's' END
       || ' of slip book ' || b.code || ' nobody said what became of '
       || CASE g.n WHEN 1 THEN 'it' ELSE 'them' END || ': ' || b.prefix || lpad(g.least::text, b.digits, '0')
       || CASE g.n WHEN 1 THEN '.' ELSE ' is the first.' END
  FROM tables_slipbook b
 CROSS JOIN LATERAL (
    SELECT greatest(
      coalesce((SELECT m.next_blank FROM tables_slipbookmove m WHERE m.book_id = b.id ORDER BY m.number DESC LIMIT 1),
               b.first),
      coalesce((SELECT max(s.number) + 1 FROM tables_handslip s WHERE s.book_id = b.id), b.first)) AS blank) r
 CROSS JOIN LATERAL (
    SELECT count(*) AS n, min(x.x) AS least FROM generate_series(b.first, r.blank - 1) x(x)
     WHERE NOT EXISTS (SELECT FROM tables_handslip s WHERE s.book_id = b.id AND s.number = x.x)) g
 WHERE g.n > 0
"""
DUTIES: Final = f"{LOCKS} UNION ALL {CUSTODY} UNION ALL {RETIRED} UNION ALL {SLIP_BOOKS}"
