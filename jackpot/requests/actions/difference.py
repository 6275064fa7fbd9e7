"""The difference of a later winner after a back-out: two people pay it by a page of its own, or note why not."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from jackpot.books.actions.post import Books, EntryReference, Posting
from jackpot.books.rules import movement as money_of
from jackpot.books.rules.entry_kind import EntryKind
from jackpot.books.rules.movement import NOTHING, Movement
from jackpot.money import ZERO, Money
from jackpot.refusals import NotAllowedNow, NotFound, NotUnderstood
from jackpot.requests.actions.word import Word
from jackpot.requests.models import Adjustment
from jackpot.requests.rules.adjusting import SOURCES, Adjusting, Decision
from jackpot.wins.models import Signature, SlipCounter, Win
from jackpot.wins.rules.award_record import AwardRecord, DifferenceRecord, DrawnRecord, MeterRecord
from jackpot.wins.rules.win_life import WinState

Told = Mapping[str, Any]


def told_of(cause: Adjustment | None, win: Win | None) -> Told:
    """What the back-out kept of this winner: basis then and now, part, what was paid and what would have been."""
    if cause is None or win is None:
        raise NotUnderstood("Name the back-out and the winner whose award counted from it.", "win")
    if (cause.kind, cause.state) != (Adjusting.BACK_OUT, Decision.APPROVED):
        raise NotAllowedNow(f"{cause} backed nothing out. Choose the back-out that was approved.", "no_difference")
    kept: list[Told] = cause.posted.get("differences", [])
    found = next((each for each in kept if each["win"] == win.number and win.jackpot_id == cause.jackpot_id), None)
    if found is None:
        raise NotFound(f"{cause} changed nothing for slip {win.slip}. Choose one of the winners it names.", "no_win")
    return found


def moved(books: Books, row: Adjustment) -> Movement:
    """What the decision moves now: the difference to the winners' account, or nothing where it is only noted."""
    owed = Money.of(told_of(row.cause, row.win)["owed"])
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
    return money_of.difference(owed, row.account, books.heads[row.jackpot_id].balances, books.terms(row.jackpot_id))


def post_difference(books: Books, row: Adjustment, movement: Movement, word: Word, request: bytes) -> Posting:
    """The one entry of the decision; where it pays, the page with its slip is made in the same act."""
    of, key = _win(row), f"difference/{row.pk}"
    about = (of.table_code, of.round_number)
    if not row.pays:
        return books.post(row.jackpot_id, EntryKind.DIFFERENCE, movement, EntryReference(key, request, *about, of.pk))
    before, page = books.heads[row.jackpot_id].balances, _page(books, row, of)
    posting = books.post(row.jackpot_id, EntryKind.DIFFERENCE, movement, EntryReference(key, request, *about, page.pk))
    page.award_seq = posting.seq
    drawn = DrawnRecord(from_reserve=Money(max(-movement.reserve, 0)), from_house=Money(max(-movement.house, 0)))
    page.paper = replace(page.record, drawn=drawn, meter=MeterRecord.between(before, posting.after)).plain()
    page.save(update_fields=["award_seq", "paper"])
    _sign(page, row, word)
    return posting


def undecided(cause: Adjustment) -> list[Told]:
    """The winners of a back-out of whom nobody has asked for a decision yet."""
    kept: list[Told] = cause.posted.get("differences", [])
    if not kept:
        return []
    rows = cause.decisions.exclude(state=Decision.REFUSED).exclude(pages__state=WinState.BACKED_OUT)
    decided = set(rows.values_list("win__number", flat=True))
    return [each for each in kept if each["win"] not in decided]


def _page(books: Books, row: Adjustment, of: Win) -> Win:
    """A payable slip of the same house, with the next number; bound to the seat's coin-in as the first one was."""
    head, told = books.heads[row.jackpot_id], told_of(row.cause, of)
    premises = row.jackpot.premises
    counter = SlipCounter.objects.select_for_update().get_or_create(premises=premises)[0]
    page = Win.objects.create(
        jackpot_id=row.jackpot_id, version=of.version, table_code=of.table_code, round_number=of.round_number,
        seat=of.seat, line=of.line, line_name=f"Difference: {of.line_name}"[:80], part=False, difference_of=of,
        adjustment=row, state=WinState.OWED, mark_seq=of.mark_seq, frozen_seq=of.frozen_seq, marked_at=of.marked_at,
        marked_by=of.marked_by, marker_id=of.marker_id, asked_at=of.asked_at, asked_by=of.asked_by,
        asker_id=of.asker_id, cards_checked=of.cards_checked, number=counter.next_win,
        slip=counter.next_slip, premises=premises, place=1, amount=Money.of(told["owed"]).decimal(),
        logged_at=head.now, moved_at=head.now, gaming_day=head.gaming_day, paper=_record(row, of, told).plain(),
    )  # fmt: skip
    counter.next_win, counter.next_slip = counter.next_win + 1, counter.next_slip + 1
    counter.save()
    return page


def _record(row: Adjustment, of: Win, told: Told) -> AwardRecord:
    """What the page prints of the computation, so that it can be done again by hand."""
    assert row.cause is not None, "a difference has its back-out"
    assert of.slip is not None, "a winner has a slip"
    assert of.number is not None, "and a number"
    gone, known = row.cause.win, of.record
    amounts = {word: Money.of(told[word]) for word in ("basis_was", "basis", "was", "would_be", "owed")}
    difference = DifferenceRecord(
        **amounts, sharers=told["sharers"], slip=of.slip, win=of.number, back_out=row.cause.pk,
        backed_out_slip=None if gone is None else gone.slip, request=row.pk,
    )  # fmt: skip
    return AwardRecord(
        known.pays, row.account, known.wager, None, known.order, known.freeze, envy=False, drawn=DrawnRecord(),
        cards=known.cards, override=known.override, difference=difference,
    )  # fmt: skip


def _sign(page: Win, row: Adjustment, word: Word) -> None:
    assert page.logged_at is not None, "a page is made with its time"
    for operator, card in ((row.requested_by, None), (word.operator, word.card)):
        Signature.objects.create(
            win=page, operator=operator, card=card, level=0, part=Signature.Part.DIFFERENCE, at=page.logged_at,
            why=row.why,
        )  # fmt: skip


def _win(row: Adjustment) -> Win:
    assert row.win is not None, "a difference has its winner"
    return row.win


def _check_stands(row: Adjustment) -> None:
    win = _win(row)
    if not Win.objects.filter(pk=win.pk, state__in=[WinState.OWED, WinState.PAID]).exists():
        raise NotAllowedNow(f"Slip {win.slip} was backed out itself; no difference is left to decide.", "not_standing")


def _check_undecided(row: Adjustment) -> None:
    """A decision stands; only where its page was backed out may two people decide again."""
    others = Adjustment.objects.filter(cause=row.cause, win=row.win, state=Decision.APPROVED).exclude(pk=row.pk)
    last = others.exclude(pages__state=WinState.BACKED_OUT).first()
    if last is None:
        return
    page = last.pages.first()
    how = f"is paid by slip {page.slip}" if page is not None else "was noted and not paid"
    raise NotAllowedNow(f"The difference of slip {_win(row).slip} {how} ({last}). It is decided once.", "decided")


def _check_still_there(row: Adjustment) -> None:
    """What the back-out put back into the meter went to whoever took all of it since."""
    assert row.cause is not None, "a difference has its back-out"
    seq = int(row.cause.entries.partition("/")[2])
    since = Win.objects.filter(jackpot_id=row.jackpot_id, award_seq__gt=seq, state__in=[WinState.OWED, WinState.PAID])
    for win in since.filter(difference_of=None).order_by("award_seq"):
        if win.record.drawn.seed:
            why = f"Slip {win.slip} took the whole meter since, with what the back-out had put back."
            raise NotAllowedNow(f"{why} Pay this difference from the house.", "won_since")
