"""Winners who had too little: found with more or with less than they had, paid from wherever, found anew, undone."""

from __future__ import annotations

from collections.abc import Iterator

from tests.oracle.floor import Hit
from tests.oracle.made_up import STANDING, had_before
from tests.oracle.sheet import spoken
from tests.oracle.turns import BY_CARD, PARTS, Act, Turns

CENT = 10**6
MORE = (1, 10, 99, 1_234, 5_600, 40_001, 250_000)  # cents that the meter lacked


class Rests(Turns):
    """Chooses by chance alone, so that the same seed leads to the same evening."""

    def short_paid(self) -> Iterator[Act]:
        """A sign, a count or a player tells that the meter was too low; then it is told again, and once more."""
        if self.chance.random() < 0.6:
            yield from self.a_part_is_won()
        winner = self.short_paid_winner()
        if winner is None:
            return
        from_the_meter = self.chance.random() < 0.4
        if from_the_meter:
            yield from self.cleared()
            if self.chance.random() < 0.8:  # while nobody was found, the sign got it
                cents = self.chance.choice(MORE)
                amount = f"{cents // 100}.{cents % 100:02d}"
                yield {"do": "adjust", "jackpot": winner.jackpot, "account": "meter", "amount": amount}
            yield from self.elsewhere()
        found = self.found(winner, "meter" if from_the_meter else "house")
        yield found
        if self.chance.random() < 0.3:
            yield found  # nothing is due twice
        for _ in range(self.chance.choice([0, 1, 2])):
            yield self.found(winner, self.chance.choice(["house", "house", "meter"]))
        if self.chance.random() < 0.4:
            yield {"do": "pay", "which": 0}
        if self.chance.random() < 0.4:  # the award, an earlier rest or the latest one
            yield from self.cleared()
            yield {"do": "back_out", "which": self.chance.choice([0, 0, 1, self.which(winner)])}

    def a_part_is_won(self) -> Iterator[Act]:
        yield from self.cleared()
        table = self.table(*BY_CARD)
        yield from self.begun(table)
        yield from self.marked(table, 1, hands=PARTS)
        yield {"do": "confirm", "table": table, "back": 0}
        yield from self.approved(table, 0)

    def short_paid_winner(self) -> Hit | None:
        """Mostly somebody who won a part of the meter."""
        wins = self.floor.wins()
        parts = [hit for hit in wins if hit.rest_of is None and self.counts(hit) and hit.state in STANDING]
        among = parts if parts and self.chance.random() < 0.85 else wins
        return self.chance.choice(among[-6:]) if among else None

    def counts(self, hit: Hit) -> bool:
        return hit.payment is not None and hit.payment.basis is not None and hit.payment.at > 0

    def found(self, winner: Hit, account: str) -> Act:
        basis = had_before(self.floor, winner)[0] if self.counts(winner) else 20_000 * 10**8
        by = self.chance.choice([*MORE, *MORE[3:], *MORE[3:], 0, -1])
        act = {"do": "underpaid", "which": self.which(winner), "account": account,
               "reading": spoken(max(basis + by * CENT, 0))}  # fmt: skip
        return {**act, "gift": self.chance.choice([0, 0, 0, 1])} if account == "meter" else act

    def which(self, winner: Hit) -> int:
        return self.floor.wins()[::-1].index(winner)
