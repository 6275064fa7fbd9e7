"""The casino of the measurement, made by the product's own actions; python -m proving.bench.scene makes and prints it.

GRAND alone is fed by the S tables, MAJOR and MINOR together by the D tables; every table has an enrolled controller.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterator
from typing import Any, Final

TABLES: Final = 200
BY: Final = "bench"
PAY_TABLES: Final[dict[str, list[dict[str, Any]]]] = {
    "GRAND": [
        {"code": "royal_flush", "name": "Royal flush", "part": "1"},
        {"code": "straight_flush", "name": "Straight flush", "part": "1/10"},
        {"code": "four_of_a_kind", "name": "Four of a kind", "for_one": 300, "source": "tray"},
    ],
    "MAJOR": [{"code": "royal_flush", "name": "Royal flush", "part": "1"}],
    "MINOR": [{"code": "straight_flush", "name": "Straight flush", "part": "1"}],
}
RATES: Final = {"GRAND": ("70", "5"), "MAJOR": ("50", "5"), "MINOR": ("17.33", "2")}
LINKED: Final = {"S": ("GRAND",), "D": ("MAJOR", "MINOR")}


def make(tables: int, signs: int) -> dict[str, Any]:
    """Property, jackpots taken over with a reading, tables, controllers with secrets, signs."""
    from django.core.management import call_command

    from tables.setup.actions.floor import PropertyFacts, make_property

    call_command("migrate", verbosity=0, skip_checks=True)
    premises = make_property(code="BENCH", facts=PropertyFacts(name="House of measurement"), by=BY)
    jackpots = {code: _jackpot(premises, code) for code in RATES}
    return {
        "tables": {
            letter: list(_tables(premises, letter, [jackpots[code] for code in codes], tables))
            for letter, codes in LINKED.items()
        },
        "signs": list(_signs(premises, jackpots["GRAND"], signs)),
    }


def _jackpot(premises: Any, code: str) -> Any:
    from jackpot.books.actions.pool import Reading, take_over
    from jackpot.money import Money
    from jackpot.terms.rules.terms import Terms

    rate, reserve_rate = RATES[code]
    pay_table = {"code": f"{code}-LINES", "lines": PAY_TABLES[code]}
    plain = {
        "wager": "1.00", "seed": "10000.00", "rate": rate, "reserve_rate": reserve_rate, "pay_table": pay_table,
    }  # fmt: skip
    reading = Reading(meter=Money.of("20001.40"), house_seed=Money.of("10000.00"), evidence="made for a measurement")
    return take_over(
        premises=premises, code=code, name=code.title(), terms=Terms.of(plain), reading=reading,
        requested_by=BY, approved_by="second person",
    )  # fmt: skip


def _tables(premises: Any, letter: str, jackpots: list[Any], count: int) -> Iterator[dict[str, str]]:
    from jackpot.money import Money
    from tables.setup.actions.floor import DeviceFacts, TableDescription, register_device, set_up_table

    for number in range(1, count + 1):
        code = f"{letter}-{number:03}"
        facts = TableDescription(wager=Money.of("1.00"), game="uth")
        set_up_table(premises=premises, code=code, facts=facts, jackpots=jackpots, by=BY)
        device = register_device(code=f"C-{code}", facts=DeviceFacts(table=code, version="2.0.0"), by=BY)
        yield {"table": code, "device": device.code, "secret": _secret_of(device)}


def _secret_of(device: Any) -> str:
    from tables.setup.actions.enrol import enrol, invite

    return enrol(code=invite(device=device, by=BY)).secret_hex


def _signs(premises: Any, jackpot: Any, count: int) -> Iterator[dict[str, str]]:
    """Each with the cookie that its page would have been given."""
    from tables.setup.actions.enrol import enrol, invite
    from tables.setup.actions.floor import DeviceFacts, SignFacts, hang_sign, register_device
    from tables.signs.access import COOKIE, token_of

    for number in range(1, count + 1):
        code = f"SIGN-{number:04}"
        hang_sign(premises=premises, code=code, facts=SignFacts(), jackpots=[jackpot], by=BY)
        device = register_device(code=f"D-{code}", facts=DeviceFacts(kind="sign", sign=code), by=BY)
        secret = bytes.fromhex(enrol(code=invite(device=device, by=BY)).secret_hex)
        yield {"sign": code, "cookie": f"{COOKIE}={token_of(device, secret)}"}


if __name__ == "__main__":
    import django

    os.environ["DJANGO_SETTINGS_MODULE"] = "config.settings"
    django.setup()
    sys.stdout.write(json.dumps(make(int(sys.argv[1]), int(sys.argv[2]))))
