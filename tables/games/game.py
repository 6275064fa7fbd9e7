"""What a game is: a folder that says its bets, its pay tables and how a hand is judged."""

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path
from typing import Any

from tables.games.cards import PlayingCard, WrongNumberOfCards, cards_in_words, refuse_twice
from tables.games.packs import BetTable, PrintedLine

Progress = Callable[[float], None]


class NotInThisGame(ValueError):
    """A bet, pay table, seat or hand that the game does not have."""


@dataclass(frozen=True, slots=True)
class TableCards:
    """The cards of one round as they lie: the board in dealing order, two or more at each seat, the dealer's."""

    board: tuple[PlayingCard, ...] = ()
    seats: Mapping[int, tuple[PlayingCard, ...]] = field(default_factory=dict)
    dealer: tuple[PlayingCard, ...] = ()

    def __post_init__(self) -> None:
        places = {f"seat {number}": cards for number, cards in self.seats.items()}
        refuse_twice({"the board": self.board, "the dealer's hand": self.dealer, **places})

    def cards_of(self, seat: int) -> tuple[PlayingCard, ...]:
        if seat not in self.seats:
            raise NotInThisGame(f"Seat {seat} has no cards in this deal.")
        return self.seats[seat]


@dataclass(frozen=True, slots=True)
class LineVerdict:
    """Which line is won, if any, the cards that make it, and why, in a sentence."""

    line: PrintedLine | None
    cards: tuple[PlayingCard, ...]
    why: str

    @property
    def wins(self) -> bool:
        return self.line is not None


@dataclass(frozen=True, slots=True)
class Exclusion:
    """Two lines that two different seats can never hold in one round, proven by looking at every deal."""

    one: str
    other: str

    def forbids(self, one: str, other: str) -> bool:
        return {one, other} == {self.one, self.other}


Judge = Callable[[BetTable, TableCards, int], LineVerdict]
BoardJudge = Callable[[BetTable, tuple[PlayingCard, ...]], LineVerdict | None]
Chances = Callable[[BetTable, Progress | None, Path | None], tuple[Fraction, ...]]
Situations = Callable[[str, str], frozenset[Any]]


@dataclass(frozen=True, slots=True)
class Game:
    """One game. `chances` gives the exact probability of each line of a table, in the table's order.

    `board_judge` says what the board alone gives to every seat; None where hole cards may still matter. `situations`
    says which situations fulfil a hand of a bet, told apart as far as two lines can overlap; `deals` how many equally
    likely deals the chances of a bet are counted over.
    """

    code: str
    title: str
    hands: Mapping[str, Collection[str]]
    tables: tuple[BetTable, ...]
    board_cards: int
    hole_cards: int
    judge: Judge
    chances: Chances
    exclusions: tuple[Exclusion, ...] = ()
    board_judge: BoardJudge | None = None
    situations: Situations | None = None
    deals: Mapping[str, int] = field(default_factory=dict)
    board_hands: frozenset[str] = frozenset()  # they lie on the board: every seat with coin-in holds them
    hand_words: Mapping[str, str] = field(
        default_factory=dict
    )  # what a player must know of a hand; `other`: of the rest

    def table(self, bet: str, code: str) -> BetTable:
        for table in self.tables:
            if (table.bet, table.code) == (bet, code):
                return table
        offered = ", ".join(table.code for table in self.tables if table.bet == bet)
        if not offered:
            raise NotInThisGame(f"{self.title} has no bet {bet}; it has {', '.join(self.hands)}.")
        raise NotInThisGame(f"{self.title} has no {bet} table {code}; it has {offered}.")

    def verify(self, table: BetTable, deal: TableCards, seat: int) -> LineVerdict:
        """The verdict on one seat's bet. The cards are counted first; a short or long deal is refused."""
        # A short board would still make a hand, only not the one that lies there.
        self.refuse_wrong_numbers(deal)
        return self.judge(table, deal, seat)

    def refuse_wrong_numbers(self, deal: TableCards) -> None:
        if len(deal.board) != self.board_cards:
            raise WrongNumberOfCards(f"The board has {cards_in_words(len(deal.board))}; it needs {self.board_cards}.")
        hands = {f"Seat {number}": cards for number, cards in deal.seats.items()}
        for whose, cards in {**hands, **({"The dealer": deal.dealer} if deal.dealer else {})}.items():
            if len(cards) != self.hole_cards:
                raise WrongNumberOfCards(
                    f"{whose} has {cards_in_words(len(cards))}; {self.title} deals {self.hole_cards}."
                )

    def impossible_pairs(self, marks: Mapping[int, str]) -> list[tuple[int, int]]:
        """The pairs of seats whose hands no deal of one deck holds together."""
        seats = sorted(marks)
        pairs = [(one, other) for place, one in enumerate(seats) for other in seats[place + 1 :]]
        return [
            (one, other)
            for one, other in pairs
            if any(exclusion.forbids(marks[one], marks[other]) for exclusion in self.exclusions)
        ]
