"""A hand key without a seat: lit in the key profile until the pit says whose it is; a board hand is everybody's."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from django.db import transaction

from jackpot.books.actions.post import Books
from jackpot.people.models import Actor
from jackpot.refusals import NotAllowedNow, NotFound, NotUnderstood
from jackpot.terms.rules.paytable import PayLine
from jackpot.wins.actions import life, lit
from jackpot.wins.models import Win
from jackpot.wins.queries.of_round import wins_of
from jackpot.wins.rules.round_ref import RoundRef
from jackpot.wins.rules.win_life import LIT, WinState
from tables.floor.models.table import Profile
from tables.games.registry import find_games
from tables.hits.actions import hit
from tables.hits.actions.at_round import at_round, check_key_at_run, check_marks_are_free, lines_paying, seats_of
from tables.rounds.models.round import Round, RoundState
from tables.rounds.rules.round import spoken_seats

Answer = dict[str, Any]


def light(*, table_code: str, round_number: int, hand: str, by: Actor) -> Answer:
    """The hand key alone. Key profile: lit, the seats are said later. Card profile: a board hand marks every seat."""
    with at_round(table_code, round_number) as (books, round_, place):
        check_marks_are_free(round_, place)
        _check_somebody_plays(round_, place)
        lines = list(lines_paying(round_, hand))
        if round_.table.profile == Profile.KEY:
            repeat = bool(_marked(place, hand))
            if not repeat:
                _mark(books, place, lines, [LIT], by)
        else:
            _check_board_hand(round_, lines[0][2])
            free = sorted(set(seats_of(round_)) - {win.seat for win in _marked(place, hand)})
            _mark(books, place, lines, free, by)
            repeat = not free
        return {**hit.marks(place), "repeat": repeat}


def put_out(*, table_code: str, round_number: int, hand: str, by: Actor) -> Answer:
    """The same key again: off, with every seat it had."""
    with at_round(table_code, round_number) as (books, round_, place):
        check_key_at_run(round_)
        taken = lit.put_out(books, place, hand, by)
        return {**hit.marks(place), "repeat": not taken}


@transaction.atomic
def assign(*, table_code: str, round_number: int, hand: str, seats: Sequence[int], by: Actor) -> Answer:
    """The pit says which seats hold a lit hand. With the key at JPH nothing more is missing, and they are asked for."""
    with at_round(table_code, round_number) as (books, round_, place):
        _check_assignable(round_, place, hand, seats)
        for key in lit.lit_keys(place, hand):
            lit.put_on_seats(books, key, seats, by)
        asks = bool(round_.table.key_at_jph) and not unassigned(place)
        answer = hit.marks(place)
    if asks:
        return {**answer, **hit.confirm(table_code=table_code, round_number=round_number, by=by)}
    return answer


def unassigned(place: RoundRef) -> list[Win]:
    """Lit keys of the round that still lack their seats."""
    return list(wins_of(place).filter(seat=LIT, state=WinState.MARKED).order_by("mark_seq"))


def seats_missing(place: RoundRef) -> str:
    """What the pit must say before anybody can be asked, or nothing."""
    try:
        life.refuse_unassigned(unassigned(place), place)
    except NotAllowedNow as refusal:
        return refusal.why
    return ""


def lit_now(place: RoundRef) -> Mapping[str, Sequence[int]]:
    """Every lit key of the round by its hand, with the seats said so far."""
    rows = wins_of(place).filter(seat=LIT).order_by("mark_seq")
    hands = list(dict.fromkeys(rows.values_list("line", flat=True)))
    found = {hand: lit.lit_keys(place, hand) for hand in hands}
    return {hand: sorted({win.seat for win in _marked(place, hand)} - {LIT}) for hand, keys in found.items() if keys}


def first_mark(place: RoundRef, hand: str) -> Win:
    """The mark that lit this hand's key: its time and its rank."""
    return lit.lit_keys(place, hand)[0]


def board_hands(game_code: str) -> frozenset[str]:
    """The hands of a game that lie on the board: every seat with coin-in holds them."""
    game = find_games().get(game_code)
    return frozenset() if game is None else game.board_hands


def proposed(round_: Round, hand: str) -> list[int]:
    """The seats the pit is offered for a lit key: for a board hand all that take part."""
    return seats_of(round_) if hand in board_hands(round_.table.game) else []


def _mark(
    books: Books, place: RoundRef, lines: Sequence[tuple[int, int, PayLine]], seats: Sequence[int], by: Actor
) -> None:
    for seat in seats:
        for jackpot_id, version_id, line in lines:
            life.mark(books, jackpot_id=jackpot_id, version_id=version_id, place=place, seat=seat, line=line, by=by)


def _marked(place: RoundRef, hand: str) -> list[Win]:
    return list(wins_of(place).filter(line=hand, state=WinState.MARKED))


def _check_somebody_plays(round_: Round, place: RoundRef) -> None:
    if not round_.seats:
        raise NotAllowedNow(f"No seat has coin-in in round {round_.number} at {place.table_code}.", "no_coin_in")


def _check_board_hand(round_: Round, line: PayLine) -> None:
    if line.code not in board_hands(round_.table.game):
        why = f"Say which seat holds {line.name}. Only a hand on the board is everybody's."
        raise NotUnderstood(why, "seat")


def _check_assignable(round_: Round, place: RoundRef, hand: str, seats: Sequence[int]) -> None:
    where = f"round {round_.number} at {place.table_code}"
    if round_.state != RoundState.OPEN:
        raise NotAllowedNow(f"The seats come too late: {where} is over. Make it a late claim.", "round_over")
    if wins_of(place).filter(state__in=[WinState.ASKED, WinState.LOGGED]).exists():
        raise NotAllowedNow("The marks are closed. Turn the key to RUN, then say the seats anew.", "asked")
    if not lit.lit_keys(place, hand):
        raise NotFound(f"No key “{hand}” is lit without its seats in {where}. Look at the table again.", "not_lit")
    if not seats:
        raise NotUnderstood("Choose at least one seat; a key that was lit by mistake is put out at the table.", "seats")
    for seat in seats:
        if str(seat) not in round_.seats:
            has = spoken_seats(round_.seats)
            raise NotAllowedNow(f"Seat {seat} has no coin-in in {where}; {has} took part.", "no_coin_in")
