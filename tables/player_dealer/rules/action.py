"""One hand that a player banks, before its cards: who banks, what lies on each spot, and what is collected for it."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Final, assert_never

from jackpot.canonical import request_of
from jackpot.money import UNIT, ZERO, Money
from tables.floor.rules.collection import CollectionRule, FeeBasis
from tables.floor.rules.limit_sheets import LimitSheet, refuse_over
from tables.games.fees import Schedule
from tables.games.limits import Limits, dollars, refuse_wager
from tables.games.player_dealer import next_banker, passed_over, refuse_third_hand

LARGEST_WAGER: Final = Money.of(1_000_000)


class ActionRefused(ValueError):
    """A hand that may not be dealt so; the message names the seat and the cure."""


@dataclass(frozen=True, slots=True)
class SpotAction:
    """What lies on one spot before the cards, wager by wager; more than one player may have put it there."""

    seat: int
    wagers: Mapping[str, Money]
    players: int = 1

    @property
    def total(self) -> Money:
        return sum(self.wagers.values(), ZERO)

    @property
    def fractions(self) -> dict[str, Fraction]:
        return {name: exact(amount) for name, amount in self.wagers.items()}

    @property
    def plain(self) -> list[Any]:
        """As it is sealed. A spot of one player says nothing of it."""
        amounts = {name: str(amount) for name, amount in self.wagers.items()}
        return [self.seat, amounts, *([self.players] if self.players > 1 else [])]


@dataclass(frozen=True, slots=True)
class ToldAction:
    """The word `action` of a table: the round it is for, who banks it with which wager, and every spot."""

    round: int
    banker: int
    bank_wager: Money
    spots: tuple[SpotAction, ...]

    @property
    def total(self) -> Money:
        return sum((spot.total for spot in self.spots), ZERO)

    @property
    def players(self) -> int:
        """Who bets against the bank: a fee for each player asks for each of them."""
        return sum(spot.players for spot in self.spots)

    @property
    def seats(self) -> frozenset[int]:
        return frozenset({self.banker, *(spot.seat for spot in self.spots)})

    def digest(self, table_code: str) -> bytes:
        """What was told: the same again is a repeat, anything else under the same number clashes."""
        spots = [spot.plain for spot in self.spots]
        return request_of(["action", table_code, self.round, self.banker, str(self.bank_wager), spots])


@dataclass(frozen=True, slots=True)
class LastBanked:
    """Who banked the last hand of a table that counts, and which in a row that was."""

    seat: int
    in_a_row: int


@dataclass(frozen=True, slots=True)
class BankTurn:
    """Which hand in a row the banker has, who did not take the bank before, and who is offered it next."""

    in_a_row: int
    passed: tuple[int, ...]
    next_seat: int | None


def turn_of(told: ToldAction, seats: int, last: LastBanked | None) -> BankTurn:
    """The bank goes clockwise and nobody has it three times in a row; a table's first banker is drawn as it likes."""
    _refuse_seats(told, seats)
    if last is None:
        in_a_row, passed = 1, tuple[int, ...]()
    else:
        refuse_third_hand([last.seat] * last.in_a_row, told.banker)
        in_a_row = last.in_a_row + 1 if last.seat == told.banker else 1
        passed = passed_over(seats, (last.seat, last.in_a_row), told.banker, told.seats)
    return BankTurn(in_a_row, passed, next_banker(seats, told.banker, in_a_row, told.seats))


def fee_of_hand(rule: CollectionRule | None, schedule: Schedule | None, told: ToldAction) -> Money:
    """What the player-dealer pays for this hand, whoever wins it. A half hour is no matter of one hand."""
    if rule is None:
        return ZERO
    match rule.basis:
        case FeeBasis.HAND:
            return rule.fee
        case FeeBasis.PLAYER:
            # Each player pays, not each spot: with back line wagering several stand behind one.
            return rule.fee * told.players
        case FeeBasis.ACTION:
            assert schedule is not None, "a rule by action names its schedule"
            return Money.of(schedule.fee(exact(told.total)))
        case FeeBasis.HALF_HOUR | FeeBasis.NONE:
            return ZERO
        case _:
            assert_never(rule.basis)


def refuse_spots(
    told: ToldAction, counted: Collection[str], schedule: Schedule, *, back_line: bool = True,
    wagers: Limits | None = None,
) -> None:  # fmt: skip
    """What a rule set prints no wager for cannot lie there, each spot holds what the schedule's limit says, and where
    back line wagering is not permitted a spot is one player's."""
    for spot in told.spots:
        if spot.players > 1 and not back_line:
            raise ActionRefused(
                f"Seat {spot.seat} has {spot.players} players, and rule set {schedule.rule_set} permits no back line "
                "wagering. Give the others their wagers back before the deal."
            )
        stranger = next((name for name in spot.wagers if name not in counted), None)
        if stranger is not None:
            raise ActionRefused(
                f"Seat {spot.seat}: rule set {schedule.rule_set} knows no {stranger.replace('_', ' ')} wager. "
                "Give it back before the deal."
            )
        if wagers is not None:
            _refuse_beyond(spot, wagers, schedule.rule_set)
        if schedule.per_spot is not None:
            _refuse_outside(spot, schedule.per_spot, f"option {schedule.option} of rule set {schedule.rule_set}")


def refuse_outside_limits(spot: SpotAction, posted: tuple[int, int] | None, sheets: Iterable[LimitSheet]) -> None:
    """Each wager lies inside what is posted at the table, and above no sheet of the house."""
    sheets = list(sheets)
    for name, amount in spot.wagers.items():
        if posted is not None:
            refuse_wager(name.replace("_", " "), exact(amount), Fraction(posted[0]), Fraction(posted[1]))
        refuse_over(name.replace("_", " "), amount, sheets, name)


def _refuse_beyond(spot: SpotAction, wagers: Limits, rule_set: str) -> None:
    """Whatever is posted: no minimum lies below what is printed and no maximum above it, so no wager does."""
    least, most = wagers.wager_minimum, wagers.wager_maximum
    for name, amount in spot.fractions.items():
        spoken = f"Seat {spot.seat}: the {name.replace('_', ' ')} of {dollars(amount)}"
        if most is not None and amount > most[1]:
            raise ActionRefused(
                f"{spoken} is above ${most[1]:,}, the largest wager of rule set {rule_set} ({wagers.source}). "
                "Return what is above it before the deal."
            )
        if least is not None and amount < least[0]:
            raise ActionRefused(
                f"{spoken} is below ${least[0]:,}, the smallest wager of rule set {rule_set} ({wagers.source}). "
                "Raise it, or return it, before the deal."
            )


def _refuse_outside(spot: SpotAction, limits: tuple[int, int], whose: str) -> None:
    low, high = limits
    total = exact(spot.total)
    if not low <= total <= high:
        raise ActionRefused(
            f"Seat {spot.seat} has {dollars(total)} down; a spot holds ${low:,} to ${high:,} by {whose}. "
            "Change the bet, or return it, before the deal."
        )


def _refuse_seats(told: ToldAction, seats: int) -> None:
    named = [told.banker, *(spot.seat for spot in told.spots)]
    beyond = next((seat for seat in named if not 1 <= seat <= seats), None)
    if beyond is not None:
        raise ActionRefused(f"There is no seat {beyond}; this table has seats 1 to {seats}.")
    if not told.spots:
        raise ActionRefused("Nobody bets against the player-dealer. Deal when a player has an ante and a blind down.")
    if any(spot.seat == told.banker for spot in told.spots):
        raise ActionRefused(f"Seat {told.banker} banks this hand and does not bet against itself.")
    if len(named) != len(set(named)):
        raise ActionRefused("A seat is named twice. Name each seat once, with all its wagers.")
    if not told.bank_wager > ZERO:
        raise ActionRefused("The player-dealer has no wager. It must stand before the first card.")


def exact(amount: Money) -> Fraction:
    return Fraction(amount.units, UNIT)
