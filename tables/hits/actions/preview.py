"""A round's hits as the pit sees them before anybody decides: reckoned like an approval, nothing locked or kept."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from django.utils import timezone

from jackpot.books.actions.post import Books, Head
from jackpot.books.models.jackpot import Jackpot
from jackpot.books.rules.movement import Balances
from jackpot.money import Money
from jackpot.people.models import Card
from jackpot.property.models.property import Property
from jackpot.property.rules.authority import Needed
from jackpot.wins.actions.approve import Reckoning, reckon
from jackpot.wins.actions.life import Place, place_of, wins_of
from jackpot.wins.actions.queue import in_turn
from jackpot.wins.actions.standing import read_standing
from jackpot.wins.models import Signature, Win
from jackpot.wins.rules.win_life import OPEN, STANDING, WinState


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


def preview(place: Place, coin_in_seats: Sequence[int], premises: Property) -> Reckoning | None:
    """What CARD or J-POT would fix now, or None when nothing is asked for. Amounts may move until it is approved."""
    asked = wins_of(place).filter(state=WinState.ASKED)
    jackpots = Jackpot.objects.filter(id__in=asked.values("jackpot_id")).select_related("premises").order_by("id")
    books = Books({jackpot.id: _looked_at(jackpot) for jackpot in jackpots})
    return reckon(books, read_standing(place), coin_in_seats, premises) if books.heads else None


def meter_moves(reckoning: Reckoning) -> list[MeterMove]:
    """Each meter of the act before and after all of its awards, reseed included."""
    moves = []
    for jackpot in Jackpot.objects.filter(id__in={due.jackpot_id for due in reckoning.dues}).order_by("id"):
        after: Balances = jackpot.balances
        for due in reckoning.dues:
            if due.jackpot_id == jackpot.id:
                after = after.after(due.award.moves)
        moves.append(MeterMove(jackpot.code, jackpot.meter_money, Money(after.meter)))
    return moves


def queue_of(place: Place) -> list[Queued]:
    """Every round with an open part-of-the-meter hit on our jackpots, in the order in which they are settled."""
    jackpots = wins_of(place).filter(state__in=OPEN).order_by("jackpot_id").values_list("jackpot_id", flat=True)
    return [Queued(win, place_of(win) == place) for id_ in dict.fromkeys(jackpots) for win in in_turn(id_)]


def hits_at(place: Place) -> list[Win]:
    """Every hit of the round that stands, in the order of its act where that is fixed."""
    rows = wins_of(place).filter(state__in=STANDING, difference_of=None).select_related("jackpot", "version")
    return list(rows.order_by("place", "mark_seq", "id"))


def words_given(wins: Iterable[Win]) -> list[Signature]:
    """The approvals given so far, each person once."""
    rows = Signature.objects.filter(win__in=list(wins), part=Signature.Part.APPROVE).select_related("operator", "card")
    return list({word.operator_id: word for word in rows.order_by("-id")}.values())[::-1]


def who_may(need: Needed, premises: Property, wins: Sequence[Win]) -> list[str]:
    """Names with a card that would be accepted now; so a wrong card learns at once whom to call."""
    day = premises.gaming_day(timezone.now())
    cards = Card.objects.filter(operator__premises=premises, blocked_at=None, locked_at=None)
    serving = [card for card in cards.select_related("operator") if card.level_on(day) >= need.level]
    names = {str(card.operator) for card in serving if card.operator.is_active}
    if not premises.thresholds.marker_may_verify:
        names -= {win.marked_by for win in wins}
    return sorted(names - {str(word.operator) for word in words_given(wins)})


def _looked_at(jackpot: Jackpot) -> Head:
    """The head of the books without a lock: good for reckoning, never for posting."""
    now = timezone.now()
    day = jackpot.premises.gaming_day(now)
    return Head(
        jackpot.id, jackpot.code, jackpot.state, jackpot.version_id, None, jackpot.last_seq, bytes(jackpot.seal), now,
        day, jackpot.balances, "", (),
    )  # fmt: skip
