"""Six jackpots, five tables, two of them with a second wager, nine people, and a way to say every act of a win."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from datetime import timedelta
from fractions import Fraction
from typing import Any

from django.db import connection
from django.utils import timezone
from psycopg.conninfo import conninfo_to_dict

from config.connections import pointed_at
from jackpot.books.actions import post as of_books
from jackpot.books.models.jackpot import Jackpot
from jackpot.money import Money
from jackpot.people.actions.keys import sign_key_out
from jackpot.people.models import Card
from jackpot.refusals import Refused
from jackpot.terms.rules.paytable import PayTable
from jackpot.wins.models import Win
from jackpot.wins.rules.win_life import OPEN
from tables.floor.models.table import Table
from tables.floor.rules.wagers import FurtherWagerFacts
from tables.rounds.actions.round import post_messages
from tables.rounds.models.round import Round
from tables.rounds.queries.floor_facts import forget_links
from tables.rounds.rules.round import CoinInRequest, DeviceRequest, EndRequest, PostedAnswer
from tables.setup.actions.enrol import enrol, invite
from tests.builders import CARD_PIN, a_card, a_controller, a_jackpot, a_person, a_property, a_table
from tests.databases import TestServer
from tests.hands import NoSuchDeal, with_cards
from tests.races.life_digest import digest
from tests.races.life_oracle import Oracle
from tests.races.life_rules import Line, Rules
from tests.scenes_configure import two_people

UNIT = 10**8
# Codes that the game's pack does not know: any cards prove them, so that any seats may hold any of them together.
UNKNOWN = ("royal", "straight", "community", "house", "five", "four")
# Codes that it does know: here the cards decide, and two people may decide against them.
JUDGED = ("royal_first_5", "four_of_a_kind", "full_house")
HANDS = (*UNKNOWN, *JUDGED)
CARDS = {
    "supervisor": ("600000000001", CARD_PIN),
    "executive": ("900000000001", "274916"),
    "second": ("900000000002", "385027"),
    "marker": ("900000000003", "496138"),
    "dealer": ("300000000001", ""),
}

# What each set of switches changes, per jackpot: a round may feed jackpots that freeze and count differently.
POLICIES: dict[str, dict[str, dict[str, Any]]] = {
    "reference": {"GRAND": {}, "MIDI": {"policy": {"freeze": "approval"}}},
    "approval": {
        "GRAND": {"policy": {"freeze": "approval", "overflow_at_reset": "all"}, "limit": "20050.00"},
        "MIDI": {"policy": {"order": "clockwise", "overflow": "revenue"}, "limit": "206.00"},
        "TWIN": {"policy": {"overflow_at_reset": "all"}, "limit": "12009.00"},
        "MEGA": {"policy": {"freeze": "approval"}},
    },
    "clockwise": {
        "GRAND": {"policy": {"order": "clockwise", "shortfall": "house"}, "limit": "20006.00"},
        "MIDI": {"policy": {"order": "equal_shares", "freeze": "approval"}},
        "MEGA": {"policy": {"order": "clockwise"}, "limit": "4020.00"},
    },
    "nothing kept back": {
        "GRAND": {"reserve": "0.00", "reserve_rate": "0", "policy": {"overflow": "revenue"}, "limit": "20010.00"},
        "MIDI": {"reserve": "0.00", "reserve_rate": "0", "limit": "205.00"},
        "TWIN": {"policy": {"overflow": "revenue"}, "limit": "32000.00"},
    },
    "equal shares": {
        "GRAND": {"policy": {"order": "equal_shares"}, "limit": "20020.00"},
        "MIDI": {"policy": {"order": "equal_shares", "shortfall": "house"}, "rounding": "down"},
        "MEGA": {"policy": {"order": "equal_shares"}},
    },
    "parts of a cent": {
        "GRAND": {
            "rate": "69.3719",
            "reserve_rate": "4.2123",
            "policy": {"overflow_at_reset": "all"},
            "limit": "20030.00",
        },
        "MIDI": {"rate": "11.1111", "reserve_rate": "2.3457", "rounding": "down"},
        "MEGA": {"rate": "13.3333", "reserve_rate": "1.7771"},
    },
    "never less": {
        "GRAND": {"policy": {"row": "never_less"}},
        "MIDI": {
            "meter": "600.00",
            "seed": "600.00",  # a third lifts four, after a reset too
            "policy": {"row": "never_less", "order": "equal_shares"},
        },
        "MINI": {"policy": {"row": "never_less"}},
    },
    "dry meter": {
        "GRAND": {"policy": {"dry_meter": "restart"}, "repay_rate": "50", "meter": "3100.00", "seed": "3000.00"},
        "MIDI": {"policy": {"dry_meter": "restart", "order": "clockwise"}, "repay_rate": "100", "limit": "260.00"},
        "MINI": {"policy": {"dry_meter": "restart"}, "repay_rate": "25"},
        "MEGA": {"policy": {"dry_meter": "restart"}, "repay_rate": "75", "meter": "90.00", "seed": "60.00"},
    },
}
OPENINGS: dict[str, dict[str, Any]] = {
    "GRAND": {"meter": "19990.00", "reserve": "617.25", "rate": "70", "reserve_rate": "5", "seed": "10000.00"},
    "MIDI": {"meter": "200.00", "reserve": "3.10", "rate": "12", "reserve_rate": "3", "seed": "150.00"},
    "MINI": {"meter": "500.00", "reserve": "0.00", "rate": "10", "reserve_rate": "0", "seed": "100.00"},
    "TWIN": {"meter": "12000.00", "reserve": "80.00", "rate": "60", "reserve_rate": "4", "seed": "8000.00"},
    "LAST": {"meter": "300.00", "reserve": "20.00", "rate": "12", "reserve_rate": "2", "seed": "200.00"},
    "MEGA": {"meter": "4000.00", "reserve": "50.00", "rate": "15", "reserve_rate": "5", "seed": "2000.00",
             "wager": "5.00"},
}  # fmt: skip
SAME_ODDS = {"GRAND": "TWIN", "TWIN": "GRAND", "MINI": "LAST", "LAST": "MINI"}
PAYS: dict[str, list[dict[str, Any]]] = {
    "GRAND": [
        {"code": "royal", "name": "Royal flush", "part": "1", "envy": "30.00"},
        {"code": "straight", "name": "Straight flush", "part": "1/10"},
        {"code": "community", "name": "Community royal", "for_one": 3000, "source": "meter"},
        {"code": "house", "name": "Full house", "for_one": 10, "source": "tray"},
        {"code": "five", "name": "Five per cent", "part": "1/20"},
    ],
    "MIDI": [
        {"code": "straight", "name": "Straight flush", "part": "1", "envy": "20.00"},
        {"code": "royal", "name": "Royal flush", "part": "1/2"},
        {"code": "four", "name": "Four of a kind", "for_one": 110, "source": "meter"},
        {"code": "five", "name": "A third", "part": "1/3"},
    ],
    "MINI": [
        {"code": "royal", "name": "Royal flush", "part": "1"},
        {"code": "royal_first_5", "name": "Royal flush, first 5 cards", "part": "1/2"},
        {"code": "four_of_a_kind", "name": "Four of a kind", "for_one": 50, "source": "meter"},
        {"code": "full_house", "name": "A quarter", "part": "1/4", "envy": "2.00"},
    ],
}
PAYS["MEGA"] = [
    {"code": "royal", "name": "Royal flush", "part": "1", "envy": "50.00"},
    {"code": "five", "name": "A quarter", "part": "1/4"},
    {"code": "four", "name": "Four of a kind", "for_one": 20, "source": "meter"},
    {"code": "full_house", "name": "Full house", "for_one": 3, "source": "tray"},
]
PAYS |= {"TWIN": PAYS["GRAND"], "LAST": PAYS["MINI"]}
FEEDS = {
    "T-1": ["GRAND"], "T-2": ["GRAND", "MIDI"], "T-3": ["GRAND", "MINI"], "T-4": ["GRAND", "MIDI", "MINI"],
    "T-5": ["TWIN", "LAST"],
}  # fmt: skip
# Two tables take a second wager, chips of 5.00 that feed a jackpot of their own; one has hand keys, one cards.
BIG, SECOND_WAGER = "BIG", {"T-2": "MEGA", "T-4": "MEGA"}
BESIDE = "2467"  # who plays it where nobody says otherwise: some beside the first wager, and some alone


def further_of(table: str) -> tuple[FurtherWagerFacts, ...]:
    """The second wager of a table, where it takes one."""
    fed = SECOND_WAGER.get(table)
    return (FurtherWagerFacts(BIG, Money.of(OPENINGS[fed]["wager"]), (fed,)),) if fed else ()


def terms_of(policy: str, code: str) -> dict[str, Any]:
    return {**OPENINGS[code], **POLICIES[policy].get(code, {})}


class House:
    """A casino in which everything about wins can happen."""

    def __init__(self, policy: str) -> None:
        self.policy = policy
        self.premises = a_property()
        self.premises.dual_threshold, self.premises.plausible_play = 15000, True
        self.begun = timezone.now() - timedelta(hours=6)
        self.premises.save()
        self.premises.refresh_from_db()
        jackpots = {code: a_jackpot(code, pay_table=_pay_table(code), **terms_of(policy, code)) for code in OPENINGS}
        self.devices = {}
        for code, feeds in FEEDS.items():
            facts = {"profile": "key" if code == "T-4" else "card", "further": further_of(code)}
            table = a_table(code, *(jackpots[feed] for feed in feeds), **facts)
            controller = a_controller(table)
            enrol(code=invite(device=controller, by="tests"))
            self.devices[code] = controller.id
        self._hire()

    def oracles(self) -> dict[str, Oracle]:
        """The stories at their beginning."""
        return {code: _oracle(code, terms_of(self.policy, code)) for code in OPENINGS}

    def _hire(self) -> None:
        self.people = {name: a_person(name) for name in (*CARDS, "cage", "other")}
        for name, (number, pin) in CARDS.items():
            level = {"supervisor": "supervisor", "dealer": "dealer"}.get(name, "executive")
            a_card(self.people[name], number=number, level=level, pin=pin)
        for number, holder, level in (("17", "supervisor", 2), ("18", "executive", 3)):
            sign_key_out(
                premises=self.premises, number=number, operator=self.people[holder], by="tests", level=Card.Level(level)
            )

        self.configurers = two_people(self.premises)
        may = ("configure", "people", "read_books")
        self.signers = a_person("warrants-a", may=may), a_person("warrants-b", may=may)

    def jackpot(self, code: str) -> Jackpot:
        return Jackpot.objects.get(code=code)

    def jackpots_of(self, table: str) -> list[str]:
        return list(Table.objects.get(code=table).links.order_by("level").values_list("jackpot__code", flat=True))

    def round(self, table: str, number: int) -> Round | None:
        return Round.objects.filter(table__code=table, number=number).first()

    def last_round(self, table: str) -> Round | None:
        return Round.objects.filter(table__code=table).order_by("-number").first()

    def say(self, table: str, ask: CoinInRequest | EndRequest, *, early: bool = False) -> bool:
        """Every round is told when it was played: one a minute; early is before the round before it."""
        if isinstance(ask, CoinInRequest):
            last = self.last_round(table) if early else None
            at = self.begun + timedelta(minutes=ask.round)
            at = at if last is None or last.played_at is None else last.played_at - timedelta(seconds=30)
            ask = ask._replace(played_at=at)
        return isinstance(post_messages([DeviceRequest(table, self.devices[table], 1, ask)])[0], PostedAnswer)

    def hits(self, table: str, number: int, *states: str) -> list[Win]:
        rows = Win.objects.filter(table_code=table, round_number=number, state__in=states, envy_of=None)
        return list(rows.select_related("jackpot").order_by("jackpot_id", "seat"))

    def in_question(self, table: str) -> list[int]:
        """Rounds of the table with open hits, the newest first: its open round, and what was parked or claimed."""
        rows = Win.objects.filter(table_code=table, state__in=OPEN).order_by("-round_number")
        return list(rows.values_list("round_number", flat=True).distinct())

    def open_hits(self, *codes: str, but: int | None = None) -> bool:
        return Win.objects.filter(jackpot__code__in=codes, state__in=OPEN).exclude(id=but).exists()

    def runs(self, code: str) -> bool:
        """A round is open at a table that feeds this jackpot."""
        return Round.objects.filter(table__links__jackpot__code=code, state="open").exists()

    def show_cards(self, table: str, number: int) -> None:
        """Cards that prove what is marked, as far as one deck holds them together."""
        with suppress(Refused, NoSuchDeal):
            with_cards(table, number)

    def stands(self) -> dict[str, tuple[int, ...]]:
        rows = Jackpot.objects.values_list("code", "meter", "reserve", "overflow", "house")
        return {code: tuple(int(amount * UNIT) for amount in amounts) for code, *amounts in rows}


class Evenings:
    """Each evening is a database of its own, copied from the one in which the casino was set up."""

    def __init__(self, server: TestServer, scene: str) -> None:
        self.server, self.scene = server, str(conninfo_to_dict(scene)["dbname"])

    @contextmanager
    def one(self) -> Iterator[None]:
        restart()
        name = self.server.next_name()
        self.server.run(
            "CREATE DATABASE {name} TEMPLATE {scene} OWNER {owner}",
            name=name, scene=self.scene, owner=self.server.owner_role,
        )  # fmt: skip
        with pointed_at(self.server.url(self.server.app, name)):
            yield
        restart()
        self.server.drop(name)


def restart() -> None:
    """What a process knows by heart is gone with it, and so are its connections."""
    connection.close()
    of_books._versions.clear()
    forget_links()


def attempt(act: Callable[..., Any], **told: Any) -> Any:
    """The answer; None when the act was refused, which must have changed nothing in the books."""
    before = digest()
    try:
        return act(**told)
    except Refused as refusal:
        why = refusal.why
    assert why.endswith((".", "?")), why
    assert digest() == before, f"{act.__name__} was refused ({why}) and changed something all the same"
    return None


def _pay_table(code: str) -> PayTable:
    return PayTable.from_plain({"code": f"pays-{code.lower()}", "lines": PAYS[code]})


def _oracle(code: str, told: dict[str, Any]) -> Oracle:
    rules = Rules(
        units(told.get("wager", "1.00")), percent(told["rate"]), percent(told["reserve_rate"]), units(told["seed"]),
        {line["code"]: _line(rank, line) for rank, line in enumerate(PAYS[code], start=1)},
        units(told["limit"]) if "limit" in told else None, **told.get("policy", {}),
        rounding=told.get("rounding", "half_up"), repay_rate=percent(told.get("repay_rate", "0")),
    )  # fmt: skip
    return Oracle(rules, units(told["meter"]), units(told["reserve"]))


def _line(rank: int, told: dict[str, Any]) -> Line:
    part = Fraction(told["part"]) if "part" in told else None
    return Line(rank, part, told.get("for_one", 0), told.get("source", "tray"), units(told.get("envy", "0")))


def percent(rate: str) -> Fraction:
    return Fraction(rate) / 100


def units(amount: str) -> int:
    return int(Fraction(amount) * UNIT)
