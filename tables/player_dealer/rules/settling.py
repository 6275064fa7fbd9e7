"""A hand that a player banked, after its cards: what each wager won or lost, and how far the bank's wager reached."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Final

from jackpot.canonical import request_of
from jackpot.money import UNIT, ZERO, Money
from tables.games.player_dealer import Model, PlayerBank, action_order
from tables.player_dealer.rules.action import ActionRefused, exact

# Seat after seat from the left of the player-dealer, and at each spot in this order.
WAGER_ORDER: Final = ("ante", "play", "blind", "trips", "bad_beat", "pairs")
PLAY_FIRST: Final = ("play", "ante", "blind", "trips", "bad_beat", "pairs")  # from a losing hand, by switch [001:129]
BASE_WAGERS: Final = ("ante", "play", "blind")
MOST_PLAY: Final = 4  # times the ante


@dataclass(frozen=True, slots=True)
class SpotOutcome:
    """What the cards said at one spot: its Play wager, and what each wager is due: won above, lost below zero."""

    seat: int
    play: Money
    due: Mapping[str, Money]


@dataclass(frozen=True, slots=True)
class ToldOutcome:
    """The word `settle` of a table: a round, and every spot of its hand."""

    round: int
    spots: tuple[SpotOutcome, ...]

    def digest(self, table_code: str) -> bytes:
        """What was told: the same again is a repeat, anything else under the same number clashes."""
        spots = [[spot.seat, str(spot.play), {name: str(due) for name, due in spot.due.items()}] for spot in self.spots]
        return request_of(["settle", table_code, self.round, spots])


@dataclass(frozen=True, slots=True)
class SettledPart:
    """One wager as it was settled: what was due, and what of it the bank's wager covered."""

    seat: int
    wager: str
    stake: Money
    due: Money
    moved: Money

    @property
    def uncovered(self) -> Money:
        """What goes back to where it came from: no bank pays or takes it."""
        return max(self.due - self.moved, self.moved - self.due)


@dataclass(frozen=True, slots=True)
class SettledHand:
    """All wagers of a hand in the order in which they were settled."""

    parts: tuple[SettledPart, ...]

    @property
    def collected(self) -> Money:
        return sum((ZERO - part.moved for part in self.parts if part.moved < ZERO), ZERO)

    @property
    def paid(self) -> Money:
        return sum((part.moved for part in self.parts if part.moved > ZERO), ZERO)

    @property
    def uncovered(self) -> Money:
        return sum((part.uncovered for part in self.parts), ZERO)

    @property
    def bank_won(self) -> Money:
        """What the player-dealer has more than before; below zero, less."""
        return self.collected - self.paid


def settle_hand(
    *,
    seats: int,
    banker: int,
    bank_wager: Money,
    bets: Mapping[int, Mapping[str, Money]],
    told: ToldOutcome,
    pays: Mapping[str, Collection[Fraction]],
    model: Model = "net",
    play_first: bool = False,
) -> SettledHand:
    """Every wager in its order, as far as the bank's wager reaches. `bets` is what lay there before the cards;
    `pays` says for a wager which numbers to one its table has, where that is known."""
    refuse_outcome(bets, told, pays)
    by_seat = {spot.seat: spot for spot in told.spots}
    bank = PlayerBank(exact(bank_wager), model)
    parts = [
        _covered(bank, seat, wager, stake, by_seat[seat].due[wager])
        for seat in action_order(seats, banker, by_seat)
        for wager, stake in _stakes(bets[seat], by_seat[seat], play_first)
    ]
    return SettledHand(tuple(parts))


def refuse_outcome(
    bets: Mapping[int, Mapping[str, Money]], told: ToldOutcome, pays: Mapping[str, Collection[Fraction]]
) -> None:
    """What no cards can bring: a spot left out, a Play that is none, a pay that the table does not have."""
    named = [spot.seat for spot in told.spots]
    if len(named) != len(set(named)) or set(named) != set(bets):
        raise ActionRefused(f"Tell each spot of the hand once: seats {', '.join(map(str, sorted(bets)))}.")
    for spot in told.spots:
        stakes = dict(_stakes(bets[spot.seat], spot))
        if set(stakes) != set(spot.due):
            wanted = ", ".join(name.replace("_", " ") for name in stakes)
            raise ActionRefused(f"Seat {spot.seat}: say what became of each of its wagers: {wanted}.")
        _refuse_play(spot, stakes["ante"])
        for name, stake in stakes.items():
            _refuse_due(spot, name, stake, pays.get(name))
        _refuse_base(spot, stakes)
    _refuse_two_banks(told)


def _stakes(
    bets: Mapping[str, Money], spot: SpotOutcome, play_first: bool = False
) -> Iterator[tuple[str, Money]]:  # fmt: skip
    # Play comes after the cards, so it is in no told action: only what is settled knows it.
    down = {**bets, **({"play": spot.play} if spot.play > ZERO else {})}
    lost = spot.due.get("play", ZERO) < ZERO
    known = [name for name in (PLAY_FIRST if play_first and lost else WAGER_ORDER) if name in down]
    yield from ((name, down[name]) for name in [*known, *sorted(set(down) - set(known))])


def _covered(bank: PlayerBank, seat: int, wager: str, stake: Money, due: Money) -> SettledPart:
    if due > ZERO:
        moved = _money(bank.pay(exact(due)))
    elif due < ZERO:
        moved = ZERO - _money(bank.collect(exact(ZERO - due)))
    else:
        moved = ZERO
    return SettledPart(seat, wager, stake, due, moved)


def _money(amount: Fraction) -> Money:
    units = amount * UNIT
    # The bank reckons in fractions; money that comes out of it broken would be a rounding nobody chose.
    assert units.denominator == 1, "amounts of money move whole units"
    return Money(int(units))


def _refuse_play(spot: SpotOutcome, ante: Money) -> None:
    if spot.play == ZERO:
        return
    times = Fraction(spot.play.units, ante.units)
    if times.denominator != 1 or not 1 <= times <= MOST_PLAY:
        raise ActionRefused(
            f"Seat {spot.seat}: a Play wager of {spot.play} is not one to {MOST_PLAY} times the ante of {ante}."
        )


def _refuse_due(spot: SpotOutcome, name: str, stake: Money, multiples: Collection[Fraction] | None) -> None:
    due, spoken = spot.due[name], name.replace("_", " ")
    if due < ZERO and ZERO - due != stake:
        raise ActionRefused(f"Seat {spot.seat}: the {spoken} lost is {stake}, not {ZERO - due}.")
    if due <= ZERO:
        # Only Ante, Play and Blind compare two hands and may push; a side bet is paid or lost.
        if due == ZERO and name not in BASE_WAGERS:
            raise ActionRefused(f"Seat {spot.seat}: the {spoken} wins or loses, it never pushes. Say which.")
        return
    won = Fraction(due.units, stake.units)
    if name in ("ante", "play"):
        multiples = [Fraction(1)]
    if multiples is not None and won not in multiples:
        printed = ", ".join(sorted(map(_to_one, multiples)))
        raise ActionRefused(
            f"Seat {spot.seat}: {due} on a {spoken} of {stake} is {_to_one(won)}; its table pays {printed}."
        )


def _to_one(times: Fraction) -> str:
    return f"{times.numerator:,} to {times.denominator}"


def _refuse_base(spot: SpotOutcome, stakes: Mapping[str, Money]) -> None:
    """Ante, Play and Blind are one comparison of two hands; who folded has lost it."""
    signs = {name: _sign(spot.due[name]) for name in BASE_WAGERS if name in stakes}
    ante, blind = signs["ante"], signs["blind"]
    if "play" not in signs:
        fits = (ante, blind) == (-1, -1)
        why = "nobody plays for it, so ante and blind are lost"
    else:
        play = signs["play"]
        # The Ante pushes where the bank has no pair; a winning Blind pays from its lowest row up, and pushes below it.
        fits = ante in (0, play) and blind in ((0, 1) if play == 1 else (play,))
        why = "ante, Play and blind follow from one and the same hand"
    if not fits:
        raise ActionRefused(f"Seat {spot.seat}: {why}. Look at it again.")


def _refuse_two_banks(told: ToldOutcome) -> None:
    """The bank has a pair or not: an ante that pushes beside a Play that does not says that it has none."""
    judged = {
        spot.due["ante"] == ZERO for spot in told.spots if spot.play > ZERO and spot.due["play"] != ZERO
    }  # fmt: skip
    if len(judged) > 1:
        raise ActionRefused("At one seat the player-dealer's hand counts and at another it does not. Look at it again.")


def _sign(amount: Money) -> int:
    return (amount > ZERO) - (amount < ZERO)


def pays_of(tables: Iterable[tuple[str, Collection[Fraction]]]) -> dict[str, frozenset[Fraction]]:
    """By wager all numbers to one that any of these tables pays."""
    known: dict[str, frozenset[Fraction]] = {}
    for bet, multiples in tables:
        known[bet] = known.get(bet, frozenset()) | frozenset(multiples)
    return known
