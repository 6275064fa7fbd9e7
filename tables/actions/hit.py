"""Hits at a table: marked by the dealer, asked for by the supervisor, approved by cards. One act, one transaction."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from typing import Any

from django.db import transaction

from jackpot import events
from jackpot.actions.cards import card_with_pin
from jackpot.actions.post import Books, open_books
from jackpot.actions.refusals import NotAllowed, NotAllowedNow, NotFound, NotUnderstood
from jackpot.actions.win import life
from jackpot.actions.win.approve import Reckoning, Voice, approve, expect, move, reckon
from jackpot.actions.win.life import Place
from jackpot.models import Card, Entry, KeyRegister, Win
from jackpot.rules.win_life import Act, WinState
from tables.actions.hand_approval import check_hands
from tables.actions.undo import coin_in_entries
from tables.models import Link, Round, RoundState, Table
from tables.rules.round import spoken_seats

Answer = dict[str, Any]


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


def mark(*, table_code: str, round_number: int, seat: int, hand: str, by: str) -> Answer:
    """The hand key: a hit of one seat, on every level of the table that has this hand."""
    with at_round(table_code, round_number) as (books, round_, place):
        _check_markable(round_, seat, place)
        marked = _standing(place, seat, hand)
        if not marked:
            for jackpot_id, version_id in versions_of(round_).items():
                lines = {line.code: line for line in books.version(jackpot_id).terms.pay_table}
                if hand in lines:
                    life.mark(
                        books, jackpot_id=jackpot_id, version_id=version_id, place=place, seat=seat,
                        line=lines[hand], by=by,
                    )  # fmt: skip
            if not _standing(place, seat, hand):
                raise NotUnderstood(f"No jackpot of {table_code} pays the hand “{hand}”.", "no_hand")
        return {**marks(place), "repeat": bool(marked)}


def unmark(*, table_code: str, round_number: int, seat: int, hand: str, by: str) -> Answer:
    """The same key again: the mark is taken back, both stay in the books."""
    with at_round(table_code, round_number) as (books, _, place):
        standing = _standing(place, seat, hand)
        for win in standing:
            life.move_on(books, win, Act.UNMARK, by)
        return {**marks(place), "repeat": not standing}


def confirm(*, table_code: str, round_number: int, by: str) -> Answer:
    """CONFIRM: the round's marks are closed; says what would be paid now, in which order, and who may approve it."""
    with at_round(table_code, round_number) as (books, round_, place):
        if not life.wins_of(place).filter(state=WinState.ASKED).exists():
            life.ask(books, place, by)
        reckoning = reckon(books, place, seats_of(round_), round_.table.premises)
        expect(reckoning)
        return told(reckoning)


def reject(*, table_code: str, round_number: int, by: str, why: str) -> Answer:
    """Not confirmed: the hits fall, the meter was never touched."""
    with at_round(table_code, round_number) as (books, _, place):
        fallen = life.reject(books, place, by, why)
        return {"rejected": len(fallen), **marks(place)}


def swipe(*, table_code: str, round_number: int, card: str, pin: str = "", at_table: bool = False) -> Answer:
    """A card accepts the whole act; with everything it needs, the wins are logged and the meter moves at once.

    Whoever swipes it at the table itself stands before the hand: that says “cards seen”.
    """
    return _approved(table_code, round_number, card, pin, at_table=at_table)


def j_pot(*, table_code: str, round_number: int, key: KeyRegister) -> Answer:
    """Amounts are fixed on the key holder's word; from the executive threshold up it only asks for the card."""
    with at_round(table_code, round_number) as (books, round_, place):
        logged = list(life.wins_of(place).filter(state=WinState.LOGGED))
        if logged:
            return {"missing": None, "wins": [win_told(win) for win in logged], "repeat": True}
        reckoning = reckon(books, place, seats_of(round_), round_.table.premises)
        if reckoning.needed.level > key.level or reckoning.needed.people > 1:
            return {"missing": f"{told(reckoning)['card']} card on the pit page", **told(reckoning)}
        voice = Voice(key.operator, key.level)
        return _accept(books, round_, place, voice, moves=False, at_table=True)


def release(*, table_code: str, round_number: int, by: str) -> Answer:
    """The key went back without J-POT: what was asked for is only marked again."""
    with at_round(table_code, round_number) as (books, _, place):
        for win in life.wins_of(place).filter(state=WinState.ASKED).select_for_update():
            life.move_on(books, win, Act.RELEASE, by)
        return marks(place)


def run(*, table_code: str, round_number: int) -> Answer:
    """The key back to RUN: exactly the amounts fixed at J-POT are posted; with nothing logged nothing happens."""
    with at_round(table_code, round_number) as (books, round_, place):
        premises = round_.table.premises
        reckoning = reckon(books, place, seats_of(round_), premises, WinState.LOGGED)
        return {"wins": [win_told(win) for win in move(books, place, reckoning)]}


def _approved(table_code: str, round_number: int, swiped: str, pin: str, *, at_table: bool) -> Answer:
    card = card_with_pin(swipe=swiped, pin=pin, pin_from_level=pin_from(table_code))
    voice = Voice(card.operator, card.level, card)
    with at_round(table_code, round_number) as (books, round_, place):
        moves = not round_.table.key_at_jph  # with the key at JPH the meter waits for RUN
        return _accept(books, round_, place, voice, moves=moves, at_table=at_table)


def pin_from(table_code: str) -> int:
    """The card level from which the house asks for a PIN."""
    table = Table.objects.select_related("premises").filter(code=table_code).first()
    if table is None:
        raise NotFound(f"There is no table {table_code} here.", "no_table")
    return table.premises.pin_from_level


def _accept(books: Books, round_: Round, place: Place, voice: Voice, *, moves: bool, at_table: bool) -> Answer:
    premises = round_.table.premises
    reckoning = reckon(books, place, seats_of(round_), premises)
    seen_by = str(voice.operator) if at_table else ""
    looked = partial(check_hands, books, round_, seen_by=seen_by)
    logged = approve(books, place, reckoning, voice, premises, before_signing=looked)
    who: Answer = {"who": str(voice.operator), "level": Card.Level(voice.level).label}
    if logged is None:
        return {**who, "missing": "a second person's card", **told(reckoning)}
    if moves:
        logged = move(books, place, reckoning)
    return {**who, "missing": None, "total": str(reckoning.total), "wins": [win_told(win) for win in logged]}


def pass_queue(*, table_code: str, round_number: int, cards: Sequence[tuple[str, str]], reason: str) -> Answer:
    """The override of the order: an executive's card, a second person's, and the reason."""
    if not reason.strip():
        raise NotUnderstood("Say why this hit is settled before the earlier one.", "reason")
    known = [card_with_pin(swipe=swiped, pin=pin, pin_from_level=pin_from(table_code)) for swiped, pin in cards]
    people = {card.operator_id: card.operator for card in known}
    if len(people) < 2 or all(card.level < Card.Level.EXECUTIVE for card in known):
        raise NotAllowed("The order is changed only by an executive and a second, different person.", "two_people")
    with at_round(table_code, round_number) as (books, _, place):
        passed = life.pass_queue(books, place, list(people.values()), reason)
        return {"front": len(passed)}


def marks(place: Place) -> Answer:
    """The round's standing marks, a seat and hand once whatever the number of levels."""
    standing = life.wins_of(place).filter(state__in=[WinState.MARKED, WinState.ASKED], envy_of=None)
    seen = {(win.seat, win.line): win for win in standing.order_by("mark_seq")}
    return {"marks": [{"seat": seat, "hand": line, "name": win.line_name} for (seat, line), win in seen.items()]}


def told(reckoning: Reckoning) -> Answer:
    """The closed list with order, amounts as of now and the card level needed; no numbers yet."""
    return {
        "hits": [
            {
                "id": due.win.id if due.win else None, "place": place,
                "jackpot": due.win.jackpot.code if due.win else None, "seat": due.award.seat,
                "hand": due.award.line.code, "name": due.award.line.name, "amount": str(due.award.amount),
                "envy": due.award.envy,
            }
            for place, due in enumerate(reckoning.dues, start=1)
        ],
        "total": str(reckoning.total),
        "card": Card.Level(reckoning.needed.level).label,
        "people": reckoning.needed.people,
    }  # fmt: skip


def win_told(win: Win) -> Answer:
    """One win as the controller and the pit hear it."""
    return {
        "win": win.number, "slip": win.slip, "seat": win.seat, "hand": win.line, "name": win.line_name,
        "amount": str(win.amount_money), "state": win.state, "jackpot": win.jackpot.code,
    }  # fmt: skip


def _check_markable(round_: Round, seat: int, place: Place) -> None:
    if round_.state != RoundState.OPEN:
        raise NotAllowedNow(
            f"Round {place.round_number} at {place.table_code} is over. A late claim goes to the pit.", "round_over"
        )
    if str(seat) not in round_.seats:
        has = spoken_seats(round_.seats)
        raise NotAllowedNow(f"Seat {seat} has no coin-in in round {place.round_number}; {has} took part.", "no_coin_in")
    if life.wins_of(place).filter(state__in=[WinState.ASKED, WinState.LOGGED]).exists():
        raise NotAllowedNow("CONFIRM was pressed, the marks are closed. Reject the hits to mark again.", "asked")
    if round_.table.key_at_jph:
        number = round_.table.key_at_jph
        raise NotAllowedNow(f"Key {number} stands at JPH at {place.table_code}. Turn the key to RUN.", "key_at_jph")


def _standing(place: Place, seat: int, hand: str) -> Sequence[Win]:
    rows = life.wins_of(place).filter(seat=seat, line=hand, state__in=[WinState.MARKED, WinState.ASKED])
    return list(rows.select_for_update())


def versions_of(round_: Round) -> dict[int, int]:
    """A hit is judged by the version in force at its round's coin-in."""
    return {
        jackpot_id: Entry.objects.only("version_id").get(jackpot_id=jackpot_id, seq=seq).version_id
        for jackpot_id, seq in coin_in_entries(round_)
    }


def seats_of(round_: Round) -> list[int]:
    return [int(seat) for seat in round_.seats]
