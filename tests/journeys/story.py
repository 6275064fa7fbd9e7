"""An evening as a few lines, played by boxes over their own doors: "A bets 2 6", "A asks 2=royal", "A pays 2=20000.00".

Tables are A, B, C …; `plays` is a round without a hit; `waits` expects the queue's refusal; `level` a card too low.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tests.builders import CARD_PIN, Casino, a_controller, a_jackpot, a_pay_table, a_table
from tests.journeys.room import Desk, Room
from tests.tables.hits.test_hit import EXECUTIVE, SUPERVISOR

Level = tuple[Any, ...]  # code, meter, reserve, rate, reserve rate, seed, and terms that are its own


def three(lines: Sequence[dict[str, Any]], *levels: Level, tables: int) -> Casino:
    """Three jackpots of one chip, each with these lines unless it says otherwise."""
    opened = []
    for code, meter, reserve, rate, kept, seed, *own in levels:
        told = {"rate": rate, "reserve_rate": kept, "seed": seed, "pay_table": a_pay_table(lines=lines)}
        opened.append(a_jackpot(code, meter=meter, reserve=reserve, **{**told, **(own[0] if own else {})}))
    floor = [a_table(f"UTH-{number:02d}", *opened) for number in range(1, tables + 1)]
    return Casino(opened[0].premises, opened, floor, [a_controller(table) for table in floor])


def played(desks: Sequence[Desk], story: str) -> None:
    """Each line in turn; a line that the house answers otherwise fails the test with that line."""
    for line in filter(None, map(str.strip, story.replace(";", "\n").splitlines())):
        name, act, *words = line.split()
        desk = desks["ABCDE".index(name)]
        _ACTS[act](desk, words, line)


def _bets(desk: Desk, words: list[str], _: str) -> None:
    desk.bets(*map(int, words))


def _plays(desk: Desk, words: list[str], _: str) -> None:
    desk.plays(*map(int, words))


def _marks(desk: Desk, words: list[str], _: str) -> None:
    desk.marks(**{f"seat_{seat}": hand for seat, _, hand in (word.partition("=") for word in words)})


def _asks(desk: Desk, words: list[str], _: str) -> None:
    desk.asks(**{f"seat_{seat}": hand for seat, _, hand in (word.partition("=") for word in words)})


def _pays(desk: Desk, words: list[str], line: str) -> None:
    _paid(desk, words, line, EXECUTIVE)


def _supervised(desk: Desk, words: list[str], line: str) -> None:
    _paid(desk, words, line, SUPERVISOR)


def _paid(desk: Desk, words: list[str], line: str, card: str) -> None:
    paid = [f"{seat}={amount}" for seat, amount in desk.pays(card)]
    assert paid == words, f"{line}: {paid}"
    desk.does("end", round=desk.round)


def _waits(desk: Desk, _: list[str], line: str) -> None:
    assert desk.swipes()["code"] == "queue", line


def _level(desk: Desk, _: list[str], line: str) -> None:
    assert desk.swipes(SUPERVISOR)["code"] == "level", line


def _rejects(desk: Desk, _: list[str], __: str) -> None:
    desk.does("reject", round=desk.round, reason="not the hand that was marked")
    desk.does("end", round=desk.round)


def _voids(desk: Desk, words: list[str], _: str) -> None:
    desk.does("void", round=int(words[0]), reason="shuffler malfunction", card=SUPERVISOR, pin=CARD_PIN)


def _ends(desk: Desk, _: list[str], __: str) -> None:
    desk.does("end", round=desk.round)


_ACTS = {
    "bets": _bets, "plays": _plays, "marks": _marks, "asks": _asks, "pays": _pays, "supervised": _supervised,
    "waits": _waits, "level": _level, "rejects": _rejects, "voids": _voids, "ends": _ends,
}  # fmt: skip


def told(room: Room, codes: Sequence[str] = ("GRAND",)) -> str:
    """What the auditor reads at the end: meter / reserve / overflow of each jackpot, the books proven."""
    read = []
    for code in codes:
        meter, reserve = room.stands(code)
        read.append(f"{meter} / {reserve} / {room.auditor.balances(code)['overflow']}")
    return " · ".join(read)
