"""A round is ended with its hits open: an executive's word, so that the table plays on while somebody looks."""

from __future__ import annotations

from typing import Any

from jackpot.books.rules.entry_kind import EntryKind
from jackpot.people.actions.presence import TYPED, CardSource, card_with_pin, too_low
from jackpot.people.models import Card
from jackpot.refusals import NotAllowedNow, NotUnderstood
from jackpot.trail.actions.trail import record
from jackpot.trail.rules import objects
from jackpot.wins.actions import life, queue
from jackpot.wins.queries.of_round import open_hits, wins_of
from jackpot.wins.rules.round_ref import RoundRef
from jackpot.wins.rules.win_life import OPEN, WinState
from tables.hits.actions.at_round import at_round, check_cards, check_key_at_run, pin_from
from tables.hits.models.open_case import OpenCase
from tables.rounds.models.round import Round, RoundState
from tables.rounds.queries.open_hits import spoken_hits

# As wide as the columns that keep it: a reason is refused in a sentence, never cut.
LONGEST_REASON = 200


def park(
    *, table_code: str, round_number: int, card: str, pin: str = "", reason: str, source: CardSource = TYPED
) -> dict[str, Any]:
    """The round is over, its hits stay open and frozen, and are settled from the pit page; nothing moves."""
    check_reason(reason, "why the hit is parked")
    known = _executives_card(table_code, card, pin, source)
    executive = known.operator
    with at_round(table_code, round_number) as (books, round_, place):
        check_cards([known], books, round_)
        if round_.state == RoundState.OPEN:
            _check_parkable(round_, place)
            # The pit page approves only what was asked for, and the table has gone on to its next round.
            if wins_of(place).filter(state=WinState.MARKED).exists():
                life.ask(books, place, executive)
            for win in wins_of(place).filter(state__in=OPEN):
                life.note(books, win, EntryKind.PARK, str(executive), reason)
            # A front place would make the hits that it passed wait until somebody at leisure settles the parked one.
            queue.stand_back(books, place, str(executive), reason)
            now = next(iter(books.heads.values())).now
            round_.state, round_.ended_at = RoundState.ENDED, now
            round_.save(update_fields=["state", "ended_at"])
            OpenCase.objects.create(
                kind=OpenCase.Kind.PARKED, table=round_.table, round_number=round_number, reason=reason,
                executive=executive, at=now,
            )  # fmt: skip
            record(
                actor=executive,
                act="park",
                about=objects.round_played(place.table_code, place.round_number),
                why=reason,
            )
            repeat = False
        else:
            _check_parked(round_, place)
            repeat = True
        parked = spoken_hits(table_code, round_number)
        return {"parked": parked, "state": "ended", "next_round": round_number + 1, "repeat": repeat}


def _executives_card(table_code: str, card: str, pin: str, source: CardSource) -> Card:
    """An executive's card, with the PIN where the house asks for one."""
    known = card_with_pin(swipe=card, pin=pin, pin_from_level=pin_from(table_code), source=source)
    if known.level < Card.Level.EXECUTIVE:
        own = known.get_level_display()
        raise too_low(known, f"A hit is parked only by an executive; {known.operator} has a {own} card.")
    return known


def check_reason(reason: str, what: str) -> None:
    if not reason.strip() or len(reason) > LONGEST_REASON:
        raise NotUnderstood(f"Say in at most {LONGEST_REASON} characters {what}.", "reason")


def _check_parkable(round_: Round, place: RoundRef) -> None:
    check_key_at_run(round_)
    if not open_hits(place):
        raise NotAllowedNow(f"Round {round_.number} at {place.table_code} has no open hit. Press END GAME.", "no_hit")


def _check_parked(round_: Round, place: RoundRef) -> None:
    """Said again it is harmless; a round that ended otherwise has nothing to park."""
    cases = OpenCase.objects.filter(table=round_.table, round_number=round_.number, kind=OpenCase.Kind.PARKED)
    if not cases.exists():
        why = f"Round {round_.number} at {place.table_code} is over. A hit seen now is a late claim, on the pit page."
        raise NotAllowedNow(why, "round_over")
