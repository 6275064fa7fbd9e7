"""The table's aggregate: what the fixed awards of one round may come to together. A part of the meter is never cut."""

from __future__ import annotations

from collections.abc import Mapping

from jackpot.money import UNIT, ZERO, Money


def share_aggregate(awards: Mapping[int, Money], most: Money, digits: int = 2) -> dict[int, Money]:
    """Fixed awards by seat above the aggregate are shared pro rata to the smallest coin.

    Coins that are left over go to the largest remainders, the lower seat first.
    """
    due = sum(awards.values(), ZERO)
    if due <= most:
        return dict(awards)
    coin = UNIT // 10**digits
    # Down to the coin first: nobody may get a coin that the aggregate does not hold.
    parts = {seat: divmod(award.units * most.units, due.units * coin) for seat, award in awards.items()}
    left = most.units // coin - sum(coins for coins, _ in parts.values())
    shares = {seat: coins * coin for seat, (coins, _) in parts.items()}
    for seat in sorted(parts, key=lambda seat: (-parts[seat][1], seat))[:left]:
        shares[seat] += coin
    return {seat: Money(units) for seat, units in shares.items()}
