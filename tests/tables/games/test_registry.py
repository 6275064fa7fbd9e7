"""A game is a folder: a new one is found, judged, priced and put on a meter without a word changed elsewhere."""

import sys
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path

import pytest

import tables.games as shelf
from tables.games.cards import parse_cards
from tables.games.game import Game, NotInThisGame, TableCards
from tables.games.registry import find_game, find_games
from tests.tables.games.looked_at import analysed, judged

TURNED_CARD = """
from fractions import Fraction
from pathlib import Path

from tables.games.game import TableCards, Game, LineVerdict
from tables.games.packs import load_bet_tables

HANDS = {"turned": {"matches_rank", "matches_suit"}}


def judge(table, deal, seat):
    mine, turned = deal.cards_of(seat)[0], deal.board[0]
    held = {"matches_rank": mine.rank == turned.rank, "matches_suit": mine.suit == turned.suit}
    line = next((line for line in table.lines if held[line.hand]), None)
    return LineVerdict(line, (mine, turned), f"{mine} against {turned}: {line.pays if line else 'no line'}.")


def chances(table, progress=None, folder=None):
    known = {"matches_rank": Fraction(3, 51), "matches_suit": Fraction(12, 51)}
    return tuple(known[line.hand] for line in table.lines)


GAME = Game(
    code="turned-card",
    title="Turned Card",
    hands=HANDS,
    tables=load_bet_tables(Path(__file__).parent / "packs" / "turned.toml", "turned-card", HANDS),
    board_cards=1,
    hole_cards=1,
    judge=judge,
    chances=chances,
)
"""
PACK = """
bet = "turned"
owner = "this test"
licence = "free"
status = "offered"
from = 2026-01-01
approval = "none needed"
[[table]]
code = "T1"
title = "Turned Card table 1"
source = "invented"
lines = [["matches_rank", "Same rank", "9 to 1"], ["matches_suit", "Same suit", "1 to 1"]]
[[table]]
code = "T-PROG"
title = "Turned Card progressive"
source = "invented"
lines = [["matches_rank", "Same rank", "100 %"], ["matches_suit", "Same suit", "2 for 1"]]
"""


@pytest.fixture
def new_game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Game]:
    packs = tmp_path / "turned_card" / "packs"
    packs.mkdir(parents=True)
    (packs.parent / "__init__.py").write_text(TURNED_CARD, encoding="utf-8")
    (packs / "turned.toml").write_text(PACK, encoding="utf-8")
    monkeypatch.setattr(shelf, "__path__", [*shelf.__path__, str(tmp_path)])
    find_games.cache_clear()
    yield find_game("turned-card")
    find_games.cache_clear()
    sys.modules.pop("tables.games.turned_card", None)


def test_a_new_folder_is_a_new_game(new_game: Game) -> None:
    assert set(find_games()) == {"turned-card", "uth"}


def test_the_new_game_is_judged_like_any_other(new_game: Game) -> None:
    verdict = judged(new_game, new_game.table("turned", "T1"), "Ah As")
    assert verdict.why == "Ah against As: 9 to 1."


def test_the_new_game_is_priced_like_any_other(new_game: Game) -> None:
    analysis = analysed(new_game, new_game.table("turned", "T1"))
    assert (analysis.house_edge, analysis.hit_frequency) == (Fraction(-1, 17), Fraction(5, 17))


def test_the_new_game_hangs_on_a_meter_like_any_other(new_game: Game) -> None:
    pay_table = new_game.table("turned", "T-PROG").as_jackpot("meter")
    assert [(line.code, str(line.award)) for line in pay_table] == [
        ("matches_rank", "100 %"),
        ("matches_suit", "2 for 1"),
    ]


def test_the_new_game_refuses_a_wrong_deal_like_any_other(new_game: Game) -> None:
    with pytest.raises(ValueError, match="The board has 0 cards; it needs 1"):
        new_game.verify(new_game.table("turned", "T1"), TableCards((), {1: parse_cards("Ah")}), 1)


def test_an_unknown_game_is_refused_with_those_that_are() -> None:
    with pytest.raises(NotInThisGame, match="There is no game faro here; there is uth"):
        find_game("faro")
