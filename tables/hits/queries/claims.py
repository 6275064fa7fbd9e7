"""Who opened a round's late claims: they are nobody's approvers, and nobody ends their claim alone."""

from __future__ import annotations

from collections.abc import Collection

from jackpot.wins.models import Signature, Win
from jackpot.wins.queries.of_round import wins_of
from jackpot.wins.rules.round_ref import RoundRef
from jackpot.wins.rules.win_life import OPEN


def claimants(place: RoundRef) -> str:
    """The names of the people whose late claim is open in this round, or nothing."""
    signed = Signature.objects.filter(win__in=wins_of(place).filter(state__in=OPEN), part=Signature.Part.CLAIM)
    names = dict.fromkeys(str(each.operator) for each in signed.select_related("operator").order_by("id"))
    return " and ".join(names)


def claimed_by(wins: Collection[Win]) -> set[int]:
    """The people who opened these hits as late claims."""
    rows = Signature.objects.filter(win__in=[win.pk for win in wins], part=Signature.Part.CLAIM)
    return set(rows.values_list("operator_id", flat=True))
