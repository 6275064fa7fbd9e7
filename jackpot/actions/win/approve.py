"""Cards approve: the act's sum decides who may, the amounts are computed under the lock, the award is one entry."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from jackpot.actions.pool import request_of
from jackpot.actions.post import About, Books
from jackpot.actions.refusals import NotAllowed, NotAllowedNow
from jackpot.actions.waiting import come_into_force
from jackpot.actions.win.life import Place, freeze_passed_anew, note, waits_for, wins_of
from jackpot.actions.win.pot import frozen_seq, hits_of, pot_of
from jackpot.models import Card, Operator, Property, Signature, SlipCounter, Win
from jackpot.money import ZERO, Money
from jackpot.rules.authority import Needed, needed
from jackpot.rules.settlement import Award, settle
from jackpot.rules.terms import Terms
from jackpot.rules.win_life import Act, WinState, after


@dataclass(frozen=True, slots=True)
class Due:
    """One award of the act, with the win it belongs to (an envied seat has none yet)."""

    jackpot_id: int
    award: Award
    win: Win | None


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
    books: Books, place: Place, coin_in_seats: Sequence[int], premises: Property, state: WinState = WinState.ASKED
) -> Reckoning:
    """Computes every award of the round, over all its jackpots, as of now."""
    wins = list(
        wins_of(place).filter(state=state, envy_of=None).select_related("version").order_by("jackpot_id", "seat")
    )
    dues = [due for jackpot_id in books.heads for due in _dues(books, jackpot_id, wins, coin_in_seats)]
    total = sum((due.award.amount for due in dues), ZERO)
    return Reckoning(dues, total, needed(total, premises.thresholds))


def expect(reckoning: Reckoning) -> None:
    """Notes what each asked hit will take, so that the signs can say what a further top hit would be worth."""
    for due in reckoning.dues:
        if due.win is not None:
            moves = str(Money(due.award.movement.meter))
            due.win.paper = {**due.win.paper, "expects": str(due.award.amount), "meter_moves": moves}
            due.win.save(update_fields=["paper"])


def approve(
    books: Books, place: Place, reckoning: Reckoning, voice: Voice, premises: Property,
    *, before_signing: Callable[[Sequence[Win]], None] = lambda _: None,
) -> list[Win] | None:  # fmt: skip
    """One card's word. None: another person is still needed; else the wins are logged with number and slip.

    `before_signing` is the floor's own look at the hits; it refuses what may not be signed yet.
    """
    wins = [due.win for due in reckoning.dues if due.win is not None]
    if not wins:
        raise _nothing_asked(place)
    first = waits_for({win.jackpot_id for win in wins}, place)
    if first is not None:
        raise NotAllowedNow(f"{first.line_name} at {first.table_code} came first. Settle it before this one.", "queue")
    unsigned = _unsigned(wins, voice.operator)
    _check_voice(voice, wins, unsigned, reckoning.needed, premises)
    before_signing(wins)
    now = next(iter(books.heads.values())).now
    for win in unsigned:
        Signature.objects.create(
            win=win, operator=voice.operator, card=voice.card, level=voice.level, part=Signature.Part.APPROVE, at=now
        )
    if _signed(wins, reckoning.needed.level) < reckoning.needed.people:
        return None
    return _log(books, place, reckoning, premises)


def move(books: Books, place: Place, reckoning: Reckoning) -> list[Win]:
    """The key back to RUN, or the card's own second half: the meter moves by exactly the amounts fixed."""
    moved = []
    for due in reckoning.dues:
        win = due.win or _envied(place, due)
        assert win.amount_money == due.award.amount, "what was fixed at approval is what is posted"
        moved.append(_award_entry(books, win, due.award))
    for jackpot_id in {win.jackpot_id for win in moved if win.front}:
        mine = [win for win in moved if win.jackpot_id == jackpot_id]
        freeze_passed_anew(jackpot_id, place, min(win.frozen_seq for win in mine))
    return moved


def _dues(books: Books, jackpot_id: int, wins: Sequence[Win], coin_in_seats: Sequence[int]) -> list[Due]:
    mine = [win for win in wins if win.jackpot_id == jackpot_id]
    if not mine:
        return []
    terms: Terms = mine[0].version.value
    pot = pot_of(books, jackpot_id, frozen_seq(mine, terms, books.heads[jackpot_id].last_seq))
    by_seat = {win.seat: win for win in mine}
    awards = settle(pot, hits_of(mine, terms), terms, coin_in_seats)
    return [Due(jackpot_id, award, None if award.envy else by_seat[award.seat]) for award in awards]


def _check_voice(voice: Voice, wins: Sequence[Win], unsigned: Sequence[Win], need: Needed, premises: Property) -> None:
    who = voice.operator
    if voice.level < need.level:
        label, own = Card.Level(need.level).label, Card.Level(voice.level).label
        raise NotAllowed(f"This needs {_with_article(label)} card; {who} has {_with_article(own)} card.", "level")
    if not premises.marker_may_verify and any(win.marked_by == str(who) for win in wins):
        raise NotAllowed(f"{who} marked this hit and cannot approve it. Another person must.", "same_person")
    if not unsigned:
        raise NotAllowed(f"{who} has already signed. A second, different person must.", "same_person")


def _unsigned(wins: Sequence[Win], who: Operator) -> list[Win]:
    """A hit marked after a first card (the key went back in between) still needs that person's word."""
    mine = Signature.objects.filter(win__in=wins, operator=who, part=Signature.Part.APPROVE)
    signed = set(mine.values_list("win_id", flat=True))
    return [win for win in wins if win.id not in signed]


def _signed(wins: Sequence[Win], level: int) -> int:
    """How many people of the level needed have given their word for every hit of the act."""
    words = Signature.objects.filter(part=Signature.Part.APPROVE, level__gte=level)
    return min(words.filter(win=win).count() for win in wins)


def _nothing_asked(place: Place) -> NotAllowedNow:
    """Whoever comes second, or repeats an answer that was lost, hears what was approved and by whom."""
    approved = wins_of(place).filter(state__in=[WinState.LOGGED, WinState.OWED, WinState.PAID], envy_of=None)
    last = approved.order_by("number").last()
    if last is None:
        return NotAllowedNow(f"Nothing is asked for at {place.table_code}. Press CONFIRM first.", "confirm_first")
    who = " and ".join(str(word.operator) for word in last.signatures.filter(part=Signature.Part.APPROVE))
    what = f"{last.line_name} at seat {last.seat} is win {last.number}, slip {last.slip}, approved by {who}"
    return NotAllowedNow(f"Nothing is asked for at {place.table_code}: {what}.", "approved")


def _log(books: Books, place: Place, reckoning: Reckoning, premises: Property) -> list[Win]:
    """Amounts are fixed, win and slip numbers given: from here only a back-out undoes it."""
    counter = SlipCounter.objects.select_for_update().get_or_create(premises=premises)[0]
    ranked = {due.jackpot_id for due in reckoning.dues if due.win is not None and due.win.part}
    logged = []
    for number, due in enumerate(reckoning.dues, start=1):
        win = due.win or _new_envied(place, due)
        head = books.heads[win.jackpot_id]
        if win.version.value.policy.freeze == "approval":
            win.frozen_seq = head.last_seq
        win.state, win.amount = WinState.LOGGED, due.award.amount.decimal()
        win.number, win.slip, win.place, win.premises = counter.next_win, counter.next_slip, number, premises
        win.ranked, win.logged_at, win.gaming_day = win.jackpot_id in ranked, head.now, head.gaming_day
        win.paper = {**win.paper, **_paper(due.award, win.version.value)}
        counter.next_win, counter.next_slip = counter.next_win + 1, counter.next_slip + 1
        win.save()
        logged.append(win)
    counter.save()
    for win in logged:
        note(books, win, Act.LOG.value, "approval")
    return logged


def _new_envied(place: Place, due: Due) -> Win:
    """The page of a seat that another seat's hand pays."""
    assert due.award.caused_by is not None, "an envied seat is paid for another seat's hand"
    source = wins_of(place).get(
        jackpot_id=due.jackpot_id, seat=due.award.caused_by, line=due.award.line.code, envy_of=None,
        state__in=[WinState.ASKED, WinState.LOGGED],
    )  # fmt: skip
    return Win(
        jackpot_id=due.jackpot_id, version=source.version, table_code=place.table_code,
        round_number=place.round_number, seat=due.award.seat, line=due.award.line.code,
        line_name=f"Envy: {due.award.line.name}", part=False, envy_of=source, mark_seq=source.mark_seq,
        frozen_seq=source.frozen_seq, marked_at=source.marked_at, marked_by=source.marked_by, asked_at=source.asked_at,
    )  # fmt: skip


def _envied(place: Place, due: Due) -> Win:
    assert due.award.caused_by is not None, "an envied seat is paid for another seat's hand"
    return wins_of(place).get(
        jackpot_id=due.jackpot_id, seat=due.award.seat, line=due.award.line.code, state=WinState.LOGGED,
        envy_of__seat=due.award.caused_by,
    )  # fmt: skip


def _award_entry(books: Books, win: Win, award: Award) -> Win:
    state = after(WinState(win.state), Act.MOVE)
    assert state is not None, "only a logged win moves the meter"
    if award.resets:
        come_into_force(books, win.jackpot_id)
    before = books.heads[win.jackpot_id].balances
    request = request_of({"act": "award", "win": win.id, "amount": str(award.amount)})
    about = About(f"award/{win.id}", request, win.table_code, win.round_number, win.id)
    posting = books.post(win.jackpot_id, "award", award.movement, about)
    after_it = posting.after
    win.state, win.award_seq, win.moved_at = state, posting.seq, posting.occurred_at
    win.paper = {
        **win.paper,
        **_paper(award, win.version.value),
        "basis": win.paper["basis"],  # what the amount was fixed from; since J-POT the meter may have moved
        "meter_before": str(Money(before.meter)),
        "meter_after": str(Money(after_it.meter)),
        "reserve_after": str(Money(after_it.reserve)),
    }
    win.save(update_fields=["state", "award_seq", "moved_at", "paper"])
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
    }


def _with_article(word: str) -> str:
    return f"{'an' if word[0] in 'aeiou' else 'a'} {word}"
