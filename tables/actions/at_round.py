"""A round of a table under the locks an act needs, and what must hold before its marks may be changed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager

from django.db import transaction

from jackpot import events
from jackpot.actions.post import Books, open_books
from jackpot.actions.refusals import NotAllowedNow, NotFound, NotUnderstood
from jackpot.actions.win import life
from jackpot.actions.win.life import Place
from jackpot.models import Entry
from jackpot.rules.paytable import PayLine
from jackpot.rules.win_life import WinState
from tables.actions.undo import coin_in_entries
from tables.models import Link, Round, RoundState, Table


@contextmanager
def at_round(table_code: str, round_number: int) -> Iterator[tuple[Books, Round, Place]]:
    """The table's jackpots, then its round: always in this order."""
    jackpots = list(Link.objects.filter(table__code=table_code).values_list("jackpot_id", flat=True))
    with transaction.atomic(), open_books(jackpots) as books:
        rows = Round.objects.select_for_update(no_key=True, of=("self",)).select_related("table__premises")
        round_ = rows.filter(table__code=table_code, number=round_number).first()
        if round_ is None:
            raise NotFound(f"There is no round {round_number} at {table_code}. Say hello again.", "no_round")
        place = Place(table_code, round_number)
        yield books, round_, place
        hits = life.open_hits(place)
        if hits != round_.open_hits:
            round_.open_hits = hits
            round_.save(update_fields=["open_hits"])
        events.notify(f"hits {table_code}")


def check_marks_are_free(round_: Round, place: Place) -> None:
    """Marks are free to set and to undo until the supervisor asks; each refusal says what to do instead."""
    where = f"Round {place.round_number} at {place.table_code}"
    if round_.state == RoundState.VOID:
        raise NotAllowedNow(f"{where} is void: all its hands are. Play the next round.", "round_over")
    if round_.state != RoundState.OPEN:
        raise NotAllowedNow(f"{where} is over. A late claim goes to the pit.", "round_over")
    check_key_at_run(round_)
    if life.wins_of(place).filter(state__in=[WinState.ASKED, WinState.LOGGED]).exists():
        raise NotAllowedNow("CONFIRM was pressed, the marks are closed. Reject the hits to mark again.", "asked")


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


def lines_paying(books: Books, round_: Round, hand: str) -> Iterator[tuple[int, int, PayLine]]:
    """Jackpot, version and pay line of every level that pays this hand."""
    found = False
    for jackpot_id, version_id in versions_of(round_).items():
        lines = {line.code: line for line in books.version(jackpot_id).terms.pay_table}
        if hand in lines:
            found = True
            yield jackpot_id, version_id, lines[hand]
    if not found:
        raise NotUnderstood(f"No jackpot of {round_.table.code} pays the hand “{hand}”.", "no_hand")


def seats_of(round_: Round) -> list[int]:
    return [int(seat) for seat in round_.seats]


def pin_from(table_code: str) -> int:
    """From which card level up this house asks for a PIN."""
    table = Table.objects.select_related("premises").filter(code=table_code).first()
    if table is None:
        raise NotFound(f"There is no table {table_code} here.", "no_table")
    return table.premises.pin_from_level
