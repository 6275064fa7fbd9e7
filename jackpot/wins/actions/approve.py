"""Cards approve: the act's sum decides who may, the amounts are computed under the lock, the award is one entry."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from jackpot.books.actions.pool import request_of
from jackpot.books.actions.post import Books, EntryReference
from jackpot.books.actions.waiting import come_into_force
from jackpot.books.rules.entry_kind import EntryKind
from jackpot.money import ZERO, Money, units_of
from jackpot.people.models import Card, Operator
from jackpot.property.models.property import Property
from jackpot.property.rules.authority import Needed, needed
from jackpot.refusals import NotAllowed, NotAllowedNow
from jackpot.terms.rules.terms import Terms
from jackpot.wins.actions.advance import begin_anew, paper_of
from jackpot.wins.actions.circle import came_first
from jackpot.wins.actions.keeping import keep, keep_numbers, sign
from jackpot.wins.actions.life import Place, note, wins_of
from jackpot.wins.actions.pot import frozen_seq, hits_of, pot_of
from jackpot.wins.actions.queue import freeze_passed_anew, waits_for
from jackpot.wins.actions.standing import Standing
from jackpot.wins.models import Signature, Win
from jackpot.wins.rules.logged import logged_as
from jackpot.wins.rules.settlement import Award, settle
from jackpot.wins.rules.win_life import Act, WinState, after


@dataclass(frozen=True, slots=True)
class Due:
    """One award of the act, with the win it belongs to (an envied seat has none yet), and where its round is frozen."""

    jackpot_id: int
    award: Award
    win: Win | None
    frozen: int


@dataclass(frozen=True, slots=True)
class Reckoning:
    """What an act would pay now, in order, and who may approve it."""

    dues: Sequence[Due]
    total: Money
    needed: Needed


@dataclass(frozen=True, slots=True)
class Voice:
    """Who gives the word: by a card, or by a key that was signed out."""

    operator: Operator
    level: int
    card: Card | None = None


def reckon(
    books: Books, standing: Standing, coin_in_seats: Sequence[int], premises: Property,
    state: WinState = WinState.ASKED,
) -> Reckoning:  # fmt: skip
    """Computes every award of the round, over all its jackpots, as of now."""
    dues = [due for jackpot_id in books.heads for due in _dues(books, jackpot_id, standing, state, coin_in_seats)]
    total = sum((due.award.amount for due in dues), ZERO)
    return Reckoning(dues, total, needed(total, premises.thresholds))


def approve(
    books: Books, standing: Standing, reckoning: Reckoning, voice: Voice, premises: Property,
    *, before_signing: Callable[[Sequence[Win]], None] = lambda _: None,
) -> Reckoning | None:  # fmt: skip
    """One card's word. None: another person is still needed; else the wins are logged with number and slip.

    `before_signing` is the floor's own look at the hits; it refuses what may not be signed yet.
    """
    wins = [due.win for due in reckoning.dues if due.win is not None]
    if not wins:
        raise _nothing_asked(standing.place)
    refuse_before_earlier(standing, wins)
    unsigned = _unsigned(standing, wins, voice.operator)
    _check_voice(voice, standing, wins, unsigned, reckoning.needed, premises)
    before_signing(wins)
    for win in unsigned:
        sign(books, win, voice.operator, voice.card, voice.level)
    if not _signed(standing, wins, unsigned, voice, reckoning.needed):
        return None
    return _log(books, standing, reckoning, premises)


def refuse_before_earlier(standing: Standing, wins: Sequence[Win]) -> None:
    """An earlier hit is named before anybody is asked for a card: whoever came for this one would come in vain."""
    first = waits_for({win.jackpot_id for win in wins} & standing.queued, standing.place)
    if first is not None:
        raise came_first(first, standing.place)


def move(books: Books, standing: Standing, reckoning: Reckoning) -> list[Win]:
    """The key back to RUN, or the card's own second half: the meter moves by exactly the amounts fixed."""
    moved = []
    for due in reckoning.dues:
        win = due.win or _envied(standing, due)
        assert win.amount_money == due.award.amount, "what was fixed at approval is what is posted"
        moved.append(_award_entry(books, standing, win, due.award))
    for jackpot_id, frozen in {(win.jackpot_id, win.frozen_seq) for win in moved if win.front_seq is not None}:
        freeze_passed_anew(jackpot_id, standing.place, frozen)
    return moved


def _dues(
    books: Books, jackpot_id: int, standing: Standing, state: WinState, coin_in_seats: Sequence[int]
) -> list[Due]:
    mine = [win for win in standing.hits(state) if win.jackpot_id == jackpot_id]
    if not mine:
        return []
    terms: Terms = mine[0].version.value
    frozen = frozen_seq(mine, terms, books.heads[jackpot_id].last_seq)
    pot = pot_of(books, jackpot_id, mine, frozen, standing)
    by_seat = {win.seat: win for win in mine}
    awards = settle(pot, hits_of(mine, terms), terms, coin_in_seats)
    return [Due(jackpot_id, award, None if award.envy else by_seat[award.seat], frozen) for award in awards]


def _check_voice(
    voice: Voice, standing: Standing, wins: Sequence[Win], unsigned: Sequence[Win], need: Needed, premises: Property
) -> None:
    who = voice.operator
    least = max((need.still(_levels(standing, win)) for win in unsigned), default=need.least)
    if voice.level < least:
        label, own = Card.Level(least).label, Card.Level(voice.level).label
        raise NotAllowed(f"This needs {_with_article(label)} card; {who} has {_with_article(own)} card.", "level")
    if not premises.thresholds.marker_may_verify and any(win.marker_id == who.pk for win in wins):
        raise NotAllowed(f"{who} marked this hit and cannot approve it. Another person must.", "same_person")
    if any(who.pk in standing.claimed.get(win.id, ()) for win in wins):
        raise NotAllowed(f"{who} opened this late claim and cannot approve it. Another person must.", "same_person")
    if not unsigned:
        raise NotAllowed(f"{who} has already signed. A second, different person must.", "same_person")


def _unsigned(standing: Standing, wins: Sequence[Win], who: Operator) -> list[Win]:
    """A hit marked after a first card (the key went back in between) still needs that person's word."""
    return [win for win in wins if all(word.operator_id != who.pk for word in standing.words.get(win.id, ()))]


def _levels(standing: Standing, win: Win) -> list[int]:
    return [word.level for word in standing.words.get(win.id, ())]


def _signed(standing: Standing, wins: Sequence[Win], new: Sequence[Win], voice: Voice, need: Needed) -> bool:
    """Whether enough people, of the level needed, have given their word for every hit of the act."""
    now = {win.id for win in new}
    return all(need.met([*_levels(standing, win), *([voice.level] if win.id in now else [])]) for win in wins)


def _nothing_asked(place: Place) -> NotAllowedNow:
    """Whoever comes second, or repeats an answer that was lost, hears what was approved and by whom."""
    approved = wins_of(place).filter(state__in=[WinState.LOGGED, WinState.OWED, WinState.PAID], envy_of=None)
    approved = approved.filter(difference_of=None)
    last = approved.order_by("number").last()
    if last is None:
        return NotAllowedNow(f"Nothing is asked for at {place.table_code}. Press CONFIRM first.", "confirm_first")
    who = " and ".join(str(word.operator) for word in last.signatures.filter(part=Signature.Part.APPROVE))
    what = f"{last.line_name} at seat {last.seat} is win {last.number}, slip {last.slip}, approved by {who}"
    return NotAllowedNow(f"Nothing is asked for at {place.table_code}: {what}.", "approved")


def _log(books: Books, standing: Standing, reckoning: Reckoning, premises: Property) -> Reckoning:
    """Amounts are fixed, win and slip numbers given: from here only a back-out undoes it."""
    ranked = {due.jackpot_id for due in reckoning.dues if due.win is not None and due.win.part}
    logged = []
    for number, due in enumerate(reckoning.dues, start=1):
        win = due.win or _new_envied(standing, due)
        head = books.heads[win.jackpot_id]
        win.state, win.amount, win.frozen_seq = WinState.LOGGED, due.award.amount.decimal(), due.frozen
        win.place, win.premises = number, premises
        win.ranked, win.logged_at, win.gaming_day = win.jackpot_id in ranked, head.now, head.gaming_day
        win.paper = {**win.paper, **_paper(due.award, win.version.value)}
        logged.append(replace(due, win=win))
    keep_numbers(books, standing, premises, [due.win for due in logged if due.win is not None])
    for due in logged:
        assert due.win is not None, "a logged award has its win"
        if due.win._state.adding:
            due.win.save()
        keep(books, due.win)
        note(books, due.win, EntryKind.LOG, "approval", approved=_approved(due.win))
    return replace(reckoning, dues=logged)


def _approved(win: Win) -> Mapping[str, Any]:
    """What the books seal of it: the entry has no field for seat, hand and slip."""
    amount = None if win.amount is None else units_of(win.amount)
    return logged_as(win.seat, win.line, win.envy_of_id, win.number, win.slip, amount)


def _new_envied(standing: Standing, due: Due) -> Win:
    """The page of a seat that another seat's hand pays."""
    caused = (due.jackpot_id, due.award.caused_by, due.award.line.code)
    hits = standing.hits(WinState.ASKED) + standing.hits(WinState.LOGGED)
    source = next(win for win in hits if (win.jackpot_id, win.seat, win.line) == caused)
    place = standing.place
    return Win(
        jackpot=source.jackpot, version=source.version, table_code=place.table_code,
        round_number=place.round_number, seat=due.award.seat, line=due.award.line.code,
        line_name=f"Envy: {due.award.line.name}", part=False, envy_of=source, mark_seq=source.mark_seq,
        frozen_seq=source.frozen_seq, marked_at=source.marked_at, marked_by=source.marked_by,
        marker_id=source.marker_id, asked_at=source.asked_at, asked_by=source.asked_by, asker_id=source.asker_id,
    )  # fmt: skip


def _envied(standing: Standing, due: Due) -> Win:
    """The page that was numbered at J-POT for this envied seat."""
    sources = {win.id: win.seat for win in standing.wins}
    wanted = (due.jackpot_id, due.award.seat, due.award.line.code, due.award.caused_by)
    logged = [win for win in standing.wins if win.state == WinState.LOGGED and win.envy_of_id is not None]
    return next(win for win in logged if (win.jackpot_id, win.seat, win.line, sources[win.envy_of_id or 0]) == wanted)


def _award_entry(books: Books, standing: Standing, win: Win, award: Award) -> Win:
    state = after(WinState(win.state), Act.MOVE)
    assert state is not None, "only a logged win moves the meter"
    if award.resets and win.jackpot_id in standing.waiting:
        come_into_force(books, win.jackpot_id)
    before = books.heads[win.jackpot_id].balances
    request = request_of({"act": "award", "win": win.id, "amount": str(award.amount)})
    about = EntryReference(f"award/{win.id}", request, win.table_code, win.round_number, win.id)
    posting = books.post(win.jackpot_id, EntryKind.AWARD, award.movement, about)
    after_it = begin_anew(books, win.jackpot_id, award, about) or posting.after
    win.state, win.award_seq, win.moved_at = state, posting.seq, posting.occurred_at
    win.paper = {
        **win.paper,
        **_paper(award, win.version.value),
        "basis": win.paper["basis"],  # what the amount was fixed from; since J-POT the meter may have moved
        "meter_before": str(Money(before.meter)),
        "meter_after": str(Money(after_it.meter)),
        "reserve_after": str(Money(after_it.reserve)),
    }
    keep(books, win)
    return win


def _paper(award: Award, terms: Terms) -> Mapping[str, Any]:
    """What the page prints of the computation, so that it can be done again by hand."""
    return {
        "basis": None if award.basis is None else str(award.basis),
        "pays": str(award.line.award),
        "source": award.line.source,
        "wager": str(terms.wager),
        "seed": str(award.seed),
        "reserve_released": str(award.reserve_released),
        "overflow_returned": str(award.overflow_returned),
        "from_reserve": str(award.from_reserve),
        "from_house": str(award.from_house),
        "order": terms.policy.order,
        "freeze": terms.policy.freeze,
        "envy": award.envy,
        **paper_of(award),
    }


def _with_article(word: str) -> str:
    return f"{'an' if word[0] in 'aeiou' else 'a'} {word}"
