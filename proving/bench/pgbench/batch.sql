\set n :n + 1
\set round :base + :n
WITH written AS (
  INSERT INTO ledger (meter_id, table_id, round_id, kind, seats, spots, wager, amount)
  SELECT 1, place, :round, 'coin_in', '125', '1100100', 1, 2.10
    FROM unnest('{1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31,32,33,34,35,36,37,38,39,40,41,42,43,44,45,46,47,48,49,50}'::int[]) AS place
  ON CONFLICT DO NOTHING RETURNING amount
)
UPDATE meter SET amount = amount + (SELECT coalesce(sum(amount), 0) FROM written) WHERE id = 1 RETURNING amount;
