CREATE TABLE meter (id int PRIMARY KEY, amount numeric(20, 8) NOT NULL) WITH (fillfactor = 20);
INSERT INTO meter VALUES (1, 10000);
CREATE TABLE ledger (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  meter_id int NOT NULL,
  table_id int NOT NULL,
  round_id bigint NOT NULL,
  kind text NOT NULL,
  seats text NOT NULL,
  spots text NOT NULL,
  wager numeric(20, 8) NOT NULL,
  amount numeric(20, 8) NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  UNIQUE (table_id, round_id)
);
