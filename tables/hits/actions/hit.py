"""Hits at a table: marked by the dealer, asked for by the supervisor, approved by cards. One act, one transaction."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from jackpot.evidence.actions.of_round import attach_to_round, check_round_evidence
from jackpot.evidence.rules.evidence_file import EvidenceUpload
from jackpot.money import texts_of_stored
from jackpot.people.actions.presence import TYPED, CardSource
from jackpot.people.models import Actor, Card, KeyRegister, Operator, person_of
from jackpot.refusals import NotAllowedNow, NotUnderstood, Refused
from jackpot.trail.actions.trail import record, second_person
from jackpot.trail.rules import objects
from jackpot.wins.actions import life, queue
from jackpot.wins.actions.approve import (
    AwardApprover,
    SeenOnFloor,
    accept,
    approve,
    levels_given,
    move,
    refuse_before_earlier,
    settle_round,
)
from jackpot.wins.models import Signature, Win
from jackpot.wins.queries.of_round import wins_of
from jackpot.wins.queries.round_hits import RoundHits, Settlement
from jackpot.wins.rules.award_record import HandRecord
from jackpot.wins.rules.round_ref import RoundRef
from jackpot.wins.rules.win_life import Act, WinState
from tables.hits.actions.at_round import (
    MARKS_CLOSED,
    LockedRound,
    at_hits,
    at_round,
    card_at,
    check_cards,
    check_key_at_run,
    check_marks_are_free,
    lines_of_seat,
    refuse_logged,
)
from tables.hits.actions.caps import check_cap
from tables.hits.actions.surveillance import refuse_unwatched
from tables.hits.actions.two_people import check_not_theirs, refuse_alone, two_people
from tables.hits.queries.hand_verdict import RoundHands, judge, obstacles, record_of_hand, unseen
from tables.hits.queries.preview import preview
from tables.rounds.models.round import Round, RoundState
from tables.rounds.queries.wager_names import names_on

Answer = dict[str, Any]


def mark(*, table_code: str, round_number: int, seat: int, hand: str, by: Actor) -> Answer:
    """The hand key: a hit of one seat, on every level that has this hand, of the wagers that the seat played."""
    with at_round(table_code, round_number) as (books, round_, place):
        check_marks_are_free(round_, place)
        lines = lines_of_seat(round_, hand, seat)
        marked = _marked(place, seat, hand)
        # Said again after a lost answer it stands already, and keeps its rank.
        for each in lines if not marked else ():
            life.mark(books, **each._asdict(), place=place, seat=seat, by=by)
        return {**marks(place), "repeat": bool(marked)}


def unmark(*, table_code: str, round_number: int, seat: int, hand: str, by: Actor) -> Answer:
    """The same key again: the mark is taken back, both stay in the books."""
    with at_round(table_code, round_number) as (books, round_, place):
        check_key_at_run(round_)
        marked = _marked(place, seat, hand)
        if not marked:
            refuse_logged(place, hand, seat)
        if any(win.state == WinState.ASKED for win in marked):
            raise NotAllowedNow(MARKS_CLOSED, "asked")
        for win in marked:
            life.move_on(books, win, Act.UNMARK, by)
        return {**marks(place), "repeat": not marked}


def confirm(*, table_code: str, round_number: int, by: Actor) -> Answer:
    """CONFIRM: the round's marks are closed; says what would be paid now, in which order, and who may approve it."""
    with at_round(table_code, round_number) as (books, round_, place):
        # Pressed again, the closed list is only told again, as of now.
        if not wins_of(place).filter(state=WinState.ASKED).exists():
            life.ask(books, place, by)
        outlook = preview(place, round_.table.premises)
        assert outlook is not None, "what was just asked for is being verified"
        return settlement_plain(outlook.settlement)


def reject(
    *, table_code: str, round_number: int, by: Actor, why: str, cards: Sequence[tuple[str, str]] = (),
    source: CardSource = TYPED,
) -> Answer:  # fmt: skip
    """Not confirmed: the hits fall, the meter was never touched. What two people opened, two people reject."""
    people = two_people(table_code, cards, "A late claim is rejected", source) if cards else ()
    with at_round(table_code, round_number) as (books, round_, place):
        check_cards(people, books, round_)
        if not people:
            refuse_alone(place)
        fallen = life.reject(books, place, " and ".join(str(card.operator) for card in people) or by, why)
        hits = ", ".join(f"{win.line_name} at seat {win.seat} of {books.heads[win.jackpot_id].code}" for win in fallen)
        # The entries seal only a digest of who said no and why; the player who comes back tomorrow is owed both.
        _tell_round("reject_hits", place, [card.operator for card in people] or [by], why, hits=hits)
        return {"rejected": len(fallen), **marks(place)}


def swipe(
    *, table_code: str, round_number: int, card: str, pin: str = "", at_table: bool = False, source: CardSource = TYPED
) -> Answer:
    """A card accepts the whole act; with everything it needs, the wins are logged and the meter moves at once.

    Whoever swipes it at the table itself stands before the hand: that says “cards seen”.
    """
    # Before any lock: a PIN takes 90 ms by design, and a wrong one counts even where the act is refused.
    swiped, before = card_at(RoundRef(table_code, round_number), card, pin, source)
    approver = AwardApprover(swiped.operator, swiped.level, swiped)
    with at_hits(table_code, round_number, before, [swiped]) as locked:
        settlement = _settled(locked)
        return _approved(locked, settlement, approver, moves=waits_for_no_key(locked.round), at_table=at_table)


def j_pot(
    *, table_code: str, round_number: int, key: KeyRegister, card: Card | None = None, unshown: Refused | None = None
) -> Answer:
    """Amounts are fixed on the key holder's word; from the executive threshold up it only asks for the card.

    `card` is the holder's, whose PIN was given where the key's number was typed; it is looked at again under the lock.
    Who only asks shows nothing; `unshown` is the refusal of a word for which nobody has shown to be there.
    """
    with at_hits(table_code, round_number, swiped=[] if card is None else [card]) as locked:
        logged = [win for win in locked.hits.wins if win.state == WinState.LOGGED]
        # Pressed twice, or the answer was lost: the amounts stay as they were fixed, however the meter went on since.
        if logged:
            return {"missing": None, "wins": [win_plain(win) for win in logged], "repeat": True}
        settlement = _settled(locked)
        refuse_before_earlier(locked.hits, locked.hits.hits(WinState.ASKED))
        if not settlement.needed.by_key(key.level):
            return _asked_on_the_pit_page(settlement)
        if unshown is not None:
            raise unshown
        approver = AwardApprover(key.operator, key.level, card)
        return _approved(locked, settlement, approver, moves=False, at_table=True)


def _asked_on_the_pit_page(settlement: Settlement) -> Answer:
    """Above the executive threshold the card on the pit page is the approval; a key only asks for it."""
    asked = settlement_plain(settlement)
    second = ", then a second person's" if settlement.needed.people > 1 else ""
    return {"missing": f"{asked['card']} card on the pit page{second}", **asked}


def release(*, table_code: str, round_number: int, by: Actor) -> Answer:
    """The key went back without J-POT: what was asked for is only marked again, and may change.

    So a word that was given for it counts no more; it stays on record as taken back.
    """
    with at_round(table_code, round_number) as (books, _, place):
        for win in wins_of(place).filter(state=WinState.ASKED).select_for_update():
            life.move_on(books, win, Act.RELEASE, by)
            # Never deleted: who had signed, and until which entry it counted, stays to be read.
            given = Signature.objects.filter(win=win, part=Signature.Part.APPROVE)
            given.update(part=Signature.Part.TAKEN_BACK, entry=books.heads[win.jackpot_id].last_seq)
        return marks(place)


def run(*, table_code: str, round_number: int) -> Answer:
    """The key back to RUN: exactly the amounts fixed at J-POT are posted; with nothing logged nothing happens."""
    with at_hits(table_code, round_number) as locked:
        # Reckoned again for order and reset; `move` posts no amount but the one that was fixed.
        settlement = _settled(locked, WinState.LOGGED)
        return {"wins": [win_plain(win) for win in move(locked.books, locked.hits, settlement)]}


def waits_for_no_key(round_: Round) -> bool:
    """With the key at JPH the meter waits for RUN; a round that is over waits for no key."""
    return round_.state != RoundState.OPEN or not round_.table.key_at_jph


def _settled(locked: LockedRound, state: WinState = WinState.ASKED) -> Settlement:
    return settle_round(locked.books, locked.hits, locked.round.seats_played.on, locked.thresholds, state)


def _approved(
    locked: LockedRound, settlement: Settlement, approver: AwardApprover, *, moves: bool, at_table: bool
) -> Answer:
    """Who approves is judged first, then the hands; with the last word needed the meter moves, or waits for RUN."""
    if locked.round.table.premises.surveillance_first:
        refuse_unwatched(locked.round)
    accepted = accept(locked.hits, settlement, approver, locked.thresholds)
    # A late claim is frozen before its picture is there (decision 0120); its approval waits for it.
    if any(locked.hits.claimed.get(win.id) for win in settlement.wins):
        check_round_evidence(locked.hits.place, locked.round.table.premises, "This late claim")
    # Before the cap, which counts only what no cards prove.
    cards = _look_at_hands(locked, settlement.wins, seen_by=approver.operator if at_table else None)
    if locked.thresholds.caps_unseen:
        check_cap(locked, settlement, approver.operator, cards)
    seen = SeenOnFloor(cards, names_on(locked.round, locked.books.heads))
    logged = approve(locked.books, locked.hits, accepted, locked.round.table.premises, seen)
    who: Answer = {"who": str(approver.operator), "level": Card.Level(approver.level).label}
    if logged is None:
        missing = _second(locked.hits, settlement, approver)
        return {**who, "missing": missing, **settlement_plain(settlement)}
    # With the key at JPH the meter does not move yet: only RUN posts, and everything between survives in the books.
    if moves:
        move(locked.books, locked.hits, logged)
    return {**who, "missing": None, "total": str(settlement.total), "wins": [win_plain(win) for win in logged.wins]}


def _look_at_hands(locked: LockedRound, wins: Sequence[Win], *, seen_by: Operator | None) -> dict[int, HandRecord]:
    """Refuses an act whose hands are not shown as the house wants; `seen_by` says “cards seen” with this word."""
    hands = RoundHands(locked.round.table.game, locked.cards)
    verdicts = judge(hands, wins)
    lacking = unseen(verdicts, locked.thresholds) if seen_by else []
    if lacking and seen_by is not None:
        now = next(iter(locked.books.heads.values())).now
        row = hands.next_revision(locked.round, seen_by, now)
        row.say_seen(win.seat for win in lacking)
        row.save(force_insert=True)
        hands = RoundHands(locked.round.table.game, row)
        verdicts = judge(hands, wins)
    met = obstacles(verdicts, locked.thresholds)
    if met:
        raise NotAllowedNow(met[0].why, met[0].code)
    return {each.win.id: record_of_hand(hands, each) for each in verdicts}


def _second(hits: RoundHits, settlement: Settlement, approver: AwardApprover) -> str:
    """Whose card is still missing; where nobody has signed with the level, the second person has it."""
    need = settlement.needed
    least = max(need.still([*levels_given(hits, win), approver.level]) for win in hits.hits(WinState.ASKED))
    return f"a second person's{f' {Card.Level(least).label}' if least > need.least else ''} card"


def pass_queue(
    *, table_code: str, round_number: int, cards: Sequence[tuple[str, str]], reason: str, source: CardSource = TYPED,
    file: EvidenceUpload | None = None,
) -> Answer:  # fmt: skip
    """The override of the order: an executive's card, a second person's, and the reason."""
    if not reason.strip():
        raise NotUnderstood("Say why this hit is settled before the earlier one.", "reason")
    people = two_people(table_code, cards, "The order is changed", source)
    with at_round(table_code, round_number) as (books, round_, place):
        check_cards(people, books, round_)
        check_not_theirs(list(wins_of(place).filter(state=WinState.ASKED)), people, round_.table.premises)
        check_round_evidence(place, round_.table.premises, "The override of the order", file)
        if file is not None:
            attach_to_round(place=place, upload=file, by=people[0].operator)
        # The digest goes into the sealed entry, so the file cannot be exchanged afterwards.
        passing = queue.pass_queue(books, place, people, reason, file=file.sha256 if file else "")
        _tell_round("pass_queue", place, [card.operator for card in people], reason)
        return {"front": len(passing)}


def rejoin_queue(
    *, table_code: str, round_number: int, cards: Sequence[tuple[str, str]], reason: str, source: CardSource = TYPED
) -> Answer:
    """The override is withdrawn by the two who gave it; whom it had passed may be settled again."""
    if not reason.strip():
        raise NotUnderstood("Say why this hit is not settled first after all.", "reason")
    people = two_people(table_code, cards, "An override is withdrawn", source)
    with at_round(table_code, round_number) as (books, round_, place):
        check_cards(people, books, round_)
        rejoined = queue.rejoin_queue(books, place, people, reason)
        _tell_round("rejoin_queue", place, [card.operator for card in people], reason)
        return {"rejoined": len(rejoined)}


def _tell_round(act: str, place: RoundRef, people: Sequence[Actor], why: str, **details: str) -> None:
    """One line of the trail about the round; a second person is named beside the first."""
    first, *second = people
    more = {**details, **second_person(person_of(second[0]) if second else None)}
    record(
        actor=first, act=act, about=objects.round_played(place.table_code, place.round_number), why=why, details=more
    )


def marks(place: RoundRef) -> Answer:
    """The round's standing marks, a seat and hand once whatever the number of levels."""
    # Envy is won by those who hold nothing: no key is lit for it and no dealer takes it back.
    standing = wins_of(place).filter(state__in=[WinState.MARKED, WinState.ASKED], envy_of=None)
    seen = {(win.seat, win.line): win for win in standing.order_by("mark_seq", "seat")}
    return {
        "marks": [{"seat": seat or None, "hand": line, "name": win.line_name} for (seat, line), win in seen.items()]
    }


def settlement_plain(settlement: Settlement) -> Answer:
    """The closed list with order, amounts as of now and the card level needed; no numbers yet."""
    return {
        "hits": [
            {
                "id": line.win.id if line.win else None, "place": place,
                "jackpot": line.win.jackpot.code if line.win else None, "seat": line.award.seat,
                "hand": line.award.line.code, "name": line.award.line.name, "amount": str(line.award.amount),
                "envy": line.award.envy,
            }
            for place, line in enumerate(settlement.lines, start=1)
        ],
        "total": str(settlement.total),
        "card": Card.Level(settlement.needed.level).label,
        "people": settlement.needed.people,
    }  # fmt: skip


def win_plain(win: Win) -> Answer:
    """One win as the controller and the pit hear it."""
    assert win.amount is not None, "only what was approved is told as a win"
    return {
        "win": win.number, "slip": win.slip, "seat": win.seat, "hand": win.line, "name": win.line_name,
        "amount": texts_of_stored(win.amount)[0], "state": win.state, "jackpot": win.jackpot.code,
    }  # fmt: skip


def _marked(place: RoundRef, seat: int, hand: str) -> Sequence[Win]:
    rows = wins_of(place).filter(seat=seat, line=hand, state__in=[WinState.MARKED, WinState.ASKED])
    return list(rows.select_for_update())
