"""Migrates and loads the casino, as a process of its own: the launcher itself never imports Django.

python -m config.prepare [--casino FILE] [--demo FILE]
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from pathlib import Path

import django
from django.core.management import call_command
from django.core.management.base import CommandError

from launcher.installation import Prepared, casino_in, wanted_migrations
from launcher.places import data_places
from launcher.sentences import complain, say

PROJECT = Path(__file__).resolve().parent.parent


def prepare(casino: str | None, demo: str | None) -> None:
    """Brings the database to this program's shape, then loads the asked casino, or the demo into an empty one."""
    call_command("migrate", interactive=False, verbosity=0)
    url = os.environ["DATABASE_URL"]
    if casino:
        call_command("load_casino", casino)
    elif demo and casino_in(url).properties == 0 and Path(demo).is_file():
        say("Loading the demo casino …")
        call_command("load_casino", demo, verbosity=0, laboratory=False)  # its terms are our own
    seen = casino_in(url)
    logins = demo_lines() if seen.demo else []
    Prepared(wanted_migrations(PROJECT), seen.applied, logins).write(data_places(PROJECT, os.environ).prepared)


def demo_lines() -> list[str]:
    """One line a person: what to type, who that is, and the cards that go with the name."""
    from accounting.house_file.demo import demo_logins

    return [
        f"{login.username} / {login.password}   {login.name} ({', '.join(login.roles)})"
        + "".join(f"   card {card.number}{card.pin and f', PIN {card.pin}'}" for card in login.cards)
        for login in demo_logins()
    ]


def main(arguments: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(prog="config.prepare")
    parser.add_argument("--casino")
    parser.add_argument("--demo")
    wishes = parser.parse_args(arguments)
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    django.setup()
    try:
        prepare(wishes.casino, wishes.demo)
    except CommandError as sentence:
        complain(str(sentence))
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
