"""How much one person signs at one table and gaming day without the cards of the hand: many small hits are a large one.

Asked only where the house has a cap. Hits whose cards prove them count for nothing here; for those that two
people have overridden, two people answer.
"""

from __future__ import annotations

from collections.abc import Mapping

from django.db.models import Count, Sum

from jackpot.money import ZERO, Money, units_of
from jackpot.people.models import Operator
from jackpot.property.rules.authority import beyond_the_cap
from jackpot.refusals import NotAllowedNow
from jackpot.wins.models import Signature, Win
from jackpot.wins.queries.round_hits import Settlement
from jackpot.wins.rules.award_record import HandProof, HandRecord
from jackpot.wins.rules.win_life import WinState
from tables.hits.actions.at_round import LockedRound


def check_cap(locked: LockedRound, settlement: Settlement, person: Operator, cards: Mapping[int, HandRecord]) -> None:
    """Refuses what would go beyond the house's cap; with the cards entered, or by another person, it goes on."""
    unseen = {win.pk for win in settlement.wins if _is_unseen(win, cards.get(win.pk))}
    if not unseen:
        return
    total, count = _signed_today(locked, person)
    # An envy award has no hit of its own (`line.win` is None) and no cards to look at: it fills no cap, here or below.
    mine = [line.award.amount.units for line in settlement.lines if line.win is not None and line.win.pk in unseen]
    beyond = beyond_the_cap(locked.thresholds, total + Money(sum(mine)), count + len(unseen))
    if beyond:
        where = locked.round.table.code
        told = f"{person} signed {total} in {count} hits at {where} today without the cards of the hand"
        why = f"{told}; with this one it is more than the cap of {beyond}. Enter the cards, or another person signs."
        raise NotAllowedNow(why, "cap")


def _is_unseen(win: Win, hand: HandRecord | None) -> bool:
    return not win.override and (hand is None or hand.proof is not HandProof.PROVEN)


def _signed_today(locked: LockedRound, person: Operator) -> tuple[Money, int]:
    day = next(iter(locked.books.heads.values())).gaming_day
    rows = Win.objects.filter(
        table_code=locked.round.table.code, gaming_day=day, cards_checked=False, amount__isnull=False, envy_of=None,
        override__isnull=True, signatures__operator=person, signatures__part=Signature.Part.APPROVE,
    ).exclude(state=WinState.BACKED_OUT)  # fmt: skip
    found = rows.aggregate(sum=Sum("amount"), count=Count("pk"))
    return (ZERO if found["sum"] is None else Money(units_of(found["sum"]))), found["count"]
