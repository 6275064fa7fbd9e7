"""A casino as boxes, an auditor and the pit know it: over HTTP and WebSocket, nothing else.

`RoomIndoors` is the same room without a server, for figures that many stories share one wire for.
"""

from __future__ import annotations

import contextlib
from typing import Any

from tests.builders import CARD_PIN, Casino, a_card, a_casino, a_pay_table, a_person
from tests.controller import HttpController, SocketController, secret_for
from tests.hands import with_cards
from tests.indoors import Indoors
from tests.journeys.visitor import Auditor, AuditorIndoors
from tests.tables.hits.test_hit import EXECUTIVE, REF_B, SECOND, SUPERVISOR

PINS = {SUPERVISOR: CARD_PIN, EXECUTIVE: "274916", SECOND: "385027"}
Paid = list[tuple[int, str]]


class Desk:
    """A table as its controller knows it: a round at a time, every answer an `ok` unless a test expects no."""

    def __init__(self, say: Any, table: str) -> None:
        self.say, self.table, self.round = say, table, 0

    def does(self, verb: str, **words: Any) -> dict[str, Any]:
        answer: dict[str, Any] = self.say(do=verb, **words)
        assert answer["ok"], answer
        return answer

    def bets(self, *seats: int) -> None:
        self.round += 1
        self.does("coin_in", round=self.round, seats=list(seats))

    def plays(self, *seats: int, times: int = 1) -> None:
        for _ in range(times):
            self.bets(*seats)
            self.does("end", round=self.round)

    def asks(self, **hands: str) -> dict[str, Any]:
        """Marks `seat_3="royal"` and presses CONFIRM."""
        self.marks(**hands)
        return self.does("confirm", round=self.round)

    def marks(self, **hands: str) -> None:
        for seat, hand in hands.items():
            self.does("mark", round=self.round, seat=int(seat[-1]), hand=hand)
        with_cards(self.table, self.round)

    def swipes(self, card: str = EXECUTIVE) -> dict[str, Any]:
        answer: dict[str, Any] = self.say(do="card", round=self.round, card=card, pin=PINS[card])
        return answer

    def pays(self, card: str = EXECUTIVE) -> Paid:
        answer = self.swipes(card)
        assert answer["ok"], answer
        return [(win["seat"], win["amount"]) for win in answer["wins"]]


class Room:
    """A live casino; its tables speak over HTTP and WebSocket in turn."""

    def __init__(self, live: Any, closing: contextlib.ExitStack, first: int) -> None:
        self.live, self._closing, self._next = live, closing, first
        self.auditor: Auditor

    def opens(self, casino: Casino) -> list[Desk]:
        a_card(a_person("supervisor"), number=SUPERVISOR, level="supervisor")
        a_card(a_person("executive"), number=EXECUTIVE, level="executive", pin=PINS[EXECUTIVE])
        a_card(a_person("second"), number=SECOND, level="executive", pin=PINS[SECOND])
        self.auditor = self._auditor(casino)
        return [Desk(self._wire(device), device.table.code) for device in casino.controllers]

    def ref_b(self, tables: int, meter: str, reserve: str, **terms: Any) -> list[Desk]:
        return self.opens(a_casino(tables=tables, meter=meter, reserve=reserve, **{"pay_table": LINES, **terms}))

    def stands(self, code: str = "GRAND") -> tuple[str, str]:
        assert self.auditor.proves(code)
        balances = self.auditor.balances(code)
        return balances["meter"], balances["reserve"]

    def _auditor(self, casino: Casino) -> Auditor:
        return Auditor(self.live, casino.premises)

    def _wire(self, device: Any) -> Any:
        self._next += 1
        secret = secret_for(device)
        if self._next % 2:
            http = HttpController(self.live, device, secret)
            return lambda **words: http.say(**words)[1]
        socket = SocketController(self.live, device, secret)
        self._closing.callback(socket.close)
        return socket.say


class RoomIndoors(Room):
    """Every box signs what it says as over HTTP, and the same gateway answers; the test's transaction takes it back."""

    def __init__(self, indoors: Indoors) -> None:
        super().__init__(indoors, contextlib.ExitStack(), first=0)

    def _auditor(self, casino: Casino) -> Auditor:
        return AuditorIndoors(casino.premises)

    def _wire(self, device: Any) -> Any:
        box = HttpController(self.live, device, secret_for(device))
        return lambda **words: box.say(**words)[1]


LINES = a_pay_table(lines=REF_B)
