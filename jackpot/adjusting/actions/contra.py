"""Undoing a logged win by adding: the exact contra of its entry, and what it means for awards that came later."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.db.models import Q

from jackpot.adjusting.models import Adjustment, backed_out_because
from jackpot.adjusting.rules.adjusting import Adjusting
from jackpot.books.actions.post import Books, EntryReference
from jackpot.books.actions.waiting import step_back, terms_after_back_out
from jackpot.books.actions.writing import Posting
from jackpot.books.models.entry import Entry
from jackpot.books.rules import movement as money_of
from jackpot.books.rules.entry_kind import EntryKind
from jackpot.books.rules.kinds import undone
from jackpot.books.rules.movement import NOTHING, Movement
from jackpot.money import Money
from jackpot.refusals import NotAllowedNow
from jackpot.requests.rules.life import RequestState
from jackpot.terms.rules.paytable import ForOne, PartOfMeter
from jackpot.wins.models import Win
from jackpot.wins.queries.advance import still_owed
from jackpot.wins.queries.back_out_effect import AwardWithout, BooksWithout
from jackpot.wins.rules.win_life import OPEN, SPOKEN, Act, WinState, after


@dataclass(frozen=True, slots=True)
class AwardDifference:
    """A later winner whose award counted from what is backed out, and what is then owed (+) or was too much (−)."""

    win: Win
    was: Money
    would_be: Money
    basis_was: Money
    basis: Money
    sharers: int

    @property
    def owed(self) -> Money:
        return self.would_be - self.was

    def plain(self) -> dict[str, str | int | None]:
        """With everything that is needed to do it again by hand."""
        award = _award_of(self.win)
        return {
            "id": self.win.pk, "win": self.win.number, "slip": self.win.slip, "name": self.win.line_name,
            "table": self.win.table_code, "round": self.win.round_number, "seat": self.win.seat,
            "basis_was": str(self.basis_was), "basis": str(self.basis), "part": str(award),
            "for_one": isinstance(award, ForOne), "sharers": self.sharers,
            "was": str(self.was), "would_be": str(self.would_be), "owed": str(self.owed),
        }  # fmt: skip


def differences(win: Win) -> list[AwardDifference]:
    """What each later award of the same jackpot would have been without this one, and without what is backed out."""
    if win.award_seq is None or win.state == WinState.BACKED_OUT:
        return []
    of_the_meter = Q(part=True) | Q(paper__next_row__code__isnull=False)  # a fixed row may be lifted by a part
    later = Win.objects.filter(
        of_the_meter, jackpot_id=win.jackpot_id, award_seq__gt=win.award_seq, state__in=[WinState.OWED, WinState.PAID]
    )
    standing = list(later.order_by("award_seq").select_related("version"))
    # The usual case: nothing came later, so nobody need go through the books again.
    if not standing:
        return []
    corrected = Entry.objects.filter(jackpot_id=win.jackpot_id, kind=EntryKind.BACK_OUT, seq__gt=win.award_seq)
    gone = {seq for seq in corrected.values_list("corrects", flat=True) if seq is not None}
    # From the earliest of them: an older award that is gone changed what all later ones counted from.
    books = BooksWithout(win.jackpot_id, min(gone | {win.award_seq}))
    gone |= {seq for seq, each in books.wins.items() if seq is not None and each.state == WinState.BACKED_OUT}
    # Both sides without what is backed out already: what then differs is this win's alone.
    before, after_it = books.amounts(gone), books.amounts(gone | {win.award_seq})
    kept = _kept_before(win.jackpot_id)
    return [
        _difference(other, after_it[seq], kept.get(other.pk))
        for seq, other in ((other.award_seq or 0, other) for other in standing)
        if after_it[seq].amount != before[seq].amount
    ]


def _difference(other: Win, would: AwardWithout, kept: Mapping[str, Any] | None) -> AwardDifference:
    """Against what the winner was last told to have: by the own page, or by an earlier back-out."""
    assert other.amount_money is not None, "a win that is owed has its amount"
    assert would.basis is not None, "only parts of the meter count from it"
    was = other.amount_money if kept is None else Money.of(kept["would_be"])
    basis_was = basis_of(other) if kept is None else Money.of(kept["basis"])
    return AwardDifference(other, was, would.amount, basis_was, would.basis, would.sharers)


def basis_of(win: Win) -> Money:
    """The meter that its award counted from, also where a part lifted a fixed row."""
    record = win.record
    basis = record.next_row.basis if record.basis is None and record.next_row is not None else record.basis
    assert basis is not None, "only parts of the meter count from it"
    return basis


def _kept_before(jackpot_id: int) -> dict[int, Mapping[str, Any]]:
    """What earlier back-outs have told of a winner, the last word counts."""
    rows = Adjustment.objects.filter(jackpot_id=jackpot_id, kind=Adjusting.BACK_OUT, state=RequestState.IN_FORCE)
    kept = (each for row in rows.order_by("decided_at", "id") for each in row.posted.get("differences", ()))
    return {each["id"]: each for each in kept if "id" in each}


def check_logged(win: Win) -> None:
    """Only a logged win is backed out."""
    if after(WinState(win.state), Act.BACK_OUT) is None:
        spoken = SPOKEN[WinState(win.state)]
        raise NotAllowedNow(
            f"{win.line_name} at {win.table_code} is {spoken}; only a logged win is backed out.", "not_logged"
        )
    # A page that pays its difference rests on this win; the other way round it would pay for an award that is gone.
    made_up = win.made_up.exclude(state=WinState.BACKED_OUT).first()
    if made_up is not None:
        raise NotAllowedNow(f"Slip {made_up.slip} pays a difference of it. Back that out first.", "made_up")
    later = [] if win.difference_of is None else _found_after(win, win.difference_of)
    if later:
        raise NotAllowedNow(f"Slip {later[0].slip} counts from what this one pays. Back that out first.", "made_up")


def _found_after(page: Win, of: Win) -> list[Win]:
    """Underpayments of the same winner that were found later count from what was made up before."""
    pages = of.made_up.exclude(state=WinState.BACKED_OUT).filter(award_seq__gt=page.award_seq or 0)
    return [each for each in pages.order_by("award_seq") if each.record.difference and each.record.difference.found]


def check_nothing_open(win: Win) -> None:
    """While a hit is open its amount counts from this win: the decision waits until it is settled."""
    others = Win.objects.filter(jackpot_id=win.jackpot_id, state__in=OPEN).exclude(id=win.pk)
    first = others.order_by("mark_seq").first()
    if first is not None and first.logged_at == win.logged_at:
        why = f"{first.line_name} at seat {first.seat} was approved together with it, and RUN posts what was fixed."
        raise NotAllowedNow(f"{why} Turn the key to RUN first.", "together")
    if first is not None:
        raise NotAllowedNow(
            f"{first.line_name} at {first.table_code} is still open on this jackpot. Settle it first.", "hits_open"
        )


def movement_of(books: Books, win: Win) -> Movement:
    """What the back-out moves; nothing, where the key stands at JPH and the meter has not moved yet."""
    if win.award_seq is None:
        return NOTHING
    original = Entry.objects.get(jackpot_id=win.jackpot_id, seq=win.award_seq).movement
    # With what the house lent a meter that this award left dry, as far as it was not repaid.
    original = original.with_also(still_owed(win, books.heads[win.jackpot_id].advance))
    # By the terms that will stand then: a limit that falls with the reset must not cut what returns.
    terms, balances = terms_after_back_out(books, win.jackpot_id, win.award_seq), books.heads[win.jackpot_id].balances
    # What was paid already is the house's, as paid in error: the meter is never asked for it.
    return money_of.contra(undone(original, win.paid_at is not None), balances, terms)


def post_back_out(books: Books, win: Win, moved: Movement, reason: str) -> Posting:
    """The one entry that corrects the award; from here on the win's page is void."""
    request = backed_out_because(win.pk, reason)
    about = EntryReference(f"back_out/{win.pk}", request, win.table_code, win.round_number, win.pk, win.award_seq)
    # Before the entry is made: it already names the terms that are in force again.
    if win.award_seq is not None:
        step_back(books, win.jackpot_id, win.award_seq)
    # The house's side of an advance is negative, so this is less: what is turned round is owed no more.
    books.heads[win.jackpot_id].advance += still_owed(win, books.heads[win.jackpot_id].advance).house
    posting = books.post(win.jackpot_id, EntryKind.BACK_OUT, moved, about)
    win.state = WinState.BACKED_OUT
    win.save(update_fields=["state"])
    return posting


def _award_of(win: Win) -> PartOfMeter | ForOne:
    return win.version.value.pay_table.line(win.line).award
