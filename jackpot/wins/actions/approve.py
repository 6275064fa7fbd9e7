"""Cards approve: the act's sum decides who may, the amounts are computed under the lock, the award is one entry.

An approval is `settle_round` (what is due now), `accept` (may this person say yes), `approve` (the word, and with the
last word needed the wins with their numbers and records) and `move` (the meter). Between `accept` and `approve` the
floor looks at the cards of the hands; what it saw is handed over as values. Everything is written in one trip.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from jackpot.books.actions.post import Books, EntryReference, in_force
from jackpot.books.actions.waiting import come_into_force, reset_terms
from jackpot.books.rules.entry_kind import EntryKind
from jackpot.books.rules.movement import NOTHING
from jackpot.canonical import canonical, request_of
from jackpot.database.raw import Question
from jackpot.money import Money, units_of
from jackpot.people.actions.presence import needs_pin, too_low
from jackpot.people.models import Card, Operator
from jackpot.property.models.property import Property
from jackpot.property.rules.authority import AwardPart, Thresholds, needed
from jackpot.refusals import NotAllowed, NotAllowedNow
from jackpot.terms.rules.terms import Terms
from jackpot.wins.actions.queue import freeze_passed_anew
from jackpot.wins.models import Signature, Win, shown_name
from jackpot.wins.queries.of_round import wins_of
from jackpot.wins.queries.queue import waits_for
from jackpot.wins.queries.round_hits import AwardLine, RoundHits, Settlement
from jackpot.wins.queries.waiting_circle import came_first
from jackpot.wins.rules.award_record import (
    AwardRecord,
    HandProof,
    HandRecord,
    OverrideRecord,
    logged_forms,
    record_of,
)
from jackpot.wins.rules.round_ref import RoundRef
from jackpot.wins.rules.settlement import Hit, Pot, settle, still_frozen
from jackpot.wins.rules.win_life import LIFE, Act, WinState

SIGN: Final = """
INSERT INTO jackpot_signature (win_id, operator_id, card_id, level, part, at, why)
VALUES (%s, %s, %s, %s, 'approve', %s, '')
"""
NUMBERS: Final = "UPDATE jackpot_slipcounter SET next_slip = %s, next_win = %s WHERE premises_id = %s"
WRITTEN: Final = (
    "amount", "number", "slip", "place", "premises_id", "ranked", "frozen_seq", "cards_checked", "logged_at",
    "gaming_day", "award_seq", "moved_at",
)  # fmt: skip
WRITE: Final = f"""
UPDATE jackpot_win SET {", ".join(f"{name} = %s" for name in WRITTEN)}, state = %s, paper = %s::jsonb WHERE id = %s
"""


@dataclass(frozen=True, slots=True)
class AwardApprover:
    """Who approves: by a card, or by a key that was signed out."""

    operator: Operator
    level: int
    card: Card | None = None


@dataclass(frozen=True, slots=True)
class SeenOnFloor:
    """What goes onto the pages as the floor knows it: the hands by win, the wager's name by jackpot."""

    cards: Mapping[int, HandRecord]
    wagers: Mapping[int, str]  # empty where the table takes one


@dataclass(frozen=True, slots=True)
class Acceptance:
    """An approver who may approve this settlement, and the hits that lack this person's word."""

    settlement: Settlement
    approver: AwardApprover
    unsigned: Sequence[Win]


def settle_round(
    books: Books, hits: RoundHits, seats_on: Callable[[int], Sequence[int]], thresholds: Thresholds,
    state: WinState = WinState.ASKED,
) -> Settlement:  # fmt: skip
    """Computes every award of the round, over all its jackpots, as of now; `seats_on` says who played a jackpot."""
    lines: list[AwardLine] = []
    for jackpot_id in books.heads:
        mine = [win for win in hits.hits(state) if win.jackpot_id == jackpot_id]
        if mine:
            # Of the round's coin-in, whatever came into force since: all its hits on a jackpot have the same.
            terms = in_force(mine[0].version_id, mine[0].version.digest).terms
            frozen, pot = pot_of(books, hits, jackpot_id, terms, state)
            by_seat = {win.seat: win for win in mine}
            due = paid_hits(mine, terms)
            envious = any(hit.line.envy is not None for hit in due)  # only then it matters who else played
            awards = settle(pot, due, terms, seats_on(jackpot_id) if envious else ())
            lines += [AwardLine(jackpot_id, each, None if each.envy else by_seat[each.seat], frozen) for each in awards]
    total = Money(sum(line.award.amount.units for line in lines))
    wins = [line.win for line in lines if line.win is not None]
    parts = [AwardPart(books.heads[line.jackpot_id].code, line.award.line.code, line.award.amount) for line in lines]
    return Settlement(lines, wins, total, needed(total, thresholds, parts))


def accept(hits: RoundHits, settlement: Settlement, approver: AwardApprover, thresholds: Thresholds) -> Acceptance:
    """Refuses who may not approve, before anything is looked at or written; the last reason is the mildest."""
    who, wins = approver.operator, settlement.wins
    if not wins:
        raise _nothing_asked(hits.place)
    refuse_before_earlier(hits, wins)
    unsigned = [win for win in wins if all(each.operator_id != who.pk for each in hits.given.get(win.id, ()))]
    least = max((settlement.needed.still(levels_given(hits, win)) for win in unsigned), default=settlement.needed.least)
    if approver.level < least:
        label, own = Card.Level(least).label, Card.Level(approver.level).label
        why = f"This needs {_with_article(label)} card; {who} has {_with_article(own)} card."
        raise NotAllowed(why, "level") if approver.card is None else too_low(approver.card, why)
    if not thresholds.marker_may_verify and any(win.marker_id == who.pk for win in wins):
        raise NotAllowed(f"{who} marked this hit and cannot approve it. Another person must.", "same_person")
    if any(who.pk in hits.claimed.get(win.id, ()) for win in wins):
        raise NotAllowed(f"{who} opened this late claim and cannot approve it. Another person must.", "same_person")
    if not unsigned:
        raise NotAllowed(f"{who} has already signed. A second, different person must.", "same_person")
    if approver.card is not None and not approver.card.pin_given and any(hits.given.get(win.id) for win in wins):
        raise needs_pin(approver.card.last_four)  # the second person's presence is always shown
    return Acceptance(settlement, approver, unsigned)


def refuse_before_earlier(hits: RoundHits, wins: Sequence[Win]) -> None:
    """An earlier hit is named before anybody is asked for a card: whoever came for this one would come in vain."""
    queued = {win.jackpot_id for win in wins} & hits.queued
    first = waits_for(queued, hits.place) if queued else None
    if first is not None:
        raise came_first(first, hits.place)


def approve(
    books: Books, hits: RoundHits, accepted: Acceptance, premises: Property, seen: SeenOnFloor
) -> Settlement | None:
    """One person's word. None: another person is still needed; else the wins are logged with number and slip."""
    settlement, approver = accepted.settlement, accepted.approver
    for win in accepted.unsigned:
        _sign(books, win, approver)
    now_signed = {win.id for win in accepted.unsigned}
    for win in settlement.wins:
        levels = levels_given(hits, win)
        if not settlement.needed.met([*levels, approver.level] if win.id in now_signed else levels):
            return None
    # Whoever gave an earlier word is among them, dismissed since or not: the entry seals who said yes.
    people = {win.id: hits.signed.get(win.id, frozenset()) for win in settlement.wins}
    people |= {win_id: people[win_id] | {approver.operator.pk} for win_id in now_signed}
    return _log(books, hits, settlement, premises, seen, people)


def move(books: Books, hits: RoundHits, settlement: Settlement) -> list[Win]:
    """The key back to RUN, or the card's own second half: the meter moves by exactly the amounts fixed."""
    moved = []
    for line in settlement.lines:
        win = line.win or _envied(hits, line)
        assert win.amount is not None, "what was approved has its amount"
        assert units_of(win.amount) == line.award.amount.units, "what was fixed at approval is what is posted"
        _post_award(books, hits, win, line)
        moved.append(win)
    for jackpot_id, frozen in {(win.jackpot_id, win.frozen_seq) for win in moved if win.front_seq is not None}:
        freeze_passed_anew(jackpot_id, hits.place, frozen)
    return moved


def levels_given(hits: RoundHits, win: Win) -> list[int]:
    """Of the people who approved a hit so far."""
    return [each.level for each in hits.given.get(win.id, ())]


def pot_of(books: Books, hits: RoundHits, jackpot_id: int, terms: Terms, state: WinState) -> tuple[int, Pot]:
    """The entry that the round's hits on a jackpot count from, and the jackpot as it stands for them.

    What freezes at approval counts from the newest entry until it is approved; all else from where it was frozen, less
    what hits ranked before it have moved since.
    """
    head, in_force_now = books.heads[jackpot_id], books.terms(jackpot_id)
    live, by = head.balances, in_force_now
    if jackpot_id in hits.waiting:
        by = reset_terms(books, jackpot_id)
    if terms.policy.freeze == "approval" and state != WinState.LOGGED:
        return head.last_seq, Pot(live, live.meter, live.reserve, live.overflow, by, in_force_now)
    at = hits.frozen[jackpot_id, state]
    # What a shortfall has drawn of it since is released no more (docs/decisions/0019); it is never less than nothing.
    reserve = max(at.reserve + at.reserve_moved, 0)
    overflow = still_frozen(at.overflow, at.resets)
    return at.seq, Pot(live, at.meter + at.meter_moved, reserve, overflow, by, in_force_now)


def paid_hits(wins: Sequence[Win], terms: Terms) -> list[Hit]:
    """The hits as the settlement takes them; what J-POT fixed stays fixed."""
    return [
        Hit(win.seat, terms.pay_table.line(win.line), fixed=None if win.amount is None else Money(units_of(win.amount)))
        for win in wins
    ]


def _nothing_asked(place: RoundRef) -> NotAllowedNow:
    """Whoever comes second, or repeats an answer that was lost, hears what was approved and by whom."""
    approved = wins_of(place).filter(state__in=[WinState.LOGGED, WinState.OWED, WinState.PAID], envy_of=None)
    approved = approved.filter(difference_of=None)
    last = approved.order_by("number").last()
    if last is None:
        return NotAllowedNow(f"Nothing is asked for at {place.table_code}. Press CONFIRM first.", "confirm_first")
    who = " and ".join(str(each.operator) for each in last.signatures.filter(part=Signature.Part.APPROVE))
    what = f"{last.line_name} at seat {last.seat} is slip {last.slip}, approved by {who}"
    return NotAllowedNow(f"Nothing is asked for at {place.table_code}: {what}.", "approved")


def _sign(books: Books, win: Win, approver: AwardApprover) -> None:
    """One person's approval of one win, at the time of the act."""
    card_id = None if approver.card is None else approver.card.pk
    values = (win.id, approver.operator.pk, card_id, approver.level, books.heads[win.jackpot_id].now)
    books.on_close(("signature", win.id, approver.operator.pk), lambda: (SIGN, values))


def _log(
    books: Books, hits: RoundHits, settlement: Settlement, premises: Property, seen: SeenOnFloor,
    people: Mapping[int, frozenset[int]],
) -> Settlement:  # fmt: skip
    """Amounts are fixed, win and slip numbers given without a gap: from here only a back-out undoes it."""
    assert hits.numbers is not None, "whoever approves has asked for the numbers with the locks"
    slip, number = hits.numbers
    ranked = {line.jackpot_id for line in settlement.lines if line.win is not None and line.win.part}
    logged = []
    for place, line in enumerate(settlement.lines):
        win, head, award = line.win or _new_envied(hits, line), books.heads[line.jackpot_id], line.award
        win.state, win.amount, win.frozen_seq = WinState.LOGGED, award.amount.decimal(), line.frozen
        win.place, win.slip, win.number, win.premises = place + 1, slip + place, number + place, premises
        win.ranked, win.logged_at, win.gaming_day = win.jackpot_id in ranked, head.now, head.gaming_day
        hand = seen.cards.get(win.id)
        win.cards_checked = hand is not None and hand.proof is HandProof.PROVEN
        override = None if win.override is None else OverrideRecord.of(win.override)
        terms = in_force(win.version_id, win.version.digest).terms
        record = record_of(award, terms, hand, override, seen.wagers.get(line.jackpot_id, ""))
        logged.append(replace(line, win=win, record=record))
        if line.win is None:
            win.save()  # its entry names an envied seat's win by its id
    # Only when every win of the act has its id and its numbers: the entries seal both.
    for line in logged:
        _post_log(books, line, people)
    values = (slip + len(logged), number + len(logged), premises.pk)
    books.on_close("numbers", lambda: (NUMBERS, values))
    return replace(settlement, lines=logged, wins=[line.win for line in logged if line.win is not None])


def _post_log(books: Books, line: AwardLine, people: Mapping[int, frozenset[int]]) -> None:
    """The entry of zero movement by which the books know what was approved; nothing of it is changed unseen."""
    win, record = line.win, line.record
    assert win is not None, "a logged award has its win"
    assert record is not None, "and its record"
    _write(books, win, record)
    amount = line.award.amount.units
    seals = logged_forms(
        win.id, people.get(win.id, ()), win.seat, win.line, win.envy_of_id, win.number, win.slip, amount
    )
    request = request_of(seals[-1])
    key = f"{Act.LOG.value}/{win.id}/{books.heads[win.jackpot_id].last_seq + 1}"
    about = EntryReference(key, request, win.table_code, win.round_number, win.id)
    books.post(win.jackpot_id, EntryKind.LOG, NOTHING, about)


def _new_envied(hits: RoundHits, line: AwardLine) -> Win:
    """The page of a seat that another seat's hand pays."""
    caused = (line.jackpot_id, line.award.caused_by, line.award.line.code)
    asked = hits.hits(WinState.ASKED) + hits.hits(WinState.LOGGED)
    source = next(win for win in asked if (win.jackpot_id, win.seat, win.line) == caused)
    place = hits.place
    return Win(
        jackpot=source.jackpot, version=source.version, table_code=place.table_code,
        round_number=place.round_number, seat=line.award.seat, line=line.award.line.code,
        line_name=shown_name(f"Envy: {line.award.line.name}"), part=False, envy_of=source, mark_seq=source.mark_seq,
        frozen_seq=source.frozen_seq, marked_at=source.marked_at, marked_by=source.marked_by,
        marker_id=source.marker_id, asked_at=source.asked_at, asked_by=source.asked_by, asker_id=source.asker_id,
    )  # fmt: skip


def _envied(hits: RoundHits, line: AwardLine) -> Win:
    """The page that was numbered at J-POT for this envied seat."""
    sources = {win.id: win.seat for win in hits.wins}
    wanted = (line.jackpot_id, line.award.seat, line.award.line.code, line.award.caused_by)
    logged = [win for win in hits.wins if win.state == WinState.LOGGED and win.envy_of_id is not None]
    return next(win for win in logged if (win.jackpot_id, win.seat, win.line, sources[win.envy_of_id or 0]) == wanted)


def _post_award(books: Books, hits: RoundHits, win: Win, line: AwardLine) -> None:
    """The award with its reseed is one entry; a meter that it left dry begins anew by an entry of its own."""
    award, jackpot_id = line.award, win.jackpot_id
    state = LIFE.get((WinState(win.state), Act.MOVE))
    assert state is not None, "only a logged win moves the meter"
    # Before its entry is made: the reset is the first act of the waiting terms, and the entry names them.
    if award.resets and jackpot_id in hits.waiting:
        come_into_force(books, jackpot_id)
    before = books.heads[jackpot_id].balances
    request = request_of({"act": "award", "win": win.id, "amount": str(award.amount)})
    about = EntryReference(f"award/{win.id}", request, win.table_code, win.round_number, win.id)
    posting = books.post(jackpot_id, EntryKind.AWARD, award.movement, about)
    if award.advance != NOTHING:
        books.advance(jackpot_id, award.advance, about._replace(key=f"advance/{win.id}"))
    win.state, win.award_seq, win.moved_at = state, posting.seq, posting.occurred_at
    record = line.record or win.record
    _write(books, win, record.posted(award, before, books.heads[jackpot_id].balances))


def _write(books: Books, win: Win, record: AwardRecord) -> None:
    """The win as it stands when the books are left, with its record as text."""

    def statement() -> Question:
        win.paper = record.plain()
        values = (getattr(win, name) for name in WRITTEN)
        return WRITE, (*values, str(win.state), canonical(win.paper), win.id)

    books.on_close(("win", win.id), statement)


def _with_article(word: str) -> str:
    return f"{'an' if word[0] in 'aeiou' else 'a'} {word}"
