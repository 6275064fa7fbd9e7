"""A logged win is undone by its exact contra: meter, reserve, seed and overflow return, its page is void."""

from __future__ import annotations

from collections.abc import Sequence

from django.db import transaction

from jackpot.adjusting.actions.asking import AdjustmentWish, ask
from jackpot.adjusting.actions.contra import (
    AwardDifference,
    check_logged,
    check_nothing_open,
    differences,
    movement_of,
    post_back_out,
)
from jackpot.adjusting.actions.frame import AdjustmentKind, LedgerStep
from jackpot.adjusting.models import Adjustment
from jackpot.adjusting.rules.adjusting import Adjusting
from jackpot.books.actions.post import Books
from jackpot.books.actions.writing import Posting
from jackpot.books.rules.entry_kind import EntryKind
from jackpot.people.models import Card, Operator
from jackpot.refusals import NotFound, NotUnderstood
from jackpot.signing.actions.approver import SecondPerson
from jackpot.signing.actions.deciding import sign
from jackpot.wins.models import Signature, Win

__all__ = ["AwardDifference", "BackOutWin", "back_out", "differences"]


class BackOutWin(AdjustmentKind):
    """Asked for at any time; decided when no hit is open whose amount counts from it."""

    kind = Adjusting.BACK_OUT
    asked_while_open = True

    def check_hits(self, row: Adjustment) -> None:
        if row.win is not None:
            check_logged(row.win)
            check_nothing_open(row.win)

    def steps(self, books: Books, row: Adjustment) -> list[LedgerStep]:
        if row.win is None:
            raise NotUnderstood("Name the win that is to be backed out.", "win")
        check_logged(row.win)
        return [LedgerStep(row.its_jackpot_id, EntryKind.BACK_OUT, movement_of(books, row.win))]

    def differences(self, row: Adjustment) -> Sequence[AwardDifference]:
        return () if row.win is None else differences(row.win)

    def post(self, books: Books, row: Adjustment, step: LedgerStep, approver: SecondPerson) -> Posting:  # noqa: ARG002  each kind takes what it needs
        assert row.win is not None, "a back-out names its win"
        return post_back_out(books, row.win, step.movement, row.reason)

    def keep(self, books: Books, row: Adjustment, approver: SecondPerson) -> None:
        assert row.win is not None, "a back-out names its win"
        at, part = books.heads[row.its_jackpot_id].now, Signature.Part.BACK_OUT
        for operator, card in ((row.asked_by, None), (approver.operator, approver.card)):
            Signature.objects.create(
                win=row.win, operator=operator, card=card, level=0, part=part, at=at, why=row.reason
            )  # fmt: skip


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
    """In one step, where both people stand at one screen: the same request and the same approval."""
    found = Win.objects.select_related("jackpot__premises").filter(id=win_id).first()
    if found is None:
        raise NotFound("There is no such win.", "no_win")
    wish = AdjustmentWish(Adjusting.BACK_OUT, found.jackpot, "other", reason, evidence, win=found)
    # Both in this one transaction: where the second person is refused, no request is left behind.
    asked = ask(wish=wish, by=requested_by)
    sign(request_id=asked.pk, approver=SecondPerson(approved_by, card), seen=differences_seen)
    return Win.objects.select_related("jackpot").get(id=win_id)
