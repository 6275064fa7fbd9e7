"""What a round can bring to the progressive, for the laboratory: row chances, boards that seats share, worst deals."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Final

from jackpot.laboratory.outcomes import BoardKind, NotAnOutcome, Outcomes
from tables.games.cache import remembered
from tables.games.evaluator import categories
from tables.games.game import Progress
from tables.games.packs import BetTable
from tables.games.poker import Category
from tables.games.uth.boards import ALL_BOARDS, BATCH, BOARDS, HOLES, batches
from tables.games.uth.deals import find_witnesses
from tables.games.uth.together import deal_together

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

FLOPS_OF_A_BOARD = 10
MOST_SEATS = 7
COUNTED: Final = Path(__file__).parent / "counted"  # of published tables; a test counts them anew
LOOKING, SEARCHING = 0.4, 0.2  # parts of the work: every board looked at; the worst deals searched
MADE = (Category.ROYAL_FLUSH, Category.STRAIGHT_FLUSH, Category.FOUR_OF_A_KIND, Category.FULL_HOUSE)
Made = tuple[int, ...]


def outcomes_of(table: BetTable, folder: Path | None = None, progress: Progress | None = None) -> Outcomes:
    """The outcomes of a progressive table, calculated once and kept in the folder."""
    return remembered(
        folder,
        f"{table.game}-outcomes-{table.code}",
        table.digest,
        calculate=lambda: count_outcomes(table, progress),
        plain=Outcomes.plain,
        from_plain=Outcomes.from_plain,
        counted=COUNTED,
    )


def count_outcomes(table: BetTable, progress: Progress | None = None) -> Outcomes:
    """Looks at every hole pair on every board, then deals seats together on boards of each kind."""
    if table.bet != "progressive":
        raise NotAnOutcome(f"{table.title} is no progressive; only a progressive has a meter to watch.")
    rows = tuple(line.hand for line in table.lines)
    kinds: list[BoardKind] = []
    together: dict[int, dict[Made, float]] = {seats: defaultdict(float) for seats in range(2, MOST_SEATS + 1)}
    told = progress or (lambda _part: None)
    found = sorted(_board_kinds(lambda part: told(part * LOOKING)).items())
    for number, (made, (boards, weight)) in enumerate(found, start=1):
        kinds.append(BoardKind(weight, _row_hits(made, rows)))
        for seats, counts in deal_together(boards, made, dict(zip(MADE, range(4), strict=True)), MOST_SEATS).items():
            for count, chance in counts.items():
                for held, share in _as_rows(count, made, rows):
                    together[seats][held] += chance * share * weight / ALL_BOARDS
        told(LOOKING + (1 - LOOKING - SEARCHING) * number / len(found))
    return Outcomes(rows, _chances(kinds), tuple(kinds), HOLES * FLOPS_OF_A_BOARD, find_witnesses(MOST_SEATS), together)


def _board_kinds(progress: Progress | None) -> dict[Made, tuple[NDArray[np.uint8], int]]:
    """Boards on which equally many hole pairs make each of the four highest hands, and how many such boards exist."""
    import numpy as np

    boards, weights, made = [], [], []
    for done, batch in enumerate(batches(), start=1):
        kinds = categories(batch.values)
        made.append(np.stack([(kinds == kind).sum(axis=1) for kind in MADE], axis=1))
        boards.append(batch.boards)
        weights.append(batch.weights)
        if progress:
            progress(min(1.0, done * BATCH / BOARDS))
    all_boards, all_weights = np.concatenate(boards), np.concatenate(weights)
    found, kind = np.unique(np.concatenate(made), axis=0, return_inverse=True)
    return {
        tuple(row): (all_boards[kind == number], int(all_weights[kind == number].sum()))
        for number, row in enumerate(found.tolist())
    }


def _row_hits(made: Made, rows: tuple[str, ...]) -> tuple[int, ...]:
    """Per row: on how many of 1,081 hole pairs times ten orders of the flop it comes on such a board."""
    hits: Counter[str] = Counter()
    for split, flops in _royal_rows(made[0]):
        hits[split] += made[0] * flops
    for kind, count in zip(MADE[1:], made[1:], strict=True):
        hits[kind.name.lower()] += count * FLOPS_OF_A_BOARD
    return tuple(hits[row] for row in rows)


def _as_rows(count: Made, made: Made, rows: tuple[str, ...]) -> Iterator[tuple[Made, float]]:
    """Counts of hands as counts of rows; a royal by both hole cards lies on the flop in one order of ten."""
    fixed = {kind.name.lower(): number for kind, number in zip(MADE[1:], count[1:], strict=True)}
    for row, flops in _royal_rows(made[0]) if count[0] else [("", FLOPS_OF_A_BOARD)]:
        held = {**fixed, row: count[0]}
        yield tuple(held.get(name, 0) for name in rows), flops / FLOPS_OF_A_BOARD


def _royal_rows(royals: int) -> list[tuple[str, int]]:
    """Which row a royal on such a board wins, and in how many of the ten orders of the flop."""
    if royals == HOLES:
        return [("royal_community", FLOPS_OF_A_BOARD)]
    if royals == 1:
        # A royal that needs both hole cards has three on the board: one choice of flop in ten is just those three.
        return [("royal_first_5", 1), ("royal_first_7", FLOPS_OF_A_BOARD - 1)]
    return [("royal_first_7", FLOPS_OF_A_BOARD)]


def _chances(kinds: list[BoardKind]) -> tuple[Fraction, ...]:
    whole = sum(kind.weight for kind in kinds) * HOLES * FLOPS_OF_A_BOARD
    columns = zip(*(kind.hits for kind in kinds), strict=True)
    weights = [kind.weight for kind in kinds]
    return tuple(
        Fraction(sum(weight * hit for weight, hit in zip(weights, column, strict=True)), whole) for column in columns
    )
