"""What must be true of the books and the wins after every single act, asked of the database in plain SQL."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from django.db import connection

from jackpot.adjusting.models import Adjustment
from jackpot.books.models.jackpot import Jackpot
from jackpot.books.rules.movement import ACCOUNTS
from jackpot.money import UNIT, units_of
from jackpot.property.models.property import Property
from jackpot.wins.models import SlipCounter, Win
from tables.floor.models.table import Table
from tables.hits.models.open_case import OpenCase
from tables.rounds.models.further import FurtherCoinIn
from tables.rounds.models.round import Round

NEVER_BELOW_ZERO = ("meter", "reserve", "overflow", "winners", "paid")
APPROVED = ("logged", "owed", "paid")

_SUMS = ", ".join(f"sum({name})" for name in ACCOUNTS)
_LAST = ", ".join(f"j.{name}" for name in ACCOUNTS)
BOOKS = f"""
SELECT j.code, j.last_seq, e.entries, e.first, e.last, e.unbalanced, ARRAY[{_LAST}], e.sums
  FROM jackpot_jackpot j JOIN LATERAL (
    SELECT count(*) AS entries, min(seq) AS first, max(seq) AS last,
           count(*) FILTER (WHERE {" + ".join(ACCOUNTS)} <> 0) AS unbalanced, ARRAY[{_SUMS}] AS sums
      FROM jackpot_entry WHERE jackpot_id = j.id) e ON true
"""
RUNNING = f"""
SELECT count(*) FROM (SELECT {", ".join(f"{name}_after <> sum({name}) OVER w AS {name}_wrong" for name in ACCOUNTS)}
  FROM jackpot_entry WINDOW w AS (PARTITION BY jackpot_id ORDER BY seq)) AS each
 WHERE {" OR ".join(f"{name}_wrong" for name in ACCOUNTS)}
"""
WORDS = """
SELECT s.win_id, s.operator_id, least(s.level, coalesce(c.level, s.level))  -- it drops with later cards
  FROM jackpot_signature s LEFT JOIN jackpot_card c ON c.id = s.card_id
 WHERE s.part = 'approve'
"""
UNSEEN = """
SELECT count(*) FROM jackpot_win
 WHERE logged_at IS NOT NULL AND envy_of_id IS NULL AND (part OR amount >= 1000)
   AND coalesce(paper->'cards'->>'board', '') = ''
"""
ALONE = """
SELECT count(*) FROM (
  SELECT s.win_id, s.part, count(DISTINCT s.operator_id) AS people, max(c.level) AS level
    FROM jackpot_signature s JOIN jackpot_card c ON c.operator_id = s.operator_id
   WHERE s.part IN ('override', 'cards') GROUP BY s.win_id, s.part) AS given
 WHERE people < 2 OR level < 3
"""
HELD_ALONE = """
SELECT w.id FROM jackpot_win w
 WHERE w.logged_at IS NOT NULL AND w.envy_of_id IS NULL AND w.difference_of_id IS NULL
   AND w.paper->'cards'->>'proof' IN ('another_line', 'no_line', 'impossible')
   AND NOT EXISTS (SELECT FROM jackpot_signature s WHERE s.win_id = w.id AND s.part = 'cards')
"""
TWICE = """
SELECT win_id, kind, count(*), sum(paid), sum(winners) FROM jackpot_entry
 WHERE kind IN ('award', 'pay', 'back_out') GROUP BY win_id, kind
"""


@dataclass(frozen=True)
class Needs:
    """From which sums of an act an executive and two people approve, and whether both have the level."""

    executive: int
    dual: int | None
    both: bool

    @classmethod
    def of(cls, premises: Property, since: list[tuple[datetime, str, Any]], at: datetime) -> Needs:
        """What the house began with, and what two people made stricter up to a moment."""
        dual = premises.dual_threshold
        needs = cls(int(premises.executive_threshold), None if dual is None else int(dual), premises.both_need_level)
        fields = {"executive_threshold": "executive", "dual_threshold": "dual", "both_need_level": "both"}
        for moment, setting, value in since:
            if moment <= at:
                read = value if isinstance(value, bool) else whole(value)
                needs = replace(needs, **{fields[setting]: read})
        return needs


def whole(amount: str) -> int:
    """Of an amount without cents."""
    return int(amount.removesuffix(".00"))


def check_everything(premises: Property, needs_at: Callable[[datetime], Needs]) -> None:
    wins = list(Win.objects.defer("paper"))
    check_books()
    check_paid_once({win.id: win for win in wins})
    check_coin_in(wins)
    check_words(wins, premises, needs_at)
    check_open_hits(wins)
    check_two_people()
    check_numbers(wins)


def check_books() -> None:
    """Entries gapless and balanced, each balance the sum of what moved it, none below zero but the house's."""
    for code, last, entries, first, highest, unbalanced, stands, sums in _rows(BOOKS):
        assert (entries, first, highest, unbalanced) == (last, 1, last, 0), f"{code} has a gap or does not balance"
        assert stands == sums, f"{code} does not stand where its entries put it"
        below = [name for name, amount in zip(ACCOUNTS, stands, strict=True) if amount < 0 and name in NEVER_BELOW_ZERO]
        assert not below, f"{code} is below zero in {below}"
    assert _rows(RUNNING) == [(0,)], "a balance after an entry is not the sum of the entries up to it"


def check_paid_once(wins: dict[int, Any]) -> None:
    for win_id, kind, times, paid, owed in _rows(TWICE):
        win = wins[win_id]
        assert times == 1, f"{win} has {times} entries {kind}"
        if kind == "pay":
            assert paid == win.amount, f"{win} was paid {paid}"
        if kind == "award":
            assert owed == win.amount, f"{win} was awarded {owed}"
    for jackpot in Jackpot.objects.all():
        due = sum(win.amount for win in wins.values() if win.jackpot_id == jackpot.id and win.state == "owed")
        assert jackpot.winners == due, f"{jackpot.code} owes {jackpot.winners}, its winners are due {due}"
        paid = sum(win.amount for win in wins.values() if win.jackpot_id == jackpot.id and win.paid_at is not None)
        assert jackpot.paid == paid, f"{jackpot.code} paid out {jackpot.paid}, its slips say {paid}"


def check_coin_in(wins: list[Any]) -> None:
    """A win stands in a round that counts, on a seat with a chip of the wager that fed its jackpot."""
    rounds = {(round_.table.code, round_.number): round_ for round_ in Round.objects.select_related("table")}
    beside = {
        (each.table_id, each.number, each.revision, id_): each.seats
        for each in FurtherCoinIn.objects.all() for id_ in each.jackpots
    }  # fmt: skip
    for win in wins:
        if win.state in APPROVED:
            round_ = rounds[win.table_code, win.round_number]
            assert round_.state != "void", f"{win} stands in a void round"
            played = beside.get((round_.table_id, round_.number, round_.revision, win.jackpot_id), round_.seats)
            assert str(win.seat) in played, f"{win} stands on a seat without coin-in"


def check_words(wins: list[Any], premises: Property, needs_at: Callable[[datetime], Needs]) -> None:
    """Every act approved by enough people of the level its sum asks for, none of them the marker, with its cards."""
    assert _rows(UNSEEN) == [(0,)], "a part of the meter or a large award was approved without its cards"
    acts: dict[Any, list[Any]] = defaultdict(list)
    words: dict[int, list[tuple[int, int]]] = defaultdict(list)
    for win_id, person, level in _rows(WORDS):
        words[win_id].append((person, level))
    for win in wins:
        if win.logged_at is not None and win.difference_of_id is None:  # which two people of the office signed
            acts[win.table_code, win.round_number, win.logged_at].append(win)
    for act in acts.values():
        total, needs = sum(units_of(win.amount) for win in act), needs_at(act[0].logged_at)
        level = 3 if total >= needs.executive * UNIT else 2
        people = 2 if needs.dual is not None and total >= needs.dual * UNIT else 1
        for win in act:
            said = words[win.envy_of_id or win.id]
            told = f"{win} of an act of {total} has {said}"
            least = level if people == 1 or needs.both else 2
            assert len({person for person, own in said if own >= least}) >= people, told
            assert any(own >= level for _, own in said), told
            assert premises.marker_may_verify or win.marker_id not in {person for person, _ in said}, told


def check_open_hits(wins: list[Any]) -> None:
    standing: dict[Any, int] = defaultdict(int)
    for win in wins:
        standing[win.table_code, win.round_number] += win.state in ("marked", "asked", "logged")
    at_jph = set(Table.objects.exclude(key_at_jph="").values_list("code", flat=True))
    for round_ in Round.objects.select_related("table"):
        there = standing[round_.table.code, round_.number]
        # A win backed out between J-POT and RUN is counted off when the key comes back.
        agrees = round_.open_hits == there or (round_.table.code in at_jph and round_.open_hits > there)
        assert agrees, f"{round_.table} {round_} says {round_.open_hits} open hits, there are {there}"
        over = OpenCase.objects.filter(table=round_.table, round_number=round_.number).exists()
        known = round_.state == "open" or (round_.state == "ended" and over)
        assert not there or known, f"{round_.table} {round_} is {round_.state} with open hits"


def check_two_people() -> None:
    """Whatever is answered for beside the usual way has two people, one of them an executive."""
    for case in OpenCase.objects.all():
        assert case.executive.cards.filter(level__gte=3).exists(), f"{case} by {case.executive}"
        assert case.kind == "parked" or case.second_id not in (None, case.executive_id), f"{case} by one person"
    for row in Adjustment.objects.filter(state="in_force"):
        assert row.decided_by_id != row.asked_by_id, f"{row} by one person"
        assert row.entry_text, f"{row} has no entry"
    assert _rows(ALONE) == [(0,)], "an override of the order or of the cards by one person, or without an executive"
    assert not _rows(HELD_ALONE), "a hand that its cards disprove was approved without an override"


def check_numbers(wins: list[Any]) -> None:
    slips = sorted(win.slip for win in wins if win.slip is not None)
    assert slips == list(range(1, len(slips) + 1)), f"slips {slips}"
    counter = SlipCounter.objects.first()
    assert counter is None or counter.next_slip == len(slips) + 1


def _rows(statement: str) -> list[tuple[Any, ...]]:
    with connection.cursor() as cursor:
        cursor.execute(statement)
        return list(cursor.fetchall())
