"""What a round can bring, as values: how often each row comes, how seats share a board, the worst deals."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any


class NotAnOutcome(ValueError):
    """Outcomes that do not add up, or do not fit the pay table."""


@dataclass(frozen=True, slots=True)
class BoardKind:
    """Boards that treat every seat alike: how many there are, and on how many of `Outcomes.holes` each row comes."""

    weight: int
    hits: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Witness:
    """A deal that exists: the rows its seats hold, highest cost first, and its cards to show."""

    board: str
    seats: tuple[tuple[str, str | None], ...]

    @property
    def rows(self) -> tuple[str, ...]:
        return tuple(row for _, row in self.seats if row is not None)


@dataclass(frozen=True, slots=True)
class Outcomes:
    """The rows of one wager in rank order with their exact chances; boards shared by all seats where the game has
    one. By number of seats: the deals that can cost most, and how likely each count of rows is together."""

    rows: tuple[str, ...]
    chances: tuple[Fraction, ...]
    kinds: tuple[BoardKind, ...] = ()
    holes: int = 1
    witnesses: Mapping[int, tuple[Witness, ...]] | None = None
    together: Mapping[int, Mapping[tuple[int, ...], float]] | None = None

    def __post_init__(self) -> None:
        if len(self.rows) != len(self.chances) or sum(self.chances) > 1 or min(self.chances, default=Fraction(0)) < 0:
            raise NotAnOutcome("Every row needs one chance, none below 0, and together they cannot exceed 1.")
        if self.kinds and self.chances_from_boards() != self.chances:
            raise NotAnOutcome("The boards do not give the rows their chances; both must come from the same count.")

    def chances_from_boards(self) -> tuple[Fraction, ...]:
        whole = sum(kind.weight for kind in self.kinds) * self.holes
        columns = zip(*(kind.hits for kind in self.kinds), strict=True)
        weights = [kind.weight for kind in self.kinds]
        return tuple(
            Fraction(sum(weight * hit for weight, hit in zip(weights, column, strict=True)), whole)
            for column in columns
        )

    def chance(self, row: str) -> Fraction:
        return self.chances[self.rows.index(row)]

    @property
    def hit_frequency(self) -> Fraction:
        return sum(self.chances, Fraction(0))

    def plain(self) -> dict[str, Any]:
        return {
            "rows": list(self.rows),
            "chances": [str(chance) for chance in self.chances],
            "kinds": [[kind.weight, list(kind.hits)] for kind in self.kinds],
            "holes": self.holes,
            "witnesses": {
                str(seats): [[deal.board, [list(seat) for seat in deal.seats]] for deal in deals]
                for seats, deals in (self.witnesses or {}).items()
            },
            "together": {
                str(seats): [[list(counts), chance] for counts, chance in found.items()]
                for seats, found in (self.together or {}).items()
            },
        }

    @classmethod
    def from_plain(cls, plain: Mapping[str, Any]) -> "Outcomes":
        return cls(
            tuple(plain["rows"]),
            tuple(Fraction(chance) for chance in plain["chances"]),
            tuple(BoardKind(weight, tuple(hits)) for weight, hits in plain["kinds"]),
            plain["holes"],
            {
                int(seats): tuple(Witness(board, tuple((cards, row) for cards, row in held)) for board, held in deals)
                for seats, deals in plain["witnesses"].items()
            }
            or None,
            {
                int(seats): {tuple(counts): chance for counts, chance in found}
                for seats, found in plain["together"].items()
            }
            or None,
        )


def independent(rows: Sequence[str], chances: Sequence[Fraction]) -> Outcomes:
    """Outcomes of a game without a shared board: each seat for itself."""
    return Outcomes(tuple(rows), tuple(chances))
