"""The house set up once through the product, and an evening in it: a database of its own behind a living server."""

from __future__ import annotations

import io
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final
from unittest.mock import patch

from django.core.management import call_command
from django.db import connection
from psycopg.conninfo import conninfo_to_dict

from config.connections import pointed_at
from jackpot.books.actions import post as of_books
from jackpot.money import Money
from jackpot.people.actions.keys import sign_key_out
from jackpot.people.models import Card
from tables.floor.rules.wagers import FurtherWagerFacts
from tables.rounds.queries.floor_facts import forget_links
from tables.rounds.queries.prove import prove
from tables.setup.actions.enrol import enrol, invite
from tables.signs import audience
from tests.builders import a_card, a_controller, a_jackpot, a_person, a_property, a_sign, a_table
from tests.databases import TestServer
from tests.living import living
from tests.oracle.doors import Box, Desk
from tests.oracle.house import (
    CARDS,
    CHIPS,
    DESKS,
    FEEDS,
    FURTHER,
    OPENINGS,
    PASSWORD,
    SECOND,
    TAKEN_OVER,
    TWO,
    WALL,
    House,
    profile_of,
    terms_of,
)
from tests.tables.signs.scene import a_sign_device

GAP: Final = 0.02  # a recorded sign hears each state, and not four of them a second
VERIFIER: Final = Path(__file__).parents[2] / "deploy" / "verify_books.py"


@dataclass(frozen=True)
class Scene:
    """A database in which everything stands ready, and who can speak there."""

    server: TestServer
    database: str
    boxes: dict[str, Box]
    cookies: dict[str, dict[str, str]]
    sign: Box

    @contextmanager
    def evening(self, *, proven: bool = True) -> Iterator[House]:
        """At its end the books are proven, here and by the stranger's verifier; then all of it is forgotten."""
        name = self.server.next_name()
        self.server.run(
            "CREATE DATABASE {name} TEMPLATE {scene} OWNER {owner}",
            name=name, scene=self.database, owner=self.server.owner_role,
        )  # fmt: skip
        forget()
        url = self.server.url(self.server.app, name)
        with pointed_at(url), patch.object(audience, "GAP", GAP):
            try:
                with living() as live, closing(House(live.port, self.boxes, self.cookies, self.sign, url)) as house:
                    yield house
                if proven:
                    prove_twice()
            finally:
                forget()
        self.server.drop(name)


def set_up(server: TestServer, database: str, switches: str) -> Scene:
    """In a fresh database, which is pointed at already."""
    premises = a_property(plausible_play=True)
    premises.dual_threshold, premises.cards_required = 15000, False
    premises.save()
    premises.refresh_from_db()
    boxes = _floor(switches)
    for name, (card, pin) in CARDS.items():
        level = "supervisor" if name == "super" else "executive"
        a_card(a_person(name, premises=premises), number=card, level=level, pin=pin)
    for number, told in enumerate((*TWO, SECOND)):
        level = "supervisor" if told is TWO[1] else "executive"
        a_card(a_person(f"answers-{number}", premises=premises), number=told["card"], level=level, pin=told["pin"])
    for key, holder, level in (("17", "keeper", Card.Level.SUPERVISOR), ("18", "chief", Card.Level.EXECUTIVE)):
        person = a_person(holder, premises=premises)
        a_card(person, number=f"7000000000{key}", level=level.label.lower(), pin="719246" if key == "18" else "")
        sign_key_out(premises=premises, number=key, operator=person, by="tests", level=level)
    verbs = (
        "see",
        "read_books",
        "run_tables",
        "verify",
        "approve",
        "override",
        "pay",
        "adjust",
        "sign_adjustments",
        "configure",
    )
    for name in DESKS:
        a_person(name, may=verbs, password=PASSWORD, premises=premises)
    with living() as live:
        cookies = {}
        for name in DESKS:
            desk = Desk.signed_in(live.port, name, PASSWORD)
            cookies[name] = desk.cookies
            desk.close()
    forget()
    return Scene(server, str(conninfo_to_dict(database)["dbname"]), boxes, cookies, boxes.pop(WALL))


def _floor(switches: str) -> dict[str, Box]:
    """Jackpots in the order in which the oracle counts them, tables that feed them, one wall sign with its box."""
    jackpots = {}
    for code in OPENINGS:
        told = terms_of(switches, code)
        reading = {word: told.pop(word) for word in TAKEN_OVER}
        lines = told.pop("lines")
        jackpots[code] = a_jackpot(code, pay_table={"code": f"pays-{code.lower()}", "lines": lines}, **reading, **told)
    boxes = {}
    for table, feeds in FEEDS.items():
        further = [
            FurtherWagerFacts(wager, Money.of(chip), fed) for wager, (chip, fed) in FURTHER.get(table, {}).items()
        ]
        facts = {"profile": profile_of(table), "wager": CHIPS.get(table, "1.00"), "further": tuple(further)}
        row = a_table(table, *(jackpots[feed] for feed in feeds), **facts)
        device = a_controller(row)
        boxes[table] = Box(table, device.code, bytes.fromhex(enrol(code=invite(device=device, by="tests")).secret_hex))
    device = a_sign_device(a_sign(WALL, *jackpots.values()))
    boxes[WALL] = Box(WALL, device.code, bytes.fromhex(enrol(code=invite(device=device, by="tests")).secret_hex))
    return boxes


def prove_twice() -> None:
    """`prove`, and the program that strangers run on an export; neither may find anything."""
    verdict = prove()
    assert verdict.holds, verdict.plain()
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "books.jsonl"
        call_command("export", output=file, stdout=io.StringIO())
        verified = subprocess.run(
            [sys.executable, str(VERIFIER), str(file)], capture_output=True, text=True, check=False
        )
        assert verified.returncode == 0, verified.stdout + verified.stderr


def forget() -> None:
    """What a process knows by heart is gone with it, and so are its connections."""
    connection.close()
    of_books._versions.clear()
    forget_links()
