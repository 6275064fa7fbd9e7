"""The switches of a rule book in the words of people: what each decides, and what each of its values means."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

SWITCH_WORDS: Final[Mapping[str, tuple[str, Mapping[str, str]]]] = {
    "overflow": (
        "What the limit cuts off",
        {"next_meter": "waits for the next meter", "revenue": "is the house’s"},
    ),
    "overflow_at_reset": (
        "A reset takes from it",
        {"since_frozen": "what came since the mark", "all": "all of it"},
    ),
    "freeze": ("An amount freezes at", {"mark": "the mark", "approval": "the approval"}),
    "order": (
        "Hits of one round are paid",
        {
            "counter_clockwise": "counter-clockwise",
            "clockwise": "clockwise",
            "equal_shares": "top awards in equal shares",
        },
    ),
    "shortfall": (
        "What an award lacks comes from",
        {"reserve_then_house": "the reserve, then the house", "house": "the house"},
    ),
    "row": (
        "A seat wins",
        {"highest": "its highest row", "never_less": "its highest row, never less than the next"},
    ),
    "dry_meter": (
        "A meter that an award leaves dry",
        {"stay": "stays dry", "restart": "begins anew by a house advance"},
    ),
    "rate_rise": (
        "A higher rate where only parts come from the meter",
        {"told": "is told with what it costs", "refused": "is refused without an approved par sheet"},
    ),
}
