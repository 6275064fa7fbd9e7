"""The difference of a later winner after a back-out: two people pay it by a page of its own, or note why not."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from django.db.models import QuerySet

from jackpot.adjusting.actions.frame import AdjustmentKind, LedgerStep
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
from jackpot.wins.models import Signature, SlipCounter, Win, shown_name
from jackpot.wins.rules.award_record import AwardRecord, DifferenceRecord, DrawnRecord, MeterRecord
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
    _check_stands(row)
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
        _check_still_there(row)
    return money_of.difference(
        owed, row.account, books.heads[row.its_jackpot_id].balances, books.terms(row.its_jackpot_id)
    )


def post_difference(
    books: Books, row: Adjustment, movement: Movement, approver: SecondPerson, request: bytes
) -> Posting:
    """The one entry of the decision; where it pays, the page with its slip is made in the same act."""
    of, key = _win(row), f"difference/{row.pk}"
    about = (of.table_code, of.round_number)
    if not row.pays:
        about_of = EntryReference(key, request, *about, of.pk)
        return books.post(row.its_jackpot_id, EntryKind.DIFFERENCE, movement, about_of)
    before, page = books.heads[row.its_jackpot_id].balances, _page(books, row, of)
    reference = EntryReference(key, request, *about, page.pk)
    posting = books.post(row.its_jackpot_id, EntryKind.DIFFERENCE, movement, reference)
    page.award_seq = posting.seq
    drawn = DrawnRecord(from_reserve=Money(max(-movement.reserve, 0)), from_house=Money(max(-movement.house, 0)))
    page.paper = replace(page.record, drawn=drawn, meter=MeterRecord.between(before, posting.after)).plain()
    page.save(update_fields=["award_seq", "paper"])
    _sign(page, row, approver)
    return posting


def undecided(cause: Adjustment) -> list[KeptDifference]:
    """The winners of a back-out of whom nobody has asked for a decision yet."""
    kept: list[KeptDifference] = cause.posted.get("differences", [])
    if not kept:
        return []
    rows = decisions_of(cause).exclude(state__in=[RequestState.REFUSED, RequestState.WITHDRAWN])
    rows = rows.exclude(pages__state=WinState.BACKED_OUT)
    decided = set(rows.values_list("win__number", flat=True))
    return [each for each in kept if each["win"] not in decided]


def decisions_of(cause: Adjustment) -> QuerySet[Adjustment]:
    """What two people decided, or are asked to decide, of the winners of a back-out."""
    return Adjustment.objects.filter(kind=Adjusting.DIFFERENCE, cause_id=cause.pk)


def _page(books: Books, row: Adjustment, of: Win) -> Win:
    """A payable slip of the same house, with the next number; bound to the seat's coin-in as the first one was."""
    head, kept = books.heads[row.its_jackpot_id], kept_difference(_cause(row), of)
    premises = row.its_jackpot.premises
    counter = SlipCounter.objects.select_for_update().get_or_create(premises=premises)[0]
    page = Win.objects.create(
        jackpot_id=row.its_jackpot_id, version=of.version, table_code=of.table_code, round_number=of.round_number,
        seat=of.seat, line=of.line, line_name=shown_name(f"Difference: {of.line_name}"), part=False, difference_of=of,
        adjustment=row, state=WinState.OWED, mark_seq=of.mark_seq, frozen_seq=of.frozen_seq, marked_at=of.marked_at,
        marked_by=of.marked_by, marker_id=of.marker_id, asked_at=of.asked_at, asked_by=of.asked_by,
        asker_id=of.asker_id, cards_checked=of.cards_checked, number=counter.next_win,
        slip=counter.next_slip, premises=premises, place=1, amount=Money.of(kept["owed"]).decimal(),
        logged_at=head.now, moved_at=head.now, gaming_day=head.gaming_day, paper=_record(row, of, kept).plain(),
    )  # fmt: skip
    counter.next_win, counter.next_slip = counter.next_win + 1, counter.next_slip + 1
    counter.save()
    return page


def _record(row: Adjustment, of: Win, kept: KeptDifference) -> AwardRecord:
    """What the page prints of the computation, so that it can be done again by hand."""
    assert of.slip is not None, "a winner has a slip"
    assert of.number is not None, "and a number"
    cause = _cause(row)
    gone, known = cause.win, of.record
    amounts = {word: Money.of(kept[word]) for word in ("basis_was", "basis", "was", "would_be", "owed")}
    difference = DifferenceRecord(
        **amounts, sharers=kept["sharers"], slip=of.slip, win=of.number, back_out=cause.pk,
        backed_out_slip=None if gone is None else gone.slip, request=row.pk,
    )  # fmt: skip
    return AwardRecord(
        known.pays, row.account, known.wager, None, known.order, known.freeze, envy=False, drawn=DrawnRecord(),
        cards=known.cards, override=known.override, difference=difference,
        wager_name=known.wager_name,
    )  # fmt: skip


def _sign(page: Win, row: Adjustment, approver: SecondPerson) -> None:
    assert page.logged_at is not None, "a page is made with its time"
    for operator, card in ((row.asked_by, None), (approver.operator, approver.card)):
        Signature.objects.create(
            win=page, operator=operator, card=card, level=0, part=Signature.Part.DIFFERENCE, at=page.logged_at,
            why=row.reason,
        )  # fmt: skip


def _cause(row: Adjustment) -> Adjustment:
    assert row.cause_id is not None, "a difference has its back-out"
    return Adjustment.objects.select_related("win").get(pk=row.cause_id)


def _win(row: Adjustment) -> Win:
    assert row.win is not None, "a difference has its winner"
    return row.win


def _check_stands(row: Adjustment) -> None:
    win = _win(row)
    if not Win.objects.filter(pk=win.pk, state__in=[WinState.OWED, WinState.PAID]).exists():
        raise NotAllowedNow(f"Slip {win.slip} was backed out itself; no difference is left to decide.", "not_standing")


def _check_undecided(row: Adjustment) -> None:
    """A decision stands; only where its page was backed out may two people decide again."""
    others = Adjustment.objects.filter(cause=row.cause, win=row.win, state=RequestState.IN_FORCE).exclude(pk=row.pk)
    last = others.exclude(pages__state=WinState.BACKED_OUT).first()
    if last is None:
        return
    page = last.pages.first()
    how = f"is paid by slip {page.slip}" if page is not None else "was noted and not paid"
    raise NotAllowedNow(f"The difference of slip {_win(row).slip} {how} ({last}). It is decided once.", "decided")


def _check_still_there(row: Adjustment) -> None:
    """What the back-out put back into the meter went to whoever took all of it since."""
    assert row.cause is not None, "a difference has its back-out"
    seq = row.cause.entries.get(jackpot_id=row.its_jackpot_id).seq
    since = Win.objects.filter(
        jackpot_id=row.its_jackpot_id, award_seq__gt=seq, state__in=[WinState.OWED, WinState.PAID]
    )
    for win in since.filter(difference_of=None).order_by("award_seq"):
        if win.record.drawn.seed:
            why = f"Slip {win.slip} took the whole meter since, with what the back-out had put back."
            raise NotAllowedNow(f"{why} Pay this difference from the house.", "won_since")
