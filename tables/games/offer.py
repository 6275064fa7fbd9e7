"""The games that a table offers: declared by bet and pay table, counted as the posted maximum counts them."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from tables.games.limits import BetRefused, CountGames, count_games

PROGRESSIVE = "progressive"
BLIND = "blind"


@dataclass(frozen=True, slots=True)
class OfferedGame:
    """One bet of a table with the pay table that it is paid by. In files and columns: trips/UTH-02."""

    bet: str
    code: str

    @classmethod
    def of(cls, key: str) -> "OfferedGame":
        bet, _, code = key.partition("/")
        if not bet or not code:
            raise BetRefused(f"“{key[:40]}” is no game of a table. Write bet and pay table, such as trips/UTH-02.")
        return cls(bet, code)

    @property
    def key(self) -> str:
        return f"{self.bet}/{self.code}"

    @property
    def name(self) -> str:
        return self.bet.replace("_", " ").capitalize()


def offered_games(keys: Iterable[str]) -> tuple[OfferedGame, ...]:
    """As they are declared; a bet stands once, and a progressive is not declared: the jackpots say it."""
    games = tuple(OfferedGame.of(key) for key in keys)
    bets = [game.bet for game in games]
    twice = next((bet for bet in bets if bets.count(bet) > 1), None)
    if twice is not None:
        raise BetRefused(f"{twice.replace('_', ' ').capitalize()} is declared twice. A table pays a bet by one table.")
    if PROGRESSIVE in bets:
        raise BetRefused("A progressive is not declared here: the jackpots that the table feeds say it. Leave it out.")
    return games


def wagers_of(games: Iterable[OfferedGame], base: Sequence[str], progressives: int) -> list[str]:
    """Every wager that a player can make there; the base game's belong to every table."""
    # A Blind table is declared for its pays; the Blind itself is part of the base game and counts with it.
    sides = [game.bet for game in games if game.bet not in base]
    return [*base, *sides, *(f"{PROGRESSIVE} {number}" for number in range(1, progressives + 1))]


def refuse_fifth(
    games: Sequence[OfferedGame], base: Sequence[str], progressives: int, most: int, rule: CountGames
) -> None:  # fmt: skip
    """More games than a player may wager on are not offered together: refused where the table is set up."""
    wagers = wagers_of(games, base, progressives)
    count = count_games(wagers, base, rule)
    if count > most:
        named = ", ".join(["base game", *(game.name.lower() for game in games if game.bet not in base)])
        meters = "" if not progressives else ", progressive" if progressives == 1 else f", {progressives} progressives"
        raise BetRefused(
            f"{named.capitalize()}{meters}: that is {count} games, and players wager on at most {most}. "
            "Take one of them off the table."
        )


def refuse_unplayable(needs: Mapping[str, Sequence[str]], base: Sequence[str]) -> None:
    """A bet that nobody could ever make: what it needs beside it is not offered. `needs` by declared bet."""
    for bet, needed in needs.items():
        missing = next((name for name in needed if name not in base and name not in needs), None)
        if missing is not None:
            named = bet.replace("_", " ")
            raise BetRefused(
                f"The {named} takes a {missing.replace('_', ' ')} wager beside it, and this table offers none. "
                f"Declare a {missing.replace('_', ' ')} pay table too, or another one of the {named}."
            )


def posted_sentence(most: int) -> str:
    """What layout, placard and rule card say of the maximum."""
    words = {1: "one game", 2: "two games", 3: "three games", 4: "four games", 5: "five games", 6: "six games"}
    return f"Players are limited to wagering on a maximum of {words.get(most, f'{most} games')}."
