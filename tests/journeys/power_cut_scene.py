"""Tables on one jackpot for a house whose power is cut: python -m tests.journeys.power_cut_scene TERMS | TABLE ROUND.

With a jackpot's terms as JSON (and `tables`, and a `sign`) it makes the house and tells its boxes; with a table and a
round it enters the cards of that round's hits.
"""

from __future__ import annotations

import json
import os
import sys
from typing import Any

CAGE = "plain words for a cage"


def make(tables: int = 2, sign: str = "", **terms: str) -> list[dict[str, str]]:
    from tables.setup.actions.enrol import enrol, invite
    from tables.setup.actions.floor import DeviceFacts, register_device
    from tests.builders import a_card, a_casino, a_person, a_sign
    from tests.tables.gateway.test_refusals import EXECUTIVE, PIN

    casino = a_casino(tables=tables, **terms)
    a_card(a_person("executive"), number=EXECUTIVE, level="executive", pin=PIN)
    a_person("cage", may=("see", "read_books", "pay"), password=CAGE)
    a_person("pit", may=("see", "run_tables"), password=CAGE)
    devices = [(device.table.code, device) for device in casino.controllers if device.table is not None]
    if sign:
        a_sign(sign, casino.jackpot)
        devices.append((sign, register_device(code=f"{sign}-D", facts=DeviceFacts(kind="sign", sign=sign), by="tests")))

    def told(place: str, device: Any) -> dict[str, str]:
        secret = enrol(code=invite(device=device, by="tests")).secret_hex
        return {"place": place, "device": device.code, "secret": secret}

    return [told(place, device) for place, device in devices]


def main(*words: str) -> str:
    from django.core.management import call_command

    from tests.hands import with_cards

    if len(words) > 1:
        with_cards(words[0], int(words[1]))
        return "{}"
    call_command("migrate", verbosity=0, skip_checks=True)
    return json.dumps(make(**json.loads(words[0])))


if __name__ == "__main__":
    import django

    os.environ["DJANGO_SETTINGS_MODULE"] = "config.settings"
    django.setup()
    sys.stdout.write(main(*sys.argv[1:]))
