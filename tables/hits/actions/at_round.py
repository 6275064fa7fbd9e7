"""A round of a table under the locks an act needs, and what must hold before its marks may be changed."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import date
from typing import Final, NamedTuple

import orjson
from django.utils import timezone

from jackpot.books.actions.post import Books, in_force, open_books
from jackpot.books.events import CHANNEL
from jackpot.books.models.entry import Entry
from jackpot.database.raw import Columns, Question, Rows, SideBySide, ask_together
from jackpot.people.actions.presence import (
    STILL,
    CardSource,
    check_still,
    known_card_with_pin,
    whose_card_is,
)
from jackpot.people.models import Card
from jackpot.property.models.property import Property
from jackpot.property.rules.authority import Thresholds
from jackpot.refusals import NotAllowedNow, NotFound, NotUnderstood
from jackpot.terms.rules.paytable import PayLine
from jackpot.wins.queries.of_round import wins_of
from jackpot.wins.queries.round_hits import RoundHits, questions, round_hits_of
from jackpot.wins.rules.round_ref import RoundRef
from jackpot.wins.rules.win_life import WinState
from tables.floor.models.table import Table
from tables.hits.models.cards import RoundCards
from tables.rounds.models.round import Round, RoundState
from tables.rounds.queries.counted import FURTHER_OF_ROUND, JACKPOTS_OF_ROUND, coin_in_entries
from tables.rounds.queries.kept_back import refuse_kept_back
from tables.rounds.rules.further import SeatsPlayed
from tables.rounds.rules.round import spoken_seats

_PROPERTY: Final = Columns(Property, "p")
_ROUND: Final = SideBySide(Columns(Round, "r"), Columns(Table, "t"), _PROPERTY)
_CARDS: Final = Columns(RoundCards, "c")
TABLE: Final = f"""
SELECT {_PROPERTY.text}, {JACKPOTS_OF_ROUND}
  FROM tables_table t JOIN jackpot_property p ON p.id = t.premises_id WHERE t.code = %s
"""
MARKS_CLOSED: Final = "CONFIRM was pressed, the marks are closed. Reject the hits to mark again."
NO_ROUND: Final = 0  # rounds count from 1: asks for the table alone
# Only the round is locked (OF r): its table and its house are read by every act, and a lock there would hold up all.
ROUND: Final = f"""
SELECT {_ROUND.text}, {FURTHER_OF_ROUND}
  FROM tables_table t JOIN tables_round r ON r.table_id = t.id JOIN jackpot_property p ON p.id = t.premises_id
 WHERE t.code = %s AND r.number = %s FOR NO KEY UPDATE OF r
"""
CARDS: Final = f"""
SELECT {_CARDS.text} FROM tables_table t JOIN tables_roundcards c ON c.table_id = t.id
 WHERE t.code = %s AND c.number = %s ORDER BY c.revision DESC LIMIT 1
"""
# END looks at this one column, so it must be right at every commit; a row that says it already is not written anew.
COUNT_OPEN_HITS: Final = """
WITH hits AS (
  SELECT count(*) AS open FROM jackpot_win
   WHERE table_code = %s AND round_number = %s AND state IN ('marked', 'asked', 'logged')
), counted AS (
  UPDATE tables_round r SET open_hits = hits.open FROM hits
   WHERE r.table_id = %s AND r.number = %s AND r.open_hits <> hits.open
)
SELECT pg_notify(%s, %s)
"""


class TableBeforeLock(NamedTuple):
    """What an act needs to know of a table before it locks anything."""

    premises_id: int
    pin_from: int
    jackpots: Sequence[int]


@dataclass(frozen=True, slots=True)
class LockedRound:
    """A round whose hits are decided on: under its locks, with its wins and the newest cards."""

    books: Books
    round: Round
    hits: RoundHits
    cards: RoundCards | None
    thresholds: Thresholds  # of the house, at the time of the act


@contextmanager
def at_round(table_code: str, round_number: int) -> Iterator[tuple[Books, Round, RoundRef]]:
    """The table's jackpots, then its round: always in this order."""
    place = RoundRef(table_code, round_number)
    with _opened(place, _before_lock(place).jackpots, ()) as (books, round_):
        yield books, round_, place


@contextmanager
def at_hits(
    table_code: str, round_number: int, before: TableBeforeLock | None = None, swiped: Sequence[Card] = ()
) -> Iterator[LockedRound]:
    """The same, and everything that decides on the round's hits, read behind the locks in one trip with them.

    Cards that were swiped are looked at again there.
    """
    place = RoundRef(table_code, round_number)
    before = before or _before_lock(place)
    still = (STILL, ([card.pk for card in swiped],))
    # Asked behind the lock in the same trip: each trip more is time in which every table of these jackpots waits.
    asked = [(CARDS, (table_code, round_number)), still, *questions(place, before.premises_id)]
    with _opened(place, before.jackpots, asked) as (books, round_):
        _, cards, stands, *hits = books.answers
        thresholds, day = round_.table.premises.thresholds, _day_of(books, round_)
        check_still(swiped, stands, thresholds.pin_from_level, day)
        newest = _CARDS.object(cards[0]) if cards else None
        yield LockedRound(books, round_, round_hits_of(place, hits, day), newest, thresholds)


@contextmanager
def _opened(place: RoundRef, jackpots: Collection[int], asked: Sequence[Question]) -> Iterator[tuple[Books, Round]]:
    with open_books(jackpots, [(ROUND, (place.table_code, place.round_number)), *asked]) as books:
        round_ = _round_of(place, books.answers[0])
        judge_at_both(books, round_)
        yield books, round_
        # Behind the act's own writes, so the hits that it counts have their new states.
        books.on_close("hits", lambda: _count_open_hits(place, round_))


def _round_of(place: RoundRef, rows: Rows) -> Round:
    if not rows:
        raise NotFound(f"There is no round {place.round_number} at {place.table_code}. Say hello again.", "no_round")
    round_: Round
    round_, table, premises = _ROUND.objects(rows[0])
    round_.table, table.premises = table, premises
    round_.seats_played = SeatsPlayed(round_.seats, orjson.loads(rows[0][-1]) if rows[0][-1] else ())
    # What was kept back raised no meter: nothing is won or undone there before a supervisor has accepted or refused it.
    if round_.kept_back:
        refuse_kept_back(round_, place.table_code)
    return round_


def _count_open_hits(place: RoundRef, round_: Round) -> Question:
    """How many hits stand open now, for END; and whoever looks at the table hears that something happened."""
    at = (place.table_code, place.round_number)
    return COUNT_OPEN_HITS, (*at, round_.table_id, round_.number, CHANNEL, f"hits {place.table_code}")


def check_marks_are_free(round_: Round, place: RoundRef) -> None:
    """Marks are free to set and to undo until the supervisor asks; each refusal says what to do instead."""
    where = f"Round {place.round_number} at {place.table_code}"
    if round_.state == RoundState.VOID:
        raise NotAllowedNow(f"{where} is void: all its hands are. Play the next round.", "round_over")
    if round_.state != RoundState.OPEN:
        raise NotAllowedNow(f"{where} is over. A late claim goes to the pit.", "round_over")
    check_key_at_run(round_)
    # The supervisor answers for a closed list (“seats 2 and 6, no others?”): no mark may join it afterwards.
    if wins_of(place).filter(state__in=[WinState.ASKED, WinState.LOGGED]).exists():
        raise NotAllowedNow(MARKS_CLOSED, "asked")


def refuse_logged(place: RoundRef, hand: str, seat: int | None = None) -> None:
    """The hand key takes no logged win back, and must not answer as if it had [002:312–315, 404–407]."""
    logged = [WinState.LOGGED, WinState.OWED, WinState.PAID]
    here = {} if seat is None else {"seat": seat}
    win = wins_of(place).filter(line=hand, state__in=logged, **here).order_by("number").first()
    if win is not None:
        raise NotAllowedNow(
            f"{win.line_name} at seat {win.seat} is logged as slip {win.slip}: no key takes it back. If it was wrong, "
            "two people back it out in the office.",
            "logged",
        )


def check_key_at_run(round_: Round) -> None:
    """With the key at JPH the marks are closed."""
    key, table_code = round_.table.key_at_jph, round_.table.code
    if key:
        raise NotAllowedNow(f"Key {key} stands at JPH at {table_code}. Turn the key to RUN.", "key_at_jph")


def versions_of(round_: Round) -> Mapping[int, int]:
    """A hit is judged by the version in force at its round's coin-in."""
    return {
        jackpot_id: Entry.objects.only("version_id").get(jackpot_id=jackpot_id, seq=seq).version_id
        for jackpot_id, seq in coin_in_entries(round_)
    }


class PayingLine(NamedTuple):
    """A jackpot whose pay table, in the version of the round's coin-in, pays a hand."""

    jackpot_id: int
    version_id: int
    line: PayLine


def paying(round_: Round, hand: str) -> list[PayingLine]:
    """Of every level that the round was counted on, whichever of the table's wagers feeds it."""
    versions = [(id_, version_id, in_force(version_id).terms) for id_, version_id in versions_of(round_).items()]
    return [
        PayingLine(id_, version_id, terms.pay_table.line(hand))
        for id_, version_id, terms in versions
        if any(line.code == hand for line in terms.pay_table)
    ]


def lines_paying(round_: Round, hand: str) -> list[PayingLine]:
    """The same; a hand that none of them pays is refused."""
    found = paying(round_, hand)
    if not found:
        raise NotUnderstood(f"No jackpot of {round_.table.code} pays the hand “{hand}”.", "no_hand")
    return found


def lines_of_seat(round_: Round, hand: str, seat: int) -> list[PayingLine]:
    """Those on which this seat may win: it has a chip on the wager that feeds the jackpot."""
    check_coin_in(round_, seat)
    lines = lines_paying(round_, hand)
    found = [each for each in lines if seat in round_.seats_played.on(each.jackpot_id)]
    if not found:
        name = lines[0].line.name
        why = (
            f"Seat {seat} has no chip on a wager that pays {name} in round {round_.number}; {_chips_on(round_, lines)}."
        )
        raise NotAllowedNow(why, "no_coin_in")
    return found


def check_coin_in(round_: Round, seat: int) -> None:
    """A seat without a chip on any wager wins nothing."""
    if str(seat) not in round_.seats_played.everybody:
        has = spoken_seats(round_.seats_played.everybody)
        raise NotAllowedNow(f"Seat {seat} has no coin-in in round {round_.number}; {has} took part.", "no_coin_in")


def _chips_on(round_: Round, lines: Sequence[PayingLine]) -> str:
    seats = {str(seat) for each in lines for seat in round_.seats_played.on(each.jackpot_id)}
    return f"{spoken_seats(''.join(sorted(seats)))} played it"


def pin_from(table_code: str) -> int:
    """From which card level up this house asks for a PIN."""
    return _before_lock(RoundRef(table_code, NO_ROUND)).pin_from


def card_at(place: RoundRef, swiped: str, pin: str, source: CardSource) -> tuple[Card, TableBeforeLock]:
    """The card that was swiped at a round, with its PIN where the house asks for one, and what it meets there."""
    # Table and card in one trip: it is the swipe, the act that a player stands and waits for.
    table, card = ask_together([_asked_of(place), whose_card_is(swiped)])
    before = _before_lock_of(place.table_code, table)
    known = known_card_with_pin(rows=card, swipe=swiped, pin=pin, pin_from_level=before.pin_from, source=source)
    return known, before


def _before_lock(place: RoundRef) -> TableBeforeLock:
    return _before_lock_of(place.table_code, ask_together([_asked_of(place)])[0])


def _asked_of(place: RoundRef) -> Question:
    return TABLE, (place.round_number, place.table_code)


def _before_lock_of(table_code: str, rows: Rows) -> TableBeforeLock:
    if not rows:
        raise NotFound(f"There is no table {table_code} here.", "no_table")
    premises = _PROPERTY.object(rows[0])
    return TableBeforeLock(premises.pk, premises.pin_from, rows[0][-1])


def judge_at_both(books: Books, round_: Round) -> None:
    """Authority is tested at the act's own time, and never above what stood at the round's coin-in."""
    for head in books.heads.values():
        round_.table.premises.judge_at((round_.opened_at, round_.gaming_day), (head.now, head.gaming_day))
        break  # all jackpots of an act have one time


def check_cards(cards: Sequence[Card], books: Books, round_: Round) -> None:
    """Cards that were swiped before the lock are still what they were."""
    stands = ask_together([(STILL, ([card.pk for card in cards],))])[0]
    check_still(cards, stands, round_.table.premises.thresholds.pin_from_level, _day_of(books, round_))


def _day_of(books: Books, round_: Round) -> date:
    """The gaming day of the act, by the books' clock; a round without a chip has no books."""
    head = next(iter(books.heads.values()), None)
    return round_.table.premises.gaming_day(timezone.now()) if head is None else head.gaming_day
