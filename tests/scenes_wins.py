"""Wins for tests of the office: played at a table, approved by cards, printed and paid."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from jackpot.adjusting.actions.back_out import back_out
from jackpot.people.models import Operator
from jackpot.wins.models import Win
from tables.hits.actions import hit
from tables.rounds.actions.round import post_messages
from tables.rounds.rules.round import CoinInRequest, DeviceRequest, EndRequest, PostedAnswer
from tables.setup.actions.enrol import enrol, invite
from tests.builders import Casino, a_card, a_casino, a_pay_table, a_person
from tests.hands import with_cards

SUPERVISOR, EXECUTIVE = "600000000001", "900000000001"
PIN = "274916"
LINES = [
    {"code": "royal", "name": "Royal flush", "part": "1"},
    {"code": "five", "name": "Five percent", "part": "1/20"},
    {"code": "four", "name": "Four of a kind", "for_one": 100, "source": "tray"},
]


class WinFloor:
    """A casino in which a hand can be won at any table, in one call."""

    def __init__(self, tables: int = 1, **of_the_jackpot: Any) -> None:
        told = {"meter": "19999.30", "reserve": "617.20", "pay_table": a_pay_table(lines=LINES), **of_the_jackpot}
        self.casino: Casino = a_casino(tables=tables, **told)
        for controller in self.casino.controllers:
            enrol(code=invite(device=controller, by="tests"))
        premises = self.casino.premises
        a_card(a_person("supervisor", premises=premises), number=SUPERVISOR, level="supervisor")
        a_card(a_person("executive", premises=premises), number=EXECUTIVE, level="executive", pin=PIN)
        self.rounds = [0] * tables

    def won(
        self,
        hands: dict[int, str],
        table: int = 0,
        seats: str = "",
        meanwhile: Callable[[], None] = lambda: None,
        marker: Operator | str = "Test Dealer",
    ) -> list[Win]:
        """One round in which these seats hold these hands, approved; the wins in the order of their slips.

        What happens `meanwhile` lies between the marks and the approval.
        """
        self.rounds[table] += 1
        code, device = self.casino.tables[table].code, self.casino.controllers[table].id
        coin_in = CoinInRequest(self.rounds[table], seats or "".join(map(str, sorted(hands))))
        assert isinstance(post_messages([DeviceRequest(code, device, 1, coin_in)])[0], PostedAnswer)
        place = {"table_code": code, "round_number": self.rounds[table]}
        for seat, hand in hands.items():
            hit.mark(**place, seat=seat, hand=hand, by=marker)
        meanwhile()
        hit.confirm(**place, by="Test Supervisor")
        with_cards(**place)
        hit.swipe(**place, card=EXECUTIVE, pin=PIN)
        post_messages([DeviceRequest(code, device, 2, EndRequest(self.rounds[table]))])
        wins = Win.objects.filter(table_code=code, round_number=self.rounds[table], slip__isnull=False)
        return list(wins.select_related("jackpot__premises", "version").order_by("slip"))

    def royal(self) -> Win:
        """20,000.00 for seat 2: slip 1 of a new house."""
        return self.won({2: "royal"})[0]


def backed_out(win: Win) -> Win:
    people: dict[str, Operator] = {"requested_by": a_person("first"), "approved_by": a_person("other")}
    return back_out(
        win_id=win.pk, reason="misdeal seen on camera", evidence="camera 7, 02:14", differences_seen=True, **people
    )
