"""The casino of benches and drills, made by the product's own actions: python -m proving.scene WANTED prints it.

WANTED is JSON: how many tables of which letter, how many signs, at how many tables hits are made. The letter says which
jackpots a table feeds: S one, D two of its own, B one together with everybody and one of its own.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

BY: Final = "proving"
CARD: Final = "600000000001"
FIRST_OF_HITS: Final = 500  # no S table that plays has such a number
EVERY_SUM: Final = 1_000_000_000
LINKED: Final = {"S": ("GRAND",), "D": ("MAJOR", "MINOR"), "B": ("GRAND", "MINOR")}
RATES: Final = {"GRAND": ("70", "5"), "MAJOR": ("50", "5"), "MINOR": ("17.33", "2")}
PAY_TABLES: Final[dict[str, list[dict[str, Any]]]] = {
    "GRAND": [
        {"code": "royal_flush", "name": "Royal flush", "part": "1"},
        {"code": "straight_flush", "name": "Straight flush", "part": "1/10"},
        {"code": "four_of_a_kind", "name": "Four of a kind", "for_one": 300, "source": "tray"},
    ],
    "MAJOR": [{"code": "royal_flush", "name": "Royal flush", "part": "1"}],
    "MINOR": [{"code": "straight_flush", "name": "Straight flush", "part": "1"}],
}


def make(wanted: Mapping[str, Any]) -> dict[str, Any]:
    """Property, jackpots taken over with a reading, tables, enrolled controllers and signs, people for the hits."""
    from django.core.management import call_command

    from tables.setup.actions.floor import PropertyFacts, make_property

    call_command("migrate", verbosity=0, skip_checks=True)
    premises = make_property(
        code="PROVING", facts=PropertyFacts(name="House of measurement", plausible_play=False), by=BY
    )
    tables: dict[str, int] = wanted.get("tables", {})
    fed = {code for letter in tables for code in LINKED[letter]} | {"GRAND"}
    jackpots = {code: _jackpot(premises, code) for code in RATES if code in fed}
    hits: int = wanted.get("hits", 0)
    return {
        "meters": {code: str(jackpot.meter_money) for code, jackpot in jackpots.items()},
        "tables": {letter: list(_tables(premises, jackpots, letter, count)) for letter, count in tables.items()},
        "signs": list(_signs(premises, [jackpots[code] for code in wanted.get("shown", ["GRAND"])], wanted)),
        "hits": list(_tables(premises, jackpots, "S", hits, FIRST_OF_HITS)),
        **(_staff(premises) if hits else {}),
        "everything": list(_everything(premises, wanted.get("everything", 0))),
    }


def _jackpot(premises: Any, code: str) -> Any:
    from jackpot.books.actions.opening import Reading, take_over
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


def _tables(
    premises: Any, jackpots: Mapping[str, Any], letter: str, count: int, first: int = 1
) -> Iterator[dict[str, Any]]:
    from jackpot.money import Money
    from tables.setup.actions.floor import DeviceFacts, TableDescription, register_device, set_up_table

    facts, meters = TableDescription(wager=Money.of("1.00"), game="uth"), LINKED[letter]
    for number in range(first, first + count):
        code = f"{letter}-{number:03}"
        set_up_table(premises=premises, code=code, facts=facts, jackpots=[jackpots[each] for each in meters], by=BY)
        device = register_device(code=f"C-{code}", facts=DeviceFacts(table=code, version="2.0.0"), by=BY)
        yield {"place": code, "device": device.code, "secret": _secret_of(device), "meters": meters}


def _signs(premises: Any, shown: Sequence[Any], wanted: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """Each with the cookie that its page would have been given."""
    from tables.setup.actions.floor import DeviceFacts, SignFacts, hang_sign, register_device
    from tables.signs.access import COOKIE, token_of

    for number in range(1, wanted.get("signs", 0) + 1):
        code = f"SIGN-{number:04}"
        hang_sign(premises=premises, code=code, facts=SignFacts(), jackpots=shown, by=BY)
        facts = DeviceFacts(kind="sign", sign=code, version="2.0.0")
        device = register_device(code=f"D-{code}", facts=facts, by=BY)
        secret = _secret_of(device)
        cookie = f"{COOKIE}={token_of(device, bytes.fromhex(secret))}"
        meters = [jackpot.code for jackpot in shown]
        yield {"place": code, "device": device.code, "secret": secret, "meters": meters, "cookie": cookie}


def _secret_of(device: Any) -> str:
    from tables.setup.actions.enrol import enrol, invite

    return enrol(code=invite(device=device, by=BY)).secret_hex


def _staff(premises: Any) -> dict[str, Any]:
    """A supervisor's card approves every sum here: a PIN costs 90 ms by design, before any jackpot is locked."""
    from jackpot.people.actions.people import issue_card

    premises.executive_threshold = EVERY_SUM
    premises.save()
    supervisor = hired(premises, "supervisor", ["see", "verify", "approve"])
    issue_card(operator=supervisor, number=CARD, level="supervisor", pin="", by=BY)
    cashier = hired(premises, "cashier", ["see", "pay"])
    return {"supervisor": session_of(supervisor), "cashier": session_of(cashier)}


def _everything(premises: Any, sessions: int) -> Iterator[dict[str, str]]:
    """So many open sessions of one person who may do all that people may."""
    from jackpot.people.actions.people import VERBS

    if sessions:
        person = hired(premises, "everything", list(VERBS))
        yield from (session_of(person) for _ in range(sessions))


def hired(premises: Any, username: str, may: Sequence[str]) -> Any:
    from jackpot.people.actions.people import define_role, hire

    name = username.title()
    define_role(code=username, name=name, may=list(may), by=BY)
    return hire(premises=premises, username=username, name=f"{name} of measurement", roles=[username], by=BY)


def session_of(person: Any) -> dict[str, str]:
    """Cookies of a session that is open; signing in by password costs 90 ms by design and is measured nowhere."""
    from importlib import import_module

    from django.conf import settings
    from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY
    from django.utils.crypto import get_random_string

    store = import_module(settings.SESSION_ENGINE).SessionStore()
    store[SESSION_KEY], store[BACKEND_SESSION_KEY] = str(person.pk), settings.AUTHENTICATION_BACKENDS[0]
    store[HASH_SESSION_KEY] = person.get_session_auth_hash()
    store.save()
    return {settings.SESSION_COOKIE_NAME: store.session_key, settings.CSRF_COOKIE_NAME: get_random_string(32)}


if __name__ == "__main__":
    import django

    os.environ["DJANGO_SETTINGS_MODULE"] = "config.settings"
    django.setup()
    sys.stdout.write(json.dumps(make(json.loads(sys.argv[1]))))
