"""Money goes to a jackpot of the same game, wager and odds."""

from __future__ import annotations

from jackpot.adjusting.actions.frame import AdjustmentKind, LedgerStep
from jackpot.adjusting.models import Adjustment
from jackpot.adjusting.queries import seed_in_meter
from jackpot.adjusting.rules import adjusting as rules
from jackpot.adjusting.rules.adjusting import Adjusting
from jackpot.books.actions.post import Books
from jackpot.books.rules import movement as money_of
from jackpot.books.rules.entry_kind import EntryKind
from jackpot.books.rules.movement import NOTHING, Movement
from jackpot.money import ZERO, Money
from jackpot.refusals import NotAllowed, NotAllowedNow, NotUnderstood


class TransferMoney(AdjustmentKind):
    """A part of the meter, or everything a jackpot holds."""

    kind = Adjusting.TRANSFER

    def steps(self, books: Books, row: Adjustment) -> list[LedgerStep]:
        return transferred(books, row, row.amount_money)

    def key(self, books: Books, row: Adjustment, step: LedgerStep) -> str:
        return transfer_key(books, row, step)


def transferred(books: Books, row: Adjustment, amount: Money | None) -> list[LedgerStep]:
    """The two entries of a transfer; of this much, or, where no amount is named, of everything."""
    if row.other_id is None or row.other is None:
        raise NotUnderstood("Name the jackpot that takes the money.", "other")
    _check_pair(books, row, row.other_id)
    before, taker = books.heads[row.its_jackpot_id].balances, books.heads[row.other_id].balances
    if amount is not None and not ZERO < amount <= Money(before.meter):
        code, meter = row.its_jackpot.code, Money(before.meter)
        raise NotAllowedNow(f"{amount} cannot be transferred: the meter of {code} holds {meter}.", "amount")
    sent = _sent(books, row, amount)
    if sent == NOTHING:
        what = "holds no more than its seed" if row.leaves_seed else "is empty"
        raise NotAllowedNow(f"{row.its_jackpot.code} {what}; there is nothing to transfer.", "empty")
    taken = money_of.transfer_in(sent, taker, books.terms(row.other_id))
    # Out before in: the key of the second names the number that the first one got.
    return [
        LedgerStep(row.its_jackpot_id, EntryKind.TRANSFER_OUT, sent),
        LedgerStep(row.other_id, EntryKind.TRANSFER_IN, taken),
    ]


def _sent(books: Books, row: Adjustment, amount: Money | None) -> Movement:
    before = books.heads[row.its_jackpot_id].balances
    if not row.leaves_seed:
        return rules.sent(None if amount is None else amount.units, before)
    if amount is not None:
        raise NotUnderstood("Meter less seed is computed. Leave the amount empty, or transfer this amount.", "amount")
    return rules.sent_less_seed(before, seed_in_meter(row.its_jackpot_id))


def transfer_key(books: Books, row: Adjustment, step: LedgerStep) -> str:
    """Each entry of a transfer names the other one: its jackpot and its number."""
    if step.kind is EntryKind.TRANSFER_OUT:
        assert row.other is not None, "a transfer names its taker"
        # The number to come: under both locks nobody else takes it.
        return f"transfer/{row.pk}/to/{row.other.code}/{books.heads[row.other.pk].last_seq + 1}"
    if step.kind is EntryKind.TRANSFER_IN:
        return f"transfer/{row.pk}/from/{row.its_jackpot.code}/{books.heads[row.its_jackpot_id].last_seq}"
    return f"{step.kind}/{row.pk}"


def _check_pair(books: Books, row: Adjustment, other_id: int) -> None:
    one, other = row.its_jackpot.code, books.heads[other_id].code
    if other_id == row.its_jackpot_id:
        raise NotUnderstood(f"{one} cannot take its own money. Name another jackpot.", "other")
    if row.other is None or row.other.premises_id != row.its_jackpot.premises_id:
        raise NotAllowed(f"{other} belongs to another house.", "other_house")
    if books.heads[other_id].state == "retired":
        raise NotAllowedNow(f"{other} is retired and takes no money. Name a jackpot that plays.", "state")
    differ = rules.same_odds(books.terms(row.its_jackpot_id), books.terms(other_id))
    if differ is not None:
        raise NotAllowedNow(
            f"Money goes only to a jackpot of the same game, wager and odds: of {one} and {other} {differ}.", "odds"
        )
