"""Builders for a table of this game."""

from fractions import Fraction

from jackpot.money import Money
from tables.games.cards import parse_cards
from tables.games.game import TableCards
from tables.games.packs import BetTable
from tables.games.registry import find_game
from tables.games.uth.rules import Action, HouseRules
from tables.games.uth.settle import PlayedRound, PlayerDealer, RoundResult, SeatPlay, settle

GAME = find_game("uth")
HOUSE = HouseRules()


def table(bet: str, code: str) -> BetTable:
    return GAME.table(bet, code)


TABLES = {
    "blind": table("blind", "UTH-02"),
    "trips": table("trips", "UTH-02"),
    "bad_beat": table("bad_beat", "BBB-02"),
    "pairs": table("pairs", "PT1"),
    "progressive": table("progressive", "PT01"),
}


def money(**wagers: int | str) -> dict[str, Fraction]:
    return {name: Fraction(amount) for name, amount in wagers.items()}


def seat(number: int, cards: str, action: Action, **wagers: int | str) -> SeatPlay:
    return SeatPlay(number, parse_cards(cards), action, money(**{"ante": 10, "blind": 10, **wagers}))


def dealt(
    board: str,
    dealer: str,
    *seats: SeatPlay,
    bank: tuple[int, int] | None = None,
    meter: str | None = None,
    **codes: str,
) -> PlayedRound:
    return PlayedRound(
        parse_cards(board),
        parse_cards(dealer),
        seats,
        TABLES | {bet: table(bet, code) for bet, code in codes.items()},
        PlayerDealer(bank[0], Fraction(bank[1])) if bank else None,
        Money.of(meter) if meter else None,
    )


def settled(played: PlayedRound, rules: HouseRules = HOUSE) -> RoundResult:
    return settle(played, rules)


def deal(board: str, dealer: str = "", **seats: str) -> TableCards:
    """`deal("Ah Kh Qh As Kd", seat3="Jh Th")`."""
    hands = {int(name.removeprefix("seat")): parse_cards(cards) for name, cards in seats.items()}
    return TableCards(parse_cards(board), hands, parse_cards(dealer))
