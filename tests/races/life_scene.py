"""Two jackpots, four tables, seven people, and a way to say every act of a win's life."""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from fractions import Fraction
from typing import Any

from jackpot.actions.keys import sign_key_out
from jackpot.actions.refusals import Refused
from jackpot.models import Card, Entry, Jackpot, Win
from jackpot.rules.paytable import PayTable
from tables.actions.enrol import enrol, invite
from tables.actions.round import Posted, Said, post_messages
from tables.models import Round, Table
from tables.rules.round import AskCoinIn, AskEnd
from tests.builders import a_card, a_controller, a_jackpot, a_person, a_property, a_table
from tests.hands import NoSuchDeal, with_cards
from tests.races.life_oracle import Line, Oracle, Rules
from tests.scenes_configure import two_people

UNIT = 10**8
HANDS = ("royal", "straight_flush", "community", "full_house", "five")
CARDS = {
    "supervisor": ("600000000001", ""),
    "executive": ("900000000001", "274916"),
    "second": ("900000000002", "385027"),
    "marker": ("900000000003", "496138"),
    "dealer": ("300000000001", ""),
}

POLICIES: dict[str, dict[str, Any]] = {
    "reference": {},
    "approval": {"policy": {"freeze": "approval", "overflow_at_reset": "all"}, "limit": "20050.00"},
    "clockwise": {"policy": {"order": "clockwise", "shortfall": "house"}, "limit": "20006.00"},
    "nothing kept back": {"reserve_rate": "0", "policy": {"overflow": "revenue"}, "limit": "20010.00"},
    "equal shares": {"policy": {"order": "equal_shares"}},
}


def lines(source: str) -> list[dict[str, Any]]:
    return [
        {"code": "royal", "name": "Royal flush", "part": "1", "envy": "30.00"},
        {"code": "straight_flush", "name": "Straight flush", "part": "1/10"},
        {"code": "community", "name": "Community royal", "for_one": 3000, "source": source},
        {"code": "full_house", "name": "Full house", "for_one": 10, "source": "tray"},
        {"code": "five", "name": "Five per cent", "part": "1/20"},
    ]


def oracle_lines(source: str) -> dict[str, Line]:
    return {
        "royal": Line(1, Fraction(1), envy=30 * UNIT),
        "straight_flush": Line(2, Fraction(1, 10)),
        "community": Line(3, times=3000, source=source),
        "full_house": Line(4, times=10),
        "five": Line(5, Fraction(1, 20)),
    }


class House:
    """A casino in which everything about wins can happen."""

    def __init__(self, policy: str) -> None:
        told = POLICIES[policy]
        table = {"code": "drawn", "lines": lines("meter")}
        small = {"code": "small", "lines": [{"code": "royal", "name": "Royal", "part": "1"}]}
        self.knows_order = told.get("policy", {}).get("order") != "equal_shares"
        self.premises = a_property()
        self.premises.dual_threshold = 15000
        self.premises.save()
        self.premises.refresh_from_db()
        grand = a_jackpot(meter="19990.00", reserve="617.25", pay_table=PayTable.from_plain(table), **told)
        mini = a_jackpot(
            "MINI", meter="500.00", rate="10", seed="100.00", reserve_rate="0", pay_table=PayTable.from_plain(small)
        )
        self.told = told
        feeds = {"T-1": [grand], "T-2": [grand], "T-3": [grand, mini], "T-4": [grand, mini]}
        self.devices = {}
        for code, jackpots in feeds.items():
            controller = a_controller(a_table(code, *jackpots, profile="key" if code == "T-4" else "card"))
            enrol(code=invite(device=controller, by="tests"))
            self.devices[code] = controller.id
        self._hire()

    def oracles(self) -> dict[str, Oracle]:
        """The stories at their beginning."""
        return {"GRAND": _grand(self.told), "MINI": _mini()}

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

    def jackpots_of(self, table: str) -> list[str]:
        return list(Table.objects.get(code=table).links.order_by("level").values_list("jackpot__code", flat=True))

    def last_round(self, table: str) -> Round | None:
        return Round.objects.filter(table__code=table).order_by("-number").first()

    def say(self, table: str, ask: AskCoinIn | AskEnd) -> bool:
        return isinstance(post_messages([Said(table, self.devices[table], 1, ask)])[0], Posted)

    def hits(self, table: str, number: int, *states: str) -> list[Win]:
        rows = Win.objects.filter(table_code=table, round_number=number, state__in=states, envy_of=None)
        return list(rows.select_related("jackpot").order_by("jackpot_id", "seat"))

    def show_cards(self, table: str, number: int) -> None:
        """Cards that prove what is marked, as far as one deck holds them together."""
        with contextlib.suppress(Refused, NoSuchDeal):
            with_cards(table, number)

    def stands(self) -> dict[str, tuple[int, ...]]:
        rows = Jackpot.objects.values_list("code", "meter", "reserve", "overflow", "house")
        return {code: tuple(int(amount * UNIT) for amount in amounts) for code, *amounts in rows}


def attempt(act: Callable[..., Any], **told: Any) -> Any:
    """The answer; None when the act was refused, which must have changed nothing in the books."""
    before = Entry.objects.count(), list(Win.objects.order_by("id").values_list("id", "state"))
    try:
        return act(**told)
    except Refused as refusal:
        told = refusal
    assert told.why.endswith((".", "?")), told.why
    assert (Entry.objects.count(), list(Win.objects.order_by("id").values_list("id", "state"))) == before
    return None


def _grand(told: dict[str, Any]) -> Oracle:
    reserve_rate = Fraction(told.get("reserve_rate", "5")) / 100
    limit = int(Fraction(told["limit"]) * UNIT) if "limit" in told else None
    rules = Rules(
        UNIT, Fraction(70, 100), reserve_rate, 10_000 * UNIT, oracle_lines("meter"), limit, **told.get("policy", {})
    )
    return Oracle(rules, 19_990 * UNIT, int(Fraction("617.25") * UNIT))


def _mini() -> Oracle:
    rules = Rules(UNIT, Fraction(10, 100), Fraction(0), 100 * UNIT, {"royal": Line(1, Fraction(1))})
    return Oracle(rules, 500 * UNIT)
