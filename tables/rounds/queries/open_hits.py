"""What still stands open at a table, in words: for the refusal of END, and for whoever parks it."""

from __future__ import annotations

from jackpot.wins.queries.of_round import wins_of
from jackpot.wins.rules.round_ref import RoundRef
from jackpot.wins.rules.win_life import LIT, OPEN


def spoken_hits(table_code: str, round_number: int) -> str:
    """ "Full house at seat 2 and Royal flush at seat 6": the round's open hits, each once whatever its levels."""
    wins = wins_of(RoundRef(table_code, round_number)).filter(state__in=OPEN, envy_of=None).order_by("mark_seq", "seat")
    hits = [win.line_name + (" (seats not said)" if win.seat == LIT else f" at seat {win.seat}") for win in wins]
    each = list(dict.fromkeys(hits))
    return ", ".join(each[:-1]) + " and " + each[-1] if len(each) > 1 else "".join(each)
