"""The casino of a drill, made by the product's own actions: python -m proving.drill.scene TABLES SIGNS prints it.

Every table feeds GRAND; every second one feeds MINI with the same wager, as its second level.
"""

from __future__ import annotations

import json
import os
import sys
from typing import Any, Final

BY: Final = "drill"
OPENING: Final = {"GRAND": "20001.40", "MINI": "500.00"}
RATES: Final = {"GRAND": ("17.33", "5"), "MINI": ("10", "2")}
LINES: Final[dict[str, list[dict[str, Any]]]] = {
    "GRAND": [
        {"code": "royal_flush", "name": "Royal flush", "part": "1"},
        {"code": "four_of_a_kind", "name": "Four of a kind", "for_one": 300, "source": "tray"},
    ],
    "MINI": [{"code": "straight_flush", "name": "Straight flush", "part": "1"}],
}


def make(tables: int, signs: int) -> dict[str, Any]:
    """Property, jackpots taken over with a reading, tables, enrolled controllers, enrolled box signs."""
    from tables.setup.actions.floor import PropertyFacts, make_property

    premises = make_property(code="DRILL", facts=PropertyFacts(name="House of the drill"), by=BY)
    jackpots = [_jackpot(premises, code) for code in OPENING]
    return {
        "tables": [_table(premises, jackpots, number) for number in range(1, tables + 1)],
        "signs": [_sign(premises, jackpots, number) for number in range(1, signs + 1)],
        "meters": OPENING,
    }


def _jackpot(premises: Any, code: str) -> Any:
    from jackpot.books.actions.pool import Reading, take_over
    from jackpot.money import Money
    from jackpot.terms.rules.terms import Terms

    rate, reserve_rate = RATES[code]
    terms = Terms.of(
        {
            "wager": "1.00", "seed": "100.00", "rate": rate, "reserve_rate": reserve_rate,
            "pay_table": {"code": f"{code}-LINES", "lines": LINES[code]},
        }
    )  # fmt: skip
    reading = Reading(meter=Money.of(OPENING[code]), evidence="made for a drill")
    return take_over(
        premises=premises, code=code, name=code.title(), terms=terms, reading=reading,
        requested_by=BY, approved_by="second person",
    )  # fmt: skip


def _table(premises: Any, jackpots: list[Any], number: int) -> dict[str, Any]:
    from jackpot.money import Money
    from tables.setup.actions.floor import DeviceFacts, TableDescription, register_device, set_up_table

    code = f"T-{number:03}"
    fed = jackpots if number % 2 else jackpots[:1]
    set_up_table(premises=premises, code=code, facts=TableDescription(Money.of("1.00"), "uth"), jackpots=fed, by=BY)
    device = register_device(code=f"C-{code}", facts=DeviceFacts(table=code, version="2.0.0"), by=BY)
    meters = [jackpot.code for jackpot in fed]
    return {"place": code, "device": device.code, "secret": _secret_of(device), "meters": meters}


def _sign(premises: Any, jackpots: list[Any], number: int) -> dict[str, Any]:
    from tables.setup.actions.floor import DeviceFacts, SignFacts, hang_sign, register_device

    code = f"SIGN-{number:02}"
    hang_sign(premises=premises, code=code, facts=SignFacts(), jackpots=jackpots, by=BY)
    facts = DeviceFacts(kind="sign", sign=code, version="2.0.0")
    device = register_device(code=f"D-{code}", facts=facts, by=BY)
    return {"place": code, "device": device.code, "secret": _secret_of(device), "meters": list(OPENING)}


def _secret_of(device: Any) -> str:
    from tables.setup.actions.enrol import enrol, invite

    return enrol(code=invite(device=device, by=BY)).secret_hex


if __name__ == "__main__":
    import django

    os.environ["DJANGO_SETTINGS_MODULE"] = "config.settings"
    django.setup()
    sys.stdout.write(json.dumps(make(int(sys.argv[1]), int(sys.argv[2]))))
