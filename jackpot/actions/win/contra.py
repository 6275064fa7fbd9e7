"""Undoing a logged win by adding: the exact contra of its entry, and what it means for awards that came later."""

from __future__ import annotations

from dataclasses import dataclass

from jackpot.actions.pool import request_of
from jackpot.actions.post import About, Books, Posting
from jackpot.actions.refusals import NotAllowedNow
from jackpot.actions.waiting import step_back, terms_after_back_out
from jackpot.actions.win.advance import advance_of, repaid_until, still_owed
from jackpot.actions.win.life import Place, place_of, wins_of
from jackpot.models import Entry, Win
from jackpot.money import Money
from jackpot.rules import movement as money_of
from jackpot.rules.movement import NOTHING, Movement
from jackpot.rules.next_row import at_least
from jackpot.rules.paytable import PartOfMeter
from jackpot.rules.proof_kinds import undone
from jackpot.rules.win_life import OPEN, SPOKEN, Act, WinState, after


@dataclass(frozen=True, slots=True)
class Difference:
    """A later winner whose award counted from what is backed out, and what is then owed (+) or was too much (−)."""

    win: Win
    was: Money
    would_be: Money

    @property
    def owed(self) -> Money:
        return self.would_be - self.was

    def plain(self) -> dict[str, str | int | None]:
        return {
            "win": self.win.number, "slip": self.win.slip, "name": self.win.line_name, "table": self.win.table_code,
            "round": self.win.round_number, "seat": self.win.seat, "was": str(self.was),
            "would_be": str(self.would_be), "owed": str(self.owed),
        }  # fmt: skip


def differences(win: Win) -> list[Difference]:
    """What each later award of the same jackpot would have been without this one."""
    if win.award_seq is None or win.state == WinState.BACKED_OUT:
        return []
    missing = -Entry.objects.get(jackpot_id=win.jackpot_id, seq=win.award_seq).movement.meter
    advanced = advance_of(win)
    missing -= advanced.meter
    found: list[Difference] = []
    later = Win.objects.filter(
        jackpot_id=win.jackpot_id, award_seq__gt=win.award_seq, part=True, state__in=[WinState.OWED, WinState.PAID]
    )
    shared: Place | None = None
    held_back = 0
    for other in later.order_by("award_seq").select_related("version"):
        if other.frozen_seq < win.award_seq and not win.ranked:
            continue  # it never counted from this one
        sharers = _sharers(other)
        if held_back and (sharers == 1 or place_of(other) != shared):
            missing, held_back = missing - held_back, 0
        repaid = repaid_until(win, other.frozen_seq) if advanced.meter else 0
        would_be, was = _would_be(other, missing + repaid, sharers), other.amount_money
        assert was is not None, "a win that is owed has its amount"
        if would_be != was:
            found.append(Difference(other, was, would_be))
            shared, held_back = place_of(other), held_back + (would_be - was).units
    return found


def check_backable(win: Win) -> None:
    """Only a logged win is backed out, and only when no hit is open whose amount counts from it."""
    if after(WinState(win.state), Act.BACK_OUT) is None:
        spoken = SPOKEN[WinState(win.state)]
        raise NotAllowedNow(
            f"{win.line_name} at {win.table_code} is {spoken}; only a logged win is backed out.", "not_logged"
        )
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
    original = original.with_also(still_owed(books, win))
    terms, balances = terms_after_back_out(books, win.jackpot_id, win.award_seq), books.heads[win.jackpot_id].balances
    return money_of.contra(undone(original, win.paid_at is not None), balances, terms)


def post_back_out(books: Books, win: Win, moved: Movement, reason: str) -> Posting:
    """The one entry that corrects the award; from here on the win's page is void."""
    request = request_of({"act": "back_out", "win": win.pk, "reason": reason})
    about = About(f"back_out/{win.pk}", request, win.table_code, win.round_number, win.pk, win.award_seq)
    if win.award_seq is not None:
        step_back(books, win.jackpot_id, win.award_seq)
    books.heads[win.jackpot_id].advance += still_owed(books, win).house
    posting = books.post(win.jackpot_id, "back_out", moved, about)
    win.state = WinState.BACKED_OUT
    win.save(update_fields=["state"])
    return posting


def _sharers(other: Win) -> int:
    """Equal shares count from one basis; every other award from what the one before it left."""
    if other.version.value.policy.order != "equal_shares" or not _part_of(other).is_all:
        return 1
    rows = wins_of(place_of(other)).filter(jackpot_id=other.jackpot_id, line=other.line, envy_of=None)
    return rows.filter(logged_at=other.logged_at).count()


def _would_be(other: Win, missing: int, sharers: int) -> Money:
    terms = other.version.value
    basis = (Money.of(other.paper["basis"]) + Money(missing)).shown(terms.digits)
    line = terms.pay_table.line(other.line)
    whole = basis.share(_part_of(other).part, terms.rounding, terms.digits)
    own = whole if sharers == 1 else Money(whole.units // sharers).shown(terms.digits)
    return at_least(line, own, basis, terms)


def _part_of(win: Win) -> PartOfMeter:
    award = win.version.value.pay_table.line(win.line).award
    assert isinstance(award, PartOfMeter), "only parts of the meter count from it"
    return award
