"""What a request would post if it were approved now: computed for the preview, and again under the lock."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, assert_never

from jackpot.books.actions.post import Books
from jackpot.books.rules import movement as money_of
from jackpot.books.rules.entry_kind import EntryKind
from jackpot.books.rules.movement import ACCOUNTS, NOTHING, Balances, Movement
from jackpot.money import ZERO, Money
from jackpot.refusals import NotAllowed, NotAllowedNow, NotUnderstood
from jackpot.requests.actions import difference
from jackpot.requests.actions.contra import Difference, check_backable, differences, movement_of
from jackpot.requests.models import Adjustment
from jackpot.requests.rules import adjusting as rules
from jackpot.requests.rules.adjusting import Adjusting
from jackpot.wins.models import Win
from jackpot.wins.rules.win_life import OPEN


@dataclass(frozen=True, slots=True)
class Step:
    """One entry that the act posts."""

    jackpot_id: int
    kind: EntryKind
    movement: Movement


@dataclass(frozen=True, slots=True)
class Preview:
    """Balances and state of each jackpot before and after, and what later winners would then be owed."""

    jackpots: Mapping[str, Mapping[str, Any]]
    differences: Sequence[Difference] = ()


def jackpots_of(row: Adjustment) -> list[int]:
    return sorted({row.jackpot_id, *([row.other_id] if row.other_id else [])})


def plan(books: Books, row: Adjustment) -> list[Step]:
    """The entries of this act as of now; a refusal names the thing and the cure."""
    head, kind = books.heads[row.jackpot_id], Adjusting(row.kind)
    if rules.state_after(head.state, kind) is None:
        cure = "Nothing can be done twice." if kind != Adjusting.RESUME else "Only a suspended jackpot is resumed."
        raise NotAllowedNow(f"{head.code} is {head.state}; {rules.NAMES[kind].lower()} is refused. {cure}", "state")
    if rules.waits_for_hits(kind, row.account, row.pays):
        _check_hits(row)
    match kind:
        case Adjusting.ADJUST:
            return [_adjusted(books, row)]
        case Adjusting.TRANSFER:
            return _transferred(books, row, row.amount_money)
        case Adjusting.SUSPEND | Adjusting.RESUME:
            return [Step(row.jackpot_id, EntryKind(kind.value), NOTHING)]
        case Adjusting.RETIRE:
            return _retired(books, row)
        case Adjusting.BACK_OUT:
            return [_backed_out(books, row)]
        case Adjusting.DIFFERENCE:
            return [Step(row.jackpot_id, EntryKind.DIFFERENCE, difference.moved(books, row))]
        case _:
            assert_never(kind)


def previewed(books: Books, row: Adjustment, steps: Sequence[Step]) -> Preview:
    """Before and after, jackpot by jackpot."""
    after = {jackpot_id: books.heads[jackpot_id].balances for jackpot_id in jackpots_of(row)}
    for step in steps:
        after[step.jackpot_id] = after[step.jackpot_id].after(step.movement)
    told = {
        books.heads[jackpot_id].code: {
            "before": _told(books.heads[jackpot_id].balances, books.heads[jackpot_id].state),
            "after": _told(after[jackpot_id], _state(books, row, jackpot_id)),
        }
        for jackpot_id in [row.jackpot_id, *([row.other_id] if row.other_id else [])]
    }
    backed_out = row.win if row.kind == Adjusting.BACK_OUT else None
    return Preview(told, () if backed_out is None else differences(backed_out))


def _told(balances: Balances, state: str) -> dict[str, str]:
    amounts = zip(ACCOUNTS, balances.columns(), strict=True)
    return {"state": state, **{account: str(Money(units)) for account, units in amounts}}


def _state(books: Books, row: Adjustment, jackpot_id: int) -> str:
    state = books.heads[jackpot_id].state
    moves = jackpot_id == row.jackpot_id
    return (rules.state_after(state, Adjusting(row.kind)) or state) if moves else state


def _check_hits(row: Adjustment) -> None:
    """While a hit is open its amount is frozen: nothing may change under it."""
    rows = Win.objects.filter(jackpot_id__in=jackpots_of(row), state__in=OPEN)
    if row.win is not None and row.kind == Adjusting.BACK_OUT:
        check_backable(row.win)
        rows = rows.exclude(id=row.win.pk)
    first = rows.select_related("jackpot").order_by("jackpot_id", "mark_seq").first()
    if first is None:
        return
    where = f"{first.line_name} at {first.table_code}, round {first.round_number}, seat {first.seat}"
    what = f"Settle win {first.number} first" if first.number else "Settle this hit first"
    raise NotAllowedNow(f"{what}: {where} is still open on {first.jackpot.code}.", "hits_open")


def _adjusted(books: Books, row: Adjustment) -> Step:
    head, terms, amount = books.heads[row.jackpot_id], books.terms(row.jackpot_id), row.amount_money
    if not amount:
        raise NotUnderstood("Write the amount: 15.00 raises, -15.00 lowers.", "amount")
    if row.reason == "seed_recovery":
        _check_recovery(row, amount, rules.recoverable(head.balances, terms))
    if row.account not in rules.ACCOUNTS:
        raise NotUnderstood("An amount is typed for the meter or for the reserve.", "account")
    moved = money_of.adjust(amount.units, row.account, head.balances, terms)
    if money_of.lacking(head.balances.after(moved)) is not None:
        there = Money(getattr(head.balances, row.account))
        raise NotAllowedNow(
            f"The {row.account} of {head.code} holds {there}; {-amount} cannot be taken from it.", "below_zero"
        )
    return Step(row.jackpot_id, EntryKind.ADJUST, moved)


def _check_recovery(row: Adjustment, amount: Money, most: int) -> None:
    if not row.jackpot.premises.seed_recovery:
        raise NotAllowed("This house does not take its seed back: the switch “seed recovery” is off.", "switched_off")
    if amount > ZERO or row.account != "meter":
        raise NotUnderstood("A seed is taken back from the meter: write the amount with a minus.", "amount")
    if -amount > Money(most):
        raise NotAllowedNow(f"At most {Money(most)} of its seed can be taken back from {row.jackpot.code}.", "too_much")


def _transferred(books: Books, row: Adjustment, amount: Money | None) -> list[Step]:
    if row.other_id is None or row.other is None:
        raise NotUnderstood("Name the jackpot that takes the money.", "other")
    _check_pair(books, row, row.other_id)
    before, taker = books.heads[row.jackpot_id].balances, books.heads[row.other_id].balances
    if amount is not None and not ZERO < amount <= Money(before.meter):
        code, meter = row.jackpot.code, Money(before.meter)
        raise NotAllowedNow(f"{amount} cannot be transferred: the meter of {code} holds {meter}.", "amount")
    sent = rules.sent(None if amount is None else amount.units, before)
    if sent == NOTHING:
        raise NotAllowedNow(f"{row.jackpot.code} is empty; there is nothing to transfer.", "empty")
    taken = money_of.transfer_in(sent, taker, books.terms(row.other_id))
    return [Step(row.jackpot_id, EntryKind.TRANSFER_OUT, sent), Step(row.other_id, EntryKind.TRANSFER_IN, taken)]


def _check_pair(books: Books, row: Adjustment, other_id: int) -> None:
    one, other = row.jackpot.code, books.heads[other_id].code
    if other_id == row.jackpot_id:
        raise NotUnderstood(f"{one} cannot take its own money. Name another jackpot.", "other")
    if row.other is None or row.other.premises_id != row.jackpot.premises_id:
        raise NotAllowed(f"{other} belongs to another house.", "other_house")
    if books.heads[other_id].state == "retired":
        raise NotAllowedNow(f"{other} is retired and takes no money. Name a jackpot that plays.", "state")
    differ = rules.same_odds(books.terms(row.jackpot_id), books.terms(other_id))
    if differ is not None:
        raise NotAllowedNow(
            f"Money goes only to a jackpot of the same game, wager and odds: of {one} and {other} {differ}.", "odds"
        )


def _retired(books: Books, row: Adjustment) -> list[Step]:
    head, reading = books.heads[row.jackpot_id], row.reading_money
    if reading is None:
        raise NotUnderstood("Write the closing reading: the figure that the sign shows.", "reading")
    shown = Money(head.balances.meter).shown(books.terms(row.jackpot_id).digits)
    if reading != shown:
        raise NotAllowedNow(
            f"The closing reading is {reading}, the books of {head.code} show {shown}. Suspend it, then read again.",
            "reading",
        )
    moves = _transferred(books, row, None) if row.other_id else []
    return [*moves, Step(row.jackpot_id, EntryKind.RETIRE, NOTHING)]


def _backed_out(books: Books, row: Adjustment) -> Step:
    if row.win is None:
        raise NotUnderstood("Name the win that is to be backed out.", "win")
    check_backable(row.win)
    return Step(row.jackpot_id, EntryKind.BACK_OUT, movement_of(books, row.win))
