"""What was paid for a win that was backed out afterwards: how much is still out, and what a receipt gives back."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from jackpot.money import ZERO, Money


@dataclass(frozen=True, slots=True)
class ReceiptSum:
    """Of one receipt: what came over the window, and what of the tax withheld is not owed any more."""

    net: Money
    withheld: Money

    @property
    def gross(self) -> Money:
        return self.net + self.withheld


@dataclass(frozen=True, slots=True)
class PaidInError:
    """A payment in error: what the player got, what was withheld, and what of the first came back already."""

    net: Money
    withheld: Money
    came_back: Sequence[Money] = ()

    @property
    def outstanding(self) -> Money:
        return self.net - sum(self.came_back, ZERO)

    @property
    def is_open(self) -> bool:
        """Whether a receipt is still due. Where everything was withheld, one of nothing releases the tax."""
        return bool(self.outstanding) or not self.came_back

    def receipt(self, amount: Money) -> ReceiptSum | None:
        """What a receipt of this amount gives back; None where the player does not owe as much.

        What was withheld comes back with the last of it: until then the player has had income that is taxed.
        """
        least_of_all = amount == self.net == ZERO and not self.came_back
        if not (least_of_all or ZERO < amount <= self.outstanding):
            return None
        return ReceiptSum(amount, self.withheld if amount == self.outstanding else ZERO)
