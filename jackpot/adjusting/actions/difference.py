"""The difference of a later winner after a back-out: two people pay it by a page of its own, or note why not."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.db.models import QuerySet

from jackpot.adjusting.actions.frame import AdjustmentKind, LedgerStep
from jackpot.adjusting.actions.made_up import MadeUpPage, check_not_won_since, check_stands, post_page
from jackpot.adjusting.models import Adjustment
from jackpot.adjusting.rules.adjusting import SOURCES, Adjusting
from jackpot.books.actions.post import Books, EntryReference
from jackpot.books.actions.writing import Posting
from jackpot.books.rules import movement as money_of
from jackpot.books.rules.entry_kind import EntryKind
from jackpot.books.rules.movement import NOTHING, Movement
from jackpot.money import ZERO, Money
from jackpot.refusals import NotAllowedNow, NotFound, NotUnderstood
from jackpot.requests.rules.life import RequestState
from jackpot.signing.actions.approver import SecondPerson
from jackpot.wins.models import Win
from jackpot.wins.rules.award_record import AwardRecord, DifferenceRecord, DrawnRecord
from jackpot.wins.rules.win_life import WinState

KeptDifference = Mapping[str, Any]


class DecideDifference(AdjustmentKind):
    """Of one later winner: paid by a page of its own, from the meter or the house; or only noted."""

    kind = Adjusting.DIFFERENCE

    def steps(self, books: Books, row: Adjustment) -> list[LedgerStep]:
        return [LedgerStep(row.its_jackpot_id, EntryKind.DIFFERENCE, difference_moved(books, row))]

    def post(self, books: Books, row: Adjustment, step: LedgerStep, approver: SecondPerson) -> Posting:
        return post_difference(books, row, step.movement, approver, self.digested(row, approver))


def kept_difference(cause: Adjustment | None, win: Win | None) -> KeptDifference:
    """What the back-out kept of this winner: basis then and now, part, what was paid and what would have been."""
    if cause is None or win is None:
        raise NotUnderstood("Name the back-out and the winner whose award counted from it.", "win")
    if (cause.kind, cause.state) != (Adjusting.BACK_OUT, RequestState.IN_FORCE):
        raise NotAllowedNow(f"{cause} backed nothing out. Choose the back-out that was approved.", "no_difference")
    named: list[KeptDifference] = cause.posted.get("differences", [])
    found = next((each for each in named if each["win"] == win.number and win.jackpot_id == cause.jackpot_id), None)
    if found is None:
        raise NotFound(f"{cause} changed nothing for slip {win.slip}. Choose one of the winners it names.", "no_win")
    return found


def difference_moved(books: Books, row: Adjustment) -> Movement:
    """What the decision moves now: the difference to the winners' account, or nothing where it is only noted."""
    owed = Money.of(kept_difference(_cause(row), row.win)["owed"])
    check_stands(_win(row))
    _check_undecided(row)
    if not row.pays:
        return NOTHING
    if owed < ZERO:
        raise NotAllowedNow(
            f"Slip {_win(row).slip} was paid {-owed} too much; nothing is owed to it. Note it instead.", "overpaid"
        )
    if row.account not in SOURCES:
        raise NotUnderstood("A difference is paid from the meter or from the house. Choose one.", "account")
    if row.account == "meter":
        check_not_won_since(row, "the back-out had put back")
    return money_of.difference(
        owed, row.account, books.heads[row.its_jackpot_id].balances, books.terms(row.its_jackpot_id)
    )


def post_difference(
    books: Books, row: Adjustment, movement: Movement, approver: SecondPerson, request: bytes
) -> Posting:
    """The one entry of the decision; where it pays, the page with its slip is made in the same act."""
    of = _win(row)
    if not row.pays:
        about_of = EntryReference(f"{row.kind}/{row.pk}", request, of.table_code, of.round_number, of.pk)
        return books.post(row.its_jackpot_id, EntryKind.DIFFERENCE, movement, about_of)
    kept = kept_difference(_cause(row), of)
    page = MadeUpPage(row, of, Money.of(kept["owed"]), _record(row, of, kept))
    return post_page(books, page, movement, approver, request)


def undecided(cause: Adjustment) -> list[KeptDifference]:
    """The winners of a back-out of whom nobody has asked for a decision yet."""
    kept: list[KeptDifference] = cause.posted.get("differences", [])
    if not kept:
        return []
    rows = decisions_of(cause).exclude(state__in=[RequestState.REFUSED, RequestState.WITHDRAWN])
    # A decision whose page was backed out decided nothing: two people may decide of that winner again.
    rows = rows.exclude(pages__state=WinState.BACKED_OUT)
    decided = set(rows.values_list("win__number", flat=True))
    return [each for each in kept if each["win"] not in decided]


def decisions_of(cause: Adjustment) -> QuerySet[Adjustment]:
    """What two people decided, or are asked to decide, of the winners of a back-out."""
    return Adjustment.objects.filter(kind=Adjusting.DIFFERENCE, cause_id=cause.pk)


def _record(row: Adjustment, of: Win, kept: KeptDifference) -> AwardRecord:
    """What the page prints of the computation, so that it can be done again by hand."""
    assert of.slip is not None, "a winner has a slip"
    assert of.number is not None, "and a number"
    cause = _cause(row)
    gone, known = cause.win, of.record
    was, would_be, owed = (Money.of(kept[word]) for word in ("was", "would_be", "owed"))
    difference = DifferenceRecord(
        Money.of(kept["basis_was"]), Money.of(kept["basis"]), was=was, would_be=would_be, owed=owed,
        sharers=kept["sharers"], slip=of.slip, win=of.number, back_out=cause.pk,
        backed_out_slip=None if gone is None else gone.slip, request=row.pk,
    )  # fmt: skip
    return AwardRecord(
        known.pays, row.account, known.wager, None, known.order, known.freeze, envy=False, drawn=DrawnRecord(),
        cards=known.cards, override=known.override, difference=difference,
        wager_name=known.wager_name,
    )  # fmt: skip


def _cause(row: Adjustment) -> Adjustment:
    assert row.cause_id is not None, "a difference has its back-out"
    return Adjustment.objects.select_related("win").get(pk=row.cause_id)


def _win(row: Adjustment) -> Win:
    assert row.win is not None, "a difference has its winner"
    return row.win


def _check_undecided(row: Adjustment) -> None:
    """A decision stands; only where its page was backed out may two people decide again."""
    others = Adjustment.objects.filter(cause=row.cause, win=row.win, state=RequestState.IN_FORCE).exclude(pk=row.pk)
    last = others.exclude(pages__state=WinState.BACKED_OUT).first()
    if last is None:
        return
    page = last.pages.first()
    how = f"is paid by slip {page.slip}" if page is not None else "was noted and not paid"
    raise NotAllowedNow(f"The difference of slip {_win(row).slip} {how} ({last}). It is decided once.", "decided")
