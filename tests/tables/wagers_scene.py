"""A table with two wagers: chips of 1.00 feed GRAND (60 %) and MINI (10 %), chips of 5.00 feed MEGA (20 %)."""

from __future__ import annotations

import json
from typing import Any, Final

from jackpot.books.models.jackpot import Jackpot
from jackpot.money import Money
from tables.floor.models.device import Device, DeviceState
from tables.floor.rules.wagers import FurtherWagerFacts
from tables.hits.actions import hit
from tables.rounds.actions.round import post_messages
from tables.rounds.rules.further import read_further
from tables.rounds.rules.round import CoinInRequest, DeviceRequest, EndRequest, PostedAnswer, Refusal
from tables.setup.actions.floor import TableDescription
from tests.builders import AT_BOX, CARD_PIN, Casino, a_card, a_controller, a_jackpot, a_pay_table, a_person, a_property
from tests.builders import a_table as set_up
from tests.hands import with_cards

ROYAL, SECOND_ROYAL = "royal_first_5", "royal_first_7"
GRAND_LINES: Final = [
    {"code": ROYAL, "name": "Royal flush, first 5 cards", "part": "1"},
    {"code": "straight_flush", "name": "Straight flush", "for_one": 250, "source": "tray"},
    {"code": "full_house", "name": "Full house", "for_one": 10, "source": "tray"},
]
MINI_LINES: Final = [{"code": "four_of_a_kind", "name": "Four of a kind", "part": "1/10"}]
MEGA_LINES: Final = [
    {"code": ROYAL, "name": "Royal flush, first 5 cards", "part": "1/2", "envy": "100.00"},
    {"code": "full_house", "name": "Full house", "for_one": 10, "source": "tray"},
]
MEGA: Final = FurtherWagerFacts("MEGA", Money.of("5.00"), ("MEGA",), "Mega Royal")
SUPERVISOR, EXECUTIVE, PIN = "600000000001", "900000000001", "274916"


def levels(**of_mega: Any) -> list[Jackpot]:
    """GRAND 20,000.00, MINI 500.00, MEGA 8,000.00; none keeps a reserve."""
    nothing_kept = {"reserve_rate": "0"}
    table = {code: a_pay_table(code=code.lower(), lines=lines) for code, lines in
             (("GRAND", GRAND_LINES), ("MINI", MINI_LINES), ("MEGA", MEGA_LINES))}  # fmt: skip
    return [
        a_jackpot("GRAND", meter="20000.00", rate="60", pay_table=table["GRAND"], **nothing_kept),
        a_jackpot("MINI", meter="500.00", seed="100.00", rate="10", pay_table=table["MINI"], **nothing_kept),
        a_jackpot("MEGA", meter="8000.00", seed="4000.00", rate="20", wager="5.00", pay_table=table["MEGA"],
                  **nothing_kept, **of_mega),
    ]  # fmt: skip


class TwoWagers:
    """The table UTH-01, played by hand."""

    def __init__(self, *, profile: str = "card", **of_the_house: Any) -> None:
        premises = a_property(**of_the_house)
        self.grand, self.mini, self.mega = self.jackpots = levels()
        told = {"further": (MEGA,), "wager_name": "Progressive", "profile": profile}
        table = set_up("UTH-01", self.grand, self.mini, premises=premises, **told)
        self.casino = Casino(premises, self.jackpots, [table], [a_controller(table)])
        Device.objects.update(state=DeviceState.ACTIVE)
        a_card(a_person("supervisor"), number=SUPERVISOR, pin=CARD_PIN)
        a_card(a_person("executive"), number=EXECUTIVE, level="executive", pin=PIN)
        self.number = 0

    @property
    def place(self) -> dict[str, Any]:
        return {"table_code": "UTH-01", "round_number": self.number}

    def says(self, ask: CoinInRequest | EndRequest) -> PostedAnswer | Refusal:
        return post_messages([DeviceRequest("UTH-01", self.casino.controller.id, 0, ask)])[0]

    def asks(self, first: str, mega: str | None = None, number: int | None = None, **more: Any) -> Any:
        further = read_further({} if mega is None else {"MEGA": mega}, {})
        return self.says(CoinInRequest(number or self.number, first, further=further, **more))

    def coin_in(self, first: str, mega: str | None = None, **more: Any) -> dict[str, Any]:
        """The next round, with these seats on the first wager and those on MEGA."""
        if self.number:
            self.says(EndRequest(self.number))
        self.number += 1
        answer = self.asks(first, mega, **more)
        assert isinstance(answer, PostedAnswer), answer
        told: dict[str, Any] = json.loads(answer.answer)
        return told

    def mark(self, seat: int, hand: str = ROYAL) -> dict[str, Any]:
        return hit.mark(**self.place, seat=seat, hand=hand, by="Test Dealer")

    def confirm(self) -> dict[str, Any]:
        asked = hit.confirm(**self.place, by="Test Supervisor")
        with_cards(**self.place)
        return asked

    def card(self) -> dict[str, Any]:
        return hit.swipe(**self.place, card=EXECUTIVE, pin=PIN, at_table=True, source=AT_BOX)

    def meters(self) -> list[str]:
        """GRAND, MINI, MEGA."""
        return [str(jackpot.meter_money) for jackpot in Jackpot.objects.order_by("pk")]


def described(**facts: Any) -> TableDescription:
    return TableDescription(**{"wager": Money.of("1.00"), "game": "uth", "further": (MEGA,), **facts})
