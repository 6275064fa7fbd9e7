"""What an approval must know of a round's hits, asked in the trip that locks their jackpots.

What is rare (a hit in front of ours, a version that waits) is only said to be there; whoever needs it reads it then.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any, Final, NamedTuple

import orjson

from jackpot.books.models.jackpot import Jackpot, Version
from jackpot.database.raw import Columns, Question, Rows, SideBySide
from jackpot.money import Money, units_of_each
from jackpot.people.rules.card_level import level_on, word_worth
from jackpot.property.rules.authority import Needed
from jackpot.wins.models import Signature, Win
from jackpot.wins.rules.award_record import AwardRecord
from jackpot.wins.rules.round_ref import RoundRef
from jackpot.wins.rules.settlement import Award, OverflowReturn
from jackpot.wins.rules.win_life import WinState

# Of a version only its name: each process keeps its terms.
_WIN: Final = SideBySide(
    Columns(Win, "w"), Columns(Version, "v", "id", "digest"), Columns(Jackpot, "j", "id", "code", "name", "premises_id")
)
_OF_ROUND: Final = "w.table_code = %s AND w.round_number = %s"
_OPEN: Final = "IN ('marked', 'asked', 'logged')"  # as the index of open wins has it

# No less than what the rule finds: a part of another round that may be first. The rule itself is `comes_before` in
# jackpot/wins/rules/rank.py.
_QUEUED: Final = f"""
w.state {_OPEN} AND w.part AND EXISTS (
  SELECT 1 FROM jackpot_win o
   WHERE o.jackpot_id = w.jackpot_id AND o.state {_OPEN} AND o.part
     AND (o.table_code, o.round_number) <> (w.table_code, w.round_number)
     AND (o.mark_seq < w.mark_seq OR o.state = 'logged' OR o.front_seq IS NOT NULL
          OR v.terms::jsonb #>> '{{policy,freeze}}' = 'approval'))"""
_WAITING: Final = """
EXISTS (SELECT 1 FROM jackpot_request c
         WHERE c.jackpot_id = w.jackpot_id AND c.kind = 'terms' AND c.state = 'signed')"""
# The first of two words falls with the person who gave it: nothing of a dismissed person is approved any more. It falls
# with its card too, and never counts for more than the card may do on the books' gaming day.
_GIVEN: Final = """
(SELECT jsonb_agg(jsonb_build_array(s.operator_id, s.part, s.level, c.blocked_at IS NOT NULL, c.level, c.next_level,
                                    c.next_level_from, o.is_active) ORDER BY s.id)::text
   FROM jackpot_signature s JOIN jackpot_operator o ON o.id = s.operator_id
   LEFT JOIN jackpot_card c ON c.id = s.card_id
  WHERE s.win_id = w.id AND s.part IN ('claim', 'approve'))"""
WINS: Final = f"""
SELECT {_WIN.text}, {_QUEUED}, {_WAITING}, {_GIVEN}
  FROM jackpot_win w JOIN jackpot_version v ON v.id = w.version_id JOIN jackpot_jackpot j ON j.id = w.jackpot_id
 WHERE {_OF_ROUND} ORDER BY w.jackpot_id, w.seat, w.id
"""
# Of what moved on a jackpot since an entry, only entries of wins, by their small index: under full load there are ten
# thousand coin-ins a second beside them. An act moves all its parts in one go, so its mark is among these entries.
PAID: Final = """
SELECT moved.* FROM (
  SELECT a.seq, a.meter, a.reserve, aw.ranked, a.overflow_after - a.overflow AS overflow_before,
         CASE a.kind WHEN 'award' THEN (aw.paper #>> '{{{{drawn,overflow_returned}}}}')::numeric END AS returned,
         min(aw.mark_seq) FILTER (WHERE {part}) OVER act AS mark,
         bool_or(aw.front_seq IS NOT NULL) FILTER (WHERE {part}) OVER act AS front
    FROM jackpot_entry a JOIN jackpot_win aw ON aw.id = a.win_id
   WHERE a.jackpot_id = {{}} AND a.seq > {{}} AND a.win_id IS NOT NULL AND a.kind IN ('award', 'advance')
  WINDOW act AS (PARTITION BY aw.table_code, aw.round_number, aw.logged_at)
) moved WHERE moved.ranked
""".format(part="aw.part AND aw.envy_of_id IS NULL AND aw.difference_of_id IS NULL")
# Which of them count is `is_counted` in jackpot/wins/rules/rank.py, and from which entry on is `frozen_entry` there:
# both are told once more in this SQL.
FROZEN: Final = f"""
WITH points AS (
  SELECT w.jackpot_id, w.state, bool_or(w.part) AS part,
         coalesce(min(w.mark_seq) FILTER (WHERE w.part), min(w.mark_seq)) AS mark,
         coalesce(min(w.frozen_seq) FILTER (WHERE w.part), min(w.frozen_seq)) AS seq
    FROM jackpot_win w
   WHERE {_OF_ROUND} AND w.state IN ('asked', 'logged') AND w.envy_of_id IS NULL GROUP BY w.jackpot_id, w.state
)
SELECT e.jackpot_id, points.state, e.seq, e.meter_after, e.reserve_after, e.overflow_after,
       coalesce(moved.meter, 0), coalesce(moved.reserve, 0), moved.overflow_before, moved.returned
  FROM points JOIN jackpot_entry e ON e.jackpot_id = points.jackpot_id AND e.seq = points.seq
 CROSS JOIN LATERAL (
   SELECT sum(paid.meter) AS meter, sum(paid.reserve) AS reserve,
          array_agg(paid.overflow_before ORDER BY paid.seq) FILTER (WHERE paid.returned > 0) AS overflow_before,
          array_agg(paid.returned ORDER BY paid.seq) FILTER (WHERE paid.returned > 0) AS returned
     FROM ({PAID.format("e.jackpot_id", "e.seq")}) paid
    WHERE paid.mark < points.mark OR (points.part AND paid.front)
 ) moved
"""
# Makes the counter of a new property; it is locked last, so numbers have no gap.
NUMBERS: Final = """
INSERT INTO jackpot_slipcounter AS c (premises_id, next_slip, next_win) VALUES (%s, 1, 1)
ON CONFLICT (premises_id) DO UPDATE SET next_slip = c.next_slip RETURNING next_slip, next_win
"""


class FrozenBasis(NamedTuple):
    """Balances after the entry that a round's hits count from, and what awards that rank before have moved since."""

    seq: int
    meter: int
    reserve: int
    overflow: int
    meter_moved: int
    reserve_moved: int
    resets: Sequence[OverflowReturn] = ()


class NextNumbers(NamedTuple):
    """The next slip and win of a property; nobody else gets them before the act is over."""

    slip: int
    win: int


class GivenApproval(NamedTuple):
    """Who approved, and at which level."""

    operator_id: int
    level: int


@dataclass(frozen=True, slots=True)
class RoundHits:
    """A round's wins, the approvals given for them, and where their jackpots stood when they were frozen."""

    place: RoundRef
    wins: Sequence[Win]
    given: Mapping[int, Sequence[GivenApproval]]  # by win: the words that count
    signed: Mapping[int, frozenset[int]]  # by win: whoever approved it, dismissed since or not
    claimed: Mapping[int, frozenset[int]]  # by win: the people who opened it as a late claim
    frozen: Mapping[tuple[int, str], FrozenBasis]  # by jackpot and state
    queued: frozenset[int]  # jackpots on which a hit of another round may have to be settled first
    waiting: frozenset[int]  # jackpots with a version that waits for the reset
    numbers: NextNumbers | None = None  # only where awards may be logged

    def hits(self, state: WinState) -> list[Win]:
        """The round's own hits in this state; an envied seat is no hit."""
        return [win for win in self.wins if win.state == state and win.envy_of_id is None]


@dataclass(frozen=True, slots=True)
class AwardLine:
    """One award of the act, with the win it belongs to (an envied seat has none yet), and where its round is frozen."""

    jackpot_id: int
    award: Award
    win: Win | None
    frozen: int
    record: AwardRecord | None = None  # from the approval on


@dataclass(frozen=True, slots=True)
class Settlement:
    """What an act would pay now, in order, and who may approve it."""

    lines: Sequence[AwardLine]
    wins: Sequence[Win]  # of the lines; before the approval the seats that others' hands pay have none
    total: Money
    needed: Needed


def questions(place: RoundRef, premises_id: int | None = None) -> list[Question]:
    """To be asked behind the lock; with a property also for its numbers."""
    at = (place.table_code, place.round_number)
    numbers = [] if premises_id is None else [(NUMBERS, (premises_id,))]
    return [(WINS, at), (FROZEN, at), *numbers]


def round_hits_of(place: RoundRef, answers: Sequence[Rows], day: date) -> RoundHits:
    """The answers to `questions`, on the gaming day of the books."""
    rows, frozen, *numbers = answers
    wins = [_win(row) for row in rows]
    told = [(win, *row[-3:]) for win, row in zip(wins, rows, strict=True)]
    words = [ApprovingWord.of(win.id, *word) for win, _, _, given in told if given for word in orjson.loads(given)]
    signed, claimed = (
        _people([word for word in words if word.part == part])
        for part in (Signature.Part.APPROVE, Signature.Part.CLAIM)
    )
    given: dict[int, list[GivenApproval]] = {}
    for word in words:
        if word.part == Signature.Part.APPROVE and word.works_here:
            given.setdefault(word.win_id, []).append(GivenApproval(word.operator_id, word.worth(day)))
    return RoundHits(
        place, wins, given, signed, claimed, {(row[0], row[1]): _frozen_basis(row) for row in frozen},
        frozenset(win.jackpot_id for win, queued, _, _ in told if queued),
        frozenset(win.jackpot_id for win, _, waiting, _ in told if waiting),
        NextNumbers(*numbers[0][0]) if numbers else None,
    )  # fmt: skip


class ApprovingWord(NamedTuple):
    """A word that was given for a win, and how its person and card stand today."""

    win_id: int
    operator_id: int
    part: str
    said: int
    blocked: bool
    level: int | None
    rises_to: int | None
    rises_on: date | None
    works_here: bool

    @classmethod
    def of(cls, win_id: int, *told: Any) -> ApprovingWord:
        word = cls(win_id, *told)
        return word._replace(rises_on=date.fromisoformat(told[6])) if told[6] else word

    def worth(self, day: date) -> int:
        stands = None if self.level is None else level_on(self.level, self.rises_to, self.rises_on, day)
        return word_worth(self.said, stands, blocked=self.blocked)


def _people(words: Iterable[ApprovingWord]) -> dict[int, frozenset[int]]:
    """By win."""
    people: dict[int, frozenset[int]] = {}
    for word in words:
        people[word.win_id] = people.get(word.win_id, frozenset()) | {word.operator_id}
    return people


def _frozen_basis(row: Sequence[Any]) -> FrozenBasis:
    stood, before, returned = row[3:8], row[8] or (), row[9] or ()
    resets = [OverflowReturn(*units_of_each(each)) for each in zip(before, returned, strict=True)]
    meter, reserve, overflow, meter_moved, reserve_moved = units_of_each(stood)
    return FrozenBasis(row[2], meter, reserve, overflow, meter_moved, reserve_moved, resets)


def _win(row: Sequence[object]) -> Win:
    win: Win
    win, version, jackpot = _WIN.objects(row)
    win.version, win.jackpot = version, jackpot
    return win
