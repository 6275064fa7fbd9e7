"""Five tables, their people and two keys, for a house that is killed: python -m tests.journeys.half_way_scene."""

from __future__ import annotations

import json
import os
import sys
from typing import Any

CARDS = ("card", "card", "key", "key", "key")


def make() -> list[dict[str, str]]:
    from jackpot.people.actions.keys import sign_key_out
    from tables.floor.models.table import Table
    from tables.setup.actions.enrol import enrol, invite
    from tests.builders import a_card, a_casino, a_person
    from tests.tables.gateway.test_refusals import EXECUTIVE, PIN, SUPERVISOR

    casino = a_casino(tables=len(CARDS))
    for table, profile in zip(casino.tables, CARDS, strict=True):
        Table.objects.filter(id=table.id).update(profile=profile)
    holder = a_person("supervisor")
    a_card(holder, number=SUPERVISOR, level="supervisor")
    a_card(a_person("executive"), number=EXECUTIVE, level="executive", pin=PIN)
    for number in ("17", "18"):
        sign_key_out(premises=casino.premises, number=number, operator=holder, by="tests")

    def told(device: Any) -> dict[str, str]:
        secret = enrol(code=invite(device=device, by="tests")).secret_hex
        return {"place": device.table.code, "device": device.code, "secret": secret}

    return [told(device) for device in casino.controllers]


if __name__ == "__main__":
    import django

    os.environ["DJANGO_SETTINGS_MODULE"] = "config.settings"
    django.setup()
    from django.core.management import call_command

    call_command("migrate", verbosity=0, skip_checks=True)
    sys.stdout.write(json.dumps(make()))
