"""A winner who was paid too little because the meter was wrong: found, reckoned by rule, and paid the rest once.

What the meter must have been is a finding, and two people sign it with its evidence. What is due follows from it: the
row's part of that basis, less what this winner was told before (decision 0220).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from django.db.models import Sum

from jackpot.adjusting.actions.contra import AwardDifference, basis_of
from jackpot.adjusting.actions.frame import AdjustmentKind, AdjustmentPreview, LedgerStep
from jackpot.adjusting.actions.made_up import STANDING, MadeUpPage, check_not_won_since, check_stands, post_page
from jackpot.adjusting.models import Adjustment
from jackpot.adjusting.rules.adjusting import GROUNDS, SOURCES, Adjusting
from jackpot.books.actions.post import Books
from jackpot.books.actions.writing import Posting
from jackpot.books.models.entry import Entry
from jackpot.books.rules import movement as money_of
from jackpot.books.rules.entry_kind import EntryKind
from jackpot.money import Money, units_of
from jackpot.refusals import NotAllowedNow, NotFound, NotUnderstood
from jackpot.requests.rules.life import RequestState
from jackpot.signing.actions.approver import SecondPerson
from jackpot.terms.rules.next_row import due_from
from jackpot.terms.rules.paytable import PartOfMeter
from jackpot.wins.models import Win
from jackpot.wins.rules.award_record import AwardRecord, DifferenceRecord, DrawnRecord


class PayUnderpaid(AdjustmentKind):
    """The rest of one award, by a page of its own: from the house, or from a meter that an adjustment filled since."""

    kind = Adjusting.UNDERPAYMENT

    def steps(self, books: Books, row: Adjustment) -> list[LedgerStep]:
        found = underpaid(row.win, row.reading_money)
        check_stands(found.win)
        _check_source(row, found.owed)
        balances, terms = books.heads[row.its_jackpot_id].balances, books.terms(row.its_jackpot_id)
        moved = money_of.difference(found.owed, row.account, balances, terms)
        return [LedgerStep(row.its_jackpot_id, EntryKind.DIFFERENCE, moved)]

    def previewed(self, books: Books, row: Adjustment, steps: Sequence[LedgerStep]) -> AdjustmentPreview:
        return replace(super().previewed(books, row, steps), underpaid=underpaid(row.win, row.reading_money))

    def post(self, books: Books, row: Adjustment, step: LedgerStep, approver: SecondPerson) -> Posting:
        found = underpaid(row.win, row.reading_money)
        if found.owed.decimal() != row.amount:
            why = f"Slip {found.win.slip} is owed {found.owed} now, and {row.amount_money} was asked for."
            raise NotAllowedNow(f"{why} Refuse this request, and ask anew.", "changed")
        page = MadeUpPage(row, found.win, found.owed, _record(row, found))
        return post_page(books, page, step.movement, approver, self.digested(row, approver))


def underpaid(win: Win | None, reading: Money | None) -> AwardDifference:
    """What the winner had, and what the row pays of the meter as it must have been."""
    if win is None:
        raise NotUnderstood("Name the slip that was paid too little.", "win")
    if reading is None:
        raise NotUnderstood("Write what the meter must have been when the hit was marked: 20201.15.", "reading")
    _check_counts(win)
    terms, last = win.version.value, _last_page(win)
    assert win.amount_money is not None, "a win with a slip has its amount"
    told = None if last is None else last.record.difference
    basis_was, was = (basis_of(win), win.amount_money) if told is None else (told.basis, told.would_be)
    basis, sharers = reading.shown(terms.digits), _sharers(win) if told is None else told.sharers
    if terms.limit is not None and basis > terms.limit:
        why = f"The meter of {win.jackpot.code} had a limit of {terms.limit}; it cannot have been {basis}."
        raise NotAllowedNow(f"{why} Write what it must have been.", "limit")
    found = AwardDifference(win, was, due_from(terms.pay_table.line(win.line), basis, sharers, terms), basis_was,
                            basis, sharers)  # fmt: skip
    if basis <= basis_was or found.owed.units <= 0:
        by = "" if last is None else f", which slip {last.slip} has made up"
        raise NotAllowedNow(f"Slip {win.slip} counts from {basis_was}{by}. From {basis} nothing is due.", "nothing_due")
    return found


def counts_from_the_meter(win: Win) -> bool:
    """An award that a wrong meter made too little; a rest that was made up is none."""
    if win.difference_of_id is not None or win.award_seq is None:
        return False
    if win.record.basis is not None:
        return True
    # Beside an aggregate a fixed row is compared with fixed rows only: what it lacks was cut, whatever the meter was.
    return win.record.next_row is not None and win.version.value.aggregate is None


def _check_counts(win: Win) -> None:
    """Only what is a part of the meter was too little because the meter was."""
    if win.difference_of is not None:
        raise NotAllowedNow(f"Slip {win.slip} pays the rest of slip {win.difference_of.slip}. Name that one.", "rest")
    if win.award_seq is None:
        raise NotAllowedNow(f"{win.line_name} at {win.table_code} has not moved the meter yet. Settle it.", "not_moved")
    if not counts_from_the_meter(win):
        why = f"Slip {win.slip} is a fixed sum; no meter makes it more."
        raise NotAllowedNow(f"{why} A wrong row is backed out, and claimed late.", "fixed")


def _last_page(win: Win) -> Win | None:
    """The newest page that pays a rest of it and stands: what the winner was last told to have."""
    found: Win | None = win.made_up.filter(state__in=STANDING).order_by("-award_seq").first()
    return found


def _sharers(win: Win) -> int:
    """Of a top award that several shared equally: how many."""
    terms = win.version.value
    award = terms.pay_table.line(win.line).award
    if terms.policy.order != "equal_shares" or not isinstance(award, PartOfMeter) or not award.is_all:
        return 1
    together = Win.objects.filter(
        jackpot_id=win.jackpot_id, table_code=win.table_code, round_number=win.round_number, line=win.line,
        logged_at=win.logged_at, envy_of=None, difference_of=None,
    )  # fmt: skip
    return together.count()


def _check_source(row: Adjustment, owed: Money) -> None:
    """What was missing in the meter is with the house; only what was given to the meter since comes from there."""
    if row.account not in SOURCES:
        raise NotUnderstood("An underpayment is paid from the house or from the meter. Choose one.", "account")
    if row.account == "house":
        if row.cause_id is not None:
            raise NotUnderstood("The house pays: name no adjustment, or choose the meter.", "cause")
        return
    given = None if row.cause_id is None else Adjustment.objects.filter(pk=row.cause_id).first()
    if given is None:
        why = "The meter pays only what an adjustment has given it since."
        raise NotUnderstood(f"{why} Name that adjustment, or choose the house.", "cause")
    gave = _given(row, given)
    check_not_won_since(row, f"{given} had given")
    used = Adjustment.objects.filter(kind=Adjusting.UNDERPAYMENT, cause_id=given.pk, state=RequestState.IN_FORCE)
    paid = used.filter(pages__state__in=STANDING).aggregate(sum=Sum("amount"))["sum"]
    left = gave - Money(0 if paid is None else units_of(paid))
    if owed > left:
        why = f"{given} gave the meter {gave}, and {left} of it is left for winners; {owed} is owed."
        raise NotAllowedNow(f"{why} Pay it from the house.", "given")


def _given(row: Adjustment, given: Adjustment) -> Money:
    """By how much an adjustment in force raised this meter after the award; what its limit cut off never came in."""
    assert row.win is not None, "an underpayment names its winner"
    raised = (given.kind, given.state, given.account) == (Adjusting.ADJUST, RequestState.IN_FORCE, "meter")
    if not raised or given.jackpot_id != row.jackpot_id or (given.amount or 0) <= 0:
        raise NotFound(f"{given} gave the meter of {row.its_jackpot.code} nothing. Name the one that did.", "no_gift")
    seq = given.entries.get(jackpot_id=row.its_jackpot_id).seq
    if seq < (row.win.award_seq or 0):
        why = f"{given} came before slip {row.win.slip}, which counted it."
        raise NotAllowedNow(f"{why} Pay it from the house.", "before")
    return Money(Entry.objects.get(jackpot_id=row.its_jackpot_id, seq=seq).movement.meter)


def _record(row: Adjustment, found: AwardDifference) -> AwardRecord:
    """What the page prints of the computation, so that it can be done again by hand."""
    of = found.win
    assert of.slip is not None, "a winner has a slip"
    assert of.number is not None, "and a number"
    known = of.record
    difference = DifferenceRecord(
        basis_was=found.basis_was, basis=found.basis, sharers=found.sharers, was=found.was, would_be=found.would_be,
        owed=found.owed, slip=of.slip, win=of.number, back_out=None, backed_out_slip=None, request=row.pk,
        found=GROUNDS[row.ground],
    )  # fmt: skip
    return AwardRecord(
        known.pays, row.account, known.wager, None, known.order, known.freeze, envy=False, drawn=DrawnRecord(),
        cards=known.cards, override=known.override, difference=difference, wager_name=known.wager_name,
    )  # fmt: skip
