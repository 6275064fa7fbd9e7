"""Books that were changed with every right, added and sealed again, while no head had left the house.

All they say about themselves agrees; only what the rule makes of the entries does not. Every such change is named by
the program, from the database and from a file, and by the stranger's verifier, in the same words.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import orjson
import pytest

from jackpot.wins.actions.pay import redeem
from jackpot.wins.models import Win
from tables.hits.actions import hit
from tables.rounds.queries.prove_file import prove_file
from tables.rounds.rules.round import EndRequest
from tests import databases
from tests.builders import CARD_PIN, a_pay_table, a_person
from tests.reseal import damage
from tests.scenes import played
from tests.scenes_wins import backed_out
from tests.stranger import exported, found_by_all, nothing_disagrees, said_by_a_stranger
from tests.tables.hits.test_hit import EXECUTIVE, SUPERVISOR, Floor

LINES = [
    {"code": "royal", "name": "Royal flush", "part": "1", "envy": "1000.00"},
    {"code": "straight_flush", "name": "Straight flush", "part": "1/10"},
    {"code": "community", "name": "Community royal", "for_one": 3000, "source": "meter"},
    {"code": "full_house", "name": "Full house", "for_one": 10, "source": "meter"},
]


def an_evening() -> None:
    """V5b with an override and a mark taken back; envy; a shortfall; a part and a fixed award, the part backed out."""
    table = a_pay_table(lines=LINES, source="meter")
    floor = Floor(2, meter="19998.60", reserve="617.15", rate="70", pay_table=table)
    floor.coin_in("3", 0)
    floor.mark(3, "royal", 0)
    floor.coin_in("12", 1)
    floor.mark(1, "royal", 1)
    hit.unmark(**floor.place(1), seat=1, hand="royal", by="Test Dealer")
    floor.mark(2, "straight_flush", 1)
    floor.confirm(0)
    floor.confirm(1)
    cards = [(EXECUTIVE, "274916"), (SUPERVISOR, CARD_PIN)]
    hit.pass_queue(**floor.place(1), cards=cards, reason="the first winner left for the hospital")
    for table in (1, 0):
        floor.card(table=table)
        floor.say(EndRequest(1), table)
    won(floor, "135", {3: "royal"})
    won(floor, "1234", dict.fromkeys((1, 2, 3, 4), "community"))
    won(floor, "26", {6: "full_house", 2: "straight_flush"})
    flush = Win.objects.filter(line="straight_flush").latest("id")
    redeem(slip=flush.slip or 0, payer=a_person("cage"))
    backed_out(flush)
    floor.coin_ins(7)


def won(floor: Floor, seats: str, hands: dict[int, str]) -> None:
    floor.coin_in(seats)
    for seat, hand in hands.items():
        floor.mark(seat, hand)
    floor.confirm()
    floor.coin_ins(3)
    floor.card()
    floor.say(EndRequest(floor.rounds[0]))


@pytest.fixture(scope="module")
def scene(test_server: databases.TestServer, django_db_setup: None, django_db_blocker: Any) -> Iterator[str]:
    with played(test_server, django_db_blocker, an_evening) as name:
        yield name


def test_the_evening_proves_and_so_it_does_when_sealed_again(books: None) -> None:
    assert nothing_disagrees()
    damage("SELECT 1")
    assert nothing_disagrees()


WIN = "(SELECT id FROM jackpot_win WHERE number = {})"
AWARD = f"UPDATE jackpot_entry SET {{}} WHERE kind = 'award' AND win_id = {WIN};"
ROW = "UPDATE jackpot_win SET {} WHERE number = {};"
KIND = "UPDATE jackpot_entry SET kind = 'park', key = 'park/' || seq WHERE kind = '{}';"
SWAPPED_MARKS = """
UPDATE jackpot_entry e SET win_id = o.win_id, table_code = o.table_code, round_number = o.round_number
  FROM jackpot_entry o JOIN jackpot_win w ON w.id = o.win_id AND w.number IN (1, 2)
 WHERE o.kind = 'mark' AND e.kind = 'mark' AND e.win_id IN (SELECT id FROM jackpot_win WHERE number IN (1, 2))
   AND e.seq <> o.seq;
UPDATE jackpot_win w SET mark_seq = e.seq FROM jackpot_entry e WHERE e.kind = 'mark' AND e.win_id = w.id
"""
FROM_THE_RESERVE = """
UPDATE jackpot_entry SET house = house + reserve, reserve = 0
 WHERE kind = 'award' AND reserve < 0 AND win_id IN (SELECT id FROM jackpot_win WHERE line = 'community')
"""
OTHER_SEATS = """
UPDATE jackpot_entry SET request = sha256('["coin_in","UTH-01",2,"1357"]')
 WHERE kind = 'coin_in' AND table_code = 'UTH-01' AND round_number = 2
"""
SWAPPED_ROUNDS = """
UPDATE tables_round r SET seats = o.seats, request = o.request FROM tables_round o
 WHERE r.table_id = o.table_id AND r.number IN (3, 4) AND o.number = 7 - r.number
   AND r.table_id = (SELECT min(id) FROM tables_table)
"""
SWAPPED_AWARDS = """
UPDATE jackpot_win w SET amount = o.amount FROM jackpot_win o WHERE w.number IN (1, 2) AND o.number = 3 - w.number;
UPDATE jackpot_entry e
   SET meter = o.meter, reserve = o.reserve, house = o.house, winners = o.winners, overflow = o.overflow
  FROM jackpot_entry o, jackpot_win w, jackpot_win x
 WHERE e.kind = 'award' AND o.kind = 'award' AND e.win_id = w.id AND o.win_id = x.id AND w.number IN (1, 2)
   AND x.number = 3 - w.number
"""
PAID_MORE = """
UPDATE jackpot_entry SET winners = winners - 1, paid = paid + 1 WHERE kind = 'pay';
UPDATE jackpot_payment SET gross = gross + 1, net = net + 1
"""
LAST_COIN_IN = "seq = (SELECT max(seq) FROM jackpot_entry WHERE kind = 'coin_in')"
MORE = "meter = meter + 0.70, reserve = reserve + 0.05, contributed = contributed - 0.75"
OLD_REQUEST = """
UPDATE jackpot_entry
   SET request = sha256(('{"act":"log","by":"approval","why":"","win":' || win_id || '}')::bytea) WHERE kind = 'log'
"""
WORD = f"part = 'approve' AND win_id = {WIN.format(1)}"
SIGNED_BY_ANOTHER = f"""
UPDATE jackpot_signature SET operator_id = (SELECT max(id) FROM jackpot_operator WHERE id <> operator_id) WHERE {WORD}
"""
SIGNED_BY_ONE_MORE = f"""
INSERT INTO jackpot_signature (win_id, operator_id, level, part, at, why)
SELECT win_id, (SELECT max(id) FROM jackpot_operator WHERE id <> operator_id), level, part, at, why
  FROM jackpot_signature WHERE {WORD}
"""
FULL_REQUEST = """
UPDATE jackpot_entry e SET request = sha256(concat(
    '{"act":"log","amount":"', trim_scale(w.amount), CASE WHEN scale(trim_scale(w.amount)) = 0 THEN '.00'
    WHEN scale(trim_scale(w.amount)) = 1 THEN '0' END, '","by":"approval","envy_of":', coalesce(w.envy_of_id::text,
    'null'), ',"line":"', w.line, '","number":', w.number, ',"seat":', w.seat, ',"slip":', w.slip,
    ',"why":"","win":', w.id, '}')::bytea)
  FROM jackpot_win w WHERE e.kind = 'log' AND w.id = e.win_id
"""
DAMAGED = [
    (
        "an award and its row raised at the cost of the house",
        AWARD.format("winners = winners + 1, house = house - 1", 1) + ROW.format("amount = amount + 1", 1),
        "what slip 1 moved: expected meter -2000.07, winners +2000.07, found meter -2000.07, house -1.00",
    ),
    (
        "an award raised out of the meter, its row and its page too",
        AWARD.format("winners = winners + 1, meter = meter - 1", 1) + ROW.format("amount = amount + 1", 1),
        "what slip 1 moved: expected meter -2000.07, winners +2000.07, found meter -2001.07, winners +2001.07",
    ),
    ("a row's amount", ROW.format("amount = amount + 1", 1), "the amount of slip 1: expected 2000.07, found 2001.07"),
    ("an award at another hand", ROW.format("line = 'royal'", 1), "what slip 1 moved: expected"),
    ("a part that says it is none", ROW.format("line = 'full_house', part = false", 1), "what slip 1 moved: expected"),
    ("a frozen entry", ROW.format("frozen_seq = 1", 2), "slip 2: its frozen entry: expected"),
    ("the entry of a mark", ROW.format("mark_seq = 1", 2), "slip 2: the entry of its mark: expected 3, found 1"),
    ("two marks swapped", SWAPPED_MARKS, "basis on the page of slip 1: expected 19999.30, found 20000.70"),
    (
        "a row of the pay table, its version digested again",
        "UPDATE jackpot_version SET terms = replace(terms, '\"1/10\"', '\"1/8\"');",
        "what slip 1 moved: expected meter -2500.09, winners +2500.09, found meter -2000.07, winners +2000.07",
    ),
    (
        "the seed, its version digested again",
        "UPDATE jackpot_version SET terms = replace(terms, '\"seed\":\"10000.00\"', '\"seed\":\"9000.00\"');",
        "seed on the page of slip 2: expected 9000.00, found 10000.00",
    ),
    (
        "an envy",
        AWARD.format("winners = winners + 100, meter = meter - 100", 4) + ROW.format("amount = amount + 100", 4),
        "what slip 4 moved: expected meter -1000.00, winners +1000.00, found meter -1100.00",
    ),
    ("the cause of an envy", ROW.format(f"envy_of_id = {WIN.format(2)}", 4), "[award]"),
    (
        "the seed that a reset posted",
        AWARD.format("meter = meter + 500, house = house - 500", 3), "what slip 3 moved: expected",
    ),
    (
        "the reserve that a reset released",
        AWARD.format("meter = meter - 0.10, reserve = reserve + 0.10", 2), "what slip 2 moved: expected",
    ),
    (
        "where a shortfall came from",
        FROM_THE_RESERVE,
        "moved: expected meter",
    ),
    (
        "a mark that was taken back stands again",
        KIND.format("unmark") + "UPDATE jackpot_win SET state = 'marked' WHERE state = 'unmarked'",
        "which hit comes first",
    ),
    ("an unmark removed", KIND.format("unmark"), "its state: expected marked, found unmarked"),
    (
        "an override removed",
        KIND.format("pass_queue") + "UPDATE jackpot_win SET front_seq = NULL",
        "which hit comes first: expected round UTH-01/1, marked at GRAND/3",
    ),
    ("an override nobody gave", ROW.format("front_seq = 4", 3), "slip 3: the entry that let it pass: expected none"),
    ("what later hits count", ROW.format("ranked = false", 1), "slip 1: whether later hits count it: expected True"),
    (
        "what a page says it counted from",
        ROW.format("paper = jsonb_set(paper, '{basis}', '\"20001.00\"')", 1),
        "basis on the page of slip 1: expected 20000.70, found 20001.00",
    ),
    (
        "the meter that a page begins from",
        ROW.format("paper = jsonb_set(paper, '{meter,before}', '\"20001.00\"')", 1),
        "meter before on the page of slip 1: expected ",
    ),
    (
        "the meter that a page ends with",
        ROW.format("paper = jsonb_set(paper, '{meter,after}', '\"20001.00\"')", 2),
        "meter after on the page of slip 2: expected ",
    ),
    (
        "the reserve that a page ends with",
        ROW.format("paper = jsonb_set(paper, '{meter,reserve_after}', '\"1.00\"')", 2),
        "reserve after on the page of slip 2: expected ",
    ),
    (
        "the meter of an envied seat's page",
        ROW.format("paper = jsonb_set(paper, '{meter}', 'null')", 4),
        "meter after on the page of slip 4: expected ",
    ),
    (
        "the only word for an award, its request made anew",
        f"DELETE FROM jackpot_signature WHERE {WORD}",
        "who approved slip 1: expected a person, found nobody",
    ),
    (
        "the contra of a back-out",
        "UPDATE jackpot_entry SET meter = meter - 1, house = house + 1 WHERE kind = 'back_out'",
        "what its back_out moved",
    ),
    ("a back-out of nothing", "UPDATE jackpot_entry SET corrects = NULL WHERE kind = 'back_out'", "that it corrects"),
    ("a win's row removed", "DELETE FROM jackpot_win WHERE number = 6", "its win: expected a hit of GRAND"),
    ("a seat without a coin-in", ROW.format("seat = 7", 1), "slip 1: its seat: expected one with a coin-in: 12, found"),
    (
        "the seats of two rounds of a table, each with the other's request",
        SWAPPED_ROUNDS, "the request in the entry, for seats 26: expected ",
    ),
    ("the awards of two winners", SWAPPED_AWARDS, "what slip 2 moved: expected meter -2617.37"),
    (
        "a chip more in one coin-in",
        f"UPDATE jackpot_entry SET {MORE} WHERE {LAST_COIN_IN}", "contribute: expected -1.50",
    ),
    (
        "a cent of a coin-in for the reserve, in the meter",
        f"UPDATE jackpot_entry SET meter = meter + 0.01, reserve = reserve - 0.01 WHERE {LAST_COIN_IN}",
        "what its coin_in moved: expected contributed -1.50, meter +1.40, reserve +0.10",
    ),
    ("an award a day later", AWARD.format("gaming_day = gaming_day + 1", 3), "its gaming day: expected "),
    ("an award a day earlier", AWARD.format("occurred_at = occurred_at - interval '1 day'", 3), "its time"),
    (
        "the reading of the old system",
        "UPDATE jackpot_entry SET meter = meter + 100, house = house - 100 WHERE seq = 1",
        "basis on the page of slip 1: expected ",
    ),
    (
        "a payment, and its record",
        PAID_MORE, "the amount of slip",
    ),
    (
        "seats of a coin-in, so that one more is envied",
        OTHER_SEATS,
        "the award of seat 7: expected meter -1000.00, winners +1000.00, found none",
    ),
]  # fmt: skip


@pytest.mark.parametrize(("statements", "named"), [each[1:] for each in DAMAGED], ids=[each[0] for each in DAMAGED])
def test_what_the_rule_does_not_give_is_named_by_all(books: None, statements: str, named: str) -> None:
    damage(statements)
    ours, of_the_file, strangers = found_by_all()
    assert any(named in finding for finding in strangers), strangers
    assert all("expected " in finding and "found " in finding for finding in strangers)
    assert ours == of_the_file | {each for each in ours if each.startswith("[adjustment]")}
    assert of_the_file == strangers


def test_a_hit_without_its_mark_is_named_and_so_are_the_pages_of_whom_it_was_envied(books: None) -> None:
    """Only the pages of the envied seats are left of the act: nothing to settle again, and nothing to stumble over."""
    damage(f"UPDATE jackpot_entry SET kind = 'ask' WHERE kind = 'mark' AND win_id = {WIN.format(3)}")
    for found in found_by_all():
        assert any("its entries: expected the mark" in each or "the first entry of slip 3" in each for each in found)


@pytest.mark.parametrize(("statements", "named"), [
    (ROW.format("seat = 1", 1), "what was approved as slip 1"),
    (ROW.format("slip = 99", 1), "what was approved as slip 99"),
    (ROW.format("slip = NULL", 1) + ROW.format("slip = 1", 2) + ROW.format("slip = 2", 1), "approved as slip 2"),
    (ROW.format("number = 99", 1), "what was approved as slip 1"),
    (f"DELETE FROM jackpot_signature WHERE {WORD}", "by nobody"),
    (SIGNED_BY_ANOTHER, "what was approved as slip 1"),
    (SIGNED_BY_ONE_MORE, "what was approved as slip 1"),
])  # fmt: skip
def test_what_was_approved_is_sealed_with_seat_hand_and_slip(books: None, statements: str, named: str) -> None:
    damage(statements, requests=False)
    ours, of_the_file, strangers = found_by_all()
    assert any(named in finding for finding in strangers), strangers
    assert ours == of_the_file == strangers


def test_from_the_first_log_on_that_seals_all_none_says_less(books: None) -> None:
    """Books from before there was such a request prove; a request made shorter among fuller ones does not."""
    damage(OLD_REQUEST, requests=False)
    assert nothing_disagrees()
    damage("SELECT 1")
    damage(f"{OLD_REQUEST} AND win_id = {WIN.format(3)}", requests=False)
    assert any("what was approved as slip 3" in each for each in found_by_all()[2])


def test_from_the_first_log_on_that_seals_who_approved_none_says_less(books: None) -> None:
    """Books from before people were sealed prove; one request among the newer ones that leaves them out does not."""
    damage(FULL_REQUEST, requests=False)
    assert nothing_disagrees()
    damage("SELECT 1")
    damage(f"{FULL_REQUEST} AND w.number = 3", requests=False)
    ours, of_the_file, strangers = found_by_all()
    assert any("what was approved as slip 3" in each for each in strangers)
    assert ours == of_the_file == strangers


def test_a_file_from_before_pages_told_their_meter_proves(books: None, tmp_path: Path) -> None:
    """Such a file names nobody who approved either; what was approved was sealed without."""
    damage(FULL_REQUEST, requests=False)
    path = exported(tmp_path)
    lines = [orjson.loads(line) for line in path.read_bytes().splitlines()]
    for line in lines:
        if line["line"] == "win":
            del line["approved"]
            for name in ("meter_before", "meter_after", "reserve_after"):
                line["page"].pop(name, None)
    path.write_bytes(b"".join(orjson.dumps(line) + b"\n" for line in lines))
    assert prove_file(path).findings.listed == []
    assert "Nothing disagrees" in said_by_a_stranger(path)
