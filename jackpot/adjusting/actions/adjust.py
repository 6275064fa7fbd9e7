"""The house puts money into a meter or a reserve, or takes it out."""

from __future__ import annotations

from jackpot.adjusting.actions.frame import AdjustmentKind, LedgerStep
from jackpot.adjusting.models import Adjustment
from jackpot.adjusting.rules import adjusting as rules
from jackpot.adjusting.rules.adjusting import Adjusting
from jackpot.books.actions.post import Books
from jackpot.books.rules import movement as money_of
from jackpot.books.rules.entry_kind import EntryKind
from jackpot.money import ZERO, Money
from jackpot.refusals import NotAllowed, NotAllowedNow, NotUnderstood


class AdjustMoney(AdjustmentKind):
    """An amount of the meter or of the reserve, with a minus to take out."""

    kind = Adjusting.ADJUST

    def steps(self, books: Books, row: Adjustment) -> list[LedgerStep]:
        head, terms, amount = books.heads[row.its_jackpot_id], books.terms(row.its_jackpot_id), row.amount_money
        if not amount:
            raise NotUnderstood("Write the amount: 15.00 raises, -15.00 lowers.", "amount")
        if row.ground == "seed_recovery":
            _check_recovery(row, amount, rules.recoverable(head.balances, terms))
        if row.account not in rules.ACCOUNTS:
            raise NotUnderstood("An amount is typed for the meter or for the reserve.", "account")
        moved = money_of.adjust(amount.units, row.account, head.balances, terms)
        # Not made good from the house, as an award's shortfall is: whoever takes money out takes what is there.
        if money_of.lacking(head.balances.after(moved)) is not None:
            there = Money(getattr(head.balances, row.account))
            raise NotAllowedNow(
                f"The {row.account} of {head.code} holds {there}; {-amount} cannot be taken from it.", "below_zero"
            )
        return [LedgerStep(row.its_jackpot_id, EntryKind.ADJUST, moved)]


def _check_recovery(row: Adjustment, amount: Money, most: int) -> None:
    if not row.its_jackpot.premises.seed_recovery:
        raise NotAllowed("This house does not take its seed back: the switch “seed recovery” is off.", "switched_off")
    if amount > ZERO or row.account != "meter":
        raise NotUnderstood("A seed is taken back from the meter: write the amount with a minus.", "amount")
    if -amount > Money(most):
        raise NotAllowedNow(
            f"At most {Money(most)} of its seed can be taken back from {row.its_jackpot.code}.", "too_much"
        )
