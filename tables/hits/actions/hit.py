"""Hits at a table: marked by the dealer, asked for by the supervisor, approved by cards. One act, one transaction."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

from jackpot.books.actions.post import in_force
from jackpot.people.models import Card, KeyRegister
from jackpot.refusals import NotAllowedNow, NotUnderstood
from jackpot.trail.actions.trail import record
from jackpot.wins.actions import life, queue
from jackpot.wins.actions.approve import Reckoning, Voice, approve, move, reckon
from jackpot.wins.actions.life import Place
from jackpot.wins.models import Win
from jackpot.wins.rules.win_life import Act, WinState
from tables.hits.actions.at_round import (
    Hearing,
    at_hits,
    at_round,
    card_at,
    check_cards,
    check_key_at_run,
    check_marks_are_free,
    seats_of,
    versions_of,
)
from tables.hits.actions.hand_approval import check_hands
from tables.hits.actions.preview import preview
from tables.hits.actions.two_people import check_not_theirs, two_people
from tables.rounds.models.round import Round, RoundState
from tables.rounds.rules.round import spoken_seats

Answer = dict[str, Any]


def mark(*, table_code: str, round_number: int, seat: int, hand: str, by: str) -> Answer:
    """The hand key: a hit of one seat, on every level of the table that has this hand."""
    with at_round(table_code, round_number) as (books, round_, place):
        check_marks_are_free(round_, place)
        _check_coin_in(round_, seat)
        marked = _standing(place, seat, hand)
        if not marked:
            for jackpot_id, version_id in versions_of(round_).items():
                lines = {line.code: line for line in in_force(version_id).terms.pay_table}
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
    with at_round(table_code, round_number) as (books, round_, place):
        check_key_at_run(round_)
        standing = _standing(place, seat, hand)
        for win in standing:
            life.move_on(books, win, Act.UNMARK, by)
        return {**marks(place), "repeat": not standing}


def confirm(*, table_code: str, round_number: int, by: str) -> Answer:
    """CONFIRM: the round's marks are closed; says what would be paid now, in which order, and who may approve it."""
    with at_round(table_code, round_number) as (books, round_, place):
        if not life.wins_of(place).filter(state=WinState.ASKED).exists():
            life.ask(books, place, by)
        outlook = preview(place, round_.table.premises)
        assert outlook is not None, "what was just asked for is being verified"
        return told(outlook.reckoning)


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
    with at_hits(table_code, round_number) as hearing:
        logged = [win for win in hearing.standing.wins if win.state == WinState.LOGGED]
        if logged:
            return {"missing": None, "wins": [win_told(win) for win in logged], "repeat": True}
        reckoning = _reckoned(hearing)
        if reckoning.needed.level > key.level or reckoning.needed.people > 1:
            return {"missing": f"{told(reckoning)['card']} card on the pit page", **told(reckoning)}
        return _accept(hearing, reckoning, Voice(key.operator, key.level), moves=False, at_table=True)


def release(*, table_code: str, round_number: int, by: str) -> Answer:
    """The key went back without J-POT: what was asked for is only marked again."""
    with at_round(table_code, round_number) as (books, _, place):
        for win in life.wins_of(place).filter(state=WinState.ASKED).select_for_update():
            life.move_on(books, win, Act.RELEASE, by)
        return marks(place)


def run(*, table_code: str, round_number: int) -> Answer:
    """The key back to RUN: exactly the amounts fixed at J-POT are posted; with nothing logged nothing happens."""
    with at_hits(table_code, round_number) as hearing:
        reckoning = _reckoned(hearing, WinState.LOGGED)
        return {"wins": [win_told(win) for win in move(hearing.books, hearing.standing, reckoning)]}


def _approved(table_code: str, round_number: int, swiped: str, pin: str, *, at_table: bool) -> Answer:
    card, floor = card_at(Place(table_code, round_number), swiped, pin)
    voice = Voice(card.operator, card.level, card)
    with at_hits(table_code, round_number, floor, [card]) as hearing:
        moves = waits_for_no_key(hearing.round)
        return _accept(hearing, _reckoned(hearing), voice, moves=moves, at_table=at_table)


def waits_for_no_key(round_: Round) -> bool:
    """With the key at JPH the meter waits for RUN; a round that is over waits for no key."""
    return round_.state != RoundState.OPEN or not round_.table.key_at_jph


def _reckoned(hearing: Hearing, state: WinState = WinState.ASKED) -> Reckoning:
    round_ = hearing.round
    return reckon(hearing.books, hearing.standing, seats_of(round_), round_.table.premises, state)


def _accept(hearing: Hearing, reckoning: Reckoning, voice: Voice, *, moves: bool, at_table: bool) -> Answer:
    looked = partial(check_hands, hearing, seen_by=str(voice.operator) if at_table else "")
    premises = hearing.round.table.premises
    logged = approve(hearing.books, hearing.standing, reckoning, voice, premises, before_signing=looked)
    who: Answer = {"who": str(voice.operator), "level": Card.Level(voice.level).label}
    if logged is None:
        return {**who, "missing": "a second person's card", **told(reckoning)}
    if moves:
        move(hearing.books, hearing.standing, logged)
    wins = [win_told(due.win) for due in logged.dues if due.win is not None]
    return {**who, "missing": None, "total": str(reckoning.total), "wins": wins}


def pass_queue(*, table_code: str, round_number: int, cards: Sequence[tuple[str, str]], reason: str) -> Answer:
    """The override of the order: an executive's card, a second person's, and the reason."""
    if not reason.strip():
        raise NotUnderstood("Say why this hit is settled before the earlier one.", "reason")
    people = two_people(table_code, cards, "The order is changed")
    with at_round(table_code, round_number) as (books, round_, place):
        check_cards(people, books, round_)
        check_not_theirs(life.wins_of(place).filter(state=WinState.ASKED), people, round_.table.premises)
        passing = queue.pass_queue(books, place, [card.operator for card in people], reason)
        _tell_order("pass_queue", place, people, reason)
        return {"front": len(passing)}


def rejoin_queue(*, table_code: str, round_number: int, cards: Sequence[tuple[str, str]], reason: str) -> Answer:
    """The override is withdrawn by the two who gave it; whom it had passed may be settled again."""
    if not reason.strip():
        raise NotUnderstood("Say why this hit is not settled first after all.", "reason")
    people = two_people(table_code, cards, "An override is withdrawn")
    with at_round(table_code, round_number) as (books, round_, place):
        check_cards(people, books, round_)
        rejoined = queue.rejoin_queue(books, place, [card.operator for card in people], reason)
        _tell_order("rejoin_queue", place, people, reason)
        return {"rejoined": len(rejoined)}


def _tell_order(act: str, place: Place, people: Sequence[Card], reason: str) -> None:
    executive, second = (card.operator for card in people)
    record(actor=str(executive), act=act, subject=str(place), why=reason, details={"second": str(second)})


def marks(place: Place) -> Answer:
    """The round's standing marks, a seat and hand once whatever the number of levels."""
    standing = life.wins_of(place).filter(state__in=[WinState.MARKED, WinState.ASKED], envy_of=None)
    seen = {(win.seat, win.line): win for win in standing.order_by("mark_seq")}
    return {
        "marks": [{"seat": seat or None, "hand": line, "name": win.line_name} for (seat, line), win in seen.items()]
    }


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


def _check_coin_in(round_: Round, seat: int) -> None:
    if str(seat) not in round_.seats:
        has = spoken_seats(round_.seats)
        raise NotAllowedNow(f"Seat {seat} has no coin-in in round {round_.number}; {has} took part.", "no_coin_in")


def _standing(place: Place, seat: int, hand: str) -> Sequence[Win]:
    rows = life.wins_of(place).filter(seat=seat, line=hand, state__in=[WinState.MARKED, WinState.ASKED])
    return list(rows.select_for_update())
