"""Terms, pots and hits by chance: every switch, small numbers that meet their edges often."""

from __future__ import annotations

from random import Random
from typing import Any

from tests.oracle.settling import Pot
from tests.oracle.sheet import CENT, Sheet, sheet_of

SEATS = range(1, 8)
POLICIES = {
    "overflow": ("next_meter", "revenue"), "overflow_at_reset": ("since_frozen", "all"), "freeze": ("mark",),
    "order": ("counter_clockwise", "clockwise", "equal_shares"), "shortfall": ("reserve_then_house", "house"),
    "row": ("highest", "never_less"), "dry_meter": ("stay", "restart"),
}  # fmt: skip


def terms_by(chance: Random) -> dict[str, Any]:
    """As people write them."""
    rows = [
        {"part": "1"}, {"part": chance.choice(["1/10", "1/3", "1/20"])}, {"for_one": 40, "source": "meter"},
        {"part": "1/7"}, {"for_one": 11, "source": "tray"}, {"for_one": 12, "source": "meter"},
    ]  # fmt: skip
    kept = sorted(chance.sample(range(len(rows)), chance.randint(3, len(rows))))
    lines = [{"code": f"row-{number}", "name": f"Row {number}", **rows[number]} for number in kept]
    for line in lines:
        if chance.random() < 0.4:
            line["envy"] = chance.choice(["1.50", "7.00"])
    policy = {name: chance.choice(values) for name, values in POLICIES.items()}
    return {
        "wager": chance.choice(["1.00", "0.25"]), "seed": chance.choice(["20.00", "35.00"]),
        "rate": chance.choice(["70", "17.33"]), "reserve_rate": "5", "lines": lines, "policy": policy,
        "rounding": chance.choice(["half_up", "down"]),
        **({"limit": chance.choice(["36.00", "50.00"])} if chance.random() < 0.6 else {}),
        **({"aggregate": chance.choice(["10.00", "47.77"])} if chance.random() < 0.3 else {}),
        **({"repay_rate": "50"} if policy["dry_meter"] == "restart" else {}),
    }  # fmt: skip


def pot_by(chance: Random, sheet: Sheet, at_reset: Sheet) -> Pot:
    """A pot that is sometimes whole, sometimes all but empty."""
    meter = chance.choice([0, 3, CENT, 20 * CENT + 7, 3350 * CENT + 499_999, 4999 * CENT])
    basis = max(meter + chance.choice([0, 0, 350 * CENT, -2 * CENT, -900 * CENT, 700 * CENT]), -CENT)
    reserve = chance.choice([0, 5, 75 * CENT, 1234 * CENT + 1])
    overflow = chance.choice([0, 200 * CENT, 3])
    return Pot(
        sheet, sheet, at_reset, meter, reserve, overflow, basis,
        max(0, reserve + chance.choice([0, -50 * CENT, 25 * CENT])), chance.choice([0, 150 * CENT, 300 * CENT]),
    )  # fmt: skip


def hits_by(chance: Random, sheet: Sheet) -> tuple[list[int], list[tuple[int, str]]]:
    """Who took part, and who holds what."""
    seats = sorted(chance.sample(SEATS, chance.randint(1, 7)))
    holders = chance.sample(seats, min(len(seats), chance.choice([1, 1, 2, 3])))
    codes = [row.code for row in sheet.rows]
    return seats, [(seat, chance.choice([codes[0], codes[0], *codes])) for seat in holders]


def sheets_by(chance: Random) -> tuple[dict[str, Any], dict[str, Any], Sheet, Sheet]:
    """Terms of the hit and of the reset, for both sides."""
    told = terms_by(chance)
    later = {**told, "seed": "22.00"} if chance.random() < 0.3 else told
    if chance.random() < 0.2:
        later = {**later, "policy": {**later["policy"], "overflow_at_reset": "all", "overflow": "revenue"}}
    return told, later, sheet_of(told), sheet_of(later)
