"""A round's hits as people see them before anybody decides: judged with all that is asked, nothing locked or kept."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass

from django.utils import timezone

from jackpot.money import ZERO, Money
from jackpot.people.models import Card
from jackpot.property.models.property import Property
from jackpot.property.rules.authority import AwardPart, Needed, needed
from jackpot.wins.models import Signature, Win
from jackpot.wins.queries.of_round import place_of, wins_of
from jackpot.wins.queries.queue import in_turn
from jackpot.wins.queries.round_hits import AwardLine, Settlement
from jackpot.wins.rules.judgement import ActInTurn
from jackpot.wins.rules.round_ref import RoundRef
from jackpot.wins.rules.win_life import OPEN, STANDING, WinState
from tables.hits.queries.claims import claimed_by
from tables.hits.queries.verifying import state_of, verifications


@dataclass(frozen=True, slots=True)
class MeterMove:
    """What an act does to one jackpot's meter."""

    code: str
    before: Money
    after: Money


@dataclass(frozen=True, slots=True)
class Queued:
    """One round in a jackpot's queue, by its earliest mark of a part."""

    first: Win
    ours: bool


@dataclass(frozen=True, slots=True)
class Outlook:
    """A round's asked hits as they would be approved in their turn: what is due, and what each meter does."""

    settlement: Settlement
    meters: list[MeterMove]


def preview(place: RoundRef, premises: Property) -> Outlook | None:
    """What CARD or J-POT would fix now, or None when nothing is asked for. The same judgement as on every sign."""
    wins = list(wins_of(place).filter(state=WinState.ASKED, envy_of=None).select_related("jackpot"))
    turns = _turns(place, {win.jackpot_id for win in wins})
    by_seat = {(win.jackpot_id, win.seat): win for win in wins}
    lines = [
        AwardLine(jackpot_id, award, None if award.envy else by_seat[jackpot_id, award.seat], turn.act.frozen or 0)
        for jackpot_id, turn in turns
        for award in turn.awards
    ]
    if not lines:
        return None
    total = sum((line.award.amount for line in lines), ZERO)
    codes = {win.jackpot_id: win.jackpot.code for win in wins}
    meters = [MeterMove(codes[id_], Money(turn.before.meter), Money(turn.after.meter)) for id_, turn in turns]
    parts = [AwardPart(codes[line.jackpot_id], line.award.line.code, line.award.amount) for line in lines]
    return Outlook(Settlement(lines, wins, total, needed(total, premises.thresholds, parts)), meters)


def _turns(place: RoundRef, jackpot_ids: Collection[int]) -> list[tuple[int, ActInTurn]]:
    """What the round is asked to be paid, jackpot by jackpot."""
    found = verifications(jackpot_ids) if jackpot_ids else {}
    where = (place.table_code, place.round_number)
    asked = [(id_, turn) for id_, each in found.items() for turn in each.judgement.of(where)]
    return [(id_, turn) for id_, turn in asked if state_of(turn) == WinState.ASKED]


def queue_of(place: RoundRef) -> list[Queued]:
    """Every round with an open part-of-the-meter hit on our jackpots, in the order in which they are settled."""
    jackpots = wins_of(place).filter(state__in=OPEN).order_by("jackpot_id").values_list("jackpot_id", flat=True)
    return [Queued(win, place_of(win) == place) for id_ in dict.fromkeys(jackpots) for win in in_turn(id_)]


def hits_at(place: RoundRef) -> list[Win]:
    """Every hit of the round that stands, in the order of its act where that is fixed."""
    rows = wins_of(place).filter(state__in=STANDING, difference_of=None).select_related("jackpot", "version")
    return list(rows.order_by("place", "mark_seq", "id"))


def approvals_given(wins: Iterable[Win]) -> list[Signature]:
    """The approvals given so far, each person once."""
    rows = Signature.objects.filter(win__in=list(wins), part=Signature.Part.APPROVE).select_related("operator", "card")
    return list({each.operator_id: each for each in rows.order_by("-id")}.values())[::-1]


def who_may(need: Needed, premises: Property, wins: Sequence[Win]) -> list[str]:
    """Names with a card that would be accepted now; so a wrong card learns at once whom to call."""
    day = premises.gaming_day(timezone.now())
    cards = Card.objects.filter(operator__premises=premises, blocked_at=None, locked_at=None)
    given = approvals_given(wins)
    least = need.still([each.worth(day) for each in given])
    serving = [card for card in cards.select_related("operator") if card.level_on(day) >= least]
    # One person accepts an act once, and who opened a late claim is not its approver.
    barred = {each.operator_id for each in given} | claimed_by(wins)
    if not premises.thresholds.marker_may_verify:
        barred |= {win.marker_id for win in wins if win.marker_id is not None}
    people = {card.operator_id: str(card.operator) for card in serving if card.operator.is_active}
    return sorted(name for key, name in people.items() if key not in barred)
