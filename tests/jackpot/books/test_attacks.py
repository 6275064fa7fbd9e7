"""The attack list: what somebody tries who holds the working role's address and password, and knows the source.

Every statement is made as that role in a house that was played; each is refused by the database itself. What it cannot
refuse stands in docs/security.md, "What the database cannot refuse".
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import psycopg
import pytest

from jackpot.wins.actions.pay import redeem
from tests import databases
from tests.builders import a_person
from tests.scenes import played
from tests.scenes_adjusting import asked, done, person
from tests.scenes_owed import OwedFloor

REFUSED = (psycopg.errors.IntegrityError, psycopg.errors.InsufficientPrivilege)

LAST = "(SELECT * FROM jackpot_entry WHERE seq = (SELECT max(seq) FROM jackpot_entry))"
OWED, PAID, OPEN = "WHERE state = 'owed'", "WHERE state = 'paid'", "WHERE state = 'marked'"


def entry(changes: str, of: str = LAST) -> str:
    """One more entry, made of the last one (or another) with some fields of one's own."""
    return f"""
    INSERT INTO jackpot_entry SELECT (e).* FROM (
      SELECT jsonb_populate_record(t.r, jsonb_build_object('seq', (t.r).seq + 1, 'key', 'mine', 'corrects', null,
        'occurred_at', clock_timestamp(), 'contributed', 0, 'meter', 0, 'reserve', 0, 'overflow', 0, 'house', 0,
        'winners', 0, 'paid', 0, 'outside', 0) || '{changes}'::jsonb) AS e
        FROM (SELECT x::jackpot_entry AS r FROM {of} x) t) y
    """


def with_row(insert: str, after: str = "last_seq = last_seq + 1") -> str:
    """The entry and its row, as an act writes them: in one statement."""
    return f"WITH added AS ({insert} RETURNING 1) UPDATE jackpot_jackpot SET {after}"


def told(kind: str, key: str) -> str:
    """A line of the trail about something, in the same transaction."""
    return (
        "INSERT INTO jackpot_trail (actor, act, object_kind, object_key, subject, outcome, why, details) "
        f"VALUES ('me', 'set_password', '{kind}', {key}, '', 'done', '', '{{}}'); "
    )


ATTACKS = {
    # Entries: edit, delete, truncate
    "edit an amount": "UPDATE jackpot_entry SET meter = meter + 1, house = house - 1 WHERE seq = 2",
    "edit a time": "UPDATE jackpot_entry SET occurred_at = occurred_at - interval '1 day'",
    "edit a seal": "UPDATE jackpot_entry SET seal = sha256('x')",
    "delete the last entry": "DELETE FROM jackpot_entry WHERE seq = (SELECT max(seq) FROM jackpot_entry)",
    "delete all entries": "DELETE FROM jackpot_entry",
    "truncate the books": "TRUNCATE jackpot_entry",
    "truncate everything": "TRUNCATE jackpot_jackpot CASCADE",
    "edit by a side door": entry("{}") + " ON CONFLICT (jackpot_id, seq) DO UPDATE SET meter = 5",
    "edit by MERGE": "MERGE INTO jackpot_entry e USING (SELECT 1) s ON true WHEN MATCHED THEN DELETE",
    # Entries: add what nobody did
    "an entry without its row": entry("{}"),
    "an entry twice": entry('{"seq": 2}'),
    "an act twice": with_row(entry('{"key": "opening", "kind": "opening"}')),
    "skip a number": with_row(entry('{"seq": 100000}'), "last_seq = 100000"),
    "backdate an entry": with_row(entry('{"occurred_at": "2026-01-01T00:00:00Z"}')),
    "backdate by a day what follows":
        with_row(entry("{}").replace("clock_timestamp()", "clock_timestamp() - interval '1 day'")),
    "post into the future": with_row(entry("{}").replace("clock_timestamp()", "clock_timestamp() + interval '1 day'")),
    "an unbalanced entry": with_row(entry('{"meter": 5}')),
    "an entry whose balances do not follow":
        with_row(entry('{"meter": 5, "house": -5}'), "last_seq = last_seq + 1, meter = meter + 5, house = house - 5"),
    "a negative meter":
        with_row(entry('{"meter": -1000000, "house": 1000000, "meter_after": -1, "house_after": 1}')),
    "an entry of no jackpot": entry('{"jackpot_id": 999999, "seq": 1}'),
    "correct an entry twice": with_row(entry('{"kind": "back_out", "corrects": 7}')) + "; "
        + with_row(entry('{"kind": "back_out", "corrects": 7, "key": "again"}')),
    # The jackpot's row
    "raise a meter": "UPDATE jackpot_jackpot SET meter = meter + 5000, house = house - 5000",
    "raise a meter past its sum": "UPDATE jackpot_jackpot SET meter = meter + 5000",
    "lower a reserve": "UPDATE jackpot_jackpot SET reserve = reserve - 1, house = house + 1",
    "set the head back": "UPDATE jackpot_jackpot SET last_seq = last_seq - 1",
    "set a row back to an earlier entry": f"""
        UPDATE jackpot_jackpot j SET last_seq = e.seq, seal = e.seal, last_at = e.occurred_at,
          {", ".join(f"{a} = e.{a}_after" for a in (
              "contributed", "meter", "reserve", "overflow", "house", "winners", "paid", "outside"))}
          FROM jackpot_entry e WHERE e.jackpot_id = j.id AND e.seq = 2""",
    "another seal": "UPDATE jackpot_jackpot SET seal = sha256('x')",
    "another last moment": "UPDATE jackpot_jackpot SET last_at = last_at + interval '2 days'",
    "unsay a change of the floor": "UPDATE jackpot_jackpot SET floor_changes = floor_changes - 1",
    "count a change by hand": "SELECT fairmeter_floor_changed('{1}', '{1}')",
    "count changes of a table of one's own": """
        CREATE TEMP TABLE mine (id bigint, table_id bigint);
        CREATE TRIGGER mine AFTER UPDATE ON mine FOR EACH ROW EXECUTE FUNCTION fairmeter_part_changed()""",
    "forgive an advance": "UPDATE jackpot_jackpot SET advance = advance + 100",
    "suspend without two people": "UPDATE jackpot_jackpot SET state = 'suspended'",
    "retire without two people": "UPDATE jackpot_jackpot SET state = 'retired', retired_at = now()",
    "other terms without an entry": """
        INSERT INTO jackpot_version (jackpot_id, number, terms, digest, requested_by, approved_by, created_at)
        SELECT id, 99, '{}', repeat('0', 64), 'me', 'me', now() FROM jackpot_jackpot;
        UPDATE jackpot_jackpot SET version_id = (SELECT max(id) FROM jackpot_version)""",
    "another name on the wall": "UPDATE jackpot_jackpot SET code = 'MINE'",
    "another house": "UPDATE jackpot_jackpot SET premises_id = premises_id",
    "a jackpot that begins with money": """
        INSERT INTO jackpot_jackpot (code, name, premises_id, state, last_seq, contributed, meter, reserve, overflow,
          house, winners, paid, outside, advance, seal)
        SELECT 'MINE', 'Mine', premises_id, 'open', 0, 0, 5000, 0, 0, -5000, 0, 0, 0, 0, seal FROM jackpot_jackpot""",
    "delete a jackpot": "DELETE FROM jackpot_jackpot",
    # Terms
    "change a version": "UPDATE jackpot_version SET terms = '{}'",
    "change a version's digest": "UPDATE jackpot_version SET digest = repeat('0', 64)",
    "delete a version": "DELETE FROM jackpot_version",
    # Wins
    "raise an amount owed": f"UPDATE jackpot_win SET amount = amount + 1 {OWED}",
    "lower an amount owed": f"UPDATE jackpot_win SET amount = amount - 2 {OWED}",
    "an amount on a mark": f"UPDATE jackpot_win SET amount = 5000 {OPEN}",
    "another slip": f"UPDATE jackpot_win SET slip = slip + 100 {OWED}",
    "another number": f"UPDATE jackpot_win SET number = number + 100 {OWED}",
    "another seat": f"UPDATE jackpot_win SET seat = seat + 1 {OWED}",
    "another hand": f"UPDATE jackpot_win SET line = 'royal' {OWED}",
    "another round": f"UPDATE jackpot_win SET round_number = 1 {OWED}",
    "another record of an award": f"UPDATE jackpot_win SET paper = '{{}}' {OWED}",
    "pay without paying": f"UPDATE jackpot_win SET state = 'paid', paid_at = now() {OWED}",
    "owe what was paid": f"UPDATE jackpot_win SET state = 'owed' {PAID}",
    "approve without a card": f"UPDATE jackpot_win SET state = 'owed', amount = 5000, logged_at = now() {OPEN}",
    "log without a word": f"UPDATE jackpot_win SET state = 'logged', amount = 9, slip = 99, logged_at = now() {OPEN}",
    "log what was asked for, without an entry": f"""
        UPDATE jackpot_win SET state = 'asked' {OPEN};
        UPDATE jackpot_win SET state = 'logged', amount = 9, logged_at = now() WHERE state = 'asked'""",
    "back out without two people": f"UPDATE jackpot_win SET state = 'backed_out' {OWED}",
    "who paid it": f"UPDATE jackpot_win SET paid_by = 'somebody else' {PAID}",
    "another rank": f"UPDATE jackpot_win SET mark_seq = 1 {OPEN}",
    "another frozen entry": f"UPDATE jackpot_win SET frozen_seq = 1 {OWED}",
    "a win out of nothing": f"""
        INSERT INTO jackpot_win SELECT (w).* FROM (SELECT jsonb_populate_record(w, '{{"id": 99999, "slip": 99999,
          "seat": 6}}'::jsonb) AS w FROM jackpot_win w {OWED} LIMIT 1) x""",
    "a difference out of nothing": f"""
        INSERT INTO jackpot_win SELECT (w).* FROM (SELECT jsonb_populate_record(w, jsonb_build_object('id', 99999,
          'slip', 99999, 'seat', 6, 'envy_of_id', w.id)) AS w FROM jackpot_win w {OWED} LIMIT 1) x""",
    "delete a win": "DELETE FROM jackpot_win",
    "slips again from 1": "UPDATE jackpot_slipcounter SET next_slip = 1",
    "no slip series": "DELETE FROM jackpot_slipcounter",
    # Payments and signatures
    "change a payment": "UPDATE jackpot_payment SET net = net - 1",
    "delete a payment": "DELETE FROM jackpot_payment",
    "a payment twice": """
        INSERT INTO jackpot_payment SELECT (p).* FROM (
          SELECT jsonb_populate_record(p, '{"id": 99999}'::jsonb) AS p FROM jackpot_payment p) x""",
    "pay an award twice": with_row(entry(
        '{"winners": 0, "kind": "pay"}', "(SELECT * FROM jackpot_entry WHERE kind = 'pay' LIMIT 1)")),
    "sign twice": """
        INSERT INTO jackpot_signature SELECT (s).* FROM (
          SELECT jsonb_populate_record(s, '{"id": 99999}'::jsonb) AS s FROM jackpot_signature s LIMIT 1) x""",
    "another signer": "UPDATE jackpot_signature SET operator_id = operator_id",
    "take a word back": "DELETE FROM jackpot_signature",
    # Requests of two people
    "other words in a request": "UPDATE jackpot_request SET reason = 'other'",
    "sign one's own request": "UPDATE jackpot_request SET state = 'signed', decided_by_id = asked_by_id, "
        "decided_at = now() WHERE state IN ('asked', 'previewed')",
    "another amount in a request": "UPDATE jackpot_adjustment SET amount = amount + 1",
    "a request signed twice": "UPDATE jackpot_request SET decided_by_id = asked_by_id WHERE decided_at IS NOT NULL",
    "delete a request": "DELETE FROM jackpot_adjustment",
    "unlink a request from its entries": "DELETE FROM jackpot_requestentry",
    # The trail, paper and days
    "change the trail": "UPDATE jackpot_trail SET actor = 'me'",
    "delete the trail": "DELETE FROM jackpot_trail",
    "truncate the trail": "TRUNCATE jackpot_trail",
    "change a tax rule": "UPDATE jackpot_datedtax SET minimum = 0",
    "change a printed copy": "UPDATE accounting_copy SET content = ''",
    "number a copy anew": "UPDATE accounting_winpage SET slip = 1",
    "change what a round was dealt": "UPDATE tables_roundcards SET board = ''",
    "another wager of a round": "UPDATE tables_round SET wager = 100",
    "another day of a round": "UPDATE tables_round SET gaming_day = gaming_day - 1",
    "delete a round": "DELETE FROM tables_round",
    # People: nothing about a way in without a line about just that person or role
    "a higher card": "UPDATE jackpot_card SET level = 3",
    "another PIN": "UPDATE jackpot_card SET pin_hash = 'mine' WHERE id = (SELECT min(id) FROM jackpot_card)",
    "a card unblocked": "UPDATE jackpot_card SET expires_on = '2099-01-01'",
    "somebody else's card": "UPDATE jackpot_card SET number_hash = sha256('mine') "
        "WHERE id = (SELECT max(id) FROM jackpot_card)",
    "a card of one's own": "INSERT INTO jackpot_card "
        "(operator_id, number_hash, last_four, level, pin_hash, wrong_pins) "
        "SELECT min(id), sha256('mine'), '0001', 3, '', 0 FROM jackpot_operator",
    "another password": "UPDATE jackpot_operator SET password = 'mine'",
    "dismissed by hand": "UPDATE jackpot_operator SET is_active = false",
    "another's name": "UPDATE jackpot_operator SET username = username || '-2'",
    "a person of one's own": "INSERT INTO jackpot_operator (username, name, password, is_active, created_at) "
        "VALUES ('mine', 'mine', 'mine', true, now())",
    "a role given": "INSERT INTO jackpot_operator_roles (operator_id, role_id) "
        "SELECT o.id, r.id FROM jackpot_operator o, jackpot_role r ON CONFLICT DO NOTHING",
    "a role taken": "DELETE FROM jackpot_operator_roles",
    "a link with the directory of one's own": "INSERT INTO jackpot_directorylink "
        "(operator_id, issuer, subject, made_at) SELECT min(id), 'https://x', 'mine', now() FROM jackpot_operator",
    "wrong PINs set back": "UPDATE jackpot_card SET wrong_pins = CASE wrong_pins WHEN 0 THEN 2 ELSE 0 END",
    "a passkey of one's own": "INSERT INTO jackpot_passkey "
        "(operator_id, site, name, credential, public_key, uses, made_at) "
        "SELECT min(id), 'localhost', 'mine', 'mine', 'mine', 0, now() FROM jackpot_operator",
    "a role that may more": "UPDATE jackpot_role SET may = array_append(may, 'people')",
    "a role that may more, told of another": told("role", "'nobody'") + "UPDATE jackpot_role SET may = '{}'",
    "another password, told of another": told("person", "'nobody'") + "UPDATE jackpot_operator SET password = 'mine'",
    # Out of the role
    "switch a trigger off": "ALTER TABLE jackpot_entry DISABLE TRIGGER ALL",
    "drop a guard": "DROP TRIGGER jackpot_entry_stays ON jackpot_entry",
    "replace a guard": "CREATE OR REPLACE FUNCTION fairmeter_refuse_change() RETURNS trigger LANGUAGE plpgsql AS "
        "'BEGIN RETURN NEW; END'",
    "drop a check": "ALTER TABLE jackpot_entry DROP CONSTRAINT entry_adds_up",
    "be the owner": "SET ROLE fairmeter_owner",
    "be the superuser": "SET SESSION AUTHORIZATION postgres",
    "replay without triggers": "SET session_replication_role = replica",
    "a function of one's own": "CREATE FUNCTION public.mine() RETURNS int LANGUAGE sql AS 'SELECT 1'",
    "a table of one's own": "CREATE TABLE public.mine (id int)",
    "a schema of one's own": "CREATE SCHEMA mine",
    "rights for oneself": "ALTER ROLE fairmeter_app SUPERUSER",
    "a program on the server": "COPY (SELECT 1) TO PROGRAM 'true'",
    "a file of the server": "SELECT pg_read_file('/etc/passwd')",
    "less durable for the database": "DO $$ BEGIN EXECUTE format('ALTER DATABASE %I SET synchronous_commit = off', "
        "current_database()); END $$",
    "say that a migration ran": "INSERT INTO django_migrations (app, name, applied) VALUES ('jackpot', 'x', now())",
    "forget migrations": "DELETE FROM django_migrations",
}  # fmt: skip
# As whoever holds the role's address can shadow a table for its own session: the guards look at the real one.
SHADOW = (
    "CREATE TEMPORARY TABLE jackpot_entry AS SELECT * FROM public.jackpot_entry; SET search_path = pg_temp, public;"
)


def a_house() -> None:
    """A royal paid, five percent owed, a hit that is open, an adjustment signed and one asked for."""
    floor = OwedFloor(2)
    first, _ = floor.v9b()
    redeem(slip=first.slip or 0, payer=person("cage"))
    floor.coin_ins(3, table=1)
    done("adjust", floor.jackpot, amount="15.00")
    asked("adjust", floor.jackpot, amount="3.00")
    floor.mark({3: "royal"})
    a_person("somebody", may=("see", "deal"), premises=floor.casino.premises)


@pytest.fixture(scope="module")
def house(test_server: databases.TestServer, django_db_setup: None, django_db_blocker: Any) -> Iterator[str]:
    with played(test_server, django_db_blocker, a_house) as name:
        yield test_server.url(test_server.app, name)


@pytest.fixture
def intruder(house: str) -> Iterator[psycopg.Connection[Any]]:
    with psycopg.connect(house) as connection:
        yield connection
        connection.rollback()


def done_and_judged(intruder: psycopg.Connection[Any], statement: str) -> None:
    """The statement, and what is judged at its commit."""
    intruder.execute(statement.encode())
    intruder.execute("SET CONSTRAINTS ALL IMMEDIATE")


def test_the_list_is_long_enough() -> None:
    assert len(ATTACKS) >= 90


@pytest.mark.parametrize("statement", ATTACKS.values(), ids=ATTACKS)
def test_the_database_refuses(intruder: psycopg.Connection[Any], statement: str) -> None:
    with pytest.raises(REFUSED):
        done_and_judged(intruder, statement)


@pytest.mark.parametrize("of", ["savepoint", "transaction"])
def test_what_is_told_of_in_the_same_transaction_is_written(intruder: psycopg.Connection[Any], of: str) -> None:
    """The line stands in the chain, with its time and its role: that is what the guard is for."""
    one = "(SELECT min(username) FROM jackpot_operator)"
    changed = f"UPDATE jackpot_operator SET password = 'mine' WHERE username = {one}"
    if of == "savepoint":
        intruder.execute("SAVEPOINT inner_act")
    intruder.execute(told("person", one).encode())
    if of == "savepoint":
        intruder.execute("RELEASE SAVEPOINT inner_act")
    done_and_judged(intruder, changed)


def test_a_line_of_another_transaction_tells_nothing(intruder: psycopg.Connection[Any], house: str) -> None:
    """Not even one that was committed after ours began."""
    one = "(SELECT min(username) FROM jackpot_operator)"
    intruder.execute("SELECT 1")
    with psycopg.connect(house) as somebody:
        somebody.execute(told("person", one).encode())
    with pytest.raises(REFUSED, match="line of the trail"):
        done_and_judged(intruder, f"UPDATE jackpot_operator SET password = 'mine' WHERE username = {one}")


@pytest.mark.parametrize("name", ["raise a meter", "set a row back to an earlier entry", "approve without a card",
                                  "pay without paying", "an entry without its row"])  # fmt: skip
def test_a_table_of_the_same_name_deceives_no_guard(intruder: psycopg.Connection[Any], name: str) -> None:
    aimed = ATTACKS[name]
    for table in ("jackpot_jackpot", "jackpot_win"):
        aimed = aimed.replace(f" {table}", f" public.{table}")
    intruder.execute(SHADOW.encode())
    with pytest.raises(REFUSED):
        done_and_judged(intruder, aimed.replace("INTO jackpot_entry", "INTO public.jackpot_entry"))


def test_every_guard_names_its_tables_with_their_schema(intruder: psycopg.Connection[Any]) -> None:
    """A name without one is first sought among the tables of whoever is connected."""
    rows = intruder.execute(
        "SELECT proname, prosrc FROM pg_proc WHERE proname LIKE 'fairmeter_%' ORDER BY 1"
    ).fetchall()
    bare = re.compile(r"\b(?:FROM|JOIN|INTO|UPDATE|DECLARE \w+)\s+((?:jackpot|tables|accounting)_\w+)")
    assert len(rows) > 20
    assert {name: bare.findall(body) for name, body in rows if bare.search(body)} == {}
