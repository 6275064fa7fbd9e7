"""Random evenings with several hits at several tables: every door says what the wall says, and no payment contradicts.

`FAIRMETER_SIGN_EVENINGS=500` plays so many.
"""

from __future__ import annotations

import os
import random
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

import orjson
import pytest

from jackpot.money import ZERO, Money
from jackpot.terms.rules.paytable import PayTable
from jackpot.wins.models import Win
from jackpot.wins.rules.round_ref import RoundRef
from tables.floor.models.table import Table
from tables.hits.actions import hit
from tables.hits.queries.preview import preview
from tables.hits.queries.table_state import table_states
from tables.hits.queries.verifying import amounts_asked
from tables.pit.pages.pit_tiles import round_hits
from tables.rounds.queries.floor_facts import forget_links
from tables.rounds.rules.round import EndRequest
from tables.signs import feed, queries
from tests.builders import a_sign
from tests.hands import with_cards
from tests.tables.hits.test_hit import EXECUTIVE, SECOND, Floor

pytestmark = pytest.mark.django_db

LINES = [
    {"code": "royal", "name": "Royal flush", "part": "1", "envy": "150.00"},
    {"code": "tenth", "name": "Straight flush", "part": "1/10"},
    {"code": "middle", "name": "Four of a kind", "for_one": 100, "source": "meter"},
    {"code": "small", "name": "Full house", "for_one": 10, "source": "tray"},
]
EVENINGS = int(os.environ.get("FAIRMETER_SIGN_EVENINGS", "6"))
QUIET = 3  # a table where only chips are played
PINS = {EXECUTIVE: "274916", SECOND: "385027"}
POLICIES: list[dict[str, Any]] = [
    {}, {}, {"order": "equal_shares"}, {"freeze": "approval"}, {"shortfall": "house"}, {"row": "never_less"},
]  # fmt: skip


@dataclass
class Evening:
    """Three tables and a quiet one at one jackpot, and what its sign has said."""

    floor: Floor
    seats: dict[int, str] = field(default_factory=dict)
    shown: list[tuple[int, Money, str | None]] = field(default_factory=list)

    @property
    def jackpot_id(self) -> int:
        return self.floor.casino.jackpot.id

    def words(self) -> dict[str, Any]:
        layout = queries.sign_layouts()["WALL"]
        return dict(orjson.loads(feed.words(layout, queries.standings([self.jackpot_id]), datetime.now(UTC))))

    def asked(self) -> list[tuple[str, int]]:
        rows = Win.objects.filter(state="asked").order_by("mark_seq").values_list("table_code", "round_number")
        return list(dict.fromkeys(rows))

    def looks(self) -> Money:
        """The figure now; a lower one has its reason and a higher version, and every door says the same of each hit."""
        words = self.words()
        (meter,) = words["meters"]
        now = (meter["version"], Money.of(meter["amount"]), meter["reason"])
        assert now[1] >= ZERO
        if self.shown and now[1] < self.shown[-1][1]:
            assert now[0] > self.shown[-1][0]
            assert now[2] is not None
        self.shown.append(now)
        self.doors_agree(words["verifying"])
        return now[1]

    def doors_agree(self, verifying: list[dict[str, str]]) -> None:
        on_the_wall = sorted((each["table"], each["amount"]) for each in verifying)
        wins = list(Win.objects.filter(state="asked"))
        amounts = amounts_asked(wins)
        assert sorted((win.table_code, str(amounts[win.pk])) for win in wins) == on_the_wall
        told = table_states([table.code for table in self.floor.casino.tables])
        at_tables = [
            (code, each["amount"])
            for code, facts in told.items() if facts["open_round"]
            for each in facts["open_round"]["hits"] if each["state"] == "asked"
        ]  # fmt: skip
        assert sorted(at_tables) == on_the_wall
        on_pages = [
            (code, str(due.award.amount)) for code, number in self.asked() for due in self.due(code, number)
            if not due.award.envy
        ]  # fmt: skip
        assert sorted(on_pages) == on_the_wall
        board = {each.table: each.amount for each in round_hits(wins, None, amounts)}
        for code, amount in board.items():
            assert amount == sum((Money.of(paid) for table, paid in on_the_wall if table == code), ZERO)

    def due(self, code: str, number: int) -> list[Any]:
        outlook = preview(RoundRef(code, number), Table.objects.get(code=code).premises)
        return list(outlook.settlement.lines) if outlook else []


def evening(policy: dict[str, Any], reserve: str) -> Evening:
    forget_links()
    rate = {"reserve_rate": "0"} if reserve == "0.00" else {}
    pay_table = PayTable.from_plain({"code": "mixed", "lines": LINES})
    floor = Floor(QUIET + 1, meter="12000.00", reserve=reserve, pay_table=pay_table, policy=policy, **rate)
    a_sign("WALL", floor.casino.jackpot)
    return Evening(floor)


def step(dice: random.Random, it: Evening) -> None:
    """One thing that happens at one table, whatever its state allows."""
    at = dice.randrange(3)
    floor, code = it.floor, it.floor.casino.tables[at].code
    place = {"table_code": code, "round_number": floor.rounds[at]}
    wins = Win.objects.filter(**place, state__in=["marked", "asked"], envy_of=None)
    states = set(wins.values_list("state", flat=True))
    if "asked" in states:
        verdict = dice.choice(["card", "card", "reject", "elsewhere", "elsewhere"])
        if verdict == "card":
            approves(it, **place)
        elif verdict == "reject":
            hit.reject(**place, by="Test Supervisor", why="not the hand")
        else:
            floor.coin_ins(dice.randint(1, 7), QUIET)
    elif "marked" in states and dice.random() < 0.5:
        hit.confirm(**place, by="Test Supervisor")
        with_cards(**place)
    elif it.seats.get(at) and dice.random() < 0.75:
        marks(dice, it, at)
    else:
        if Win.objects.filter(**place, state__in=["marked", "asked"]).exists():
            return
        floor.say(EndRequest(floor.rounds[at]), at)
        it.seats[at] = "".join(map(str, sorted(dice.sample(range(1, 8), dice.randint(1, 4)))))
        floor.coin_in(it.seats[at], at)


def marks(dice: random.Random, it: Evening, at: int) -> None:
    place = {"table_code": it.floor.casino.tables[at].code, "round_number": it.floor.rounds[at]}
    if Win.objects.filter(**place).exclude(state="marked").exists():
        return
    seat = int(dice.choice(it.seats[at]))
    hit.mark(**place, seat=seat, hand=dice.choice(LINES)["code"], by="Test Dealer")


def approves(it: Evening, table_code: str, round_number: int) -> None:
    """A card: refused while an earlier part waits, else it pays exactly what every door said, and the figure stays."""
    freeze = it.floor.casino.jackpot.version.value.policy.freeze
    if freeze == "approval" and it.asked()[0] != (table_code, round_number):
        return  # whose card is accepted first is paid first: people keep to the order that the wall tells
    promised = [(due.award.seat, str(due.award.amount)) for due in it.due(table_code, round_number)]
    has_part = Win.objects.filter(table_code=table_code, round_number=round_number, state="asked", part=True).exists()
    before = it.looks()
    paid: list[tuple[int, str]] = []
    for card in (EXECUTIVE, SECOND):
        try:
            answer = hit.swipe(
                table_code=table_code, round_number=round_number, card=card, pin=PINS[card], at_table=True
            )
        except hit.NotAllowedNow as why:
            if why.code != "queue":
                raise
            return
        if not answer.get("missing"):
            paid = [(win["seat"], win["amount"]) for win in answer["wins"]]
            break
    assert paid == promised
    after = it.looks()
    assert (after == before) if has_part else (after >= before)


@pytest.mark.parametrize("seed", range(EVENINGS))
def test_no_payment_contradicts_what_the_wall_and_every_door_have_said(seed: int) -> None:
    dice = random.Random(seed)
    it = evening(dice.choice(POLICIES), dice.choice(["0.00", "617.25"]))
    it.looks()
    for _ in range(24):
        step(dice, it)
        it.looks()
