"""A back-out in one step, where both people stand at one screen: the same request and the same approval."""

from __future__ import annotations

from django.db import transaction

from jackpot.people.models import Card, Operator
from jackpot.refusals import NotFound
from jackpot.requests.actions.asking import Wish, ask
from jackpot.requests.actions.contra import Difference, differences
from jackpot.requests.actions.deciding import approve
from jackpot.requests.actions.word import Word
from jackpot.requests.rules.adjusting import Adjusting
from jackpot.wins.models import Win

__all__ = ["Difference", "back_out", "differences"]


@transaction.atomic
def back_out(
    *,
    win_id: int,
    reason: str,
    evidence: str,
    requested_by: Operator,
    approved_by: Operator,
    card: Card | None = None,
    differences_seen: bool = False,
) -> Win:
    """Meter, reserve, seed and overflow return as if the win had not been; later coin-ins stay; its page is void."""
    found = Win.objects.select_related("jackpot__premises").filter(id=win_id).first()
    if found is None:
        raise NotFound("There is no such win.", "no_win")
    wish = Wish(Adjusting.BACK_OUT, found.jackpot, "other", reason, evidence, win=found)
    asked = ask(wish=wish, by=requested_by)
    approve(adjustment_id=asked.pk, word=Word(approved_by, card), differences_seen=differences_seen)
    return Win.objects.select_related("jackpot").get(id=win_id)
