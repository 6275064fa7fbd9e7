"""The tables at which hits are made, beside those that play: python -m proving.bench.awards_scene TABLES prints them.

They feed GRAND like the S tables and are counted with them. A supervisor's card approves every sum here: a PIN costs
90 ms by design, before any jackpot is locked, and would hide what is measured.
"""

from __future__ import annotations

import json
import os
import sys
from typing import Any, Final

from proving.bench.people import hired, session_of
from proving.bench.scene import BY

CARD: Final = "600000000001"
FIRST: Final = 500  # no S table that plays has such a number
EVERY_SUM: Final = 1_000_000_000


def make(tables: int) -> dict[str, Any]:
    from jackpot.books.models.jackpot import Jackpot
    from jackpot.people.actions.people import issue_card
    from jackpot.property.models.property import Property

    premises = Property.objects.get(code="BENCH")
    premises.executive_threshold = EVERY_SUM
    premises.save()
    supervisor = hired(premises, "supervisor", ["see", "verify", "approve"])
    issue_card(operator=supervisor, number=CARD, level="supervisor", pin="", by=BY)
    cashier = hired(premises, "cashier", ["see", "pay"])
    grand = Jackpot.objects.get(code="GRAND")
    return {
        "tables": [_table(premises, grand, f"S-{number}") for number in range(FIRST, FIRST + tables)],
        "supervisor": session_of(supervisor), "cashier": session_of(cashier),
    }  # fmt: skip


def _table(premises: Any, grand: Any, code: str) -> dict[str, str]:
    from jackpot.money import Money
    from tables.setup.actions.enrol import enrol, invite
    from tables.setup.actions.floor import DeviceFacts, TableDescription, register_device, set_up_table

    facts = TableDescription(wager=Money.of("1.00"), game="uth")
    set_up_table(premises=premises, code=code, facts=facts, jackpots=[grand], by=BY)
    device = register_device(code=f"C-{code}", facts=DeviceFacts(table=code, version="2.0.0"), by=BY)
    return {"table": code, "device": device.code, "secret": enrol(code=invite(device=device, by=BY)).secret_hex}


if __name__ == "__main__":
    import django

    os.environ["DJANGO_SETTINGS_MODULE"] = "config.settings"
    django.setup()
    sys.stdout.write(json.dumps(make(int(sys.argv[1]))))
