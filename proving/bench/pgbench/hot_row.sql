\set n :n + 1
\set round :base + :client_id * 10000000000 + :n
WITH written AS (
  INSERT INTO ledger (meter_id, table_id, round_id, kind, seats, spots, wager, amount)
  VALUES (1, :client_id, :round, 'coin_in', '125', '1100100', 1, 2.10)
  ON CONFLICT DO NOTHING RETURNING amount
)
UPDATE meter SET amount = amount + (SELECT coalesce(sum(amount), 0) FROM written) WHERE id = 1 RETURNING amount;
