"""The proof of hands that a player banked: turn, total action, fee and settlement counted again from what was told.

It reads the lines of an export, from a file or made of the rows, and shares no sum with the acts that wrote them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

from jackpot.canonical import request_of
from jackpot.money import UNIT, Money
from jackpot.proof.rules.findings import Findings, Promise
from tables.floor.rules.collection import FeeBasis

HandLine = Mapping[str, Any]
# Said here once more: a proof that borrowed the acts' own figure would follow their mistake.
MOST_IN_A_ROW: Final = 2


def check_hands(lines: Iterable[HandLine], findings: Findings) -> int:
    """Hands in the order of their tables and numbers; says how many there were."""
    before: list[HandLine] = []
    count = 0
    for line in lines:
        count += 1
        before = before if before and before[-1]["table"] == line["table"] else []
        where = f"{line['table']}/{line['number']}"
        for what, expected, found in (*_action(line), *_fee(line), *_settled(line)):
            if expected != found:
                findings.add(Promise.HAND, where, what, expected, found)
        turns = _turns(line, before)
        if line["in_a_row"] not in turns or line["in_a_row"] > MOST_IN_A_ROW:
            expected = " or ".join(map(str, sorted(turns)))
            findings.add(Promise.HAND, where, "which hand in a row its player-dealer banks", expected, line["in_a_row"])
        before = [*before, line] if line["state"] == "void" else [line]
    return count


def _turns(line: HandLine, before: Sequence[HandLine]) -> set[int]:
    """By the newest hand that stood when it was told. A hand that is void now may have stood then."""
    turns = {hand["in_a_row"] + 1 if hand["banker"] == line["banker"] else 1 for hand in before}
    return turns if before and before[0]["state"] != "void" else turns | {1}


Compared = tuple[str, object, object]


def _action(line: HandLine) -> Iterable[Compared]:
    action = sum(_units(amount) for _, wagers, *_ in line["spots"] for amount in wagers.values())
    yield "its total action", str(Money(action)), line["action"]
    asked = ["action", line["table"], line["number"], line["banker"], line["bank_wager"], line["spots"]]
    yield "the digest of what was told", request_of(asked).hex(), line["request"]


def _fee(line: HandLine) -> Iterable[Compared]:
    players = sum(
        more[0] if more else 1 for *_, more in ((seat, wagers, more) for seat, wagers, *more in line["spots"])
    )
    rule = _units(line["rule_fee"])
    match line["basis"]:
        case FeeBasis.HAND.value:
            due = rule
        case FeeBasis.PLAYER.value:
            due = rule * players
        case FeeBasis.ACTION.value:
            reached = [fee for start, fee in line["brackets"] if start * UNIT <= _units(line["action"])]
            due = (reached[-1] if reached else 0) * UNIT
        case _:
            due = 0
    yield "its fee", str(Money(due)), line["fee"]


def _settled(line: HandLine) -> Iterable[Compared]:
    """The bank's wager, drawn down and filled up again wager by wager in the order that was written."""
    settled = line["settled"]
    if settled is None:
        return
    wager, won, empty = _units(line["bank_wager"]), 0, False
    paid = collected = uncovered = 0
    for place, (seat, name, _, due_text, moved_text) in enumerate(settled["order"], 1):
        due = _units(due_text)
        # The bank pays out of its wager and what it has won so far, and collects up to its wager and what it has paid.
        room = wager + won if due > 0 else wager - won
        moved = 0 if empty else min(abs(due), room) * (1 if due > 0 else -1)
        yield f"what moved at place {place}, {name} of seat {seat}", str(Money(moved)), moved_text
        won -= moved
        empty = empty or won == -wager
        paid, collected = paid + max(moved, 0), collected + max(-moved, 0)
        uncovered += abs(due - moved)
    for name, units in (("paid", paid), ("collected", collected), ("uncovered", uncovered)):
        yield (
            f"what its bank {name}" if name != "uncovered" else "what nobody covered",
            str(Money(units)),
            settled[name],
        )
    yield "which of its wagers were settled", sorted(_down(line, settled)), sorted(_named(settled["order"]))
    seats = list(dict.fromkeys(seat for seat, *_ in settled["order"]))
    clockwise = sorted(seats, key=lambda seat: (seat < line["banker"], seat))
    yield "the order of its spots, from the left of the button", clockwise, seats


def _down(line: HandLine, settled: HandLine) -> Iterable[tuple[int, str, str]]:
    """What lay there before the cards, and the Play wagers that came later."""
    plays = [(seat, name, stake) for seat, name, stake, *_ in settled["order"] if name == "play"]
    return [*((seat, name, amount) for seat, wagers, *_ in line["spots"] for name, amount in wagers.items()), *plays]


def _named(order: Sequence[Sequence[Any]]) -> Iterable[tuple[int, str, str]]:
    return [(seat, name, stake) for seat, name, stake, *_ in order]


def _units(text: str) -> int:
    return Money.of(text).units
