"""What the wagers of a round are called, where its table takes several."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final

from tables.floor.queries.wagers import first_name
from tables.rounds.models.round import Round

FIRST_WAGER: Final = ""  # the first of a table's wagers has no code


def wager_names(round_: Round) -> Mapping[str, str]:
    """By code, as people call them; nothing where the table takes one wager and the round was played with one."""
    table = round_.table
    if table.wagers == 1 and not round_.seats_played.further:
        return {}
    shown = {each.code: each.shown for each in table.further_wagers.all()}
    return {FIRST_WAGER: first_name(table), **{each.wager: each.wager for each in round_.further}, **shown}


def wager_code_on(round_: Round, jackpot_id: int) -> str:
    """Of the wager whose chips raised a jackpot in this round."""
    own = round_.further_on(jackpot_id)
    return FIRST_WAGER if own is None else own.wager


def names_on(round_: Round, jackpots: Iterable[int]) -> Mapping[int, str]:
    """What the wager of each jackpot is called, in this round; nothing where there is no other."""
    names = wager_names(round_)
    return {id_: names[wager_code_on(round_, id_)] for id_ in jackpots} if names else {}
