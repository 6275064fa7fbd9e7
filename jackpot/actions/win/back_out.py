"""A logged win is undone only by adding: the exact contra of its entry, with reason, evidence and two people."""

from __future__ import annotations

from dataclasses import dataclass

from django.db import transaction

from jackpot.actions.pool import request_of
from jackpot.actions.post import About, Books, open_books
from jackpot.actions.refusals import NotAllowed, NotAllowedNow, NotFound, NotUnderstood
from jackpot.actions.trail import record
from jackpot.actions.waiting import step_back
from jackpot.actions.win.life import Place, place_of, wins_of
from jackpot.models import Entry, Operator, Signature, Win
from jackpot.money import Money
from jackpot.rules.movement import NOTHING, Movement
from jackpot.rules.paytable import PartOfMeter
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


@transaction.atomic
def back_out(
    *,
    win_id: int,
    reason: str,
    evidence: str,
    requested_by: Operator,
    approved_by: Operator,
    differences_seen: bool = False,
) -> Win:
    """Meter, reserve, seed and overflow return as if the win had not been; later coin-ins stay; its page is void."""
    _check_people(reason, evidence, requested_by, approved_by)
    found = Win.objects.filter(id=win_id).first()
    if found is None:
        raise NotFound("There is no such win.", "no_win")
    with open_books([found.jackpot_id]) as books:
        win = Win.objects.select_for_update(no_key=True).get(id=win_id)
        _check_state(win)
        later = differences(win)
        if later and not differences_seen:
            names = "; ".join(f"{each.owed} to {each.win.line_name} at {each.win.table_code}" for each in later)
            raise NotAllowedNow(
                f"Later awards counted from this one: {names}. Two people must have seen it.", "differences"
            )
        _post(books, win, reason)
        for operator in (requested_by, approved_by):
            now = books.heads[win.jackpot_id].now
            Signature.objects.create(
                win=win, operator=operator, level=0, part=Signature.Part.BACK_OUT, at=now, why=reason[:200]
            )
    details = {"evidence": evidence, "approved_by": str(approved_by), "amount": str(win.amount_money)}
    record(actor=str(requested_by), act="back_out", subject=f"win {win.number}", why=reason, details=details)
    return win


def differences(win: Win) -> list[Difference]:
    """What each later award of the same jackpot would have been without this one."""
    if win.award_seq is None or win.state == WinState.BACKED_OUT:
        return []
    missing = -Entry.objects.get(jackpot_id=win.jackpot_id, seq=win.award_seq).movement.meter
    found = []
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
        would_be = _would_be(other, missing, sharers)
        was = other.amount_money
        assert was is not None
        if would_be != was:
            found.append(Difference(other, was, would_be))
            shared, held_back = place_of(other), held_back + (would_be - was).units
    return found


def _sharers(other: Win) -> int:
    """Equal shares count from one basis; every other award from what the one before it left."""
    if other.version.value.policy.order != "equal_shares" or not _part_of(other).is_all:
        return 1
    return wins_of(place_of(other)).filter(
        jackpot_id=other.jackpot_id, line=other.line, logged_at=other.logged_at, envy_of=None
    ).count()  # fmt: skip


def _would_be(other: Win, missing: int, sharers: int) -> Money:
    terms = other.version.value
    basis = (Money.of(other.paper["basis"]) + Money(missing)).shown(terms.digits)
    whole = basis.share(_part_of(other).part, terms.rounding, terms.digits)
    return whole if sharers == 1 else Money(whole.units // sharers).shown(terms.digits)


def _part_of(win: Win) -> PartOfMeter:
    award = win.version.value.pay_table.line(win.line).award
    assert isinstance(award, PartOfMeter)
    return award


def _check_people(reason: str, evidence: str, requested_by: Operator, approved_by: Operator) -> None:
    if not reason.strip() or not evidence.strip():
        raise NotUnderstood("A back-out needs its reason and its evidence, such as the camera time.", "reason")
    if requested_by == approved_by:
        raise NotAllowed(f"A back-out needs two people; {requested_by} cannot sign twice.", "same_person")


def _check_state(win: Win) -> None:
    if after(WinState(win.state), Act.BACK_OUT) is None:
        spoken = SPOKEN[WinState(win.state)]
        raise NotAllowedNow(
            f"{win.line_name} at {win.table_code} is {spoken}; only a logged win is backed out.", "not_logged"
        )
    others = Win.objects.filter(jackpot_id=win.jackpot_id, state__in=OPEN).exclude(id=win.id)
    first = others.order_by("mark_seq").first()
    if first is not None and first.logged_at == win.logged_at:
        why = f"{first.line_name} at seat {first.seat} was approved together with it, and RUN posts what was fixed."
        raise NotAllowedNow(f"{why} Turn the key to RUN first.", "together")
    if first is not None:
        raise NotAllowedNow(
            f"{first.line_name} at {first.table_code} is still open on this jackpot. Settle it first.", "hits_open"
        )


def _post(books: Books, win: Win, reason: str) -> None:
    request = request_of({"act": "back_out", "win": win.id, "reason": reason})
    about = About(f"back_out/{win.id}", request, win.table_code, win.round_number, win.id, win.award_seq)
    if win.award_seq is None:
        books.post(win.jackpot_id, "back_out", NOTHING, about)
    else:
        original = Entry.objects.get(jackpot_id=win.jackpot_id, seq=win.award_seq).movement
        step_back(books, win.jackpot_id, win.award_seq)
        books.contra(win.jackpot_id, "back_out", _paid_in_error(original) if win.paid_at else original, about)
    win.state = WinState.BACKED_OUT
    win.save(update_fields=["state"])


def _paid_in_error(original: Movement) -> Movement:
    """Paid already: the winner owes nothing to `winners` any more, so the sum stands with the house."""
    return original.with_also(Movement(winners=-original.winners, house=original.winners))
