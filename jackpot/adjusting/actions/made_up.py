"""A winner gets the rest by a page of its own: a payable slip with its two signatures, made in the act that owes it."""

from __future__ import annotations

from dataclasses import dataclass, replace

from jackpot.adjusting.models import Adjustment
from jackpot.books.actions.post import Books, EntryReference
from jackpot.books.actions.writing import Posting
from jackpot.books.rules.entry_kind import EntryKind
from jackpot.books.rules.movement import Movement
from jackpot.money import Money
from jackpot.refusals import NotAllowedNow
from jackpot.signing.actions.approver import SecondPerson
from jackpot.wins.models import Signature, SlipCounter, Win, shown_name
from jackpot.wins.rules.award_record import AwardRecord, DrawnRecord, MeterRecord
from jackpot.wins.rules.win_life import WinState

STANDING = (WinState.OWED, WinState.PAID)


@dataclass(frozen=True, slots=True)
class MadeUpPage:
    """What a page is made of: the act of two people, whose it is, how much, and how that was counted."""

    row: Adjustment
    of: Win
    owed: Money
    record: AwardRecord


def post_page(books: Books, made: MadeUpPage, movement: Movement, approver: SecondPerson, request: bytes) -> Posting:
    """The one entry of the decision, and the page with its slip in the same act."""
    row, of = made.row, made.of
    # The page before its entry, which names it; the entry's number and what it drew are written into the page after it.
    before, page = books.heads[row.its_jackpot_id].balances, _page(books, made)
    reference = EntryReference(f"{row.kind}/{row.pk}", request, of.table_code, of.round_number, page.pk)
    posting = books.post(row.its_jackpot_id, EntryKind.DIFFERENCE, movement, reference)
    page.award_seq = posting.seq
    drawn = DrawnRecord(from_reserve=Money(max(-movement.reserve, 0)), from_house=Money(max(-movement.house, 0)))
    page.paper = replace(made.record, drawn=drawn, meter=MeterRecord.between(before, posting.after)).plain()
    page.save(update_fields=["award_seq", "paper"])
    _sign(page, row, approver)
    return posting


def check_stands(win: Win) -> None:
    if not Win.objects.filter(pk=win.pk, state__in=STANDING).exists():
        raise NotAllowedNow(f"Slip {win.slip} was backed out itself; no difference is left to decide.", "not_standing")


def check_not_won_since(row: Adjustment, what: str) -> None:
    """What came into the meter went to whoever took all of it since."""
    assert row.cause is not None, "what pays from the meter names what filled it"
    seq = row.cause.entries.get(jackpot_id=row.its_jackpot_id).seq
    since = Win.objects.filter(jackpot_id=row.its_jackpot_id, award_seq__gt=seq, state__in=STANDING)
    for win in since.filter(difference_of=None).order_by("award_seq"):
        # Only a reset posts a seed, so whoever's award did took all that lay in the meter.
        if win.record.drawn.seed:
            why = f"Slip {win.slip} took the whole meter since, with what {what}."
            raise NotAllowedNow(f"{why} Pay this difference from the house.", "won_since")


def _page(books: Books, made: MadeUpPage) -> Win:
    """A payable slip of the same house, with the next number; bound to the seat's coin-in as the first one was."""
    row, of = made.row, made.of
    head, premises = books.heads[row.its_jackpot_id], row.its_jackpot.premises
    # The last lock, as in every act: jackpots, then rounds, then the slip counter.
    counter = SlipCounter.objects.select_for_update().get_or_create(premises=premises)[0]
    page = Win.objects.create(
        jackpot_id=row.its_jackpot_id, version=of.version, table_code=of.table_code, round_number=of.round_number,
        seat=of.seat, line=of.line, line_name=shown_name(f"Difference: {of.line_name}"), part=False, difference_of=of,
        adjustment=row, state=WinState.OWED, mark_seq=of.mark_seq, frozen_seq=of.frozen_seq, marked_at=of.marked_at,
        marked_by=of.marked_by, marker_id=of.marker_id, asked_at=of.asked_at, asked_by=of.asked_by,
        asker_id=of.asker_id, cards_checked=of.cards_checked, number=counter.next_win,
        slip=counter.next_slip, premises=premises, place=1, amount=made.owed.decimal(),
        logged_at=head.now, moved_at=head.now, gaming_day=head.gaming_day, paper=made.record.plain(),
    )  # fmt: skip
    counter.next_win, counter.next_slip = counter.next_win + 1, counter.next_slip + 1
    counter.save()
    return page


def _sign(page: Win, row: Adjustment, approver: SecondPerson) -> None:
    assert page.logged_at is not None, "a page is made with its time"
    for operator, card in ((row.asked_by, None), (approver.operator, approver.card)):
        Signature.objects.create(
            win=page, operator=operator, card=card, level=0, part=Signature.Part.DIFFERENCE, at=page.logged_at,
            why=row.reason,
        )  # fmt: skip
