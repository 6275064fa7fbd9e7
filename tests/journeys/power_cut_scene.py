"""Two tables on one jackpot for a house whose power is cut: python -m tests.journeys.power_cut_scene [TABLE ROUND].

Without arguments it makes the house and tells its boxes; with them it enters the cards of that round's hits.
"""

from __future__ import annotations

import json
import os
import sys
from typing import Any

CAGE = "plain words for a cage"


def make() -> list[dict[str, str]]:
    from tables.setup.actions.enrol import enrol, invite
    from tests.builders import a_card, a_casino, a_person
    from tests.tables.gateway.test_refusals import EXECUTIVE, PIN

    casino = a_casino(tables=2, meter="15432.10", reserve="321.09")
    a_card(a_person("executive"), number=EXECUTIVE, level="executive", pin=PIN)
    a_person("cage", may=("see", "read_books", "pay"), password=CAGE)

    def told(device: Any) -> dict[str, str]:
        secret = enrol(code=invite(device=device, by="tests")).secret_hex
        return {"place": device.table.code, "device": device.code, "secret": secret}

    return [told(device) for device in casino.controllers]


def main(*words: str) -> str:
    from django.core.management import call_command

    from tests.hands import with_cards

    if words:
        with_cards(words[0], int(words[1]))
        return "{}"
    call_command("migrate", verbosity=0, skip_checks=True)
    return json.dumps(make())


if __name__ == "__main__":
    import django

    os.environ["DJANGO_SETTINGS_MODULE"] = "config.settings"
    django.setup()
    sys.stdout.write(main(*sys.argv[1:]))
