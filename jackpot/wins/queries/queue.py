"""Who waits for whom on a jackpot, told from the rows of open hits."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from jackpot.people.models import Operator
from jackpot.wins.models import Signature, Win
from jackpot.wins.queries.of_round import place_of
from jackpot.wins.rules.rank import QueueTurn, StandingMark, ahead, queue
from jackpot.wins.rules.round_ref import RoundRef
from jackpot.wins.rules.win_life import OPEN, WinState


def mark_of(win: Win) -> StandingMark:
    """An open hit as the rules of rank see it."""
    at_approval = win.version.value.policy.freeze == "approval"
    return StandingMark(
        place_of(win), win.mark_seq, win.frozen_seq, win.part, win.state == WinState.LOGGED, win.front_seq, at_approval
    )


def waits_for(jackpot_ids: Iterable[int], place: RoundRef) -> Win | None:
    """The hit of another round that must be settled before this round's part of the meter."""
    found = (stands_before(jackpot_id, place) for jackpot_id in sorted(jackpot_ids))
    return next((win for win in found if win is not None), None)


def stands_before(jackpot_id: int, place: RoundRef) -> Win | None:
    """The first of those on one jackpot."""
    wins = open_hits_of(jackpot_id)
    before = ahead([mark_of(win) for win in wins], place)
    return _first_of(before[0], wins) if before else None


def in_turn(jackpot_id: int) -> list[Win]:
    """The first part of the meter of every round that queues on a jackpot, first of all first."""
    wins = open_hits_of(jackpot_id)
    return [_first_of(turn, wins) for turn in queue([mark_of(win) for win in wins])]


def why_it_waits(first: Win) -> str:
    """One sentence: what is in the way, and the cure."""
    if first.front_seq is not None and first.state != WinState.LOGGED:
        who = " and ".join(map(str, let_pass_by([first])))
        return (
            f"Round {first.round_number} at {first.table_code} was let pass by {who}. "
            f"Settle it before this one, or the two withdraw it."
        )
    return f"{first.line_name} at {first.table_code} came first. Settle it before this one."


def let_pass_by(wins: Sequence[Win]) -> list[Operator]:
    """The two people by whose word these hits stand in front."""
    entries = [win.front_seq for win in wins if win.front_seq is not None]
    words = Signature.objects.filter(win__in=wins, part=Signature.Part.OVERRIDE, entry__in=entries)
    people = {word.operator_id: word.operator for word in words.select_related("operator").order_by("id")}
    return list(people.values())


def open_hits_of(jackpot_id: int) -> list[Win]:
    rows = Win.objects.filter(jackpot_id=jackpot_id, state__in=OPEN, envy_of=None).select_related("version", "jackpot")
    return list(rows.order_by("mark_seq", "id"))


def _first_of(turn: QueueTurn, wins: Iterable[Win]) -> Win:
    """Of a round its first part; where two people let it pass, the hit that they signed for."""
    parts = [win for win in wins if win.part and place_of(win) == turn.place]
    return next((win for win in parts if turn.front is not None and win.front_seq == turn.front), parts[0])
