"""A game of two hole cards and five community cards against the dealer."""

from fractions import Fraction
from pathlib import Path

from tables.games.game import Exclusion, Game, Progress
from tables.games.line_order import refuse_wrong_order
from tables.games.packs import BetTable, load_bet_tables, read_toml
from tables.games.uth.hands import KNOWN_HANDS
from tables.games.uth.situations import DEALS, situations
from tables.games.uth.verify import judge, judge_board

CODE = "uth"
PACKS = Path(__file__).parent / "packs"


def _chances(table: BetTable, progress: Progress | None = None, folder: Path | None = None) -> tuple[Fraction, ...]:
    from tables.games.uth.chances import line_chances  # brings numpy, which the web pages must not wait for

    return line_chances(table, progress, folder)


_pack = read_toml(PACKS / "game.toml")
GAME = Game(
    code=CODE,
    title=_pack["title"],
    hands=KNOWN_HANDS,
    tables=tuple(table for bet in KNOWN_HANDS for table in load_bet_tables(PACKS / f"{bet}.toml", CODE, KNOWN_HANDS)),
    board_cards=5,
    hole_cards=2,
    judge=judge,
    chances=_chances,
    exclusions=tuple(Exclusion(*pair) for pair in read_toml(PACKS / "exclusions.toml")["pairs"]),
    board_judge=judge_board,
    situations=situations,
    deals=DEALS,
    board_hands=frozenset(_pack["board_hands"]),
    hand_words=_pack["hand_words"],
)
# At the start of every process: a published table whose rows cross would pay somebody the wrong one.
for _table in GAME.tables:
    refuse_wrong_order(GAME, _table.bet, _table.lines)
