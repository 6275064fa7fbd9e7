"""Who waits for whom on a jackpot, told from the rows of open hits."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from django.db.models import Manager, QuerySet

from jackpot.books.models.jackpot import Version
from jackpot.people.models import Operator
from jackpot.wins.models import Signature, Win
from jackpot.wins.rules.rank import QueueTurn, StandingMark, ahead, queue
from jackpot.wins.rules.round_ref import RoundRef
from jackpot.wins.rules.win_life import OPEN, WinState


def waits_for(jackpot_ids: Iterable[int], place: RoundRef) -> Win | None:
    """The hit of another round that must be settled before this round's part of the meter."""
    found = (stands_before(jackpot_id, place) for jackpot_id in sorted(jackpot_ids))
    return next((win for win in found if win is not None), None)


def stands_before(jackpot_id: int, place: RoundRef) -> Win | None:
    """The first of those on one jackpot."""
    marks = open_marks_of(jackpot_id)
    before = ahead(marks.values(), place)
    return _shown(Win.objects).get(pk=_first_of(before[0], marks)) if before else None


def in_turn(jackpot_id: int) -> list[Win]:
    """The first part of the meter of every round that queues on a jackpot, first of all first."""
    marks = open_marks_of(jackpot_id)
    firsts = [_first_of(turn, marks) for turn in queue(marks.values())]
    wins = _shown(Win.objects).in_bulk(firsts)
    return [wins[win_id] for win_id in firsts]


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


def open_marks_of(jackpot_id: int) -> dict[int, StandingMark]:
    """By hit, the earliest first: what the rules of rank look at and no more, for a queue may be long."""
    wins = Win.objects.filter(jackpot_id=jackpot_id, state__in=OPEN, envy_of=None).order_by("mark_seq", "id")
    rows = wins.values_list(
        "id", "table_code", "round_number", "mark_seq", "frozen_seq", "part", "state", "front_seq", "version_id"
    )
    terms = Version.objects.in_bulk({row[-1] for row in rows})
    at_approval = {id_: version.value.policy.freeze == "approval" for id_, version in terms.items()}
    return {
        win_id: StandingMark(
            RoundRef(table, number), seq, frozen, part, state == WinState.LOGGED, front, at_approval[version]
        )
        for win_id, table, number, seq, frozen, part, state, front, version in rows
    }


def _shown(wins: Manager[Win]) -> QuerySet[Win]:
    return wins.select_related("version", "jackpot")


def _first_of(turn: QueueTurn, marks: Mapping[int, StandingMark]) -> int:
    """Of a round its first part; where two people let it pass, the hit that they signed for."""
    parts = {win_id: mark for win_id, mark in marks.items() if mark.part and mark.place == turn.place}
    passed = (win_id for win_id, mark in parts.items() if turn.front is not None and mark.front == turn.front)
    return next(passed, next(iter(parts)))
