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
from jackpot.wins.rules.win_life import LIT, Act, WinState
from tables.floor.models.table import Profile
from tables.games.registry import find_games
from tables.hits.actions import hit
from tables.hits.actions.at_round import (
    PayingLine,
    at_round,
    check_key_at_run,
    check_marks_are_free,
    lines_of_seat,
    lines_paying,
    paying,
    refuse_logged,
)
from tables.rounds.models.round import Round, RoundState
from tables.rounds.rules.round import spoken_seats

Answer = dict[str, Any]


def light(*, table_code: str, round_number: int, hand: str, by: Actor) -> Answer:
    """The hand key alone. Key profile: lit, the seats are said later. Card profile: a board hand marks every seat."""
    with at_round(table_code, round_number) as (books, round_, place):
        check_marks_are_free(round_, place)
        _check_somebody_plays(round_, place)
        lines = lines_paying(round_, hand)
        # In the key profile a hand is lit, not a seat: the pit says whose it is when it has looked at the table.
        if round_.table.profile == Profile.KEY:
            repeat = bool(_marked(place, hand))
            if not repeat:
                for each in lines:
                    life.mark(books, **each._asdict(), place=place, seat=LIT, by=by)
        else:
            _check_board_hand(round_, lines[0].line)
            repeat = not _mark_free(books, round_, place, lines, by)
        return {**hit.marks(place), "repeat": repeat}


def put_out(*, table_code: str, round_number: int, hand: str, by: Actor) -> Answer:
    """The same key again: off, with every seat it had."""
    with at_round(table_code, round_number) as (books, round_, place):
        check_key_at_run(round_)
        taken = lit.put_out(books, place, hand, by)
        if not taken:
            refuse_logged(place, hand)
        return {**hit.marks(place), "repeat": not taken}


@transaction.atomic
def assign(*, table_code: str, round_number: int, hand: str, seats: Sequence[int], by: Actor) -> Answer:
    """The pit says which seats hold a lit hand. With the key at JPH nothing more is missing, and they are asked for."""
    with at_round(table_code, round_number) as (books, round_, place):
        _check_assignable(round_, place, hand, seats)
        keys = {key.jackpot_id: key for key in lit.lit_keys(place, hand)}
        for each in lines_paying(round_, hand):
            # Level by level: a seat without a chip on the wager that feeds this jackpot wins nothing of it.
            own = sorted({*seats} & {*round_.seats_played.on(each.jackpot_id)})
            if each.jackpot_id in keys:
                lit.put_on_seats(books, keys[each.jackpot_id], own, by)
            else:
                _mark_late(books, place, each, own, by)
        # The key at JPH is the asking itself; it only waited for the seats of the last lit key.
        asks = bool(round_.table.key_at_jph) and not unassigned(place)
        answer = hit.marks(place)
    # An act of its own, in the same transaction: what is asked for are marks that stand in the books by now.
    if asks:
        return {**answer, **hit.confirm(table_code=table_code, round_number=round_number, by=by)}
    return answer


def _mark_late(books: Books, place: RoundRef, paying: PayingLine, seats: Sequence[int], by: Actor) -> None:
    """Seats said in place of others, which had no chip on this wager: its key went out then, and they rank from now."""
    standing = {win.seat: win for win in _marked(place, paying.line.code) if win.jackpot_id == paying.jackpot_id}
    for seat in sorted(set(seats) - set(standing)):
        life.mark(books, **paying._asdict(), place=place, seat=seat, by=by)
    for seat in sorted(set(standing) - set(seats)):
        life.move_on(books, standing[seat], Act.UNMARK, by)


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
    return assignable(round_, hand) if hand in board_hands(round_.table.game) else []


def assignable(round_: Round, hand: str) -> list[int]:
    """Seats with a chip on a wager that feeds a jackpot which pays this hand; where none does, all that take part."""
    played = round_.seats_played
    lines = paying(round_, hand)
    if not lines:
        return [int(seat) for seat in played.everybody]
    return sorted({seat for each in lines for seat in played.on(each.jackpot_id)})


def _mark_free(
    books: Books, round_: Round, place: RoundRef, lines: Sequence[PayingLine], by: Actor
) -> list[int]:  # fmt: skip
    """A hand on the board is everybody's who has a chip on a wager that pays it; returns the seats that lacked it."""
    taken = {win.seat for win in _marked(place, lines[0].line.code)}
    plays = {each.jackpot_id: round_.seats_played.on(each.jackpot_id) for each in lines}
    free = sorted({seat for seats in plays.values() for seat in seats} - taken)
    for seat in free:
        for each in lines:
            if seat in plays[each.jackpot_id]:
                life.mark(books, **each._asdict(), place=place, seat=seat, by=by)
    return free


def _marked(place: RoundRef, hand: str) -> list[Win]:
    return list(wins_of(place).filter(line=hand, state=WinState.MARKED))


def _check_somebody_plays(round_: Round, place: RoundRef) -> None:
    if not round_.seats_played.everybody:
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
    # Somebody else may have assigned it a moment ago; that is looked at, not done a second time.
    if not lit.lit_keys(place, hand):
        raise NotFound(f"No key “{hand}” is lit without its seats in {where}. Look at the table again.", "not_lit")
    if not seats:
        raise NotUnderstood("Choose at least one seat; a key that was lit by mistake is put out at the table.", "seats")
    plays = round_.seats_played.everybody
    for seat in seats:
        if str(seat) not in plays:
            raise NotAllowedNow(
                f"Seat {seat} has no coin-in in {where}; {spoken_seats(plays)} took part.", "no_coin_in"
            )
        lines_of_seat(round_, hand, seat)
